"""Where the games go in which a plan is followed from some position on: all of them, to their ends."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from claimeven.board import Board, bits
from claimeven.map.plan import Plan, first_open, urgent
from claimeven.map.stones import Stones


@dataclass(frozen=True)
class Course:
    plan: Plan  # only with the rules that some game asks for
    ends: dict[int, int]  # by the cell that completes the holder's four: how many positions before it
    ours: int  # all cells that the holder ever plays
    theirs: int  # all cells that the opponent ever plays

    @property
    def ended(self) -> int:
        """The cells on which the holder completes its four."""
        return sum(self.ends)


@lru_cache(maxsize=256)
def course(board: Board, stones: Stones, plan: Plan) -> Course:
    """Every reply is played, and the plan's answer to it; positions that are met again go on alike."""
    ends, used, ours, played = Counter[int](), set[tuple[str, int, int]](), 0, 0
    waiting, seen = [stones], {stones}
    while waiting:
        theirs, mask = waiting.pop()
        played |= board.landings(mask)
        for x in bits(board.landings(mask)):
            rule, y = _answer(board, plan, theirs | x, mask | x, x)
            if not y:
                continue  # the board is full, or this is no plan for this position
            used.add((rule, x.bit_length() - 1, y.bit_length() - 1))
            ours |= y
            after = Stones(theirs | x, mask | x | y)
            if board.has_four(after.theirs ^ after.mask):
                ends[y] += 1
            elif after not in seen:
                seen.add(after)
                waiting.append(after)
    return Course(_asked_for(plan, used), dict(ends.most_common()), ours, played)


def _answer(board: Board, plan: Plan, theirs: int, mask: int, x: int) -> tuple[str, int]:
    """By which rule of the plan x is answered, and the cell."""
    if y := urgent(board, theirs, mask):
        return "four", y
    open_cells = board.landings(mask)
    if y := first_open(plan.urgent, open_cells):
        return "urgent", y
    if y := first_open(plan.answers.get(x.bit_length() - 1, ()), open_cells):
        return "exception", y
    if y := x << 1 & open_cells:
        return "top", y
    return "spare", first_open(plan.spare, open_cells)


def _asked_for(plan: Plan, used: set[tuple[str, int, int]]) -> Plan:
    pairs = {(x, y) for rule, x, y in used if rule == "exception"}
    now, last = ({y for rule, _, y in used if rule == kind} for kind in ("urgent", "spare"))
    return Plan(
        tuple(pair for pair in plan.exceptions if pair in pairs),
        tuple(y for y in plan.urgent if y in now),
        tuple(y for y in plan.spare if y in last),
    )
