"""A position as an array: what PettingZoo's own connect_four and our environments show."""

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from claimeven.formats.grid import to_rows
from claimeven.position import Board, Position

Plane = NDArray[np.int8]


def planes(position: Position, side: int) -> Plane:
    """(rows, columns, 2): a side's own stones, then its opponent's; the first row is the TOP one."""
    rows = np.array(to_rows(position, "top"), np.int8)
    return np.stack([rows == side + 1, rows == 2 - side], axis=2).astype(np.int8)


def mask(position: Position) -> Plane:
    """1 for every legal column."""
    found = np.zeros(position.board.columns, np.int8)
    found[list(position.legal)] = 1
    return found


def planes_space(board: Board) -> spaces.Box:
    return spaces.Box(0, 1, (board.rows, board.columns, 2), np.int8)


def mask_space(board: Board) -> spaces.Box:
    return spaces.Box(0, 1, (board.columns,), np.int8)


def board_of(board: Board | str) -> Board:
    return Board.parse(board) if isinstance(board, str) else board
