"""What parts those with equal points, as in FIDE's handbook (C.07): each is a number, the larger the better.

A round that somebody did not play, by a bye or because nobody came, counts for them as a game against
somebody with as many points as they have themselves, as C.07 has it for one's own unplayed rounds; the points
of opponents are taken as they are."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from claimeven.event.values import Meeting

TieBreak = Literal["buchholz-cut-1", "buchholz", "sonneborn-berger", "direct", "wins", "games"]
Points = Mapping[int, float]


def buchholz(number: int, meetings: Sequence[Meeting], points: Points, cut: int = 0) -> float:
    """The points of all opponents, without so many of the least."""
    faced = sorted(_faced(meeting, number, points) for meeting in _own(number, meetings))
    return sum(faced[cut:])


def sonneborn_berger(number: int, meetings: Sequence[Meeting], points: Points) -> float:
    """The points of those whom one beat, and half of those with whom one drew."""
    own = _own(number, meetings)
    return sum(meeting.of(number) * _faced(meeting, number, points) for meeting in own)


def wins(number: int, meetings: Sequence[Meeting]) -> float:
    """Games won at the board or because the other lost on time, not those that nobody came to."""
    return sum(meeting.is_played and meeting.of(number) == 1 for meeting in _own(number, meetings))


def direct(tied: Sequence[int], meetings: Sequence[Meeting]) -> dict[int, float]:
    """Points among those who are equal; nothing for anybody unless all of them have met."""
    inside = [m for m in meetings if m.points is not None and m.first in tied and m.second in tied]
    met = {frozenset((meeting.first, meeting.second)) for meeting in inside}
    if len(met) < len(tied) * (len(tied) - 1) // 2:
        return dict.fromkeys(tied, 0.0)
    return {number: sum(m.of(number) for m in inside if m.has(number)) for number in tied}


def _own(number: int, meetings: Sequence[Meeting]) -> list[Meeting]:
    return [meeting for meeting in meetings if meeting.has(number) and meeting.points is not None]


def _faced(meeting: Meeting, number: int, points: Points) -> float:
    opponent = meeting.opponent(number)
    return points[number] if opponent is None or not meeting.is_played else points[opponent]


def values(
    kind: TieBreak, tied: Sequence[int], meetings: Sequence[Meeting], points: Points
) -> dict[int, float]:
    """Of those who are equal so far."""
    if kind == "direct":
        return direct(tied, meetings)
    single: dict[TieBreak, Callable[[int], float]] = {
        "buchholz": lambda number: buchholz(number, meetings, points),
        "buchholz-cut-1": lambda number: buchholz(number, meetings, points, 1),
        "sonneborn-berger": lambda number: sonneborn_berger(number, meetings, points),
        "wins": lambda number: wins(number, meetings),
        "games": lambda number: -float(len(_own(number, meetings))),
    }
    return {number: single[kind](number) for number in tied}
