"""Bits and lines: what the detectors of this room look at."""

from collections.abc import Iterator
from functools import lru_cache

from claimeven.position import Board, Position

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))  # horizontal, vertical, rising, falling


@lru_cache(maxsize=64)
def all_lines(board: Board) -> tuple[int, ...]:
    """Every way to win, as bits."""
    found = set()
    for column in range(board.columns):
        for row in range(board.rows):
            for right, up in STEPS:
                last_column, last_row = column + right * (board.connect - 1), row + up * (board.connect - 1)
                if last_column < board.columns and 0 <= last_row < board.rows:
                    cells = (board.bit(column + i * right, row + i * up) for i in range(board.connect))
                    found.add(sum(cells))
    return tuple(sorted(found))


@lru_cache(maxsize=64)
def lines_by_cell(board: Board) -> dict[int, tuple[int, ...]]:
    """The lines through every cell."""
    return {bit: tuple(line for line in all_lines(board) if line & bit) for bit in bits(board.full)}


def winning_cells(board: Board, stones: int, mask: int) -> int:
    """The empty cells that complete a line of `stones`, reachable or not."""
    cells = 0
    for line in all_lines(board):
        missing = line & ~stones
        if missing & (missing - 1) == 0 and not missing & mask:
            cells |= missing
    return cells


def landings(board: Board, mask: int) -> int:
    """Where the next disc of every column would fall."""
    return (mask + board.bottom) & board.full


def landing(position: Position, column: int) -> int:
    return landings(position.board, position.mask) & position.board.column_bits(column)


def bits(cells: int) -> Iterator[int]:
    """The single bits, from the lowest."""
    while cells:
        yield cells & -cells
        cells &= cells - 1


def column_of(board: Board, bit: int) -> int:
    return (bit.bit_length() - 1) // (board.rows + 1)


def row_of(board: Board, bit: int) -> int:
    """Counted from 1 at the bottom, as in the names of cells and in "odd" and "even"."""
    return (bit.bit_length() - 1) % (board.rows + 1) + 1


def columns_of(board: Board, cells: int) -> tuple[int, ...]:
    return tuple(column_of(board, bit) for bit in bits(cells))
