"""The opening book of this package, and other files of books, as the solver reads them."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from claimeven import _core
from claimeven.errors import InputError


@cache
def opening_book() -> _core.Book | None:
    """The book of this package, or None where it was built without."""
    path = opening_book_path()
    return open_book(path) if path.exists() else None


def opening_book_path() -> Path:
    return Path(str(files("claimeven") / "book-7x6x4.bin"))


def open_book(path: Path) -> _core.Book:
    """A book file, checked to be whole."""
    try:
        book = _core.Book(str(path))
    except ValueError as error:
        raise InputError("book.unusable", path=path, reason=str(error)) from None
    if not book.is_intact():
        raise InputError("book.damaged", path=path)
    return book
