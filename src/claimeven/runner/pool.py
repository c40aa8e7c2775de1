"""A pool of local processes.

Every worker has a pipe of its own, so it is always known who works on what: when a worker dies (killed, out
of memory, a crash in native code), its pipe ends, and just its shard is tried again.
"""

import os
import pickle
import signal
import sys
import threading
import traceback
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from claimeven.runner.shard import DEADLY, Answers, Execute, Shard, Work

TRIES = DEADLY + 1  # of a shard whose worker dies


class WorkerError(ChildProcessError):
    """The workers of one shard died, every time it was tried."""


def on_processes(count: int) -> Execute:
    """Work on so many processes of this machine."""

    def execute(work: Work, shards: list[Shard]) -> Answers:
        waiting, deaths = deque(shards), Counter[int]()
        busy: dict[Any, _Worker] = {}  # by their pipes
        idle: list[_Worker] = []
        try:
            while waiting or busy:
                while waiting and len(busy) < count:
                    worker = _Worker(work)
                    busy[worker.pipe] = worker
                    worker.take(waiting.popleft())
                for pipe in connection.wait(list(busy)):
                    worker = busy[pipe]
                    shard = worker.shard
                    try:
                        is_done, answer = worker.pipe.recv()
                    except (EOFError, OSError):
                        del busy[pipe]
                        deaths[shard.number] += 1
                        waiting.appendleft(shard._replace(deaths=deaths[shard.number]))
                        how = worker.fate()
                        if deaths[shard.number] == TRIES:
                            raise WorkerError(
                                f"{name_of(shard)}: {TRIES} workers died of it; {how}"
                            ) from None
                        continue
                    if not is_done:
                        raise answer
                    if waiting:
                        worker.take(waiting.popleft())
                    else:
                        idle.append(busy.pop(pipe))
                        worker.pipe.close()  # tells it to end
                    yield shard.number, answer
        finally:
            for worker in busy.values():
                worker.kill()
            for worker in idle:
                worker.fate()

    return execute


def name_of(shard: Shard) -> str:
    last = shard.first + len(shard.items) - 1
    return f"item {last}" if last == shard.first else f"items {shard.first} to {last}"


class _Worker:
    """A process, seen from outside."""

    shard: Shard  # what it works on

    def __init__(self, work: Work) -> None:
        # Spawned, not forked: a fork would copy the locks that other threads of this process hold.
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        with _without_interrupts():
            self._process.start()
        theirs.close()
        self._send(work)

    def take(self, shard: Shard) -> None:
        self.shard = shard
        self._send(shard)

    def _send(self, message: object) -> None:
        with suppress(OSError):  # it has died: the pipe will say so when it is read
            self.pipe.send(message)

    def kill(self) -> None:
        self.pipe.close()
        self._process.kill()
        self._process.join()

    def fate(self) -> str:
        """Wait until it has ended by itself; how it did."""
        self._process.join(5)
        code = self._process.exitcode
        self.kill()
        if code is None:
            return "the last one did not answer"
        return f"the last one was killed by signal {-code}" if code < 0 else f"the last exit code was {code}"


def _serve(pipe: "Connection[Any, Any]") -> None:
    """The life of a worker: it is sent its work, then one shard after the other."""
    # Ctrl-C reaches every process of the terminal. What to do about it is for the parent to say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_follow_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the parent has gone, or needs us no more
        work = pipe.recv()
        while True:
            shard = pipe.recv()
            try:
                answer = pickle.dumps(answer_of(work, shard))
            except Exception as error:  # a result that cannot travel
                answer = pickle.dumps((False, _portable(error)))
            pipe.send_bytes(answer)


def answer_of(work: Work, shard: Shard) -> tuple[bool, Any]:
    """Whether it was done, and the results; or else the error."""
    try:
        return True, work(shard)
    except Exception as error:
        return False, _portable(error)


def _follow_parent() -> None:
    """End with the parent, however it ends, even in the middle of a task."""
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)


def _portable(error: Exception) -> Exception:
    """The error with its traceback as text; or, if it cannot travel, one that says the same."""
    error.add_note("in a worker:\n" + "".join(traceback.format_tb(error.__traceback__)).rstrip())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        substitute = RuntimeError(f"{type(error).__name__}: {error}")
        for note in error.__notes__:
            substitute.add_note(note)
        return substitute
    return error


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process started in here does not hear Ctrl-C until it is ready to ignore it; ours waits so long."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # the first start would do it, and unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
