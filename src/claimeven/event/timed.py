"""The timed arena: whoever is free meets whoever is free, until the time is up.

A win brings 2 points and a draw 1; after two wins in a row everything counts double until a game is not won
(the rule of lichess.org)."""

from collections.abc import Sequence

from claimeven.event.matching import can_pair_all
from claimeven.event.values import Entrant, Meeting, Pairing

STREAK = 2  # wins after which points are doubled


def score_sheet(meetings: Sequence[Meeting], number: int) -> list[int]:
    """Points of each game, in order. Two wins followed by a draw are worth 6 points:

    >>> games = [Meeting(n, 1, 2, points) for n, points in enumerate([(1, 0), (1, 0), (0.5, 0.5)])]
    >>> score_sheet(games, 1), score_sheet(games, 2)
    ([2, 2, 2], [0, 0, 1])
    """
    sheet: list[int] = []
    streak = 0
    for meeting in meetings:
        if meeting.has(number) and meeting.points is not None:
            value = meeting.of(number)
            sheet.append(round(2 * value) * (2 if streak >= STREAK else 1))
            streak = streak + 1 if value == 1 else 0
    return sheet


def pairings(entrants: Sequence[Entrant], meetings: Sequence[Meeting]) -> list[Pairing]:
    """Of those who are free: near in points, not the last opponent again if it can be helped."""
    free = [one for one in entrants if one.is_here]
    free.sort(key=lambda one: (-sum(score_sheet(meetings, one.number)), -one.rating, one.number))
    if len(free) % 2:
        free.pop(_rests(free, meetings))
    last = {one.number: _last(meetings, one.number) for one in free}
    numbers = [one.number for one in free]
    allowed = {
        one: frozenset(two for two in numbers if two != one and last[one] != two and last[two] != one)
        for one in numbers
    }
    if not can_pair_all(numbers, allowed):
        if len(entrants) > 3 and len(numbers) < len(entrants):
            return []  # others come free soon
        allowed = {one: frozenset(numbers) - {one} for one in numbers}
    found: list[Pairing] = []
    while numbers:
        one = numbers[0]
        for two in numbers[1:]:
            rest = [number for number in numbers if number not in (one, two)]
            if two in allowed[one] and can_pair_all(rest, allowed):
                found.append(_sides(one, two, meetings))
                numbers = rest
                break
    return found


def _rests(free: Sequence[Entrant], meetings: Sequence[Meeting]) -> int:
    """Who of an odd number waits: who played most, for those who waited should not again."""
    counts = [sum(meeting.has(one.number) for meeting in meetings) for one in free]
    return max(range(len(free)), key=lambda index: (counts[index], index))


def _last(meetings: Sequence[Meeting], number: int) -> int | None:
    return next((meeting.opponent(number) for meeting in reversed(meetings) if meeting.has(number)), None)


def _sides(one: int, two: int, meetings: Sequence[Meeting]) -> Pairing:
    """Who began less often begins; else who followed last."""

    def key(number: int) -> tuple[int, int]:
        own = [meeting for meeting in meetings if meeting.has(number) and not meeting.is_bye]
        began = sum(meeting.first == number for meeting in own)
        return 2 * began - len(own), int(bool(own) and own[-1].first == number)

    return Pairing(one, two) if key(one) <= key(two) else Pairing(two, one)
