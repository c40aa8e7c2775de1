"""Tournaments are made, joined and begun here; what follows is the director's."""

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from claimeven.event import Format
from claimeven.event.knockout import tree
from claimeven.event.standings import ORDER, standings
from claimeven.server.doors.answers import OpenClock
from claimeven.server.errors import RefusedError
from claimeven.server.events.answers import (
    EventEntrant,
    EventLine,
    EventList,
    EventMatch,
    EventPage,
    EventPlace,
    EventTable,
)
from claimeven.server.events.deciding import rounds_of
from claimeven.server.events.rows import Event, load, set_away, set_event
from claimeven.server.game.names import agent_name
from claimeven.server.hub import Hub
from claimeven.server.players.book import Player
from claimeven.server.storage.club import entrants, events
from claimeven.server.storage.rating import level_rating
from claimeven.server.tokens import new_id

MOST_ENTRANTS = 200
MOST_RUNNING = 100  # at once, of a server
MOST_TABLES = 300  # that a page is told
LISTED = 30


class Events:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def create(
        self,
        owner: Player,
        name: str,
        format: Format,
        clock: tuple[int, int],
        rounds: int,
        minutes: int,
        rated: bool,
    ) -> str:
        id, now = new_id(), self._hub.now()

        def write(connection: Connection) -> None:
            alive = sa.select(sa.func.count()).where(
                events.c.state != "over", events.c.created > now - ALIVE_MS
            )
            if connection.execute(alive).scalar_one() >= MOST_RUNNING:
                raise RefusedError("busy.events")
            connection.execute(
                sa.insert(events).values(
                    id=id,
                    created=now,
                    owner=owner.id,
                    name=name,
                    format=format,
                    rated=int(rated),
                    clock_initial=clock[0],
                    clock_increment=clock[1],
                    rounds=rounds,
                    minutes=minutes,
                    state="open",
                    round=0,
                    due=None,
                )
            )

        await self._hub.change(write)
        return id

    async def join(self, id: str, player: Player) -> None:
        """Take part; who was away is back."""

        def write(connection: Connection) -> None:
            event = load(connection, id, is_kept=True)
            own = next((one for one in event.people if one.player == player.id), None)
            if own is not None:
                set_away(connection, id, own.number, False)
                return
            _check_joinable(event)
            _enter(connection, event, player.name, round(player.rating.rating), player=player.id)

        await self._hub.change(write)

    async def leave(self, id: str, player: Player) -> None:
        """Take part no more: before the start as if one had not come, after it one is not paired."""

        def write(connection: Connection) -> None:
            event = load(connection, id, is_kept=True)
            own = next((one for one in event.people if one.player == player.id), None)
            if own is None:
                return
            if event.state == "open":
                _remove(connection, event, own.number)
            else:
                set_away(connection, id, own.number, True)

        await self._hub.change(write)

    async def add_level(self, id: str, organiser: Player, level: int) -> None:
        spec = f"level:{level}"
        rating = level_rating(spec)
        if rating is None:
            raise RefusedError("bad_agent.level")

        def write(connection: Connection) -> None:
            event = load(connection, id, is_kept=True)
            _check_organiser(event, organiser)
            _check_joinable(event)
            _enter(connection, event, agent_name(spec), round(rating.rating), agent=spec)

        await self._hub.change(write)

    async def remove(self, id: str, organiser: Player, number: int) -> None:
        """Send an entrant away: before the start for good, after it they are not paired."""

        def write(connection: Connection) -> None:
            event = load(connection, id, is_kept=True)
            _check_organiser(event, organiser)
            if not 1 <= number <= len(event.people):
                raise RefusedError("not_found.player")
            if event.state == "open":
                _remove(connection, event, number)
            else:
                set_away(connection, id, number, True)

        await self._hub.change(write)

    async def begin(self, id: str, organiser: Player) -> None:
        """Pair the first round, soon. Asked twice it begins once."""

        def write(connection: Connection) -> None:
            event = load(connection, id, is_kept=True)
            _check_organiser(event, organiser)
            if event.state != "open":
                return
            if len(event.people) < 2:
                raise RefusedError("not_started.alone")
            now = self._hub.tenure.time(connection, self._hub.now())
            due = now + event.minutes * 60_000 if event.format == "arena" else None
            set_event(connection, id, state="running", due=due)

        await self._hub.change(write)

    async def stop(self, id: str, organiser: Player) -> None:
        """No more rounds; games that are being played end by themselves and count for nothing here."""

        def write(connection: Connection) -> None:
            _check_organiser(load(connection, id, is_kept=True), organiser)
            set_event(connection, id, state="over")

        await self._hub.change(write)

    def listed(self, connection: Connection) -> EventList:
        """Those one can join or watch, the newest first."""
        count = sa.select(sa.func.count()).where(entrants.c.event == events.c.id).scalar_subquery()
        fresh = (events.c.state == "running") | (events.c.created > self._hub.now() - ALIVE_MS)
        asked = (
            sa.select(events, count.label("people"))
            .where(events.c.state != "over", fresh)
            .order_by(events.c.created.desc())
            .limit(LISTED)
        )
        return EventList(
            tuple(
                EventLine(
                    row.id,
                    row.name,
                    row.format,
                    row.state,
                    bool(row.rated),
                    OpenClock(row.clock_initial, row.clock_increment),
                    row.people,
                )
                for row in connection.execute(asked)
            )
        )


ALIVE_MS = 24 * 3600 * 1000  # that a tournament which nobody begins is listed


def page_of(event: Event, now: int) -> EventPage:
    places = standings(event.format, event.entrants, event.meetings)
    return EventPage(
        id=event.id,
        name=event.name,
        format=event.format,
        state=event.state,  # type: ignore[arg-type]  # the table checks it
        organiser=event.owner,
        rated=event.is_rated,
        clock=OpenClock(event.initial, event.increment),
        round=event.round,
        rounds=rounds_of(event) if event.people else event.rounds,
        minutes=event.minutes,
        due=event.due,
        server_time=now,
        entrants=tuple(
            EventEntrant(one.number, one.name, one.player, one.agent, one.rating, one.is_away)
            for one in event.people
        ),
        places=tuple(EventPlace(one.place, one.number, one.points, one.breaks) for one in places),
        breaks=ORDER[event.format],
        tables=tuple(
            EventTable(one.round, one.board, one.first, one.second, one.game, one.score, one.is_played)
            for one in event.tables[-MOST_TABLES:]
        ),
        bracket=_bracket(event),
    )


def _bracket(event: Event) -> tuple[tuple[EventMatch, ...], ...]:
    if event.format != "knockout" or event.state == "open":
        return ()
    return tuple(
        tuple(EventMatch(one.one, one.two, one.points, one.winner, one.is_bye) for one in stage)
        for stage in tree(event.entrants, event.meetings)
    )


def _check_organiser(event: Event, player: Player) -> None:
    if event.owner != player.id:
        raise RefusedError("not_your_seat.organiser")


def _check_joinable(event: Event) -> None:
    """A Swiss tournament and an arena take who comes late; the others are laid out from the start."""
    late = event.state == "running" and event.format in ("swiss", "arena")
    if event.state == "over" or (event.state == "running" and not late):
        raise RefusedError("game_over.joining")
    if len(event.people) >= MOST_ENTRANTS:
        raise RefusedError("busy.entrants")


def _enter(
    connection: Connection,
    event: Event,
    name: str,
    rating: int,
    player: str | None = None,
    agent: str | None = None,
) -> None:
    connection.execute(
        sa.insert(entrants).values(
            event=event.id,
            number=len(event.people) + 1,
            player=player,
            agent=agent,
            name=name,
            rating=rating,
            away=0,
        )
    )


def _remove(connection: Connection, event: Event, number: int) -> None:
    """And count the others anew: nobody has a number to lose before the start."""
    own = entrants.c.event == event.id
    connection.execute(sa.delete(entrants).where(own, entrants.c.number == number))
    for later in range(number + 1, len(event.people) + 1):
        connection.execute(
            sa.update(entrants).where(own, entrants.c.number == later).values(number=later - 1)
        )
