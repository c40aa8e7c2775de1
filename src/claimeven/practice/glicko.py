"""Ratings by Glicko-2 (Glickman 2013), one game at a time.

The same as web/src/lib/practice/glicko.ts; both are held against the package glicko2-lite to 1e-9.
"""

import math
from dataclasses import dataclass

SCALE = 173.7178
BASE = 1500
TAU = 0.5
EPSILON = 1e-6


@dataclass(frozen=True)
class Rating:
    rating: float
    deviation: float
    volatility: float

    @property
    def is_provisional(self) -> bool:
        return self.deviation > SETTLED

    @property
    def shown(self) -> int:
        """As people read it: no digit that is only noise."""
        return ROUNDED * round(self.rating / ROUNDED) if self.is_provisional else round(self.rating)


START = Rating(1000, 200, 0.06)
SETTLED = 110  # the largest deviation of a rating that says something
ROUNDED = 10  # points: one that does not is shown no finer


def _damped(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def expected(one: Rating, two: Rating) -> float:
    """How likely the first one is to win."""
    return 1 / (1 + math.exp(-_damped(two.deviation / SCALE) * (one.rating - two.rating) / SCALE))


def rated(player: Rating, opponent: Rating, score: float) -> Rating:
    """The rating after one game: 1 for a win, 0 for a loss."""
    mu, phi = (player.rating - BASE) / SCALE, player.deviation / SCALE
    g = _damped(opponent.deviation / SCALE)
    e = 1 / (1 + math.exp(-g * (mu - (opponent.rating - BASE) / SCALE)))
    variance = 1 / (g**2 * e * (1 - e))
    delta = variance * g * (score - e)
    volatility = _moved(player.volatility, phi, variance, delta)
    wide = math.sqrt(phi**2 + volatility**2)
    narrow = 1 / math.sqrt(1 / wide**2 + 1 / variance)
    return Rating(SCALE * (mu + narrow**2 * g * (score - e)) + BASE, SCALE * narrow, volatility)


def _moved(sigma: float, phi: float, variance: float, delta: float) -> float:
    """The new volatility, by the Illinois method of the paper."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        e = math.exp(x)
        top = e * (delta**2 - phi**2 - variance - e)
        return top / (2 * (phi**2 + variance + e) ** 2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        k = 1
        while f(a - k * TAU) < 0:
            k += 1
        high = a - k * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > EPSILON:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
