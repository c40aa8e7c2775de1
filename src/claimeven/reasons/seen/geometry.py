"""Rows as people count them, and columns of sets of cells; all other geometry is `Board`'s."""

from typing import Literal

from claimeven.board import Board, bits


def row_of(board: Board, bit: int) -> int:
    """Counted from 1 at the bottom, as in the names of cells and in "odd" and "even"."""
    return board.row_of(bit) + 1


def columns_of(board: Board, cells: int) -> tuple[int, ...]:
    return tuple(board.column_of(bit) for bit in bits(cells))


def is_own_row(board: Board, side: int, row: int) -> bool:
    """Whether a row (from 1) falls to a side when both answer each other up the columns to the end.

    Whoever makes the last move of a full board gets the top row, and every second one below it: on boards of
    even height that is the second player, with the even rows.
    """
    is_last = (board.cells - 1) % 2 == side
    return is_last == (row % 2 == board.rows % 2)


def region(board: Board, column: int) -> Literal["left", "middle", "right"]:
    """Which part of the board a column lies in; the middle is what is as far from both sides as it gets."""
    third = board.columns / 3
    if column + 1 <= third:
        return "left"
    return "right" if column >= board.columns - third else "middle"
