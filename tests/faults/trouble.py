"""What happens to the server while games are played."""

import asyncio
import contextlib
import random
import resource
import signal
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import psycopg

from faults.common.storm import RECOVERY_SECONDS, Blow, Storm
from faults.disk import Disk, Mode
from faults.process import ServerProcess
from faults.witness import Witness
from kit.databases import Postgres

GIVING_UP_SECONDS = 40.0  # in which one that lost its database must end


@dataclass(frozen=True)
class House:
    """What a server stands on: everything that can be taken from it."""

    disk: Disk
    postgres: Postgres | None = None  # None: SQLite
    usual: Mode = Mode.HONEST  # how the disk is when nothing happens


class Trouble(Storm):
    def __init__(self, server: ServerProcess, house: House, rng: random.Random, pause: float) -> None:
        super().__init__(rng, pause)
        self.server = server
        self._others: list[ServerProcess] = []  # on the same database
        self._house = house

    def ports(self) -> Sequence[int]:
        return [self.server.port, *(other.port for other in self._others)]

    def blows(self) -> list[tuple[Blow, float]]:
        common: list[tuple[Blow, float]] = [
            (self.kill, 10),
            (self._stop, 5),
            (self._freeze, 6),
            (self._lock, 6),
            (self._second_server, 4),
            (self._jump, 4),
            (self._no_memory, 4),
            (self._no_files, 3),
        ]
        if self._house.postgres is not None:
            own = [(self._cut_off, 10), (self._restart_postgres, 10), (self._hang_postgres, 8)]
            return [*common, *own, (self._take_over, 10)]
        own = [(self._fill_disk, 6), (self._fail_syncs, 6), (self._stall_syncs, 5)]
        return [*common, *own, (self.cut_power, 40)]

    async def recover(self, blow: str) -> None:
        await self._ready_again(self.server, blow, time.monotonic() + RECOVERY_SECONDS)

    def end(self) -> None:
        for server in (self.server, *self._others):
            if server.is_alive:
                server.kill()

    # The process --------------------------------------------------------------------------------------

    async def kill(self) -> None:
        self.counts["kills by SIGKILL"] += 1
        self.server.kill()
        await asyncio.to_thread(self.server.start)

    async def _stop(self) -> None:
        self.counts["stops by SIGTERM"] += 1
        assert await asyncio.to_thread(self.server.stop) == 0
        await asyncio.to_thread(self.server.start)

    async def _freeze(self) -> None:
        self.counts["freezes by SIGSTOP"] += 1
        self.server.signal(signal.SIGSTOP)
        await asyncio.sleep(self._rng.uniform(0.5, 6))
        self.server.signal(signal.SIGCONT)

    async def _jump(self) -> None:
        """The wall clock is set, by days; what began before goes on by the clock that never jumps."""
        self._house.disk.set_clock(self._jumped())
        if self._rng.random() < 0.5:
            await self.kill()

    async def _no_memory(self) -> None:
        """Not one page more. It may die of it, as of the system's own killer."""
        self.counts["times without memory"] += 1
        most = self.server.resident("VmSize") + self._rng.choice((0, 1, 4)) * 2**20
        with bounded(self.server.pid, resource.RLIMIT_AS, most):
            await asyncio.sleep(self._rng.uniform(0.5, 3))

    async def _no_files(self) -> None:
        self.counts["times without files"] += 1
        with bounded(self.server.pid, resource.RLIMIT_NOFILE, 16):
            await asyncio.sleep(self._rng.uniform(0.5, 3))

    # SQLite's disk ------------------------------------------------------------------------------------

    async def cut_power(self) -> None:
        """What was not synced is gone, or torn. It often comes while a disk is slow: then much is lost."""
        if self._rng.random() < 0.6:
            self._house.disk.behave(Mode.STALLING)
            await asyncio.sleep(self._rng.uniform(0, 0.3))
        self.server.kill()
        self._house.disk.behave(self._house.usual)
        tears = self._rng.random() < 0.6
        unsynced = await asyncio.to_thread(self._house.disk.cut_power, self._rng, tears=tears)
        self.counts["power cuts"] += 1
        self.counts["power cuts with unsynced sectors"] += unsynced > 0
        await asyncio.to_thread(self.server.start)

    async def _fill_disk(self) -> None:
        """Every write fails that makes a file longer; now and then the server is killed while it is so."""
        self.counts["disk failures"] += 1
        with failing_disk(self.server.pid):
            await self._suffer()

    async def _fail_syncs(self) -> None:
        self.counts["failing syncs"] += 1
        await self._misbehave(Mode.FAILING)

    async def _stall_syncs(self) -> None:
        self.counts["stalled syncs"] += 1
        await self._misbehave(Mode.STALLING)

    async def _misbehave(self, mode: Mode) -> None:
        self._house.disk.behave(mode)
        try:
            await self._suffer()
        finally:
            self._house.disk.behave(self._house.usual)

    async def _suffer(self) -> None:
        await asyncio.sleep(self._rng.uniform(0.5, 5))
        if self._rng.random() < 0.4:
            self.server.kill()
            if self._house.postgres is None:
                self.counts["power cuts"] += 1
                await asyncio.to_thread(self._house.disk.cut_power, self._rng, tears=True)

    # The database -------------------------------------------------------------------------------------

    async def _lock(self) -> None:
        """This process keeps the server, another one, from writing."""
        self.counts["database locks"] += 1
        seconds = self._rng.uniform(0.5, 8)
        await asyncio.to_thread(self._lock_for, seconds)

    def _lock_for(self, seconds: float) -> None:
        if self._house.postgres is not None:
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

    async def _cut_off(self) -> None:
        """PostgreSQL ends every session of the server."""
        self.counts["database sessions ended"] += 1
        await asyncio.to_thread(self._end_sessions)

    def _end_sessions(self) -> None:
        with psycopg.connect(self.server.database) as session:
            session.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )

    async def _restart_postgres(self) -> None:
        assert self._house.postgres is not None
        self.counts["restarts of PostgreSQL"] += 1
        await asyncio.to_thread(self._house.postgres.restart)

    async def _hang_postgres(self) -> None:
        assert self._house.postgres is not None
        self.counts["hangs of PostgreSQL"] += 1
        with self._house.postgres.hung():
            await asyncio.sleep(self._rng.uniform(1, 9))

    # A second server ----------------------------------------------------------------------------------

    async def _second_server(self) -> None:
        """It must not start while the first lives."""
        self.counts["second servers"] += 1
        other = self.server.second()
        await asyncio.to_thread(other.start, wait=False)
        if await self._lives(other):
            self.faults.append("a second server began to serve the same database")
            await self._overtaken(other)

    async def _take_over(self) -> None:
        """PostgreSQL forgets who had the database, and another server is quicker to take it, above all when
        the first is thought dead: it wakes up and knows nothing of it."""
        assert self._house.postgres is not None
        self.counts["second servers after a restart"] += 1
        witness = await asyncio.to_thread(Witness.at, self.server)
        if is_frozen := self._rng.random() < 0.7:
            self.server.signal(signal.SIGSTOP)
        await asyncio.to_thread(self._house.postgres.restart)
        other = self.server.second()
        await asyncio.to_thread(other.start, wait=False)
        is_taken = await self._lives(other)
        if witness is not None:
            await asyncio.to_thread(witness.ask)
        if is_frozen:
            self.server.signal(signal.SIGCONT)
        is_acknowledged = witness is not None and await asyncio.to_thread(witness.was_acknowledged)
        if is_taken:
            self.counts["of them that took the database"] += 1
            if is_acknowledged:
                self.faults.append("a server that lost its database acknowledged a change")
            await self._overtaken(other)

    async def _lives(self, other: ServerProcess) -> bool:
        """Whether it serves; if not, it must say why and end."""
        while other.is_alive:
            if await asyncio.to_thread(other.answers):
                return True
            await asyncio.sleep(0.05)
        return False

    async def _overtaken(self, other: ServerProcess) -> None:
        """Clients reach both; the first must notice and end, and the other is the server from then on."""
        first = self.server
        self._others = [other]
        if await asyncio.to_thread(first.ended, GIVING_UP_SECONDS) is None:
            self.faults.append("a server that lost its database goes on")
            first.kill()
        self.server, self._others = other, []


@contextlib.contextmanager
def bounded(pid: int, what: int, most: int) -> Iterator[None]:
    """The process gets no more of it."""
    soft, hard = resource.prlimit(pid, what)
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(pid, what, (most, hard))
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, what, (soft, hard))


@contextlib.contextmanager
def failing_disk(pid: int) -> Iterator[None]:
    """As if the disk were full or broken: the process may not make any file longer than a byte."""
    with bounded(pid, resource.RLIMIT_FSIZE, 1):
        yield
