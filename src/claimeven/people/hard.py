"""How often somebody found what is hard to find, against how often people of a rating do."""

from collections.abc import Iterable
from dataclasses import dataclass

from claimeven.limit import Limit
from claimeven.people.difficulty import Difficulty
from claimeven.people.model import STRONGEST, WEAKEST, chances
from claimeven.position import Position
from claimeven.solver import Solver

HARD = 0.75  # of people, at most so many keep the outcome here
REACH = Limit(nodes=2_000_000)  # a number of nodes: the same positions are judged everywhere


@dataclass(frozen=True)
class Found:
    """`expected`: the share of people with that rating who keep the outcome in the same positions."""

    decisions: int
    right: int
    expected: float
    rating: int


def found(moves: Iterable[tuple[Position, int]], rating: float, solver: Solver) -> Found:
    """Moves that somebody made, of which the hard ones count. Ratings that the model does not know are taken
    for the nearest that it does."""
    known = min(max(rating, WEAKEST), STRONGEST)
    shares: list[float] = []
    right = 0
    for position, column in moves:
        analysis = solver.analyse(position, REACH)
        if not analysis.is_complete:
            continue
        hard = Difficulty(analysis, known, chances(position, known))
        if len(hard.keeping) < len(position.legal) and hard.share_keeping <= HARD:
            shares.append(hard.share_keeping)
            right += column in hard.keeping
    expected = sum(shares) / len(shares) if shares else 0.0
    return Found(len(shares), right, expected, round(known))
