"""Ratings of many players from the games between them: Bradley and Terry's model, with its errors.

The chance that the first player scores follows from the difference of the two ratings plus the advantage of
moving first, which is estimated along with them; a draw is half a win. One imagined draw of everybody with
an average player keeps the rating of who always wins finite and ties players together who never met.

Errors come from a bootstrap over pairs, Rubin's: in each of many tournaments every pair counts with a random
weight, 1 on average. What the pairs cannot tell is drawn too; so no interval is a point or has but one side:

- One more pair in every pairing, won or lost as often as the ratings say: it does not move them, but spreads.
- The weight of the imagined draws. After a clean score the rating hangs on them alone: with weight 1 it is as
  if half a game of n had been lost. It is drawn from 1/7 to 7 (95 %): up to three and a half could have been.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claimeven.arena.elo import LEAST, Z95, expected_score
from claimeven.arena.statistics import Interval

SCALE = math.log(10) / 400  # from Elo to natural units
PRIOR = 1.0  # imagined games of everybody with an average player, drawn
PRIOR_SPREAD = 7.0  # within this factor lies their weight, in 95 of 100 tournaments of the bootstrap
SAMPLES = 300

# Points of the player named first, when he had the first move and when the other had it: one pair.
Pair = tuple[float, float]
Pairs = Mapping[tuple[int, int], Sequence[Pair]]  # by the numbers of the two players
Weights = Mapping[tuple[int, int], Mapping[Pair, float]]  # how much each kind of pair counts


@dataclass(frozen=True)
class Rating:
    value: float  # the mean of all players is 0
    interval: Interval  # 95 %, by bootstrap over pairs


@dataclass(frozen=True)
class Ratings:
    players: tuple[Rating, ...]
    first_move: Rating  # what moving first is worth


def rate(players: int, pairs: Pairs, *, samples: int = SAMPLES, seed: int = 0) -> Ratings:
    """Ratings, and intervals from as many tournaments in which the pairs of this one count differently.

    >>> ratings = rate(2, {(0, 1): [(1.0, 0.5), (0.5, 1.0)] * 10})
    >>> [round(player.value) for player in ratings.players]
    [94, -94]
    """
    kinds = {who: Counter(results) for who, results in pairs.items() if results}
    values = _fit(players, kinds)
    rng = random.Random(seed)
    draws = []
    for _ in range(samples):
        prior = PRIOR * PRIOR_SPREAD ** (rng.gauss(0, 1) / Z95)
        draws.append(_fit(players, _reweighted(kinds, values, rng), values, prior))
    found = [
        Rating(value, _middle(sorted(draw[i] for draw in draws), value)) for i, value in enumerate(values)
    ]
    return Ratings(tuple(found[:-1]), found[-1])


def _reweighted(kinds: Weights, values: Sequence[float], rng: random.Random) -> Weights:
    """Every pair with a weight from the exponential law: so many of a kind together from the gamma law.

    A few pairs look more alike than they are: the fewer there are, the more uneven are their weights.
    """
    drawn = {}
    for (one, other), counts in kinds.items():
        total = sum(counts.values())
        even = total / (total + 2)
        weights = {pair: rng.gammavariate(even * count, 1 / even) for pair, count in counts.items()}
        lead, first_move = values[one] - values[other], values[-1]
        expected = (expected_score(lead + first_move) + expected_score(lead - first_move)) / 2
        for pair, chance in (((1.0, 1.0), expected), ((0.0, 0.0), 1 - expected)):
            weights[pair] = weights.get(pair, 0.0) + rng.gammavariate(max(chance, LEAST), 1)
        drawn[one, other] = weights
    return drawn


def _middle(values: Sequence[float], value: float) -> Interval:
    """The middle 95 % of sorted values."""
    if not values:
        return Interval(value, value)
    cut = int(len(values) * 0.025)
    return Interval(min(value, values[cut]), max(value, values[-1 - cut]))


def _fit(
    players: int, kinds: Weights, start: Sequence[float] | None = None, prior: float = PRIOR
) -> list[float]:
    """The likeliest ratings in Elo, the advantage of the first move last: Newton's method.

    The logarithm of the likelihood is concave, so there is one best point and every step leads there.
    """
    meetings: defaultdict[tuple[int, int], float] = defaultdict(float)  # games by (who is first, who second)
    points: defaultdict[tuple[int, int], float] = defaultdict(float)  # of the one who moves first
    for (one, other), counts in kinds.items():
        for (as_first, as_second), number in counts.items():
            meetings[one, other] += number
            meetings[other, one] += number
            points[one, other] += as_first * number
            points[other, one] += (1 - as_second) * number
    size = players + 1
    values = list(start) if start is not None else [0.0] * size
    for _ in range(100):
        slope = [0.0] * size
        curve = [[0.0] * size for _ in range(size)]
        for i in range(size):
            expected = expected_score(values[i])
            slope[i] = prior * (0.5 - expected)
            curve[i][i] = prior * expected * (1 - expected)
        for (first, second), games in meetings.items():
            expected = expected_score(values[first] - values[second] + values[-1])
            surplus, weight = points[first, second] - games * expected, games * expected * (1 - expected)
            signs = ((first, 1), (second, -1), (players, 1))
            for i, a in signs:
                slope[i] += a * surplus
                for j, b in signs:
                    curve[i][j] += a * b * weight
        # In natural units; a bold step from far away could overshoot, so it is kept to a class of strength.
        step = [max(-400.0, min(400.0, x / SCALE)) for x in _solved(curve, slope)]
        values = [value + change for value, change in zip(values, step, strict=True)]
        if max(map(abs, step)) < 1e-6:
            break
    mean = sum(values[:-1]) / players
    return [value - mean for value in values[:-1]] + values[-1:]


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a positive definite system, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i, pivot in enumerate(rows):
        for below in rows[i + 1 :]:
            factor = below[i] / pivot[i]
            if factor:
                for j in range(i, size + 1):
                    below[j] -= factor * pivot[j]
    solution = [0.0] * size
    for i in reversed(range(size)):
        known = sum(rows[i][j] * solution[j] for j in range(i + 1, size))
        solution[i] = (rows[i][size] - known) / rows[i][i]
    return solution
