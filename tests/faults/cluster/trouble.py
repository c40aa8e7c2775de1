"""What happens to three servers, their database and their wire while games are played."""

import asyncio
import contextlib
import random
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass

import psycopg

from faults.cluster.cable import Cable
from faults.cluster.drive import Drive
from faults.cluster.worker import Worker
from faults.common.storm import DAY, Blow, Storm
from faults.disk import Disk
from faults.process import ServerProcess
from kit.cluster import Nats
from kit.databases import Postgres

CLOCKS = (0, 2, 4, 60, 3600, 2 * DAY, -2, -4, -60, -3600, -2 * DAY)  # seconds that PostgreSQL's is ahead
RECOVERY_SECONDS = 90.0  # in which all servers must be ready again, on a machine that others use too


@dataclass(frozen=True)
class Member:
    """One server, and the two cables that it hangs on."""

    server: ServerProcess
    to_nats: Cable
    to_postgres: Cable


class ClusterTrouble(Storm):
    def __init__(
        self,
        members: Sequence[Member],
        postgres: Postgres,
        nats: Nats,
        clock: Disk,
        drive: Drive,
        worker: Worker,
        of_worker: Cable,
        rng: random.Random,
        pause: float,
        only: tuple[str, ...] = (),
    ) -> None:
        """`only`: the names of blows; none: all."""
        super().__init__(rng, pause)
        self._members = members
        self._postgres = postgres
        self._nats = nats
        self._clock = clock
        self._drive = drive
        self._worker = worker
        self._of_worker = of_worker
        self._only = only

    def ports(self) -> Sequence[int]:
        return [member.server.port for member in self._members]

    def blows(self) -> list[tuple[Blow, float]]:
        every: list[tuple[Blow, float]] = [
            (self.kill, 10),
            (self.freeze, 12),
            (self.stop, 6),
            (self.pull_nats, 8),
            (self.pull_postgres, 8),
            (self.pull_one_way, 6),
            (self.pull_two, 5),
            (self.kill_worker, 3),
            (self.freeze_worker, 3),
            (self.pull_worker, 4),
            (self.restart_nats, 6),
            (self.restart_postgres, 4),
            (self.end_sessions, 4),
            (self.hang_postgres, 4),
            (self.fill_drive, 5),
            (self.slow_drive, 5),
            (self.jump, 4),
            (self.jump_postgres, 6),
        ]
        return [one for one in every if not self._only or one[0].__name__ in self._only]

    async def recover(self, blow: str) -> None:
        end = time.monotonic() + RECOVERY_SECONDS
        for member in self._members:
            await self._ready_again(member.server, blow, end)

    def end(self) -> None:
        for member in self._members:
            if member.server.is_alive:
                member.server.kill()

    def _one(self) -> Member:
        return self._rng.choice(self._members)

    # Servers ---------------------------------------------------------------------------------------------

    async def kill(self) -> None:
        self.counts["kills by SIGKILL"] += 1
        server = self._one().server
        server.kill()
        await asyncio.sleep(self._rng.choice((0.0, 5.0)))
        await self._start(server)

    async def stop(self) -> None:
        self.counts["stops by SIGTERM"] += 1
        server = self._one().server
        assert await asyncio.to_thread(server.stop) == 0
        await self._start(server)

    async def freeze(self) -> None:
        """Long enough, often, that others take its games; then it goes on as if nothing had happened."""
        self.counts["freezes by SIGSTOP"] += 1
        server = self._one().server
        server.signal(signal.SIGSTOP)
        await asyncio.sleep(self._rng.uniform(0.5, 9))
        server.signal(signal.SIGCONT)

    async def jump(self) -> None:
        """The wall clock is set, and one server starts with it: the others go by another one."""
        self._clock.set_clock(self._jumped())
        server = self._one().server
        server.kill()
        await self._start(server)

    # Partitions ------------------------------------------------------------------------------------------

    async def pull_nats(self) -> None:
        """One server and NATS do not hear each other; the database hears both."""
        self.counts["partitions from NATS"] += 1
        await self._pull(self._one().to_nats)

    async def pull_postgres(self) -> None:
        self.counts["partitions from PostgreSQL"] += 1
        await self._pull(self._one().to_postgres)

    async def pull_one_way(self) -> None:
        """What it says is heard, and no answer comes; or it hears everything, and nobody hears it."""
        self.counts["partitions in one direction"] += 1
        there = self._rng.random() < 0.5
        await self._pull(self._rng.choice(self._cables()), there=there, back=not there)

    async def pull_two(self) -> None:
        """Two cables at once: of one server or of two, the same kind or both."""
        self.counts["partitions at two places"] += 1
        one, other = self._rng.sample(self._cables(), 2)
        await asyncio.gather(self._pull(one), self._pull(other))

    def _cables(self) -> list[Cable]:
        of_members = [cable for member in self._members for cable in (member.to_nats, member.to_postgres)]
        return [*of_members, self._of_worker]

    async def _pull(self, cable: Cable, there: bool = True, back: bool = True) -> None:
        cable.pull(there, back)
        await asyncio.sleep(self._rng.uniform(0.5, 9))
        cable.plug()

    # Who thinks for them ---------------------------------------------------------------------------------

    async def kill_worker(self) -> None:
        self.counts["kills of the worker"] += 1
        self._worker.kill()
        await asyncio.sleep(self._rng.choice((0.0, 3.0)))
        self._worker.start()

    async def freeze_worker(self) -> None:
        """It has taken questions, and answers late or never."""
        self.counts["freezes of the worker"] += 1
        self._worker.signal(signal.SIGSTOP)
        await asyncio.sleep(self._rng.uniform(0.5, 6))
        self._worker.signal(signal.SIGCONT)

    async def pull_worker(self) -> None:
        """It and NATS do not hear each other, or one of them does not."""
        self.counts["partitions of the worker"] += 1
        there, back = self._rng.choice(((True, True), (True, False), (False, True)))
        await self._pull(self._of_worker, there, back)

    # What they stand on ----------------------------------------------------------------------------------

    async def restart_nats(self) -> None:
        self.counts["restarts of NATS"] += 1
        self._nats.stop()
        await asyncio.sleep(self._rng.uniform(0, 5))
        self._nats.start()

    async def restart_postgres(self) -> None:
        self.counts["restarts of PostgreSQL"] += 1
        await asyncio.to_thread(self._postgres.restart)

    async def hang_postgres(self) -> None:
        self.counts["hangs of PostgreSQL"] += 1
        with self._postgres.hung():
            await asyncio.sleep(self._rng.uniform(1, 7))

    async def end_sessions(self) -> None:
        self.counts["database sessions ended"] += 1
        await asyncio.to_thread(self._end_sessions)

    def _end_sessions(self) -> None:
        with psycopg.connect(self._postgres.url) as session:
            session.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )

    async def jump_postgres(self) -> None:
        """The clock by which servers date their signs of life is set, often just after one has died."""
        self.counts["jumps of PostgreSQL's clock"] += 1
        dying = self._one().server if self._rng.random() < 0.5 else None
        if dying is not None:
            self.counts["of them with a death"] += 1
            dying.kill()
            await asyncio.sleep(self._rng.uniform(0, 0.5))
        self._drive.set_clock(self._rng.choice(CLOCKS))
        await asyncio.sleep(self._rng.uniform(0, 6))
        if dying is not None:
            await self._start(dying)

    # PostgreSQL's disk -----------------------------------------------------------------------------------

    async def fill_drive(self) -> None:
        """Nothing more can be stored for a while. Where its log, too, needs room PostgreSQL ends itself, and
        cannot be started before there is some."""
        self.counts["full disks"] += 1
        refused = self._drive.refused
        with self._drive.full():
            if self._rng.random() < 0.3:
                self.counts["full disks without room for the log"] += 1
                await asyncio.to_thread(self._begin_log_file)
            await asyncio.sleep(self._rng.uniform(1, 7))
        self.counts["writes that found no room"] += self._drive.refused - refused
        await asyncio.to_thread(self._postgres.revive)

    def _begin_log_file(self) -> None:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self._postgres.url) as session:
            session.execute("SELECT pg_switch_wal()")
            session.execute("SELECT pg_logical_emit_message(false, 'faults', 'one more')")

    async def slow_drive(self) -> None:
        self.counts["slow disks"] += 1
        with self._drive.slow(self._rng.choice((0.05, 0.3, 1.5))):
            await asyncio.sleep(self._rng.uniform(1, 8))
