"""A position as an array: what PettingZoo's own connect_four and our environments show."""

from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from claimeven.board import MAX_BITS, Board
from claimeven.position import Position

Info = dict[str, Any]  # what Gymnasium and PettingZoo call info and options
Plane = NDArray[np.int8]
BYTES = MAX_BITS // 8


def planes(position: Position, side: int) -> Plane:
    """(rows, columns, 2): a side's own stones, then its opponent's; the first row is the TOP one."""
    mine, theirs = position.mine, position.theirs
    if side != position.side:
        mine, theirs = theirs, mine
    bits = _bits(mine | theirs << MAX_BITS, 2 * BYTES)
    return bits[_cells(position.board)]


def mask(position: Position) -> Plane:
    """1 for every legal column."""
    if position.is_over:
        return np.zeros(position.board.columns, np.int8)
    return _bits(~position.mask & position.board.full, BYTES)[_tops(position.board)]


def planes_space(board: Board) -> spaces.Box:
    return spaces.Box(0, 1, (board.rows, board.columns, 2), np.int8)


def mask_space(board: Board) -> spaces.Box:
    return spaces.Box(0, 1, (board.columns,), np.int8)


def board_of(board: Board | str) -> Board:
    return Position(Board.parse(board) if isinstance(board, str) else board).board  # or it says why not


def _bits(word: int, size: int) -> Plane:
    """The bits of a word, the lowest first: all cells at once instead of one after the other."""
    octets = np.frombuffer(word.to_bytes(size, "little"), np.uint8)
    return np.unpackbits(octets, bitorder="little").view(np.int8)


@lru_cache(maxsize=64)
def _cells(board: Board) -> NDArray[np.intp]:
    """Where each cell of `planes` lies among the bits of both sides."""
    rows, columns, sides = np.ogrid[: board.rows, : board.columns, :2]
    return np.asarray(columns * (board.rows + 1) + (board.rows - 1 - rows) + sides * MAX_BITS, np.intp)


@lru_cache(maxsize=64)
def _tops(board: Board) -> NDArray[np.intp]:
    """Where the top cell of each column lies among the bits of a position."""
    return np.arange(board.columns) * (board.rows + 1) + board.rows - 1
