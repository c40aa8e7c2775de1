"""As few different plans as can be found quickly: what closes one leaf often closes others."""

from collections import Counter

from claimeven import _core
from claimeven.board import Board
from claimeven.map.plan import Plan, upright
from claimeven.map.stones import Stones
from claimeven.runner import Progress
from claimeven.solver.exact import words

MOST = 100  # plans that are tried on every leaf: those that were found most often
TESTS = 50_000  # of a plan on a leaf; on large maps fewer plans are tried
BUDGET = 200_000  # moves


def holds(board: Board, stones: Stones, plan: Plan, draw_is_enough: bool) -> bool:
    return _core.plan_holds(
        board.columns,
        board.rows,
        board.reach,
        stones.theirs,
        stones.mask,
        plan.rules,
        draw_is_enough=draw_is_enough,
        budget=BUDGET,
    )


def shorter(board: Board, positions: list[Stones], plan: Plan, draw_is_enough: bool) -> Plan:
    """A plan that holds in all these positions, in fewer words."""
    rules = _core.shorter_plan(*_given(board, positions), plan.rules, draw_is_enough=draw_is_enough)
    return Plan.of(rules)


def first_holding(
    board: Board, positions: list[Stones], plans: list[Plan], draw_is_enough: bool
) -> list[Plan | None]:
    """Of each position the first plan that holds there."""
    if not positions:
        return []
    numbers = _core.first_plans(
        *_given(board, positions),
        [plan.rules for plan in plans],
        draw_is_enough=draw_is_enough,
        budget=BUDGET,
    )
    return [None if number < 0 else plans[number] for number in numbers]


def _given(board: Board, positions: list[Stones]) -> tuple[int, int, int, bytes, bytes]:
    theirs, masks = (words(board, list(half)) for half in zip(*positions, strict=True))
    return board.columns, board.rows, board.reach, theirs, masks


def shared(
    board: Board, leaves: dict[Stones, Plan], draw_is_enough: bool, progress: Progress | None = None
) -> dict[Stones, Plan]:
    """The same leaves with fewer different plans: each time the plan that closes most of what is left."""
    often = Counter(upright(board, plan) for plan in leaves.values())
    common = sorted(often, key=lambda plan: (-often[plan], plan))
    common = common[: min(MOST, TESTS // max(1, len(leaves)))]
    closes: dict[Plan, dict[Stones, Plan]] = {}
    for number, plan in enumerate(common, start=1):
        turned = dict.fromkeys((plan, plan.mirrored(board)))
        closes[plan] = {
            stones: fitting
            for stones in leaves
            for fitting in turned
            if fitting == leaves[stones] or holds(board, stones, fitting, draw_is_enough)
        }
        if progress is not None:
            progress(number, len(common))
    found: dict[Stones, Plan] = {}
    while closes:
        best = max(closes, key=lambda plan: len(closes[plan]))  # of equals the first: the most common
        if not closes[best]:
            break
        found |= closes.pop(best)
        for covered in closes.values():
            for stones in covered.keys() & found.keys():
                del covered[stones]
    chosen = {stones: found.get(stones, plan) for stones, plan in leaves.items()}
    kept = {upright(board, plan) for stones, plan in leaves.items() if plan == chosen[stones]}
    return _needed(board, chosen, kept, draw_is_enough)


def _needed(
    board: Board, leaves: dict[Stones, Plan], kept: set[Plan], draw_is_enough: bool
) -> dict[Stones, Plan]:
    """The same plans without rules that none of their leaves needs; those in `kept` need theirs all."""
    users: dict[Plan, list[tuple[Stones, bool]]] = {}  # the leaves, and whether the plan is turned there
    for stones, plan in leaves.items():
        first = upright(board, plan)
        if first not in kept:
            users.setdefault(first, []).append((stones, first != plan))
    found: dict[Stones, Plan] = {}
    for plan, used in users.items():
        index = 0
        while index < len(plan):
            fewer = plan.without(index)
            if all(
                holds(board, stones, fewer.mirrored(board) if turned else fewer, draw_is_enough)
                for stones, turned in used
            ):
                plan = fewer
            else:
                index += 1
        found |= {stones: plan.mirrored(board) if turned else plan for stones, turned in used}
    return leaves | found
