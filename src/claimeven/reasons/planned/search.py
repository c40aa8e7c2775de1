"""Plans that no theorem gives: rules first, then columns."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from claimeven.position import Board, Position
from claimeven.reasons.planned import replay
from claimeven.reasons.planned.column_plan import MAX_NODES, ColumnPlan, Link, find_column_plan
from claimeven.reasons.planned.cover import Cover, find_cover
from claimeven.reasons.planned.plan import Plan

# What was found last, or that there is nothing: an explanation, its hints and its review ask for the same, so
# does the next language, and none of it depends on who asks.
MOST_FOUND = 1000
_found: dict[tuple[Board, int, int, int], Plan | None] = {}


def other_plan(position: Position, bound: int, check: Callable[[], None] = lambda: None) -> Plan | None:
    """A plan that keeps the side to move down to `bound` (0, or -1: it loses), played through; or None.

    Ask only for what is true: nobody finds a plan for the rest, but it is looked for. That takes a while, so
    `check` is called now and then, and may raise.
    """
    check()
    asked = position.board, position.mine, position.mask, bound
    try:
        return _found[asked]
    except KeyError:
        plan = _found[asked] = _looked_for(position, bound, check)
    with suppress(KeyError, RuntimeError):  # another thread may keep one at this moment, too
        if len(_found) > MOST_FOUND:
            del _found[next(iter(_found))]
    return plan


def _looked_for(position: Position, bound: int, check: Callable[[], None]) -> Plan | None:
    cover = find_cover(position, bound)
    return (
        (cover and (plain(cover) or cover))
        or find_column_plan(position, bound, check)
        or find_column_plan(position, bound, check, is_watchful=True)
    )


def plain(cover: Cover) -> ColumnPlan | None:
    """The same in words that can be followed: pairs of cells, and to everything else the same column."""
    position, is_odd = cover.position, (cover.position.board.cells - cover.position.ply) % 2
    links: list[Link] = [(one.column, two.column, "swap") for one, two in cover.swaps]
    plan = ColumnPlan.of(position, cover.bound, cover.keys if is_odd else (), tuple(links))
    if not replay.holds(position, plan.bound, plan.answer, MAX_NODES):
        return None
    return replace(plan, keys=cover.keys)
