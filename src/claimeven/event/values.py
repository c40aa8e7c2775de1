"""What a tournament is made of. Entrants are known by their number, from 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Format = Literal["swiss", "round-robin", "knockout", "arena"]
FORMATS: tuple[Format, ...] = ("swiss", "round-robin", "knockout", "arena")


@dataclass(frozen=True)
class Entrant:
    number: int
    rating: float
    is_here: bool = True  # who is away is not paired


class Pairing(NamedTuple):
    """Two who shall meet, the first moves first; without a second it is a bye."""

    first: int
    second: int | None


@dataclass(frozen=True)
class Meeting:
    """A pairing of a round and what came of it."""

    round: int
    first: int
    second: int | None
    points: tuple[float, float] | None = None  # None: it is being played
    is_played: bool = True  # False: a bye, or somebody did not come

    @property
    def is_bye(self) -> bool:
        return self.second is None

    def of(self, number: int) -> float:
        """What it brought to one of both."""
        if self.points is None:
            return 0.0
        return self.points[0] if number == self.first else self.points[1]

    def opponent(self, number: int) -> int | None:
        return self.second if number == self.first else self.first

    def has(self, number: int) -> bool:
        return number in (self.first, self.second)


BYE = (1.0, 0.0)  # as many points as a win


def points_of(meetings: Sequence[Meeting], number: int) -> float:
    return sum(meeting.of(number) for meeting in meetings if meeting.has(number))
