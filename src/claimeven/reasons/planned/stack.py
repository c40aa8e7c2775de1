"""The plan of two winning cells above each other: play below them yourself.

They have to block the lower one, and the upper one wins. Should they threaten something in between, it is
stopped first. Like every plan it is shown only after the replay.
"""

from dataclasses import dataclass, replace

from claimeven.board import bits
from claimeven.position import Cell, Position
from claimeven.reasons.planned import replay
from claimeven.reasons.planned.plan import Plan

MAX_NODES = 2000


@dataclass(frozen=True)
class StackPlan(Plan):
    """Its keys are the two cells, the lower one first."""

    is_watchful: bool = False  # they can threaten something first, which must be stopped

    @property
    def below(self) -> Cell:
        """Where the holder plays."""
        lower = self.keys[0]
        return Cell(lower.column, lower.row - 1)

    def answer(self, stones: replay.Stones, move: int) -> int:
        board, theirs, mask = self.position.board, stones[0] | move, stones[1] | move
        open_cells = board.landings(mask)
        for own in (mask ^ theirs, theirs) if self.is_watchful else (mask ^ theirs,):
            urgent = board.winning_cells(own, mask) & open_cells
            if urgent:
                return urgent & -urgent
        return open_cells & board.column_bits(self.keys[0].column)


def find_stack(position: Position) -> StackPlan | None:
    """Two winning cells of the side that has just moved, the cell below them open; played through."""
    board = position.board
    wins = board.winning_cells(position.theirs, position.mask)
    open_cells = board.landings(position.mask)
    for lower in bits(wins & wins >> 1 & ~open_cells & open_cells << 1):
        plan = StackPlan(position, "stacked", -1, board.cells_of(lower | lower << 1), (), ())
        for found in (plan, replace(plan, is_watchful=True)):
            if replay.holds(position, -1, found.answer, MAX_NODES):
                return found
    return None
