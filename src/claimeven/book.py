"""Opening books: making, describing and checking them. The format is in native/solver/book.hpp.

A book has the exact score of every position up to some ply. Only the deepest ply is solved; the scores above
it follow, each from its best move.
"""

import itertools
import os
import random
import shutil
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from claimeven import _core
from claimeven.errors import InputError
from claimeven.position import Board, Position
from claimeven.runner import Execute, Progress, run, write_whole
from claimeven.solver import open_book

MAX_PLIES = 16
MAX_BITS = 64  # of a board that can have a book
LEFT_OUT = 127  # what a book says of the rare scores that it does not hold
WORD = 8  # bytes of a key

Steps = Callable[[str], Progress]  # progress for each of several things to do, by its name


class WrongBookError(InputError):
    """A book that is not what it should be."""


@dataclass(frozen=True)
class About:
    """What a book says of itself."""

    path: Path
    board: Board
    version: int
    plies: int  # it has all positions with at most so many stones
    positions: int
    bytes: int

    @property
    def bits_per_position(self) -> float:
        return 8 * self.bytes / max(1, self.positions)


def describe(path: Path) -> About:
    book = open_book(path)
    return About(path, board_of(book), book.version, book.plies, book.positions, book.size)


def board_of(book: _core.Book) -> Board:
    return Board(book.columns, book.rows, book.connect)


def build(
    plies: int,
    out: Path,
    *,
    board: Board | None = None,
    workers: int = 1,
    megabytes: int = 256,
    folder: Path | None = None,
    source: Path | None = None,
    steps: Steps | None = None,
    execute: Execute | None = None,
) -> About:
    """Solve every position of a board with so many stones, each worker with a table of `megabytes`; write the
    book.

    The work can be interrupted and goes on with the same arguments: finished parts are in `folder`, which by
    default lies beside `out` and is removed at the end. With `source`, a deeper book, only what that leaves
    out is searched.
    """
    board = board or Board()
    if board.columns * (board.rows + 1) > MAX_BITS:
        raise InputError("book.board", board=board, most=MAX_BITS)
    most = min(MAX_PLIES, board.cells - 1)
    if not 0 <= plies <= most:
        raise InputError("book.plies", most=most, plies=plies)
    _check_megabytes(megabytes)
    if source is not None:
        deeper = open_book(source)
        if board_of(deeper) != _cut(board):
            raise InputError("book.other_board", source=source, board=board_of(deeper))
        if deeper.plies < plies:
            raise InputError("book.only", source=source, plies=deeper.plies)
    # Hours may pass until the book is written: better to know now if it cannot be.
    if out.is_dir() or not os.access(out.parent, os.W_OK):
        raise InputError("book.not_written", out=out)
    parts = _parts(_core.book_layer(*_size(board), plies))
    kept = out.with_name(f"{out.name}.work") if folder is None else folder
    try:
        solved = list(
            run(
                _solve,
                [(board, keys, megabytes, source) for keys in parts],
                workers=workers,
                folder=kept,
                name="book",
                parameters={
                    "plies": plies,
                    "source": "search" if source is None else "book",
                    **({} if board.is_standard else {"board": str(_cut(board))}),
                },
                progress=steps and steps("solving"),
                execute=execute,
            )
        )
    finally:
        _solver.cache_clear()  # its table is large
    if not all(_are_scores(board, scores, keys) for scores, keys in zip(solved, parts, strict=True)):
        raise InputError("book.kept_damaged", kept=kept)
    scores = array("b", itertools.chain.from_iterable(solved)).tobytes()
    write_whole(out, _core.make_book(*_size(board), plies, scores))
    if folder is None:
        shutil.rmtree(kept)
    return describe(out)


def shorten(source: Path, plies: int) -> bytes:
    """The bytes of the book with fewer plies; what `build` with a source writes, but at once."""
    book = open_book(source)
    if not 0 <= plies <= book.plies:
        raise InputError("book.too_shallow", source=source, has=book.plies, plies=plies)
    try:
        size = _size(board_of(book))
        return _core.make_book(*size, plies, _all_scores(book, _core.book_layer(*size, plies), megabytes=16))
    finally:
        _solver.cache_clear()


def _size(board: Board) -> tuple[int, int, int]:
    return board.columns, board.rows, board.reach


def _cut(board: Board) -> Board:
    """The board as a book names it: a line that is longer than any side is as long as any other."""
    return Board(*_size(board))


def _check_megabytes(megabytes: int) -> None:
    if not 1 <= megabytes <= 2**20:
        raise InputError("book.megabytes", most=2**20, megabytes=megabytes)


def _parts(keys: bytes) -> list[bytes]:
    """A layer in parts of consecutive keys: their searches have much in common.

    However many workers there are, the parts are the same, so that any number of them can go on.
    """
    size = WORD * min(1024, max(1, len(keys) // WORD // 256))
    return [keys[at : at + size] for at in range(0, len(keys), size)]


def _are_scores(board: Board, scores: object, keys: bytes) -> bool:
    """Whether what was kept in a folder can be the scores of these positions."""
    cells = range(-board.cells, board.cells + 1)
    return (
        isinstance(scores, list)
        and len(scores) == len(keys) // WORD
        and all(type(score) is int and score in cells for score in scores)
    )


def _solve(item: tuple[Board, bytes, int, Path | None], seed: int) -> list[int]:
    board, keys, megabytes, source = item
    return _searched(_solver(megabytes, source), board, keys)


def _solve_afresh(item: tuple[Board, bytes, int], seed: int) -> list[int]:
    board, keys, megabytes = item
    solver = _solver(megabytes, None)
    solver.clear()
    return _searched(solver, board, keys)


@lru_cache(maxsize=1)
def _solver(megabytes: int, source: Path | None) -> _core.Solver:
    """One for all parts that a worker is given: what it has learned stays useful."""
    return _core.Solver(threads=1, megabytes=megabytes, book=None if source is None else open_book(source))


def _searched(solver: _core.Solver, board: Board, keys: bytes) -> list[int]:
    size = _size(board)
    mine, mask = _core.stones_of_keys(*size, keys)
    scores = solver.scores(*size, mine, mask, only_outcome=False, reached=True, progress=None)
    return memoryview(scores).cast("b").tolist()


def verify(
    path: Path,
    *,
    sample: int = 200,
    seed: int = 0,
    workers: int = 1,
    megabytes: int = 64,
    steps: Steps | None = None,
) -> Iterator[str]:
    """Check a book in every way there is, and yield a sentence for each that it passes.

    Each score must be that of the best move, so an error can only come from the deepest ply; there, a sample
    is searched anew, without the book and without anything learned from other positions.
    """
    _check_megabytes(megabytes)
    if sample < 0:
        raise InputError("book.sample", sample=sample)
    with open(path, "rb"):  # one that is missing is not a wrong book
        pass
    try:
        book = _core.Book(str(path))
    except ValueError as error:
        raise WrongBookError("book.unusable", path=path, reason=str(error)) from None
    if not book.is_intact():
        raise WrongBookError("book.checksum", path=path)
    yield "The file is whole: its checksum is right."

    try:
        deepest, scores = _deepest_layer(book, megabytes, steps and steps("comparing"))
        yield f"All {book.positions} positions to ply {book.plies} are there, and agree from ply to ply."
        chosen = random.Random(seed).sample(range(len(scores)), min(sample, len(scores)))
        keys = [deepest[WORD * i : WORD * (i + 1)] for i in chosen]
        searched = run(
            _solve_afresh,
            [(board_of(book), key, megabytes) for key in keys],
            workers=workers,
            progress=steps("searching") if steps and keys else None,
        )
        for key, said, [found] in zip(keys, (scores[i] for i in chosen), searched, strict=True):
            if said != found:
                where = _position(board_of(book), key)
                raise WrongBookError("book.searched", said=said, where=where, found=found)
        if keys:
            yield f"Of ply {book.plies}, {len(keys)} random positions were searched anew: the same scores."
    except WrongBookError as error:
        raise error.wrapped("book.wrong", path=path) from None
    finally:
        _solver.cache_clear()


def _deepest_layer(book: _core.Book, megabytes: int, progress: Progress | None) -> tuple[bytes, memoryview]:
    """Keys and scores of the deepest ply, after those of all others have been compared with the next ply."""
    keys, scores, positions = b"", b"", 0
    board = board_of(book)
    for ply in range(book.plies + 1):
        next_keys = _core.book_layer(*_size(board), ply)
        next_scores = _all_scores(book, next_keys, megabytes)
        backed_up = _core.back_up(*_size(board), keys, next_keys, next_scores)
        if backed_up != scores:
            i = next(i for i, (a, b) in enumerate(zip(scores, backed_up, strict=True)) if a != b)
            said, found = memoryview(scores).cast("b")[i], memoryview(backed_up).cast("b")[i]
            where = _position(board, keys[WORD * i : WORD * (i + 1)])
            raise WrongBookError("book.move", said=said, where=where, found=found)
        keys, scores = next_keys, next_scores
        positions += len(scores)
        if progress:
            progress(ply, book.plies)
    if positions != book.positions:
        raise WrongBookError("book.count", plies=book.plies, positions=positions, counted=book.positions)
    return keys, memoryview(scores).cast("b")


def _all_scores(book: _core.Book, keys: bytes, megabytes: int) -> bytes:
    """What a book says, and for the few scores that it leaves out, what a search says."""
    scores = bytearray(book.scores(keys))
    left_out = [i for i, score in enumerate(scores) if score == LEFT_OUT]
    if left_out:
        missing = b"".join(keys[WORD * i : WORD * (i + 1)] for i in left_out)
        for i, score in zip(
            left_out, _searched(_solver(megabytes, None), board_of(book), missing), strict=True
        ):
            scores[i] = score & 0xFF
    return bytes(scores)


def _position(board: Board, key: bytes) -> Position:
    mine, mask = (int.from_bytes(word, "little") for word in _core.stones_of_keys(*_size(board), key))
    theirs = mine ^ mask
    return Position.from_stones(board, *((theirs, mine) if mask.bit_count() % 2 else (mine, theirs)))
