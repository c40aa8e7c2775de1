"""What keeps tournaments going. All that it knows is in the database: killed and started again it goes on.

Every server has one. Of several servers one directs a tournament, by a lease like those of games: the first
that finds it without a director. What it writes counts only while the lease does.
"""

import asyncio
import contextlib
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
from claimeven.server.game.session import Session, why_unrated
from claimeven.server.house.tenure import may_pull
from claimeven.server.hub import Hub
from claimeven.server.storage.club import events, pairings
from claimeven.server.storage.rating import rated_before
from claimeven.server.storage.store import DIRECTING, Lease
from claimeven.server.tokens import hash_of, new_id, new_secret

THINK = 1_000  # milliseconds of a level
TROUBLE_SECONDS = 5.0  # until a tournament that could not go on is tried again


class Director:
    """Made inside the event loop."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._task: asyncio.Task[None] | None = None
        self._rest_until: dict[str, float] = {}  # tournaments in trouble
        self._directed: set[str] = set()  # those that are this server's
        self._ends = asyncio.Event()

    def start(self) -> None:
        self._task = self._hub.loop.create_task(self._run())

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def hand_over(self) -> None:
        """To whatever server looks next; what is being decided is still done here."""
        self._ends.set()
        if self._task is not None:
            await asyncio.wait((self._task,), timeout=TROUBLE_SECONDS)
        for event in self._directed:
            self._hub.tenure.rest(DIRECTING + event)
        self._directed.clear()

    async def _run(self) -> None:
        may_pull.set(False)  # what another server directs or plays stays there
        while not self._ends.is_set():
            try:
                if self._hub.why_closed() is None:
                    going, elsewhere = await asyncio.to_thread(self._hub.store.read, self._going)
                    for event in going:
                        if event in self._directed or DIRECTING + event not in elsewhere:
                            await self._go_on(event)
                    self._give_back(going)
            except (DBAPIError, MemoryError, RuntimeError) as error:
                self._hub.log.warning("tournaments not read", extra={"error": repr(error)})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ends.wait(), self._hub.settings.event_look / 1000)

    async def _go_on(self, event: str) -> None:
        """One tournament that cannot go on must not hold up the others."""
        if time.monotonic() < self._rest_until.get(event, 0.0):
            return
        try:
            lease = await self._hub.tenure.take(DIRECTING + event)
        except RefusedError:  # another server directs it, or this one is not sure just now
            self._directed.discard(event)
            return
        self._directed.add(event)
        try:
            await self._look(event, lease)
            self._rest_until.pop(event, None)
        except Exception as error:
            self._rest_until[event] = time.monotonic() + TROUBLE_SECONDS
            self._hub.log.warning("a tournament waits", extra={"tournament": event, "error": repr(error)})

    def _give_back(self, going: list[str]) -> None:
        """Those that are over."""
        for event in self._directed.difference(going):
            self._directed.discard(event)
            self._hub.tenure.rest(DIRECTING + event)

    def _going(self, connection: Connection) -> tuple[list[str], set[str]]:
        """The tournaments that go on, and the leases of those that another server directs."""
        found = _running(connection)
        return found, self._hub.tenure.elsewhere(connection, [DIRECTING + event for event in found])

    async def _look(self, id: str, lease: Lease | None) -> None:
        """Do what is due in one of them."""

        tenure, here = self._hub.tenure, self._hub.now()

        def read(connection: Connection) -> tuple[Event, frozenset[tuple[int, int]], set[str], int]:
            event = load(connection, id)
            games = [one.game for one in event.tables if one.score is None and one.game is not None]
            idle = set(games) - tenure.elsewhere(connection, games)
            return event, _written(connection, id), idle, tenure.time(connection, here)

        event, written, idle, now = await asyncio.to_thread(self._hub.store.read, read)
        # A round of two hundred takes a second: the moves of others do not wait for it.
        found = await asyncio.to_thread(decide, event, written, now, self._hub.settings.round_pause)
        if not found.is_empty:
            await self._write(event, found, lease)
        for game in idle:
            await self._wake(game)

    async def _wake(self, game: str) -> None:
        """Its clock runs and its levels think, whether anybody is there or not, also after a restart."""
        if game not in self._hub.rooms and game not in self._hub.resting:
            await self._hub.room(game)

    async def _write(self, event: Event, found: Decision, lease: Lease | None) -> None:
        """All of it together with the games that begin, or nothing."""
        tables: list[Table] = []
        sessions: list[Session] = []
        before = await self._rated_before(event, found)
        for board, pair in enumerate(found.pairs, 1):
            round = found.round or 0
            if pair.second is None:  # a bye of a round robin is a rest, and brings nothing
                score = "0-0" if event.format == "round-robin" else "+"
                tables.append(Table(round, board, pair.first, None, None, score, False))
                continue
            session = self._session(event, pair, before.get(pair, 0))
            sessions.append(session)
            tables.append(Table(round, board, pair.first, pair.second, session.id, None, True))

        def write(connection: Connection) -> None:
            asked = sa.select(events.c.state).where(events.c.id == event.id).with_for_update()
            state = connection.execute(asked).scalar()
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

        await self._hub.change(write, *(session.begun() for session in sessions), lease=lease)
        if self._hub.tenure.holds(lease):  # else they are waked, by whoever directs next
            for session in sessions:
                if not self._hub.has(session.id):  # else somebody came at once, and it was read from disk
                    self._hub.open(session)

    async def _rated_before(self, event: Event, found: Decision) -> dict[Pairing, int]:
        """Of each pair, how many games with each other counted for their ratings within a day."""
        now = self._hub.now()

        def read(connection: Connection) -> dict[Pairing, int]:
            known: dict[Pairing, int] = {}
            for pair in found.pairs:
                sides = (pair.first, pair.second)
                people = [event.person(side).player for side in sides if side is not None]
                ids = [player for player in people if player is not None]
                known[pair] = rated_before(connection, "", ids, now)
            return known

        if not event.is_rated or not found.pairs:
            return {}
        return await asyncio.to_thread(self._hub.store.read, read)

    def _session(self, event: Event, pair: Pairing, before: int) -> Session:
        assert pair.second is not None
        now = self._hub.now()
        first, second = event.person(pair.first), event.person(pair.second)
        is_rated = event.is_rated and all(one.player or one.agent for one in (first, second))
        unrated = why_unrated(False, before) if is_rated else None
        return Session(
            id=new_id(),
            start=Position(),
            seats=(_seat(first), _seat(second)),
            created=now,
            think=THINK,
            clock=GameClock(event.initial, event.increment),
            turn_since=now,
            is_rated=is_rated and unrated is None,
            event=event.id,
            unrated=unrated,
            rated_before=before,
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
