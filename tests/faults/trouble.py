"""What happens to the server while games are played."""

import asyncio
import contextlib
import random
import resource
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator

import psycopg

from faults.process import ServerProcess


class Trouble:
    def __init__(self, server: ServerProcess, rng: random.Random, pause: float) -> None:
        self.server = server
        self.counts: Counter[str] = Counter()
        self.is_enough = asyncio.Event()
        self._rng = rng
        self._pause = pause

    async def go_on(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._rng.uniform(0.3, 1.7) * self._pause):
                    await self.is_enough.wait()
                    return
            dice = self._rng.random()
            if dice < 0.65:
                await self.kill()
            elif dice < 0.70:
                self.counts["stops by SIGTERM"] += 1
                assert await asyncio.to_thread(self.server.stop) == 0
                await asyncio.to_thread(self.server.start)
            elif dice < 0.80:
                await self._freeze()
            elif dice < 0.90:
                await asyncio.to_thread(self._lock)
            elif self.server.is_on_sqlite:
                await self._fail_disk()
            else:
                await asyncio.to_thread(self._cut_off)

    async def kill(self) -> None:
        self.counts["kills by SIGKILL"] += 1
        self.server.kill()
        await asyncio.to_thread(self.server.start)

    async def _freeze(self) -> None:
        self.counts["freezes by SIGSTOP"] += 1
        self.server.signal(signal.SIGSTOP)
        await asyncio.sleep(self._rng.uniform(0.5, 6))
        self.server.signal(signal.SIGCONT)

    async def _fail_disk(self) -> None:
        """Every write to a file fails; now and then the server is killed while it is so."""
        self.counts["disk failures"] += 1
        with failing_disk(self.server.pid):
            await asyncio.sleep(self._rng.uniform(0.5, 5))
            if self._rng.random() < 0.3:
                self.server.kill()
        if not self.server.is_alive:
            self.counts["kills by SIGKILL"] += 1
            await asyncio.to_thread(self.server.start)

    def _lock(self) -> None:
        """This process keeps the server, another one, from writing."""
        self.counts["database locks"] += 1
        seconds = self._rng.uniform(0.5, 8)
        if not self.server.is_on_sqlite:
            with psycopg.connect(self.server.database) as session:
                session.execute("LOCK TABLE games, moves IN ACCESS EXCLUSIVE MODE")
                time.sleep(seconds)
            return
        connection = sqlite3.connect(self.server.file, timeout=30, isolation_level=None)
        try:
            connection.execute("BEGIN EXCLUSIVE")
            time.sleep(seconds)
            connection.execute("ROLLBACK")
        finally:
            connection.close()

    def _cut_off(self) -> None:
        """PostgreSQL ends every session of the server, as when it restarts."""
        self.counts["database sessions ended"] += 1
        with psycopg.connect(self.server.database) as session:
            session.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )


@contextlib.contextmanager
def failing_disk(pid: int) -> Iterator[None]:
    """As if the disk were full or broken: the process may not make any file longer than a byte."""
    soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, hard))
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))
