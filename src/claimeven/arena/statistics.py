"""Intervals and tests for shares: what may be concluded from so many trials. Standard library only."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple


class Interval(NamedTuple):
    low: float
    high: float


def wilson(successes: float, trials: float, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a share. Successes may be a sum of probabilities.

    >>> low, high = wilson(60, 100)
    >>> round(low, 4), round(high, 4)
    (0.502, 0.6906)
    """
    if trials == 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, spread = successes / trials, z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    # At the ends rounding would leave a hair of the impossible.
    low = 0.0 if successes <= 0 else max(0.0, middle - half)
    high = 1.0 if successes >= trials else min(1.0, middle + half)
    return Interval(low, high)


def sign_test(first: int, second: int) -> float:
    """The exact two-sided binomial test that two counts come from a fair coin: its p-value.

    For trials done by both of two players, `first` counts those that only the first got right and `second`
    those that only the second did: this is McNemar's exact test.

    >>> round(sign_test(60, 40), 4)
    0.0569
    """
    trials = first + second
    tail = ways = 1  # ways to choose k of the trials, summed from k = 0
    for k in range(min(first, second)):
        ways = ways * (trials - k) // (k + 1)
        tail += ways
    return min(1.0, float(2 * tail / (1 << trials)))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of several tests, corrected so that the risk of any false alarm stays what each says.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    least = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        least = max(least, min(1.0, p_values[index] * (len(p_values) - rank)))
        corrected[index] = least
    return corrected
