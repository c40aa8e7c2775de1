"""Points of a learning curve, as values: in this order they are its JSON, in the file of a table too."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """A share, and the interval in which it lies with 95 % confidence."""

    value: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Kept(Measured):
    """The share of good moves, in so many decisive positions."""

    positions: int


@dataclass(frozen=True)
class Point:
    """How well a table plays after so many games."""

    games: int
    states: int  # positions in the table
    epsilon: float
    scores: dict[str, Measured]  # by opponent
    kept: Kept
