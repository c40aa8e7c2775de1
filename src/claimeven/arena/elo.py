"""What a score means: its interval, the Elo difference with its error, how likely the one is the stronger.

A *tally* counts results by their points in equal steps: three numbers for single games (lost, drawn, won),
five for colour-swapped pairs (0, 1/2, 1, 3/2, 2 points). Pairs are the right unit: the first move is worth a
lot, so the two games of a pair depend on each other, and errors counted from single games are wrong.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

from claimeven.arena.statistics import Interval, wilson

LEAST = 1e-3  # a score this near to 0 or 1 has no meaningful Elo difference
NORMALIZED = 800 / math.log(10)  # one standard deviation of a game, in normalized Elo
NORMAL = NormalDist()
Z95 = NORMAL.inv_cdf(0.975)


class Estimate(NamedTuple):
    """A value, and half the width of its 95 % interval."""

    value: float
    error: float


class Moments(NamedTuple):
    """Of a tally, in points per game from 0 to 1."""

    mean: float
    variance: float  # of one result of the tally: a game, or a pair
    results: float


def moments(tally: Sequence[float]) -> Moments:
    results = sum(tally)
    if not results:
        return Moments(0.5, 0.0, 0)
    step = 1 / (len(tally) - 1)
    mean = sum(i * step * n for i, n in enumerate(tally)) / results
    return Moments(mean, sum(n * (i * step - mean) ** 2 for i, n in enumerate(tally)) / results, results)


def elo_of(score: float) -> float:
    """The difference of strength at which this score is expected.

    >>> round(elo_of(0.75)), round(expected_score(400), 3)
    (191, 0.909)
    """
    score = min(max(score, LEAST), 1 - LEAST)
    return -400 * math.log10(1 / score - 1)


def expected_score(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def elo(tally: Sequence[int]) -> Estimate:
    """The difference of strength.

    >>> value, error = elo((96, 111, 136))
    >>> f"{value:.2f} +- {error:.2f}"
    '40.70 +- 30.43'
    """
    mean, variance, results = moments(tally)
    half = Z95 * math.sqrt(variance / results) if results else 0.5
    return Estimate(elo_of(mean), (elo_of(mean + half) - elo_of(mean - half)) / 2)


def normalized_elo(tally: Sequence[int]) -> Estimate:
    """The difference in standard deviations of a game: what the length of a match depends on."""
    mean, variance, results = moments(tally)
    games_each = (len(tally) - 1) // 2
    spread = math.sqrt(games_each * variance)
    games = results * games_each
    error = Z95 * NORMALIZED / math.sqrt(games) if games else math.inf
    return Estimate((mean - 0.5) / spread * NORMALIZED if spread else 0.0, error)


def superiority(tally: Sequence[int]) -> float:
    """How likely it is, after these results, that the first is the stronger one ("LOS")."""
    mean, variance, results = moments(tally)
    if variance == 0:
        return 0.5 if mean == 0.5 else float(mean > 0.5)
    return NORMAL.cdf((mean - 0.5) / math.sqrt(variance / results))


def score_interval(tally: Sequence[int], confidence: float = 0.95) -> Interval:
    """Where the true score lies. Never a single point, also when all results are alike.

    Wilson's interval, with as many trials as the observed spread makes the results worth; one more result,
    as spread as can be, is added, which matters only while there are few.

    >>> low, high = score_interval((0, 0, 0, 0, 10))
    >>> round(low, 3), high
    (0.722, 1.0)
    """
    mean, variance, results = moments(tally)
    most = mean * (1 - mean)
    share = (results * (variance / most) + 1) / (results + 1) if most else 1.0
    trials = results / share
    return wilson(mean * trials, trials, confidence)
