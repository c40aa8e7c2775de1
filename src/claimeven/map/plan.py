"""Plans: how one side, the holder, answers everything, as exceptions to one rule.

After a stone of the opponent on x the holder completes a four if it can; else stops the one that the opponent
threatens; else plays the first urgent cell that is open; else the first exception of x that is open; else on
top of x; else, x having filled its column, the first spare cell that is open. What that proves is in
native/plan/plan.hpp, which plays plans against everything.
"""

from dataclasses import dataclass
from functools import cached_property

from claimeven.board import Board

Cells = tuple[int, ...]  # by the numbers of their bits
Exceptions = tuple[tuple[int, int], ...]  # by x; those of one x in the order in which they are tried
Rules = tuple[list[int], list[tuple[int, int]], list[int]]  # as the core has them


@dataclass(frozen=True, order=True)
class Plan:
    """What is not answered on top."""

    exceptions: Exceptions = ()
    urgent: Cells = ()
    spare: Cells = ()

    def __len__(self) -> int:
        return len(self.urgent) + len(self.exceptions) + len(self.spare)

    def __bool__(self) -> bool:
        return True  # follow-up alone is a plan, too

    @classmethod
    def of(cls, rules: Rules) -> "Plan":
        urgent, exceptions, spare = rules
        return cls(tuple((x, y) for x, y in exceptions), tuple(urgent), tuple(spare))

    @property
    def rules(self) -> Rules:
        return list(self.urgent), list(self.exceptions), list(self.spare)

    def without(self, index: int) -> "Plan":
        """The plan without one of its rules: first the exceptions count, then what is urgent, then spare."""
        kinds: list[tuple[object, ...]] = [self.exceptions, self.urgent, self.spare]
        for place, rules in enumerate(kinds):
            if index in range(len(rules)):
                kinds[place] = rules[:index] + rules[index + 1 :]
                break
            index -= len(rules)
        return Plan(*kinds)  # type: ignore[arg-type]

    @cached_property
    def answers(self) -> dict[int, Cells]:
        """By the number of x: the cells that answer it, the first one that is open."""
        found: dict[int, Cells] = {}
        for x, y in self.exceptions:
            found[x] = (*found.get(x, ()), y)
        return found

    def mirrored(self, board: Board) -> "Plan":
        height = board.rows + 1

        def turned(cell: int) -> int:
            return (board.columns - 1 - cell // height) * height + cell % height

        pairs = sorted(((turned(x), turned(y)) for x, y in self.exceptions), key=lambda pair: pair[0])
        return Plan(tuple(pairs), tuple(map(turned, self.urgent)), tuple(map(turned, self.spare)))

    def answer(self, board: Board, theirs: int, mask: int, x: int) -> int:
        """The cell that answers x, as a bit, given the stones with x; 0 where the plan has no answer."""
        open_cells = board.landings(mask)
        return (
            urgent(board, theirs, mask)
            or first_open(self.urgent, open_cells)
            or first_open(self.answers.get(x.bit_length() - 1, ()), open_cells)
            or x << 1 & open_cells
            or first_open(self.spare, open_cells)
        )


def first_open(cells: Cells, open_cells: int) -> int:
    return next((1 << cell for cell in cells if 1 << cell & open_cells), 0)


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
    return min(plan, plan.mirrored(board))
