"""A hint: the best columns, and why one of them is."""

import time
from dataclasses import dataclass, replace
from functools import cached_property

from claimeven.agents import make_agent
from claimeven.limit import Limit
from claimeven.position import Cell, Position
from claimeven.reasons.hinted.stage import Stage
from claimeven.reasons.hinted.stages import stages
from claimeven.reasons.seen.rank import most_telling
from claimeven.reasons.told.explanation import Explanation, explain
from claimeven.reasons.words import Words, catalogue
from claimeven.solver import OutOfTimeError, Solver, TimedSolver

SWAP_SHARE = 0.3
ANSWERS_SHARE = 0.2
ANALYSIS_SHARE = 0.6  # of the seconds; the rest is for the reasons, or for looking ahead instead


@dataclass(frozen=True)
class Advice:
    """What to play."""

    best: tuple[int, ...]  # proved to be the best; else the one column that looks best
    explanation: Explanation  # of one of them
    depth: int | None = None  # how many plies ahead it looks best, when nothing is proved
    answers: tuple[Cell, ...] = ()  # to a column that loses: all that win

    @property
    def column(self) -> int:
        return self.explanation.column

    @cached_property
    def stages(self) -> tuple[Stage, Stage, Stage]:
        """Where to look, the idea, the column."""
        return stages(self.explanation, self.depth, self.answers)

    @property
    def text(self) -> str:
        """The last stage: the column and why; or that it is not proved, and what the rules show of it."""
        return self.stages[-1].text


def advise(
    position: Position,
    solver: Solver,
    language: str = "en",
    limit: Limit | None = None,
    *,
    is_sly: bool = True,
) -> Advice:
    """The best move and its reasons, within a limit for the whole; without one, however long it takes.

    `is_sly`: of columns that lose as late, the one with the fewest answers that win; else the most telling.
    """
    catalogue(language)  # complains of a language that there is not, before anything else is done
    start, limit = time.monotonic(), limit or Limit()
    part = replace(limit, seconds=None if limit.seconds is None else ANALYSIS_SHARE * limit.seconds)
    found = solver.analyse(position, part)
    best = found.best

    def left() -> Limit:
        spent = time.monotonic() - start
        return replace(limit, seconds=None if limit.seconds is None else max(limit.seconds - spent, 0.01))

    if best:
        hard = replace(left(), seconds=None if limit.seconds is None else ANSWERS_SHARE * limit.seconds)
        is_lost = found.score is not None and found.score.value < 0
        answers = _answers(position, best, solver, hard) if is_sly and is_lost else {}
        few = min(map(len, answers.values()), default=0)
        column = most_telling(position, [one for one in best if len(answers.get(one, ())) == few])
        told = explain(position, column, solver, language, left())
        return Advice(best, told, answers=answers.get(column, ()))
    choice = make_agent("minimax").choose(position, left())
    shown = explain(position, choice.column, None, language)
    return Advice((choice.column,), shown, choice.effort.depth)


def _answers(
    position: Position, columns: tuple[int, ...], solver: Solver, limit: Limit
) -> dict[int, tuple[Cell, ...]]:
    """Where they would win after each of these columns, which lose; nothing if there was no time."""
    judge = TimedSolver(solver, limit)
    found: dict[int, tuple[Cell, ...]] = {}
    try:
        for column in columns:
            after = position.play(column)
            scores = judge.analyse(after).scores.items()
            found[column] = tuple(Cell(reply, after.height(reply)) for reply, one in scores if one.value > 0)
    except OutOfTimeError:
        return {}
    return found


def swap_hint(position: Position, solver: Solver, language: str, limit: Limit) -> str | None:
    """Where the first disc may be taken: that it should be, if it is proved to win; else None."""
    part = replace(limit, seconds=None if limit.seconds is None else SWAP_SHARE * limit.seconds)
    is_lost = solver.solve(position, part, only_outcome=True).high < 0
    return Words(language).say("hint.swap") if is_lost else None
