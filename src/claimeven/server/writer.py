"""The one thread that writes: many changes in one transaction, and everybody is told only after it.

While one transaction reaches the disk, the next changes gather: that is the group commit.
"""

import queue
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError

from claimeven.server.live import Write
from claimeven.server.store import Store

MAX_BATCH = 512
PATIENCE = (0.1, 0.3, 1.0, 2.0)  # seconds between tries


class Chain:
    """Changes of one game in memory. After one of them failed the later ones must not be stored: they
    rest on it."""

    def __init__(self) -> None:
        self.is_broken = False


class Job(NamedTuple):
    chain: Chain
    writes: list[Write]
    done: Callable[[Exception | None], None]  # called in the loop's thread


class Writer:
    def __init__(self, store: Store, call: Callable[[Callable[[], None]], object]) -> None:
        """`call` runs a function in the thread of the event loop."""
        self._store = store
        self._call = call
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._is_closed = False
        self.commits = 0
        self.jobs = 0
        self.failures = 0
        self._thread.start()

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    def put(self, job: Job) -> None:
        self._queue.put(job)

    def close(self) -> None:
        """Write what is waiting, then stop."""
        if not self._is_closed:
            self._is_closed = True
            self._queue.put(None)
            self._thread.join()

    def _work(self) -> None:
        while True:
            first = self._queue.get()
            jobs, goes_on = self._gather(first)
            if jobs:
                outcomes = self._commit(jobs)
                self._call(lambda outcomes=outcomes: _tell(outcomes))  # type: ignore[misc]
            if not goes_on:
                return

    def _gather(self, first: Job | None) -> tuple[list[Job], bool]:
        jobs: list[Job] = []
        job = first
        while job is not None:
            jobs.append(job)
            if len(jobs) == MAX_BATCH:
                return jobs, True
            try:
                job = self._queue.get_nowait()
            except queue.Empty:
                return jobs, True
        return jobs, False

    def _commit(self, jobs: list[Job]) -> list[tuple[Job, Exception | None]]:
        self.jobs += len(jobs)
        if not any(job.chain.is_broken for job in jobs):
            error = self._try_patiently([write for job in jobs for write in job.writes])
            if error is None:
                return [(job, None) for job in jobs]
            if isinstance(error, OperationalError):  # it is the database, not one of them
                return [(job, self._broken(job, error)) for job in jobs]
        # One of them is bad: each on its own, so that the others do not suffer.
        return [(job, self._alone(job)) for job in jobs]

    def _try_patiently(self, writes: list[Write]) -> Exception | None:
        """A database that is locked or restarting gets a few more chances."""
        error = self._try(writes)
        for seconds in PATIENCE:
            if not isinstance(error, OperationalError):
                break
            time.sleep(seconds)
            error = self._try(writes)
        return error

    def _broken(self, job: Job, error: Exception) -> Exception:
        self.failures += 1
        job.chain.is_broken = True
        return error

    def _alone(self, job: Job) -> Exception | None:
        if job.chain.is_broken:
            return RuntimeError("an earlier change of this game was not stored")
        error = self._try(job.writes)
        return None if error is None else self._broken(job, error)

    def _try(self, writes: list[Write]) -> Exception | None:
        if not writes:
            return None
        try:
            with self._store.engine.connect().execution_options(writes=True) as connection:
                self._store_all(connection, writes)
        except Exception as error:  # whatever it is, this thread must go on
            return error
        self.commits += 1
        return None

    def _store_all(self, connection: Connection, writes: list[Write]) -> None:
        with connection.begin():
            self._store.write(connection, writes)


def _tell(outcomes: list[tuple[Job, Exception | None]]) -> None:
    for job, error in outcomes:
        job.done(error)
