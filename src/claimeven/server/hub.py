"""All games in memory. They are loaded when somebody comes, and leave when nobody is there."""

import asyncio
import contextlib
import hashlib
import hmac
import logging
import secrets
import signal
import time
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import DBAPIError

from claimeven.server.clock import ServerClock
from claimeven.server.durations import Durations
from claimeven.server.errors import NOT_STORED, RefusedError
from claimeven.server.hold import Hold
from claimeven.server.live import Live, Who
from claimeven.server.room import Room
from claimeven.server.store import TRIAL, SeatTakenError, Store, new_game
from claimeven.server.thinking import Thinkers
from claimeven.server.writer import Chain, Job, Writer

DAY_MS = 24 * 3600 * 1000


@dataclass(frozen=True)
class Settings:
    """What an operator may change; the rest is in the protocol."""

    grace: int = 30_000  # milliseconds until an absent player counts as gone; three times that in slow games
    grace_after_bye: int = 10_000
    slow_clock: int = 600_000
    first_move: int = 30_000  # until a timed game between people is aborted because somebody does not begin
    rest_after: int = 60_000  # milliseconds an idle game stays in memory; one that is over goes at once
    sweep: int = 10_000  # between two looks for them
    forget_unstarted_after: int = DAY_MS
    max_games_in_memory: int = 20_000


def hash_of(secret: str) -> str:
    """Secrets are random, so one round of SHA-256 is enough to keep what is stored useless to a thief."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    return secrets.token_urlsafe(32)


class Hub:
    """Made inside the event loop."""

    def __init__(
        self, store: Store, thinkers: Thinkers, settings: Settings | None = None, hold: Hold | None = None
    ) -> None:
        self.store = store
        self.hold = hold or Hold()
        self.thinkers = thinkers
        self.settings = settings or Settings()
        self.now = ServerClock()
        self.log = logging.getLogger("claimeven.server")
        self.counters: Counter[str] = Counter()
        self.store_seconds = Durations()
        self.started = time.monotonic()
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.loop = asyncio.get_running_loop()
        self.writer = Writer(store, self.loop.call_soon_threadsafe, self._storage_changed)
        self.can_store = True
        self.is_closing = False

    def start(self) -> None:
        self.spawn(self._sweep())

    async def close(self) -> None:
        """Stop thinking, write what is waiting."""
        self.is_closing = True
        for task in self._tasks:
            task.cancel()
        for room in self.rooms.values():
            room.close()
        await asyncio.to_thread(self.writer.close)
        self.thinkers.close()
        self.store.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def new_id(self) -> str:
        return secrets.token_urlsafe(9)  # 72 bits, 12 characters

    # Games ---------------------------------------------------------------------------------------------

    async def room(self, game: str) -> Room:
        """The room of a game, from memory or from disk."""
        if room := self.rooms.get(game):
            room.last_used = self.now()
            return room
        task = self._loading.get(game)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._load(game))
            self._loading[game] = task
            task.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(task)

    async def _load(self, game: str) -> Room:
        try:
            live = await asyncio.to_thread(self.store.load, game)
        except DBAPIError as error:
            self.log.error("not read", extra={"game": game, "error": repr(error)})
            raise RefusedError("busy", "games cannot be read now; come back in a moment") from None
        if live is None:
            raise RefusedError("no_such_game", "there is no such game")
        if len(self.rooms) >= self.settings.max_games_in_memory:
            raise RefusedError("busy", "too many games are being played; come back soon")
        return self.open(live)

    def open(self, live: Live) -> Room:
        room = self.rooms[live.id] = Room(self, live)
        return room

    def check_open(self) -> None:
        """RefusedError when nothing can be changed now."""
        if self.is_closing:
            raise RefusedError("busy", "the server restarts; come back in a moment")
        if not self.can_store:
            raise RefusedError("not_stored", NOT_STORED)

    async def create(self, live: Live) -> Room:
        self.check_open()
        if len(self.rooms) >= self.settings.max_games_in_memory:
            raise RefusedError("busy", "too many games are being played; come back soon")
        await self._stored(new_game(live))
        self.counters["games"] += 1
        return self.open(live)

    async def join(self, game: str, invite: str, name: str, token: str | None) -> tuple[Room, str, Who]:
        """Take the free seat of a game; the token and its sides. The same token again is welcome again."""
        room = await self.room(game)
        known = room.live.invite
        if known is None or not hmac.compare_digest(known, hash_of(invite)):
            raise RefusedError("not_your_seat", "this invitation does not belong to the game")
        if token is not None and (who := room.live.who(hash_of(token))).sides:
            await room.settled(lambda: None)
            return room, token, who
        self.check_open()
        token = token or new_secret()
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(error: Exception | None) -> None:
            if future.cancelled():
                return
            if error is None:
                future.set_result(None)
            elif isinstance(error, SeatTakenError):
                future.set_exception(RefusedError("seat_taken", "the seat is taken already"))
            else:
                future.set_exception(RefusedError("not_stored", NOT_STORED))

        room.join(name, hash_of(token), done)
        await future
        return room, token, room.live.who(hash_of(token))

    async def _stored(self, writes: list[Any]) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(error: Exception | None) -> None:
            if future.cancelled():
                return
            if error is None:
                future.set_result(None)
            else:
                self.log.error("not stored", extra={"error": repr(error)})
                future.set_exception(RefusedError("not_stored", NOT_STORED))

        self.writer.put(Job(Chain(), writes, done))
        await future

    async def settle(self, seconds: float) -> None:
        """Take no more requests, and wait until those so far are stored and answered."""
        self.is_closing = True
        for room in self.rooms.values():
            room.close()
        with contextlib.suppress(TimeoutError, RefusedError):
            async with asyncio.timeout(seconds):
                await self._stored([])

    async def is_writable(self) -> bool:
        """Whether a game could be stored: it is tried."""
        if not self.can_store:
            return False
        try:
            async with asyncio.timeout(5):
                await self._stored(TRIAL)
        except (TimeoutError, RefusedError):
            return False
        return True

    def _storage_changed(self, fault: Exception | None) -> None:
        """Nothing can be stored any more, or everything again."""
        self.can_store = fault is None
        if fault is None:
            self.log.warning("storing again")
        else:
            self.log.error("nothing can be stored", extra={"error": repr(fault)})
        for room in list(self.rooms.values()):
            if fault is None:
                room.go_on()
            else:
                room.pause()

    def broke(self, room: Room, error: Exception) -> None:
        """A change could not be stored, so memory is wrong: everybody starts again from the disk."""
        if self.rooms.get(room.live.id) is not room:
            return
        self.log.error("not stored", extra={"game": room.live.id, "error": repr(error)})
        self.counters["broken"] += 1
        del self.rooms[room.live.id]
        room.close()
        for guest in list(room.attendance.guests):
            guest.close(1011)
        room.attendance.guests.clear()

    # Housekeeping --------------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        next_cleaning = 0
        while True:
            now = self.now()
            if now >= next_cleaning and self.can_store:
                next_cleaning = now + 3_600_000
                await self._forget_unstarted(now - self.settings.forget_unstarted_after)
            for game, room in list(self.rooms.items()):
                patience = 0 if room.live.result else self.settings.rest_after
                if room.is_idle and now - room.last_used > patience:
                    room.close()
                    del self.rooms[game]
            if not await asyncio.to_thread(self.hold.is_still_ours):
                self.log.error("another server uses the database: this one stops")
                signal.raise_signal(signal.SIGTERM)
                return
            await asyncio.sleep(self.settings.sweep / 1000)

    async def _forget_unstarted(self, before: int) -> None:
        here = [game for game, room in self.rooms.items() if not room.live.ply]
        try:
            await asyncio.to_thread(self.store.forget_unstarted, before, here)
        except DBAPIError as error:  # next time, then
            self.log.warning("nothing forgotten", extra={"error": repr(error)})
