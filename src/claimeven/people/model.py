"""Which column a person would play: a small network over `features`, learned from games of people.

bench/players/people.py fits it and writes weights.json, which has the recipe and what it was judged by.
Strength is a number along which people were seen to differ; a rating is turned into it by how often
the levels of the same rating keep the outcome of the same positions.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import cast

from claimeven.people.features import context, features
from claimeven.position import Position

Row = tuple[float, ...]

WEAKEST, STRONGEST = 600, 1140  # ratings of people who could be learned from
AVERAGE = 900  # where the model keeps the outcome as often as all of them together (bench/players/people.py)


@dataclass(frozen=True)
class Weights:
    """How a column is liked: straight·inputs + out·max(0, hidden·inputs + bias), of features and context."""

    hidden: tuple[Row, ...]
    bias: Row
    out: Row
    straight: Row
    strong: Row  # what a stronger person sees more of
    sure: float  # how much more a stronger person keeps to what all prefer
    strengths: tuple[tuple[float, float], ...]  # rating and strength, rising


@cache
def shipped_weights() -> Weights:
    raw = json.loads((files("claimeven.people") / "weights.json").read_text(encoding="utf-8"))
    return Weights(
        hidden=_rows(raw["hidden"]),
        bias=tuple(raw["bias"]),
        out=tuple(raw["out"]),
        straight=tuple(raw["straight"]),
        strong=tuple(raw["strong"]),
        sure=raw["sure"],
        strengths=cast(tuple[tuple[float, float], ...], _rows(raw["strengths"])),
    )


def _rows(raw: Sequence[Sequence[float]]) -> tuple[Row, ...]:
    return tuple(tuple(row) for row in raw)


def chances(position: Position, rating: float = AVERAGE) -> dict[int, float]:
    """How likely a person of this rating is to play each column.

    Ratings are those of the levels (`claimeven agents`). Beyond the strongest or weakest people who could be
    learned from, they are as the nearest ones.

    >>> from claimeven.position import Position
    >>> max(chances(Position.parse("414141")).items(), key=lambda item: item[1])[0]
    3
    """
    weights = shipped_weights()
    strength = _between(weights.strengths, rating)
    seen, around = features(position), context(position)
    liking = {column: _liking(weights, [*row, *around]) for column, row in seen.items()}
    most = max(liking.values())
    for column, row in seen.items():
        known = _dot(weights.strong, row) + weights.sure * max(liking[column] - most, -20.0)
        liking[column] += strength * known
    most = max(liking.values())
    likely = {column: math.exp(value - most) for column, value in liking.items()}
    total = sum(likely.values())
    return {column: value / total for column, value in likely.items()}


def _dot(one: Sequence[float], two: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, two, strict=True) if b)


def _liking(weights: Weights, inputs: list[float]) -> float:
    hidden = (
        out * max(0.0, bias + _dot(row, inputs))
        for row, bias, out in zip(weights.hidden, weights.bias, weights.out, strict=True)
    )
    return _dot(weights.straight, inputs) + sum(hidden)


def _between(points: Sequence[tuple[float, float]], at: float) -> float:
    """The value at a place, on straight lines between the points; beyond them the nearest one's."""
    at = min(max(at, points[0][0]), points[-1][0])
    for (low, one), (high, two) in pairwise(points):
        if at <= high:
            return one + (two - one) * (at - low) / (high - low)
    raise AssertionError("points rise")
