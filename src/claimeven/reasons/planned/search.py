"""Plans that no theorem gives: rules first, then columns."""

from collections.abc import Callable

from claimeven.position import Position
from claimeven.reasons.planned.column_plan import find_column_plan
from claimeven.reasons.planned.cover import find_cover
from claimeven.reasons.planned.plan import Plan


def other_plan(position: Position, bound: int, check: Callable[[], None] = lambda: None) -> Plan | None:
    """A plan that keeps the side to move down to `bound` (0, or -1: it loses), played through; or None.

    Ask only for what is true: nobody finds a plan for the rest, but it is looked for. That takes a while, so
    `check` is called now and then, and may raise.
    """
    check()
    return (
        find_cover(position, bound)
        or find_column_plan(position, bound, check)
        or find_column_plan(position, bound, check, is_watchful=True)
    )
