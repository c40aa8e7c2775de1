"""The move that sets the hardest problem, where nothing better than a loss or a draw is left.

Of the columns with the same outcome it is the one to which levels 5 to 9 find a right answer least often.
They are really asked, with fixed seeds: the same question gets the same answer. That takes longer than most
explanations, so it is no part of `explain`; whoever wants it asks here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypedDict

from claimeven import notation
from claimeven.agents import make_agent
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons.told.tell import Teller
from claimeven.solver import Outcome, OutOfTimeError, Score, Solver, TimedSolver

LEVELS = range(5, 10)  # from an average person to the best
TRIES = 4  # of each level
CLEARLY = 4  # times: a smaller difference is chance
NEAR = 2  # moves: what loses so soon is no problem for anybody


class ToldProblem(TypedDict):
    """What the other side faces after a column."""

    column: str
    answers: int
    right: list[str]
    found: int
    tries: int


class ToldTrickiest(ToldProblem):
    told: ToldProblem
    text: str


@dataclass(frozen=True)
class Problem:
    """What the other side faces after a column: its answers, by what they lead to for it."""

    position: Position  # after the column
    column: int
    answers: Mapping[int, Score]

    def leading_to(self, outcome: Outcome) -> tuple[int, ...]:
        return tuple(column for column, score in self.answers.items() if score.outcome == outcome)

    @property
    def right(self) -> tuple[int, ...]:
        """All that keep what they have; none where the game is over."""
        return self.leading_to(max(self.answers.values()).outcome) if self.answers else ()

    @property
    def found(self) -> tuple[int, int]:
        """How often levels 5 to 9 found a right answer, and how often they were asked."""
        return _found(self.position, self.right)

    def to_json(self) -> ToldProblem:
        found, tries = self.found
        return {
            "column": notation.column_digit(self.column),
            "answers": len(self.answers),
            "right": [notation.column_digit(column) for column in self.right],
            "found": found,
            "tries": tries,
        }


@dataclass(frozen=True)
class Trickiest:
    """The hardest problem, when it is another column than the one that is told."""

    hardest: Problem
    told: Problem
    is_lost: bool
    is_as_long: bool = False  # it is lost, and no sooner than the column that is told

    def text(self, language: str) -> str:
        problem, teller = self.hardest, Teller(self.hardest.position.board, language)
        say, digit = teller.words.say, teller.column
        sentences = [
            say("trickiest.lost" if self.is_lost else "trickiest.drawn", column=digit(problem.column))
        ]
        count, right = len(problem.answers), teller.columns(problem.right)
        code = "trickiest.right_win" if self.is_lost else "trickiest.right_draw"
        sentences.append(say(code, n=len(problem.right), answers=count, columns=right))
        losing = problem.leading_to("loss")
        if losing and self.is_lost:
            sentences.append(say("trickiest.losing", n=len(losing), columns=teller.columns(losing)))
        (found, tries), (other, _) = problem.found, self.told.found
        told = digit(self.told.column)
        sentences.append(say("trickiest.found", found=found, tries=tries, told=told, other=other))
        return " ".join(sentences)

    def to_json(self, language: str) -> ToldTrickiest:
        return {**self.hardest.to_json(), "told": self.told.to_json(), "text": self.text(language)}


def trickiest(
    position: Position, column: int, solver: Solver, limit: Limit | None = None
) -> Trickiest | None:
    """The hardest problem there is; None for a win, and when the told column sets one about as hard."""
    judge = TimedSolver(solver, limit)
    try:
        scores = judge.analyse(position).scores
        top = max(scores.values())
        if top.value > 0 or scores[column].outcome != top.outcome:
            return None
        problems = {other: _problem(position, other, judge) for other in _candidates(column, scores)}
    except OutOfTimeError:
        return None
    told = problems.get(column)
    if told is None:
        return None
    hardest = min(problems.values(), key=lambda problem: (problem.found[0], problem.column != column))
    if told.found[0] - hardest.found[0] < CLEARLY:
        return None
    is_as_long = top.value < 0 and scores[hardest.column] == scores[column]
    return Trickiest(hardest, told, top.value < 0, is_as_long)


def _candidates(column: int, scores: Mapping[int, Score]) -> list[int]:
    """Columns with the same outcome; a loss that everybody sees is none."""
    same = [other for other, score in scores.items() if score.outcome == scores[column].outcome]
    return [other for other in same if other == column or (scores[other].moves or NEAR + 1) > NEAR]


def _problem(position: Position, column: int, judge: TimedSolver) -> Problem:
    after = position.play(column)
    return Problem(after, column, judge.analyse(after).scores)


@lru_cache(maxsize=4096)
def _found(position: Position, right: tuple[int, ...]) -> tuple[int, int]:
    tries = [
        make_agent(f"level:{level}", seed=seed).choose(position).column
        for level in LEVELS
        for seed in range(TRIES)
    ]
    return sum(column in right for column in tries), len(tries)
