"""Who stands where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from claimeven.event import tiebreaks
from claimeven.event.knockout import reached
from claimeven.event.tiebreaks import TieBreak
from claimeven.event.timed import score_sheet
from claimeven.event.values import Entrant, Format, Meeting, points_of

ORDER: dict[Format, tuple[TieBreak, ...]] = {
    "swiss": ("buchholz-cut-1", "buchholz", "sonneborn-berger", "direct", "wins"),
    "round-robin": ("direct", "sonneborn-berger", "wins"),
    "knockout": (),
    "arena": ("games",),
}


@dataclass(frozen=True)
class Place:
    """Of an entrant; who is equal in everything shares a place."""

    place: int
    number: int
    points: float
    breaks: tuple[float, ...]  # in the order of ORDER


def standings(format: Format, entrants: Sequence[Entrant], meetings: Sequence[Meeting]) -> list[Place]:
    ended = [meeting for meeting in meetings if meeting.points is not None]
    numbers = [one.number for one in entrants]
    if format == "knockout":
        return _by_matches(entrants, ended)
    points: Mapping[int, float] = {
        number: sum(score_sheet(ended, number)) if format == "arena" else points_of(ended, number)
        for number in numbers
    }
    rounds = max((meeting.round for meeting in meetings), default=0) if format == "swiss" else 0
    return _ranked(numbers, meetings, points, ORDER[format], rounds)


def _ranked(
    numbers: Sequence[int],
    meetings: Sequence[Meeting],
    points: Mapping[int, float],
    order: Sequence[TieBreak],
    rounds: int,
) -> list[Place]:
    groups = _split([list(numbers)], points)
    breaks: dict[int, list[float]] = {number: [] for number in numbers}
    for kind in order:
        found: list[list[int]] = []
        for group in groups:
            values = tiebreaks.values(kind, group, meetings, points, rounds)
            for number in group:
                breaks[number].append(values[number])
            found += _split([group], values)
        groups = found
    places: list[Place] = []
    for group in groups:
        place = len(places) + 1
        places += [Place(place, number, points[number], tuple(breaks[number])) for number in group]
    return places


def _split(groups: Sequence[Sequence[int]], values: Mapping[int, float]) -> list[list[int]]:
    """Each group in groups of equal values, the largest first."""
    found: list[list[int]] = []
    for group in groups:
        ordered = sorted(group, key=lambda number: (-values[number], number))
        found += [list(equal) for _, equal in groupby(ordered, key=lambda number: values[number])]
    return found


def _by_matches(entrants: Sequence[Entrant], meetings: Sequence[Meeting]) -> list[Place]:
    """Who came farther stands higher."""
    matches = {number: float(count) for number, count in reached(entrants, meetings).items()}
    places: list[Place] = []
    for group in _split([list(matches)], matches):
        place = len(places) + 1
        places += [Place(place, number, points_of(meetings, number), ()) for number in group]
    return places
