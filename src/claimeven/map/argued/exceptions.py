"""What each exception of a plan is for: a cell, a four, and what is lost without it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.argued.sentences import Axis
from claimeven.map.course import Ground, Resisted
from claimeven.map.plan import Plan
from claimeven.map.stones import Stones

# What the answer does wherever it is asked for (course.py), or that it is a cell of a four that decides, or
# that the opponent could take one on top; nothing of that; or nothing is lost here without the exception, or
# it is asked for only when some column is full, and nobody looked.
For = Literal["force", "theirs", "ours", "keeps", "takes", "stops", "plain", "free", "late"]
ORDER: tuple[For, ...] = ("force", "theirs", "ours", "keeps", "takes", "stops", "plain")
NAMED: tuple[For, ...] = ("keeps", "takes", "stops")  # with a four
ABOVE: tuple[For, ...] = ("ours", "keeps")  # the opponent comes right above the top: something must follow
# What the plan comes to without the exception: a four of the opponent, a full board, no answer.
Loss = Literal["four", "full", "silent"]


@dataclass(frozen=True)
class Exceptional:
    """After x one of the answers, the first that can be played, and why not on top; cells by name."""

    x: str
    answers: tuple[str, ...]
    is_early: bool  # it is asked for while no column is full
    what: For
    is_later: bool = False  # x is not asked for now: it is not open, it loses, or comes to something else
    cells: tuple[str, ...] = ()  # that it threatens, or right above the top; or of the four
    axis: Axis | None = None  # of the four
    loss: Loss | None = None  # on top instead
    lost: tuple[str, ...] = ()  # the opponent's four, if that is the loss
    lost_axis: Axis | None = None


def exceptional(
    board: Board,
    plan: Plan,
    seen: Resisted,
    stones: Stones,
    deciding: tuple[int, ...],
    axis: Callable[[int], Axis],
    *,
    draw_is_enough: bool,
) -> tuple[Exceptional, ...]:
    """The exceptions that a game with resistance asks for from here on, each with its reason."""

    def names(cells: int) -> tuple[str, ...]:
        return tuple(board.cell_name(board.cell_of(bit)) for bit in bits(cells))

    found = []
    for x, answers in seen.plan.answers.items():
        [name] = names(1 << x)
        after = tuple(names(1 << y)[0] for y in answers)
        is_later = seen.asked[x] != stones
        if x not in seen.early:
            found.append(Exceptional(name, after, is_early=False, what="late", is_later=is_later))
            continue
        losing = _Losing(board, _without(plan, x), draw_is_enough=draw_is_enough)
        loss = losing.first([stones])
        if loss is None:
            found.append(Exceptional(name, after, is_early=True, what="free", is_later=is_later))
            continue
        known = _deciding(board, 1 << x, [1 << y for y in answers], deciding)
        for ground, cells in sorted(seen.grounds[x], key=_by_discs(seen.asked[x].theirs)):
            known[ground] = cells
        follows = losing.above(seen.asked[x], 1 << x) if known.keys() & set(ABOVE) else None
        if follows is None:
            known = {what: cells for what, cells in known.items() if what not in ABOVE}
        what: For = next((each for each in ORDER if each in known), "plain")
        kind, lost = follows if follows is not None and what in ABOVE else loss
        found.append(
            Exceptional(
                name,
                after,
                is_early=True,
                what=what,
                is_later=is_later,
                cells=names(known.get(what, 0)),
                axis=axis(known[what]) if what in NAMED else None,
                loss=kind,
                lost=names(lost),
                lost_axis=axis(lost) if lost else None,
            )
        )
    return tuple(found)


def _without(plan: Plan, x: int) -> Plan:
    return Plan(tuple(pair for pair in plan.exceptions if pair[0] != x), plan.urgent, plan.spare)


def _by_discs(theirs: int) -> Callable[[Ground], tuple[int, int]]:
    """The fours of which the opponent has most come last: of several the last one is told."""
    return lambda ground: ((ground[1] & theirs).bit_count(), -ground[1])


def _deciding(board: Board, x: int, answers: list[int], fours: tuple[int, ...]) -> dict[For, int]:
    found: dict[For, int] = {}
    above = x << 2 & board.full if x << 1 & board.full else 0
    for four in reversed(fours):  # of several the most frequent is told
        if four & above and not four & x << 1:
            found["keeps"] = four
        if all(four & y for y in answers):
            found["takes"] = four
    return found


class _Losing:
    """A plan without one of its exceptions, and what the opponent gets against it."""

    def __init__(self, board: Board, plan: Plan, *, draw_is_enough: bool) -> None:
        self.board, self.plan, self.draw_is_enough = board, plan, draw_is_enough

    def first(self, positions: Iterable[Stones]) -> tuple[Loss, int] | None:
        """What can be lost from here on, and the four if it is one; of several the earliest."""
        now, late = set(positions), set[Loss]()
        while now:  # all positions with as many discs, so that the first four is an early one
            after, fours = set[Stones](), list[int]()
            for stones in now:
                threats = self.board.winning_cells(*stones)
                for x, rule, y in self.plan.replies(self.board, *stones):
                    theirs = stones.theirs | x
                    if x & threats:
                        fours += [four for four in self.board.fours_by_cell[x] if not four & ~theirs]
                        continue
                    if rule == "win":
                        continue
                    mask = stones.mask | x
                    if mask | y == self.board.full:
                        late |= set() if self.draw_is_enough else {"full"}
                    elif y:
                        after.add(Stones(theirs, mask | y))
                    else:
                        late.add("silent")
            if fours:
                return "four", min(fours)
            now = after
        return next(((loss, 0) for loss in ("full", "silent") if loss in late), None)

    def above(self, stones: Stones, x: int) -> tuple[Loss, int] | None:
        """The same after x, an answer on top, and the opponent right above that."""
        theirs, mask = stones.theirs | x | x << 2, stones.mask | x | x << 1 | x << 2
        if self.board.has_four(theirs):
            return "four", min(four for four in self.board.fours_by_cell[x << 2] if not four & ~theirs)
        y = self.plan.answer(self.board, theirs, mask, x << 2)
        is_over = not y or self.board.has_four((mask | y) & ~theirs)
        return None if is_over else self.first([Stones(theirs, mask | y)])
