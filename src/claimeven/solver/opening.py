"""The opening books of this package and of this user, as the solver reads them."""

import os
from functools import cache
from importlib.resources import files
from pathlib import Path

from claimeven import _core
from claimeven.board import Board
from claimeven.errors import InputError


def book_of(board: Board) -> _core.Book | None:
    """The deepest book of a board that there is: of this package, or in the user's folder."""
    return _deepest(tuple(path for path in (_shipped_path(board), own_path(board)) if path.exists()))


def opening_book_path() -> Path:
    """The book of 7x6x4 in this package."""
    return _shipped_path(Board())


def own_path(board: Board) -> Path:
    """Where a book that the user has built is looked for."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "claimeven" / "books" / _name(board)


def open_book(path: Path) -> _core.Book:
    """A book file, checked to be whole."""
    try:
        book = _core.Book(str(path))
    except ValueError as error:
        raise InputError("book.unusable", path=path, reason=str(error)) from None
    if not book.is_intact():
        raise InputError("book.damaged", path=path)
    return book


@cache
def _deepest(paths: tuple[Path, ...]) -> _core.Book | None:
    return max(map(open_book, paths), key=lambda book: book.plies, default=None)


def _shipped_path(board: Board) -> Path:
    folder = files("claimeven") if board.is_standard else files("claimeven") / "data" / "books"
    return Path(str(folder / _name(board)))


def _name(board: Board) -> str:
    return f"book-{board.columns}x{board.rows}x{board.reach}.bin"
