"""Who works next: a few threads, shared fairly among visitors.

Better ranks go first; within a rank visitors take turns, however many wait for each of them. One visitor
never has all places, and work that can give way is asked to finish when others have waited long enough.
"""

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple, TypeVar

from claimeven.server.errors import RefusedError

Value = TypeVar("Value")
MAX_WAITING = 400  # in all, of what is not a person's opponent
MAX_OF_VISITOR = 40  # of the same, for one visitor: a class asks at once, each of them one thing
SHARE_SECONDS = 1.0  # that somebody may go on while one other waits; the more wait, the less
LEAST_SECONDS = 0.05  # that everybody gets, however many are waiting
KINDNESS = 3  # of these threads: half of what those get that serve moves; at 10 a busy machine starved them


class Rank(IntEnum):
    OPPONENT = 0  # a person waits for the answer to a move
    WATCHED = 1  # agents among themselves
    ASIDE = 2  # hints, thoughts, studies, programs that ask


class Asker(NamedTuple):
    """For whom work is done. The visitor is an address, or "": this machine itself, which is not counted."""

    rank: Rank = Rank.OPPONENT
    visitor: str = ""


@dataclass(eq=False)
class _Turn:
    asker: Asker
    stop: threading.Event | None  # set to make it finish early; None: it cannot
    may_begin: "asyncio.Future[None]"
    since: float = field(default=0.0)


class Crew:
    """Some threads, and who waits for them. Made in any thread, used in that of the event loop."""

    def __init__(self, threads: int, name: str, share: float = SHARE_SECONDS) -> None:
        """`share`: seconds that somebody may go on while one other waits."""
        self.threads = threads
        self._share = share
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name, initializer=_be_kind)
        _start_threads(self._pool, threads)
        self._most = max(1, threads - 1)  # of one visitor
        self._running: set[_Turn] = set()
        self._of_visitor: Counter[str] = Counter()  # running
        self._waiting: dict[Rank, OrderedDict[str, deque[_Turn]]] = {rank: OrderedDict() for rank in Rank}
        self._watch: asyncio.TimerHandle | None = None

    @property
    def busy(self) -> int:
        return len(self._running)

    @property
    def waiting(self) -> int:
        return sum(map(self.waiting_as, Rank))

    def waiting_as(self, rank: Rank) -> int:
        return sum(len(turns) for turns in self._waiting[rank].values())

    def has_time(self, asker: Asker) -> bool:
        """Whether they could begin at once: who is of a lesser rank gives way."""
        rank, visitor = asker
        if visitor and self._of_visitor[visitor] >= self._most:
            return False
        running = sum(turn.asker.rank <= rank for turn in self._running)
        waiting = (len(turns) for one in Rank if one <= rank for turns in self._waiting[one].values())
        return running + sum(waiting) < self.threads

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def fair(self, seconds: float, asker: Asker) -> float:
        """What somebody may use who asks for `seconds`, as many as are waiting now."""
        others = sum(len(visitors) for visitors in self._waiting.values())
        own = sum(len(visitors.get(asker.visitor, ())) for visitors in self._waiting.values())
        return max(seconds / (1 + max(others, own) / self.threads), min(seconds, LEAST_SECONDS))

    async def run(
        self, work: Callable[[], Value], asker: Asker, stop: threading.Event | None = None
    ) -> Value:
        """Do it when it is its turn; RefusedError if too many wait. `stop` makes it finish early."""
        self._check_room(asker)
        loop = asyncio.get_running_loop()
        turn = _Turn(asker, stop, loop.create_future())
        self._waiting[asker.rank].setdefault(asker.visitor, deque()).append(turn)
        self._begin_next()
        try:
            await turn.may_begin
        except asyncio.CancelledError:
            if turn in self._running:
                self._end(turn)
            else:
                self._forget(turn)
            raise
        try:
            future = loop.run_in_executor(self._pool, work)
        except (RuntimeError, MemoryError):  # the server is closing, or has no memory left
            self._end(turn)
            raise
        future.add_done_callback(lambda done: self._finished(turn, done))  # also if nobody waits any more
        return await asyncio.shield(future)

    def _check_room(self, asker: Asker) -> None:
        """A person's opponent always finds one: there is one thought at a time in a game."""
        if asker.rank is not Rank.ASIDE:
            return
        waiting = self._waiting[asker.rank]
        if asker.visitor and len(waiting.get(asker.visitor, ())) >= MAX_OF_VISITOR:
            raise RefusedError("rate.questions")
        if sum(map(len, waiting.values())) >= MAX_WAITING:
            raise RefusedError("busy.asking")

    def _begin_next(self) -> None:
        while len(self._running) < self.threads and (turn := self._next()) is not None:
            turn.since = time.monotonic()
            self._running.add(turn)
            self._of_visitor[turn.asker.visitor] += 1
            turn.may_begin.set_result(None)
        if self._watch is None and any(self._waiting.values()):
            self._watch = asyncio.get_running_loop().call_later(LEAST_SECONDS, self._hurry)

    def _next(self) -> _Turn | None:
        for visitors in self._waiting.values():
            for visitor, turns in visitors.items():
                if visitor and self._of_visitor[visitor] >= self._most:
                    continue
                turn = turns.popleft()
                visitors.move_to_end(visitor)  # the others come before the next of theirs
                if not turns:
                    del visitors[visitor]
                return turn
        return None

    def _hurry(self) -> None:
        """Whoever had their share, while others wait, finishes with what they have."""
        self._watch = None
        best = next((rank for rank, visitors in self._waiting.items() if visitors), None)
        if best is None:
            return
        now = time.monotonic()
        for turn in self._running:
            gives_way = turn.asker.rank > best
            share = LEAST_SECONDS if gives_way else self.fair(self._share, turn.asker)
            if turn.stop is not None and turn.asker.rank >= best and now - turn.since >= share:
                turn.stop.set()
        self._begin_next()

    def _finished(self, turn: _Turn, future: "asyncio.Future[Value]") -> None:
        if not future.cancelled():
            future.exception()  # whoever still waits gets it; nobody else needs to be told
        self._end(turn)

    def _end(self, turn: _Turn) -> None:
        self._running.discard(turn)
        visitor = turn.asker.visitor
        self._of_visitor[visitor] -= 1
        if not self._of_visitor[visitor]:
            del self._of_visitor[visitor]
        self._begin_next()

    def _forget(self, turn: _Turn) -> None:
        visitors = self._waiting[turn.asker.rank]
        turns = visitors[turn.asker.visitor]
        turns.remove(turn)
        if not turns:
            del visitors[turn.asker.visitor]


def _start_threads(pool: ThreadPoolExecutor, count: int) -> None:
    """All of them now: when memory has run out none can be started, and an agent would lose for it."""
    all_here = threading.Barrier(count + 1)
    for _ in range(count):
        pool.submit(all_here.wait)
    all_here.wait()


def _be_kind() -> None:
    """On Linux a thread may give way to the others of its process."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            own = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, own, os.getpriority(os.PRIO_PROCESS, own) + KINDNESS)
