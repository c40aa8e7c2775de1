"""Two threats at once, made by one disc: what a side would have if the other one passed."""

from typing import Literal, NamedTuple

from claimeven.position import Board

DoubleKind = Literal["fork", "stacked"]


class Double(NamedTuple):
    kind: DoubleKind  # two open cells, or an open one and another right above it
    cells: int


def double(board: Board, own: int, other: int, mask: int, stone: int) -> Double | None:
    """What a disc of `own` on an open cell makes; nothing where it wins, or the other side wins first."""
    own, mask = own | stone, mask | stone
    open_cells = board.landings(mask)
    if board.has_four(own) or board.winning_cells(other, mask) & open_cells:
        return None
    wins = board.winning_cells(own, mask)
    now = wins & open_cells
    if now.bit_count() >= 2:
        return Double("fork", now)
    return Double("stacked", now | now << 1) if now and now << 1 & wins else None
