"""What a leaf is about: what stands on the board there, and how its plan answers."""

from typing import Literal

from claimeven.board import Board
from claimeven.map.plan import Plan
from claimeven.map.stones import Stones

Theme = Literal["odd", "even", "top", "pairs", "rules"]
THEMES: tuple[Theme, ...] = ("odd", "even", "top", "pairs", "rules")


def threats_of(board: Board, stones: Stones) -> int:
    """The cells that would complete a four of the holder and cannot be played yet."""
    mask = stones.mask
    return board.winning_cells(stones.theirs ^ mask, mask) & ~board.landings(mask)


def theme_of(board: Board, stones: Stones, plan: Plan) -> Theme:
    """A threat that stands, the odd one first; without any, what the plan says besides "on top"."""
    threats = threats_of(board, stones)
    if threats:
        return "odd" if any(cell.row % 2 == 0 for cell in board.cells_of(threats)) else "even"
    if not len(plan):
        return "top"
    is_paired = set(plan.exceptions) == {(y, x) for x, y in plan.exceptions}
    return "pairs" if is_paired and not plan.urgent and not plan.spare else "rules"
