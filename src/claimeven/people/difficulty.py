"""Which moves people find hard: what is right in a position, and how many would play it."""

from collections.abc import Mapping
from dataclasses import dataclass

from claimeven.errors import MoveError
from claimeven.people.model import AVERAGE, chances
from claimeven.position import Position
from claimeven.solver import Analysis, Solver


@dataclass(frozen=True)
class Difficulty:
    """What people of a rating make of a position."""

    analysis: Analysis
    rating: float
    chances: Mapping[int, float]  # of every column, that it is played

    @property
    def keeping(self) -> tuple[int, ...]:
        """The columns that keep the outcome."""
        scores = self.analysis.scores
        best = max(scores.values()).outcome
        return tuple(column for column, score in scores.items() if score.outcome == best)

    @property
    def share_keeping(self) -> float:
        """Of people, those who keep the outcome."""
        return sum(self.chances[column] for column in self.keeping)

    @property
    def share_best(self) -> float:
        """Of people, those who play a best column: the quickest win, the slowest loss."""
        return sum(self.chances[column] for column in self.analysis.best)


def difficulty(position: Position, solver: Solver, rating: float = AVERAGE) -> Difficulty:
    """How hard a position is to people of a rating.

    >>> from claimeven.position import Position
    >>> from claimeven.solver import Solver
    >>> hard = difficulty(Position.parse("4131"), Solver(megabytes=16))
    >>> hard.analysis.best, 0.4 < hard.share_best < 0.7
    ((4,), True)
    """
    if position.is_over:
        raise MoveError("over.nothing_to_choose")
    return Difficulty(solver.analyse(position), rating, chances(position, rating))
