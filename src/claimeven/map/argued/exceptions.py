"""What each exception of a plan is for: a cell, a four."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.argued.sentences import Axis
from claimeven.map.course import Course, Ground
from claimeven.map.plan import Plan
from claimeven.map.stones import Stones

# As course.py has them, wherever the exception is asked for; else on top the opponent could take a cell of a
# four that decides, or the answer is such a cell; else what the plan would come to, were there no exception
# where it is asked for first: a four of the opponent, or a full board; or nothing that is known.
For = Literal["force", "theirs", "ours", "stops", "keeps", "takes", "escapes", "fills", "other"]
ORDER: tuple[For, ...] = ("force", "theirs", "ours", "keeps", "takes", "stops", "escapes", "fills")
NAMED: tuple[For, ...] = ("keeps", "takes", "stops", "escapes")  # with a four


@dataclass(frozen=True)
class Exceptional:
    """After x one of the answers, the first that can be played, and why not on top; cells by name."""

    x: str
    answers: tuple[str, ...]
    is_early: bool  # it is asked for while no column is full
    what: For
    cells: tuple[str, ...] = ()  # that it threatens, or right above the top; or of the four
    axis: Axis | None = None  # of the four


def exceptional(
    board: Board, plan: Plan, seen: Course, deciding: tuple[int, ...], axis: Callable[[int], Axis]
) -> tuple[Exceptional, ...]:
    """The exceptions that some game asks for, each with its reason."""

    def name(bit: int) -> str:
        return board.cell_name(board.cell_of(bit))

    found = []
    for x, answers in seen.plan.answers.items():
        known = _deciding(board, 1 << x, [1 << y for y in answers], deciding)
        for ground, cells in sorted(seen.grounds[x], key=_by_discs(seen.asked[x].theirs)):
            known[ground] = cells
        if not known and x in seen.early:
            known = _without(board, plan, seen.asked[x], 1 << x)
        what: For = next((each for each in ORDER if each in known), "other")
        cells = known.get(what, 0)
        found.append(
            Exceptional(
                name(1 << x),
                tuple(name(1 << y) for y in answers),
                x in seen.early,
                what,
                tuple(map(name, bits(cells))),
                axis(cells) if what in NAMED else None,
            )
        )
    return tuple(found)


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


def _without(board: Board, plan: Plan, stones: Stones, x: int) -> dict[For, int]:
    """What the opponent can get against the plan if x, this once, is answered on top."""
    top, is_full = x << 1, False
    if not top & board.full:
        return {}
    now = {Stones(stones.theirs | x, stones.mask | x | top)}
    while now:  # all positions with as many discs, so that the first four is an early one
        after, fours = set[Stones](), list[int]()
        for theirs, mask in now:
            for reply in bits(board.landings(mask)):
                cells = theirs | reply
                if board.has_four(cells):
                    fours += [four for four in board.fours_by_cell[reply] if not four & ~cells]
                    continue
                y = plan.answer(board, cells, mask | reply, reply)
                is_full = is_full or not y
                if y and not board.has_four((mask | y) & ~theirs):
                    after.add(Stones(cells, mask | reply | y))
        if fours:
            return {"escapes": min(fours)}
        now = after
    return {"fills": 0} if is_full else {}
