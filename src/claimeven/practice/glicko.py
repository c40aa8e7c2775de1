"""Ratings by Glicko-2 (Glickman 2013), one game at a time or many.

The same as web/src/lib/practice/glicko.ts; both are held against the package glicko2-lite to 1e-9.
"""

import math
from collections.abc import Sequence
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
    return rated_after(player, ((opponent, score),))


def rated_after(player: Rating, games: Sequence[tuple[Rating, float]]) -> Rating:
    """The rating after a period with these opponents and scores; Glickman's own example:

    >>> games = [(Rating(1400, 30, 0), 1), (Rating(1550, 100, 0), 0), (Rating(1700, 300, 0), 0)]
    >>> after = rated_after(Rating(1500, 200, 0.06), games)
    >>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
    (1464.05, 151.52, 0.06)
    """
    mu, phi = (player.rating - BASE) / SCALE, player.deviation / SCALE
    information = surprise = 0.0
    for opponent, score in games:
        g = _damped(opponent.deviation / SCALE)
        e = 1 / (1 + math.exp(-g * (mu - (opponent.rating - BASE) / SCALE)))
        information += g**2 * e * (1 - e)
        surprise += g * (score - e)
    variance = 1 / information
    volatility = _moved(player.volatility, phi, variance, variance * surprise)
    wide = math.sqrt(phi**2 + volatility**2)
    narrow = 1 / math.sqrt(1 / wide**2 + 1 / variance)
    return Rating(SCALE * (mu + narrow**2 * surprise) + BASE, SCALE * narrow, volatility)


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
