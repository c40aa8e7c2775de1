"""What a disc is asked to do: the columns that carry out the idea of a task, by the rules or the solver."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from claimeven.board import bits
from claimeven.errors import MoveError
from claimeven.position import Cell, Position
from claimeven.reasons import certify, facts
from claimeven.reasons.planned.cover import Cover, find_cover
from claimeven.reasons.planned.plan import Plan
from claimeven.reasons.reviewed.mistake import loses_at_once
from claimeven.reasons.seen.move import Move
from claimeven.solver import Outcome, Solver, TimedSolver

Asked = Solver | TimedSolver
NEAR = 2  # moves: a loss that everybody sees


@dataclass(frozen=True)
class Goal:
    """`columns`: those that carry out the idea. `is_exact`: another column is as good only if it wins as soon
    (or loses as late); otherwise, if it keeps the result. `cells`: what such a column makes or stops."""

    columns: Callable[[Position, Asked], list[int]]
    is_exact: bool
    cells: Callable[[Position, int], tuple[Cell, ...]] = lambda _position, _column: ()


def _showing(*kinds: str) -> Callable[[Position, Asked], list[int]]:
    def columns(position: Position, _: Asked) -> list[int]:
        return [c for c in position.legal if any(fact.kind in kinds for fact in facts(position, c))]

    return columns


def _cells_of(*kinds: str) -> Callable[[Position, int], tuple[Cell, ...]]:
    def cells(position: Position, column: int) -> tuple[Cell, ...]:
        return next((fact.cells for fact in facts(position, column) if fact.kind in kinds), ())

    return cells


def _anywhere(position: Position, _: Asked) -> list[int]:
    return list(position.legal)


def _safe(position: Position, _: Asked) -> list[int]:
    return [column for column in position.legal if not loses_at_once(position, column)]


def _stops_forks(position: Position, asked: Asked) -> list[int]:
    """After which they can neither win nor make two threats with their next disc."""
    winning = _showing("fork", "stacked", "wins_now")
    return [column for column in position.legal if not winning(position.play(column), asked)]


def _keeps(position: Position, asked: Asked) -> list[int]:
    scores = asked.analyse(position).scores
    outcome = max(scores.values()).outcome
    return [column for column, score in scores.items() if score.outcome == outcome]


def _fastest(position: Position, asked: Asked) -> list[int]:
    return list(asked.analyse(position).best)


def _plan(position: Position, asked: Asked) -> list[int]:
    """The answer of the plan to the last move; a win that shows itself comes first."""
    wins = _showing("wins_now")(position, asked)
    if wins:
        return wins
    before, column = step_back(position)
    plan = plan_before(before)
    try:
        return [plan.reply(before, column)] if plan is not None else _keeps(position, asked)
    except MoveError:  # nothing is left to be answered there
        return _keeps(position, asked)


@lru_cache(maxsize=1 << 10)
def plan_before(position: Position) -> Plan | None:
    """The plan against the side to move: by pairs, or by Allis' rules."""
    return certify(position) or cover_before(position)


@lru_cache(maxsize=1 << 10)
def cover_before(position: Position) -> Cover | None:
    return find_cover(position, 0)


def step_back(position: Position) -> tuple[Position, int]:
    """The position before the last move, and that move."""
    moves = position.moves or ""
    return Position.parse(moves[:-1]), int(moves[-1]) - 1


def right_answers(position: Position, asked: Asked) -> list[int]:
    """Of the side to move: those that keep what it has."""
    return _keeps(position, asked)


def _trap(position: Position, asked: Asked) -> list[int]:
    """The columns that keep the result and leave the fewest right answers."""
    scores = asked.analyse(position).scores
    kept = [c for c in _keeps(position, asked) if scores[c].value >= 0 or (scores[c].moves or 0) > NEAR]
    left = {column: len(right_answers(position.play(column), asked)) for column in kept}
    return [column for column in kept if left[column] == min(left.values())]


def _under(position: Position, column: int) -> tuple[Cell, ...]:
    """Their winning cells that other columns would open."""
    board, doors = position.board, 0
    for other in position.legal:
        move = Move(position, other)
        doors |= move.stone << 1 & move.their_wins
    return board.cells_of(doors)


def _landing(position: Position, column: int) -> tuple[Cell, ...]:
    return (Cell(column, position.height(column)),)


def _four(position: Position, column: int) -> tuple[Cell, ...]:
    return position.play(column).four


def _wins(position: Position, column: int) -> tuple[Cell, ...]:
    """The winning cells of the side that plays the column."""
    move = Move(position, column)
    return position.board.cells_of(sum(bits(move.wins)))


FORKS = _cells_of("fork")
GOALS: dict[str, Goal] = {
    "any": Goal(_anywhere, False, _landing),
    "win": Goal(_showing("wins_now"), True, _four),
    "block": Goal(_showing("blocks"), True, _landing),
    "safe": Goal(_safe, True, _under),
    "fork": Goal(_showing("fork"), True, FORKS),
    "no_fork": Goal(_stops_forks, True, _landing),
    "stacked": Goal(_showing("stacked"), True, _cells_of("stacked")),
    "pair": Goal(_showing("stacked_pair", "seven_trap"), True, _cells_of("stacked_pair", "seven_trap")),
    "keeps": Goal(_keeps, False),
    "fastest": Goal(_fastest, True, _wins),
    "undercut": Goal(_showing("undercuts"), False, _cells_of("undercuts")),
    "plan": Goal(_plan, False, _landing),
    "trap": Goal(_trap, False, _landing),
}


def outcome_of(position: Position, column: int, asked: Asked) -> Outcome:
    return asked.analyse(position).scores[column].outcome


def accepted(goal: Goal, position: Position, asked: Asked) -> tuple[list[int], list[int]]:
    """The columns of the idea, and those that are as good or better without it."""
    idea = goal.columns(position, asked)
    others = [column for column in position.legal if column not in idea]
    if not idea or not others:
        return idea, []
    scores = asked.analyse(position).scores
    least = min(scores[column] for column in idea)
    if goal.is_exact:
        return idea, [column for column in others if scores[column] >= least]
    kept = ("loss", "draw", "win").index(least.outcome)
    return idea, [c for c in others if ("loss", "draw", "win").index(scores[c].outcome) >= kept]
