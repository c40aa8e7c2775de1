"""Any plan that settles a position against the side to move: theorems first, then rules, then columns."""

from collections.abc import Callable

from claimeven.position import Position
from claimeven.reasons.certificates import Certificate, certify
from claimeven.reasons.columns import ColumnPlan, find_column_plan
from claimeven.reasons.cover import Cover, find_cover

Plan = Certificate | Cover | ColumnPlan


def find_plan(position: Position, bound: int) -> Plan | None:
    """A plan that keeps the side to move down to `bound` (0, or -1: it loses), played through; or None.

    Ask only for what is true: nobody finds a plan for the rest, but it is looked for.
    """
    proof = certify(position)
    if proof is not None and (proof.bound < 0 or bound == 0):
        return proof
    return other_plan(position, bound)


def other_plan(position: Position, bound: int, check: Callable[[], None] = lambda: None) -> Plan | None:
    """The same without the theorems; it takes longer, so `check` is called now and then, and may raise."""
    check()
    return (
        find_cover(position, bound)
        or find_column_plan(position, bound, check)
        or find_column_plan(position, bound, check, is_watchful=True)
    )
