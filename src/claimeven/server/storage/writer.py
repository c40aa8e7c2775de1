"""The one thread that writes: many changes in one transaction, and everybody is told only after it.

While one transaction reaches the disk, the next changes gather: that is the group commit. When the database
fails (a full disk, an error of reading or writing, a server that is gone) nothing is stored any more until a
trial succeeds: there is one every second.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError

from claimeven.server.game.events import Event
from claimeven.server.storage.database import is_silent
from claimeven.server.storage.rows import Trial
from claimeven.server.storage.store import Lease, Store

MAX_BATCH = 512
PATIENCE = (0.1, 0.3, 1.0, 2.0)  # seconds between tries
TRIAL_SECONDS = 1.0  # between trials of a database that failed
log = logging.getLogger("claimeven.server")
DISK_FULL = "53100"  # as PostgreSQL calls it


class Chain:
    """Changes of one game in memory. After one of them failed the later ones must not be stored: they
    rest on it. `lease`: under which they are stored, where several servers share the database."""

    def __init__(self, lease: Lease | None = None) -> None:
        self.is_broken = False
        self.lease = lease


Done = Callable[[Exception | None], None]


class Job(NamedTuple):
    chain: Chain
    events: Sequence[Event]  # none: to hear when all before are stored
    done: Done  # called in the loop's thread


class Writer:
    def __init__(
        self,
        store: Store,
        call: Callable[[Callable[[], None]], object],
        changed: Callable[[Exception | None], None] = lambda fault: None,
        lost: Callable[[], object] = lambda: None,
    ) -> None:
        """`call` runs a function in the thread of the event loop. `changed` is called there with the reason
        when nothing can be stored any more, and with None when it can again; `lost` in the writer's own
        thread, when that cannot go on."""
        self._store = store
        self._call = call
        self._changed = changed
        self._lost = lost
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._is_closed = False
        self._fault: Exception | None = None  # why nothing can be stored
        self._next_trial = 0.0
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
        try:
            self._write_all()
        except BaseException:  # no memory, or a mistake of ours
            self._lost()
            raise

    def _write_all(self) -> None:
        goes_on = True
        while goes_on:
            try:
                first = self._queue.get(timeout=self._patience)
            except queue.Empty:
                self._try_again()
                continue
            jobs, goes_on = self._gather(first)
            if jobs:
                outcomes = self._commit(jobs)
                self._call(lambda outcomes=outcomes: _tell(outcomes))  # type: ignore[misc]

    @property
    def _patience(self) -> float | None:
        return None if self._fault is None else max(0.0, self._next_trial - time.monotonic())

    def _try_again(self) -> None:
        self._next_trial = time.monotonic() + TRIAL_SECONDS
        try:
            self._store.reclaim()
        except Exception as error:  # it fails still, or it is no longer ours
            if not is_of_the_database(error):
                self._set_fault(error)
            return
        if self._try((Trial(),)) is None:
            self._set_fault(None)

    def _set_fault(self, fault: Exception | None) -> None:
        self._fault = fault
        self._next_trial = time.monotonic() + TRIAL_SECONDS
        self._call(lambda: self._changed(fault))

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
        if self._fault is not None and time.monotonic() >= self._next_trial:
            self._try_again()  # many jobs must not put it off
        if self._fault is None and not any(job.chain.is_broken for job in jobs):
            error = self._try_patiently([event for job in jobs for event in job.events], _leases(jobs))
            if error is None:
                return [(job, None) for job in jobs]
            if is_of_the_database(error):
                self._set_fault(error)
        # If one of them is bad, each on its own, so that the others do not suffer.
        return [(job, self._alone(job)) for job in jobs]

    def _try_patiently(self, events: Sequence[Event], leases: frozenset[Lease]) -> Exception | None:
        """A database that is locked or restarting gets a few more chances."""
        error = self._try(events, leases)
        for seconds in PATIENCE:
            if error is None or not may_pass(error):
                break
            time.sleep(seconds)
            error = self._try(events, leases)
        return error

    def _broken(self, job: Job, error: Exception) -> Exception:
        self.failures += 1
        job.chain.is_broken = True
        return error

    def _alone(self, job: Job) -> Exception | None:
        if job.chain.is_broken:
            return RuntimeError("an earlier change of this game was not stored")
        error = (
            self._fault if self._fault is not None and job.events else self._try(job.events, _leases((job,)))
        )
        if error is None:
            return None
        if self._fault is None and is_of_the_database(error):
            self._set_fault(error)
        return self._broken(job, error)

    def _try(self, events: Sequence[Event], leases: frozenset[Lease] = frozenset()) -> Exception | None:
        if not events:
            return None
        try:
            self._store.write(events, leases)
        except Exception as error:  # whatever it is, this thread must go on
            return error
        self.commits += 1
        return None


def _leases(jobs: Sequence[Job]) -> frozenset[Lease]:
    return frozenset(job.chain.lease for job in jobs if job.chain.lease is not None and job.events)


def is_of_the_database(error: Exception) -> bool:
    """Whether the database itself fails, and not one of the changes."""
    of_a_change = IntegrityError, DataError, ProgrammingError, NotSupportedError
    return isinstance(error, DBAPIError) and not isinstance(error, of_a_change)


def may_pass(error: Exception) -> bool:
    """Whether trying again soon is worth while: a lock ends, a server restarts, a full disk stays full."""
    if not isinstance(error, DBAPIError) or not is_of_the_database(error):
        return False
    if is_silent(error):
        return False
    sqlite = getattr(error.orig, "sqlite_errorname", None)
    if sqlite is not None:
        return str(sqlite).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
    return getattr(error.orig, "sqlstate", None) != DISK_FULL


def _tell(outcomes: list[tuple[Job, Exception | None]]) -> None:
    for job, error in outcomes:
        try:
            job.done(error)
        except Exception:  # a mistake at one game: the others are told all the same
            log.exception("not told")
