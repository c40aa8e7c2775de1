"""Plans: how one side, the holder, answers everything, as exceptions to one rule.

After a stone of the opponent on x the holder completes a four if it can; else stops the one that the opponent
threatens; else plays the exception y of x if that can be played; else plays on top of x. What that proves is
in native/solver/plan.hpp, which finds plans and plays them against everything.
"""

from dataclasses import dataclass
from functools import cached_property

from claimeven.board import Board

Exceptions = tuple[tuple[int, int], ...]  # cells by the numbers of their bits, ascending


@dataclass(frozen=True)
class Plan:
    """What is not answered on top."""

    exceptions: Exceptions = ()

    @cached_property
    def answers(self) -> dict[int, int]:
        """By the bit of x: the bit of y."""
        return {1 << x: 1 << y for x, y in self.exceptions}

    def mirrored(self, board: Board) -> "Plan":
        height = board.rows + 1

        def turned(cell: int) -> int:
            return (board.columns - 1 - cell // height) * height + cell % height

        return Plan(tuple(sorted((turned(x), turned(y)) for x, y in self.exceptions)))

    def answer(self, board: Board, theirs: int, mask: int, x: int) -> int:
        """The cell that answers x, as a bit, given the stones with x; 0 where the plan has no answer."""
        open_cells = board.landings(mask)
        return urgent(board, theirs, mask) or self.answers.get(x, 0) & open_cells or x << 1 & open_cells


def urgent(board: Board, theirs: int, mask: int) -> int:
    """The cell that completes a four of the side to move, or else stops one of the other; 0 without any."""
    open_cells = board.landings(mask)
    for stones in (theirs ^ mask, theirs):
        cells = board.winning_cells(stones, mask) & open_cells
        if cells:
            return cells & -cells
    return 0


def upright(board: Board, plan: Plan) -> Plan:
    """The one of a plan and its mirror image that comes first."""
    return min(plan, plan.mirrored(board), key=lambda found: found.exceptions)
