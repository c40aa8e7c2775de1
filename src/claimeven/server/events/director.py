"""What keeps tournaments going. All that it knows is in the database: killed and started again it goes on."""

import asyncio
import time

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from claimeven.event import Pairing
from claimeven.position import Position
from claimeven.server.errors import RefusedError
from claimeven.server.events.deciding import Decision, decide
from claimeven.server.events.rows import (
    Event,
    Person,
    Table,
    load,
    set_away,
    set_event,
    write_pairing,
    write_result,
)
from claimeven.server.game.clock import GameClock
from claimeven.server.game.events import Seat
from claimeven.server.game.session import Session
from claimeven.server.hub import Hub
from claimeven.server.storage.club import events, pairings
from claimeven.server.tokens import hash_of, new_id, new_secret

THINK = 1_000  # milliseconds of a level
TROUBLE_SECONDS = 5.0  # until a tournament that could not go on is tried again


class Director:
    """Made inside the event loop."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._task: asyncio.Task[None] | None = None
        self._rest_until: dict[str, float] = {}  # tournaments in trouble

    def start(self) -> None:
        self._task = self._hub.loop.create_task(self._run())

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while True:
            try:
                if self._hub.why_closed() is None:
                    for event in await asyncio.to_thread(self._hub.store.read, _running):
                        await self._go_on(event)
            except (DBAPIError, MemoryError, RuntimeError) as error:
                self._hub.log.warning("tournaments not read", extra={"error": repr(error)})
            await asyncio.sleep(self._hub.settings.event_look / 1000)

    async def _go_on(self, event: str) -> None:
        """One tournament that cannot go on must not hold up the others."""
        if time.monotonic() < self._rest_until.get(event, 0.0):
            return
        try:
            await self.look(event)
            self._rest_until.pop(event, None)
        except Exception as error:
            self._rest_until[event] = time.monotonic() + TROUBLE_SECONDS
            self._hub.log.warning("a tournament waits", extra={"tournament": event, "error": repr(error)})

    async def look(self, id: str) -> None:
        """Do what is due in one of them."""
        event, written = await asyncio.to_thread(
            self._hub.store.read, lambda c: (load(c, id), _written(c, id))
        )
        found = decide(event, written, self._hub.now(), self._hub.settings.round_pause)
        if not found.is_empty:
            await self._write(event, found)
        for table in event.tables:
            if table.score is None and table.game is not None:
                await self._wake(table.game)

    async def _wake(self, game: str) -> None:
        """Its clock runs and its levels think, whether anybody is there or not, also after a restart."""
        if game not in self._hub.rooms and game not in self._hub.resting:
            await self._hub.room(game)

    async def _write(self, event: Event, found: Decision) -> None:
        """All of it together with the games that begin, or nothing."""
        tables: list[Table] = []
        sessions: list[Session] = []
        for board, pair in enumerate(found.pairs, 1):
            round = found.round or 0
            if pair.second is None:  # a bye of a round robin is a rest, and brings nothing
                score = "0-0" if event.format == "round-robin" else "+"
                tables.append(Table(round, board, pair.first, None, None, score, False))
                continue
            session = self._session(event, pair)
            sessions.append(session)
            tables.append(Table(round, board, pair.first, pair.second, session.id, None, True))

        def write(connection: Connection) -> None:
            state = connection.execute(sa.select(events.c.state).where(events.c.id == event.id)).scalar()
            if state != "running" and found.pairs:
                raise RefusedError("game_over.event")  # stopped meanwhile
            for table in found.results:
                write_result(connection, event.id, table)
            for number in found.away:
                set_away(connection, event.id, number, True)
            for table in tables:
                write_pairing(connection, event.id, table)
            if found.round is not None:
                set_event(connection, event.id, round=found.round)
            if found.due is not None:
                set_event(connection, event.id, due=found.due)
            if found.state is not None:
                set_event(connection, event.id, state=found.state)

        await self._hub.change(write, *(session.begun() for session in sessions))
        for session in sessions:
            self._hub.open(session)

    def _session(self, event: Event, pair: Pairing) -> Session:
        assert pair.second is not None
        now = self._hub.now()
        first, second = event.person(pair.first), event.person(pair.second)
        return Session(
            id=new_id(),
            start=Position(),
            seats=(_seat(first), _seat(second)),
            created=now,
            think=THINK,
            clock=GameClock(event.initial, event.increment),
            turn_since=now,
            is_rated=event.is_rated and all(one.player or one.agent for one in (first, second)),
            event=event.id,
        )


def _seat(person: Person) -> Seat:
    """Of a person it is taken by nobody yet: their browser brings the token, when they come."""
    if person.agent is not None:
        return Seat("agent", person.name, person.agent)
    return Seat("human", person.name, None, hash_of(new_secret()), person.player, person.rating)


def _running(connection: Connection) -> list[str]:
    asked = sa.select(events.c.id).where(events.c.state == "running").order_by(events.c.created)
    return list(connection.execute(asked).scalars())


def _written(connection: Connection, event: str) -> frozenset[tuple[int, int]]:
    done = (pairings.c.event == event) & pairings.c.score.is_not(None)
    found = connection.execute(sa.select(pairings.c.round, pairings.c.board).where(done))
    return frozenset((row.round, row.board) for row in found)
