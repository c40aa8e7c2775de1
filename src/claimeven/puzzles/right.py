"""What the right column of a puzzle does, where its theme speaks of the wrong ones alone."""

from claimeven.position import Cell
from claimeven.puzzles.ideas import Idea
from claimeven.puzzles.puzzle import Puzzle
from claimeven.reasons.hinted.stages import IDEAS, is_theirs
from claimeven.reasons.told.explanation import Explanation, explain
from claimeven.reasons.told.reason import Reason
from claimeven.reasons.told.tell import Teller
from claimeven.solver import Solver, shared_solver

OF_THE_OTHERS = ("only_move", "door", "deny_fork", "keep")
ORDERS = ("stops_fork", "stops_stacked", "stops_force")  # "Take d4, or they …", where all others lose so


def told_right(puzzle: Puzzle, idea: Idea, language: str, solver: Solver | None = None) -> str:
    """Its verdict, the cell that it takes, and the first reason that speaks for it."""
    if puzzle.theme not in OF_THE_OTHERS:
        return ""
    told = explain(puzzle.position, puzzle.line[0], solver or shared_solver(), language)
    reason = next((one for one in told.reasons if one.kind in IDEAS and not is_theirs(told, one)), None)
    if reason is not None and _is_said_by(idea, told, reason):
        reason = None
    teller, column = Teller(puzzle.position.board, language), puzzle.line[0]
    code = f"why.does.{puzzle.goal}" if _is_order(told, reason) else f"why.does.{puzzle.goal}.takes"
    cell = teller.cells((Cell(column, puzzle.position.height(column)),))
    verdict = teller.words.say(code, column=teller.column(column), cell=cell)
    return verdict if reason is None else f"{verdict} {reason.text}"


def _is_order(told: Explanation, reason: Reason | None) -> bool:
    """The reason names the cell itself."""
    if reason is None or reason.kind not in ORDERS:
        return reason is not None and reason.kind == "takes_only"
    return any(fact.kind == reason.kind and len(fact.columns) == fact.count for fact in told.facts)


def _is_said_by(idea: Idea, told: Explanation, reason: Reason) -> bool:
    """The same two threats are what the wrong column allows."""
    if idea.theme != "deny_fork" or reason.kind not in ("stops_fork", "stops_stacked"):
        return False
    fact = next(fact for fact in told.facts if fact.kind == reason.kind)
    return set(idea.cells) <= set(fact.cells)
