"""How late the event loop is: every move waits for it, so this is what strangers can take from everybody."""

import asyncio

from claimeven.server.storage.durations import Durations

BEAT_SECONDS = 0.1  # between two looks


class Lateness:
    """Looks at fixed times, and counts how much later it could."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.seconds = Durations()
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None
        self._due = 0.0

    def start(self) -> None:
        self._due = self._loop.time() + BEAT_SECONDS
        self._handle = self._loop.call_at(self._due, self._look)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.cancel()

    def _look(self) -> None:
        self.seconds.add(max(0.0, self._loop.time() - self._due))
        self.start()
