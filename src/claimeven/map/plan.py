"""Plans: how one side, the holder, answers everything, as exceptions to one rule.

After a stone of the opponent on x the holder completes a four if it can; else stops the one that the opponent
threatens; else plays the first urgent cell that is open; else the first exception of x that is open; else on
top of x; else, x having filled its column, the first spare cell that is open. What that proves is in
native/plan/plan.hpp, which plays plans against everything.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from claimeven.board import Board, bits

Cells = tuple[int, ...]  # by the numbers of their bits
Exceptions = tuple[tuple[int, int], ...]  # by x; those of one x in the order in which they are tried
Rules = tuple[list[int], list[tuple[int, int]], list[int]]  # as the core has them
# Why a cell is played: it completes a four, it stops one, or by a rule of the plan.
Rule = Literal["win", "stop", "urgent", "exception", "top", "spare"]


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
        return urgent(board, theirs, mask) or self._quiet(x, board.landings(mask))[1]

    def replies(self, board: Board, theirs: int, mask: int) -> Iterator[tuple[int, Rule, int]]:
        """Each x that the opponent can play next, what answers it, and by which rule; 0 without an answer."""
        free, full = board.landings(mask), board.full
        wins = board.winning_cells(theirs ^ mask, mask)  # the same whatever is played
        for x in bits(free):
            open_cells = free ^ x | x << 1 & full
            if y := wins & open_cells:
                yield x, "win", y & -y
            elif y := board.winning_cells(theirs | x, mask | x) & open_cells:
                yield x, "stop", y & -y
            else:
                yield x, *self._quiet(x, open_cells)

    def _quiet(self, x: int, open_cells: int) -> tuple[Rule, int]:
        """What answers x where no four is to be completed or stopped."""
        if self.urgent and (y := first_open(self.urgent, open_cells)):
            return "urgent", y
        if (cells := self.answers.get(x.bit_length() - 1)) and (y := first_open(cells, open_cells)):
            return "exception", y
        if y := x << 1 & open_cells:
            return "top", y
        return "spare", first_open(self.spare, open_cells)


def first_open(cells: Cells, open_cells: int) -> int:
    for cell in cells:  # not by `next`: asked for every move of every game
        if open_cells >> cell & 1:
            return 1 << cell
    return 0


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
