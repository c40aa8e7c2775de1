"""Ratings of many players from the games between them: Bradley and Terry's model, with its errors.

The chance that the first player scores follows from the difference of the two ratings plus the advantage of
moving first, which is estimated along with them; a draw is half a win. One imagined draw of everybody with
an average player keeps the rating of who always wins finite and ties players together who never met.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claimeven.arena.elo import expected_score
from claimeven.arena.statistics import Interval

SCALE = math.log(10) / 400  # from Elo to natural units
PRIOR = 1.0  # imagined games of everybody with an average player, drawn
SAMPLES = 300

# Points of the player named first, when he had the first move and when the other had it: one pair.
Pair = tuple[float, float]
Pairs = Mapping[tuple[int, int], Sequence[Pair]]  # by the numbers of the two players


@dataclass(frozen=True)
class Rating:
    value: float  # the mean of all players is 0
    interval: Interval  # 95 %, by bootstrap over pairs


@dataclass(frozen=True)
class Ratings:
    players: tuple[Rating, ...]
    first_move: Rating  # what moving first is worth


def rate(players: int, pairs: Pairs, *, samples: int = SAMPLES, seed: int = 0) -> Ratings:
    """Ratings, and intervals from as many tournaments drawn from this one, pair by pair.

    >>> ratings = rate(2, {(0, 1): [(1.0, 0.5), (0.5, 1.0)] * 10})
    >>> [round(player.value) for player in ratings.players]
    [94, -94]
    """
    kinds = {who: Counter(results) for who, results in pairs.items()}
    values = _fit(players, kinds)
    rng = random.Random(seed)
    draws = [_fit(players, _resampled(kinds, rng), values) for _ in range(samples)]
    found = [
        Rating(value, _middle(sorted(draw[i] for draw in draws), value)) for i, value in enumerate(values)
    ]
    return Ratings(tuple(found[:-1]), found[-1])


def _resampled(
    kinds: Mapping[tuple[int, int], Counter[Pair]], rng: random.Random
) -> dict[tuple[int, int], Counter[Pair]]:
    """As many pairs of each pairing, drawn from those that were played. A pair is drawn whole.

    One imagined pair, won or lost, may be drawn too: else who always won would seem to be rated exactly.
    """
    drawn = {}
    for who, counts in kinds.items():
        weights = {pair: float(number) for pair, number in counts.items()}
        for pair in ((1.0, 1.0), (0.0, 0.0)):
            weights[pair] = weights.get(pair, 0.0) + 0.5
        drawn[who] = Counter(rng.choices(list(weights), list(weights.values()), k=counts.total()))
    return drawn


def _middle(values: Sequence[float], value: float) -> Interval:
    """The middle 95 % of sorted values."""
    if not values:
        return Interval(value, value)
    cut = int(len(values) * 0.025)
    return Interval(min(value, values[cut]), max(value, values[-1 - cut]))


def _fit(
    players: int, kinds: Mapping[tuple[int, int], Counter[Pair]], start: Sequence[float] | None = None
) -> list[float]:
    """The likeliest ratings in Elo, the advantage of the first move last: Newton's method.

    The logarithm of the likelihood is concave, so there is one best point and every step leads there.
    """
    meetings: Counter[tuple[int, int]] = Counter()  # games by (who moves first, who second)
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
            slope[i] = PRIOR * (0.5 - expected)
            curve[i][i] = PRIOR * expected * (1 - expected)
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
