"""The simplest win beside the quickest: a column that wins no sooner, but in a way that can be followed."""

from collections.abc import Mapping
from dataclasses import replace

from claimeven.position import Position
from claimeven.reasons.planned import replay
from claimeven.reasons.planned.certificates import candidates
from claimeven.reasons.planned.plan import decisive
from claimeven.reasons.planned.stack import find_stack
from claimeven.reasons.told import steps
from claimeven.reasons.told.line import forced_line
from claimeven.reasons.told.reason import Instead, Reason
from claimeven.reasons.told.tell import Teller
from claimeven.solver import Score

QUICK = 4  # moves: nobody looks for something simpler then
MAX_FORCED_MOVES = 3
MAX_NODES = 3000  # of the replay of a plan


def simple_win(
    position: Position, column: int, scores: Mapping[int, Score], teller: Teller
) -> Instead | None:
    """The first of: two cells above each other, a forced line, answering in the same column."""
    winning = [other for other in scores if other != column and scores[other].value > 0]
    others = sorted(winning, key=lambda other: -scores[other].value)
    for find in (_stacked, _forced, _followed):
        for other in others:
            found = find(position, other, teller)
            if found:
                said = teller.words.say("simple", column=teller.column(other))
                return Instead(other, (Reason("simple", said), *found))
    return None


def _stacked(position: Position, column: int, teller: Teller) -> list[Reason]:
    plan = find_stack(position.play(column))
    return [] if plan is None else steps.instructions(teller, plan)


def _forced(position: Position, column: int, teller: Teller) -> list[Reason]:
    found = forced_line(position, column, MAX_FORCED_MOVES)
    return [] if found is None else [teller.fact(found[0])]


def _followed(position: Position, column: int, teller: Teller) -> list[Reason]:
    after = position.play(column)
    for plan in candidates(after):
        if plan.swaps or plan.bound >= 0 or not decisive(plan):
            continue
        told = replace(plan, bound=-1)
        if replay.holds(after, -1, told.answer, MAX_NODES):
            return [*steps.count(teller, told), *steps.instructions(teller, told)]
    return []
