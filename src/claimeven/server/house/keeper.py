"""What happens at the games goes to the disk here, and is counted when it is there."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from claimeven.server.futures import settle
from claimeven.server.game.events import Event, GameBegun, MoveMade
from claimeven.server.storage.durations import Durations
from claimeven.server.storage.readiness import Readiness
from claimeven.server.storage.rows import Trial
from claimeven.server.storage.store import FencedError, Store
from claimeven.server.storage.writer import Chain, Done, Job, Writer


class Keeper:
    """Made inside the event loop."""

    def __init__(
        self,
        store: Store,
        changed: Callable[[Exception | None], None],
        overtaken: Callable[[], None],
        lost: Callable[[], object],
    ) -> None:
        """`changed` is told why nothing can be stored any more, and None when everything can again;
        `overtaken` that another server has the database; `lost` that the writer cannot go on."""
        self.counters: Counter[str] = Counter()
        self.seconds = Durations()  # from a change to its being on disk
        self.can_store = True
        self._changed = changed
        self._overtaken = overtaken
        self._loop = asyncio.get_running_loop()
        self.writer = Writer(store, self._loop.call_soon_threadsafe, self._told, lost)
        self._readiness = Readiness(lambda: self.stored(Chain(), (Trial(),)))

    def _told(self, fault: Exception | None) -> None:
        self.can_store = fault is None
        if isinstance(fault, FencedError):
            self._overtaken()
        self._changed(fault)

    def store(self, chain: Chain, events: Sequence[Event], done: Done) -> None:
        """Call `done` when these events, and all before them, are on disk, or could not be stored."""
        self.writer.put(Job(chain, events, done))

    def stored(self, chain: Chain, events: Sequence[Event]) -> "asyncio.Future[None]":
        """The same, for who waits."""
        future: asyncio.Future[None] = self._loop.create_future()
        self.store(chain, events, partial(settle, future, None))
        return future

    def keep(self, chain: Chain, events: Sequence[Event], done: Done) -> None:
        """Store what happened at a game, and count it."""
        began = time.monotonic()

        def kept(error: Exception | None) -> None:
            self.seconds.add(time.monotonic() - began)
            if error is None:
                self._readiness.note()
                for event in events:
                    self._count(event)
            elif isinstance(error, FencedError):
                self._overtaken()
            done(error)

        self.store(chain, events, kept)

    def kept(self, chain: Chain, events: Sequence[Event]) -> "asyncio.Future[None]":
        """The same, for who waits."""
        future: asyncio.Future[None] = self._loop.create_future()
        self.keep(chain, events, partial(settle, future, None))
        return future

    def _count(self, event: Event) -> None:
        if isinstance(event, MoveMade):
            self.counters["moves"] += 1
        elif isinstance(event, GameBegun):
            self.counters["games"] += 1

    async def flush(self, seconds: float) -> None:
        """Wait until all so far is stored, but not for ever."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.stored(Chain(), ())

    async def is_writable(self) -> bool:
        """Whether a game could be stored: it is tried."""
        return self.can_store and await self._readiness.is_proved()
