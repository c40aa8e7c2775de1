"""The sequential probability ratio test: play until it is known, and no longer.

Two hypotheses, "the difference is elo0" and "it is elo1", are weighed after every complete pair by the
generalised log-likelihood ratio (LLR): each hypothesis is given the distribution of results that fits the
observed one best among those with its difference.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from claimeven.arena.elo import NORMALIZED, expected_score
from claimeven.errors import InputError

Model = Literal["logistic", "normalized"]
EMPTY = 1e-3  # what never happened is given this count: it may still happen
CAP = 20_000  # games after which a test without a verdict ends


@dataclass(frozen=True)
class Sprt:
    """A test. `alpha`: risk of accepting elo1 when elo0 is true; `beta`: the other way round.

    >>> test = Sprt.parse("0,10")
    >>> test.verdict((10, 20, 40, 20, 10)), test.verdict((100, 200, 900, 500, 300))
    ('', 'elo1')
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise InputError("sprt.order", elo0=self.elo0, elo1=self.elo1)
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise InputError("sprt.risks")

    @classmethod
    def parse(cls, text: str) -> "Sprt":
        """Read "elo0,elo1" or "elo0,elo1,alpha,beta"."""
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise InputError("sprt.form", text=f"{text!r:.60}")
        elo0, elo1, alpha, beta = (*numbers, 0.05, 0.05)[:4]
        return cls(elo0, elo1, alpha, beta)

    def __str__(self) -> str:
        risks = "" if (self.alpha, self.beta) == (0.05, 0.05) else f",{self.alpha:g},{self.beta:g}"
        return f"{self.elo0:g},{self.elo1:g}{risks}"

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first elo0 is accepted, above the second elo1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, tally: Sequence[int]) -> float:
        return llr(tally, self.elo0, self.elo1, self.model) if any(tally) else 0.0

    def verdict(self, tally: Sequence[int]) -> Literal["elo0", "elo1", ""]:
        """ "elo0" or "elo1" when one is accepted, "" while nothing is known."""
        ratio, (low, high) = self.llr(tally), self.bounds
        return "elo0" if ratio <= low else "elo1" if ratio >= high else ""


def llr(tally: Sequence[float], elo0: float, elo1: float, model: Model = "logistic") -> float:
    """The log-likelihood ratio of elo1 against elo0; the tally as in elo.py.

    >>> round(llr((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5), 2)
    -3.07
    """
    counts = [count or EMPTY for count in tally]
    results = sum(counts)
    shares = [count / results for count in counts]
    points = [i / (len(counts) - 1) for i in range(len(counts))]
    if model == "logistic":
        fitted = [_with_mean(shares, points, expected_score(elo)) for elo in (elo0, elo1)]
    else:
        per_result = math.sqrt((len(counts) - 1) // 2)  # a pair spreads less than a game
        fitted = [_with_ratio(shares, points, elo / NORMALIZED * per_result) for elo in (elo0, elo1)]
    under0, under1 = fitted
    return results * sum(f * math.log(p1 / p0) for f, p0, p1 in zip(shares, under0, under1, strict=True))


def bayesian_llr(wins: int, draws: int, losses: int, elo0: float, elo1: float) -> float:
    """The ratio in the BayesElo model: single games, with the readiness to draw taken from them."""
    games = wins + draws + losses
    won, lost = wins / games, losses / games
    draw_elo = 200 * math.log10((1 - lost) / lost * (1 - won) / won)

    def likelihood(elo: float) -> float:
        win = expected_score(elo - draw_elo)
        loss = expected_score(-elo - draw_elo)
        return wins * math.log(win) + losses * math.log(loss) + draws * math.log(1 - win - loss)

    return likelihood(elo1) - likelihood(elo0)


def _with_mean(shares: Sequence[float], points: Sequence[float], mean: float) -> list[float]:
    return _tilted(shares, [x - mean for x in points])


def _with_ratio(shares: Sequence[float], points: Sequence[float], ratio: float) -> list[float]:
    """With (mean - 1/2) / deviation = ratio: no closed form, so step by step from a uniform start."""
    fitted = [1 / len(points)] * len(points)
    for _ in range(50):
        mean = sum(p * x for p, x in zip(fitted, points, strict=True))
        spread = math.sqrt(sum(p * (x - mean) ** 2 for p, x in zip(fitted, points, strict=True)))
        targets = [x - 0.5 - ratio * spread * (1 + ((mean - x) / spread) ** 2) / 2 for x in points]
        before, fitted = fitted, _tilted(shares, targets)
        if max(abs(a - b) for a, b in zip(before, fitted, strict=True)) < 1e-9:
            break
    return fitted


def _tilted(shares: Sequence[float], targets: Sequence[float]) -> list[float]:
    """The distribution nearest to the observed one under which the targets have the mean 0.

    It is share / (1 + theta target); theta is found by halving, as the sum falls when theta grows.
    """
    low, high = -1 / max(targets), -1 / min(targets)
    for _ in range(200):
        theta = (low + high) / 2
        if theta in (low, high):
            break
        if sum(f * a / (1 + theta * a) for f, a in zip(shares, targets, strict=True)) > 0:
            low = theta
        else:
            high = theta
    return [f / (1 + theta * a) for f, a in zip(shares, targets, strict=True)]
