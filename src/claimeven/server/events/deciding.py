"""What a tournament does next. Pure: told the time and how it stands."""

from dataclasses import dataclass

from claimeven.event import Pairing, berger, knockout, swiss, timed
from claimeven.server.events.rows import Event, Table


@dataclass(frozen=True)
class Decision:
    """What is to be written, all of it together; nothing where it may wait."""

    results: tuple[Table, ...] = ()  # that the games told and the pairings do not say yet
    away: tuple[int, ...] = ()  # who did not come: not paired again until they say that they are back
    pairs: tuple[Pairing, ...] = ()
    round: int | None = None  # of the pairs
    due: int | None = None
    state: str | None = None

    @property
    def is_empty(self) -> bool:
        return self == Decision()


def decide(event: Event, written: frozenset[tuple[int, int]], now: int, pause: int) -> Decision:
    """`written`: rounds and boards whose result is written down."""
    results = tuple(
        table
        for table in event.tables
        if table.score is not None and (table.round, table.board) not in written
    )
    found = Decision(results, _absent(event, results))
    if event.state != "running":
        return found
    decide_format = _arena if event.format == "arena" else _rounds
    return decide_format(event, found, now, pause)


def _absent(event: Event, results: tuple[Table, ...]) -> tuple[int, ...]:
    """People who lost without a move of their own."""
    lost = [
        table.second if table.meeting.of(table.first) == 1 else table.first
        for table in results
        if not table.is_played and table.second is not None and table.score in ("1-0", "0-1")
    ]
    return tuple(number for number in lost if number is not None and event.person(number).agent is None)


def _with(found: Decision, **more: object) -> Decision:
    values = {"results": found.results, "away": found.away} | more
    return Decision(**values)  # type: ignore[arg-type]


def _rounds(event: Event, found: Decision, now: int, pause: int) -> Decision:
    if any(table.score is None for table in event.tables):
        return found
    # Who did not come is away from now on: the next round is paired after that is written.
    if found.results:
        return _with(found, due=now + pause)
    # Further ahead than a pause it was written before a clock was set back.
    if event.due is not None and now < event.due <= now + pause:
        return found
    number, pairs = next_round(event)
    if not pairs:
        return _with(found, state="over")
    return _with(found, pairs=tuple(pairs), round=number)


def next_round(event: Event) -> tuple[int, list[Pairing]]:
    """Its number and pairings; none when all is played."""
    number = event.round + 1
    if event.format == "knockout":
        return knockout.next_games(event.entrants, event.meetings) or (number, [])
    if number > rounds_of(event):
        return number, []
    if event.format == "round-robin":
        return number, berger.pairings(len(event.people), number)
    return number, swiss.pairings(event.entrants, event.meetings, number == rounds_of(event))


def rounds_of(event: Event) -> int:
    """How many rounds there are to be."""
    count = len(event.people)
    if event.format == "round-robin":
        return berger.rounds_of(count, max(1, event.rounds))
    if event.format == "knockout":
        return knockout.rounds_of(count)
    return min(event.rounds, max(1, count - 1)) if event.rounds else swiss.rounds_for(count)


def _arena(event: Event, found: Decision, now: int, pause: int) -> Decision:
    busy = {number for table in event.tables if table.score is None for number in (table.first, table.second)}
    if event.due is not None and now >= event.due:
        return found if busy else _with(found, state="over")
    if found.away:
        return found
    # Further ahead than it lasts in all its end was written before a clock was set back.
    if event.due is not None and event.due > (latest := now + event.minutes * 60_000):
        return _with(found, due=latest)
    free = [one for one in event.entrants if one.number not in busy]
    pairs = [
        pair
        for pair in timed.pairings(free, event.meetings)
        # Two levels would play each other all evening.
        if pair.second is None
        or event.person(pair.first).agent is None
        or event.person(pair.second).agent is None
    ]
    return _with(found, pairs=tuple(pairs), round=event.round + 1) if pairs else found
