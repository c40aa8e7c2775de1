"""What parts those with equal points, as in FIDE's handbook (C.07): each is a number, the larger the better.

In a Swiss tournament rounds without a game count as C.07 has it since 2023. One's own is a game against
somebody with as many points as one has oneself. An opponent who does not come any more, away or absent in all
rounds from some round on, counts as if each of those were a draw. And where the least opponent is left out, a
round that somebody missed of their own accord goes first. A bye that was drawn, and a win because the other
did not come, is not of one's own accord."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from claimeven.event.values import Meeting

TieBreak = Literal["buchholz-cut-1", "buchholz", "sonneborn-berger", "direct", "wins", "games"]
Points = Mapping[int, float]


class _Round(NamedTuple):
    """What a round is worth to somebody."""

    brought: float  # points
    faced: float  # those of the opponent, as they count
    is_missed: bool  # of one's own accord


def buchholz(
    number: int, meetings: Sequence[Meeting], points: Points, cut: int = 0, rounds: int = 0
) -> float:
    """The points of all opponents, without so many of the least; `rounds` of a Swiss tournament so far."""
    found = _rounds(number, meetings, points, rounds)
    found.sort(key=lambda one: (not one.is_missed, one.faced))
    return sum(one.faced for one in found[cut:])


def sonneborn_berger(number: int, meetings: Sequence[Meeting], points: Points, rounds: int = 0) -> float:
    """The points of those whom one beat, and half of those with whom one drew."""
    return sum(one.brought * one.faced for one in _rounds(number, meetings, points, rounds))


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


def _rounds(number: int, meetings: Sequence[Meeting], points: Points, rounds: int) -> list[_Round]:
    """All that are over for somebody; those of a Swiss tournament in which they were not paired, too."""
    found: list[_Round] = []
    for meeting in _own(number, meetings):
        opponent = meeting.opponent(number)
        faced = (
            points[number]
            if opponent is None or not meeting.is_played
            else adjusted(opponent, meetings, points, rounds)
        )
        found.append(_Round(meeting.of(number), faced, bool(rounds) and _is_missed(number, meeting)))
    paired = {meeting.round for meeting in meetings if meeting.has(number)}
    missed = rounds - sum(round <= rounds for round in paired) if rounds else 0
    return found + [_Round(0.0, points[number], True)] * missed


def _is_missed(number: int, meeting: Meeting | None) -> bool:
    """A round of one's own accord: one was away, or did not come."""
    if meeting is None:
        return True
    return meeting.points is not None and not meeting.is_played and meeting.of(number) < 1


def adjusted(number: int, meetings: Sequence[Meeting], points: Points, rounds: int) -> float:
    """What somebody's points count for their opponents."""
    own = {meeting.round: meeting for meeting in meetings if meeting.has(number)}
    found = points[number]
    for round in range(rounds, 0, -1):
        meeting = own.get(round)
        if not _is_missed(number, meeting):
            break
        found += 0.5 - (0.0 if meeting is None else meeting.of(number))
    return found


def values(
    kind: TieBreak, tied: Sequence[int], meetings: Sequence[Meeting], points: Points, rounds: int = 0
) -> dict[int, float]:
    """Of those who are equal so far; `rounds` of a Swiss tournament."""
    if kind == "direct":
        return direct(tied, meetings)
    single: dict[TieBreak, Callable[[int], float]] = {
        "buchholz": lambda number: buchholz(number, meetings, points, 0, rounds),
        "buchholz-cut-1": lambda number: buchholz(number, meetings, points, 1, rounds),
        "sonneborn-berger": lambda number: sonneborn_berger(number, meetings, points, rounds),
        "wins": lambda number: wins(number, meetings),
        "games": lambda number: -float(len(_own(number, meetings))),
    }
    return {number: single[kind](number) for number in tied}
