"""Rows as people count them, and columns of sets of cells; all other geometry is `Board`'s."""

from claimeven.board import Board, bits


def row_of(board: Board, bit: int) -> int:
    """Counted from 1 at the bottom, as in the names of cells and in "odd" and "even"."""
    return board.row_of(bit) + 1


def columns_of(board: Board, cells: int) -> tuple[int, ...]:
    return tuple(board.column_of(bit) for bit in bits(cells))
