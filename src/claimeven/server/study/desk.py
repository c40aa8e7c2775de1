"""Where exact work is done for strangers: bounded, cancelled when nobody waits for it, and remembered.

The work runs in threads of its own (thinking.py), shared fairly: games go on while people study.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Hashable
from contextlib import aclosing
from typing import TypeVar

import msgspec
from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from msgspec import Struct, structs

from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.server.cluster.words import Studied, visit_of
from claimeven.server.doors.while_connected import while_connected
from claimeven.server.errors import Fault, RefusedError
from claimeven.server.reading.reader import Reader
from claimeven.server.reading.talk import Answer
from claimeven.server.reading.texts import Text
from claimeven.server.shares import Asker, Rank
from claimeven.server.study.answers import FailedLine, ProgressLine
from claimeven.server.thinking import Thinkers
from claimeven.solver import Solver, TimedSolver

Value = TypeVar("Value")

MAX_SECONDS = 20.0  # of one question
KEPT_ANSWERS = 4096
KEPT_BYTES = 64 * 1024 * 1024
OK = 200
BEAT_SECONDS = 0.25  # between two lines of progress
MEGABYTES = 64


class LateError(Exception):
    """The time is over, or nobody waits any more."""


class Work:
    """One question being answered: its solver, and what can be told of its progress."""

    def __init__(self, solver: Solver, stop: threading.Event) -> None:
        self.solver = TimedSolver(solver, Limit(MAX_SECONDS, stop=stop), LateError)
        self.stop = stop
        self.news = ProgressLine()  # replaced as a whole by the thread that works

    def nodes(self, count: int) -> None:
        self.news = ProgressLine(nodes=count)


class Desk:
    """Solvers for a few questions at a time, one for each thread; each has its own table."""

    def __init__(self, thinkers: Thinkers) -> None:
        self.thinkers = thinkers
        self._solvers: list[Solver] = []  # those that nobody uses
        self.reader = Reader()
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._kept_bytes = 0

    # Answers that are already known ------------------------------------------------------------------

    def known(self, key: Hashable) -> bytes | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: Hashable, answer: bytes) -> None:
        self._kept_bytes += len(answer) - len(self._kept.pop(key, b""))
        self._kept[key] = answer
        while len(self._kept) > KEPT_ANSWERS or self._kept_bytes > KEPT_BYTES:
            _, old = self._kept.popitem(last=False)
            self._kept_bytes -= len(old)

    # Work --------------------------------------------------------------------------------------------

    async def do(
        self,
        work: Callable[[Work], Value],
        visitor: str,
        started: Callable[[Work], None] | None = None,
    ) -> Value:
        """Run it in a thread with a solver of its own; being cancelled stops it."""
        stop, loop = threading.Event(), asyncio.get_running_loop()

        def run() -> Value:
            if stop.is_set():
                raise LateError
            try:
                solver = self._solvers.pop()
            except IndexError:
                solver = Solver(megabytes=MEGABYTES)
            mine = Work(solver, stop)
            if started is not None:
                loop.call_soon_threadsafe(started, mine)
            try:
                return work(mine)
            finally:  # only now: until then the table is in use
                self._solvers.append(solver)

        try:
            return await self.thinkers.studies.run(run, Asker(Rank.ASIDE, visitor), stop)
        except LateError:
            raise RefusedError("too_long.work") from None
        except InputError as error:
            raise RefusedError.because(error) from None
        finally:
            stop.set()

    async def read(self, text: Text, visitor: str) -> Answer:
        """What is in a text, worked out beside this process."""
        return await self.reader.ask(text, visitor)


def desk_of(request: Request) -> Desk:
    """The one of this server, made when it is first needed."""
    state = request.app.state
    if getattr(state, "desk", None) is None or state.desk.thinkers is not state.hub.thinkers:
        state.desk = Desk(state.hub.thinkers)
    desk: Desk = state.desk
    return desk


def visitor_of(request: Request) -> str:
    visitor: str = request.app.state.limits.visitor(request.scope)
    return visitor


def json_answer(found: Struct | bytes) -> Response:
    """An answer, or one that is encoded already."""
    body = found if isinstance(found, bytes) else msgspec.json.encode(found)
    return Response(body, 200, {"Cache-Control": "no-cache"}, "application/json")


async def answer_apart(
    request: Request, key: Hashable, work: Callable[[Work], Struct], *, streams: bool = False
) -> Response:
    """The same as `answer`, for questions that take long: in a cluster by a worker that has time (work/)."""
    desk, visitor = desk_of(request), visitor_of(request)
    far = desk.thinkers.far
    if far is None or desk.known(key) is not None:
        return await answer(request, key, work, streams=streams)
    visit, body = visit_of(request.scope), await request.body()
    if streams:
        lines: asyncio.Queue[bytes] = asyncio.Queue()
        coming = far.study(visit, body, visitor, lines.put_nowait)
        return _lines(_relayed(coming, lines, _streamed(desk, key, work, visitor)))
    found = await while_connected(request, far.study(visit, body, visitor, lambda line: None))
    if found is None or found.status != OK:
        return await answer(request, key, work)
    return json_answer(found.body)


async def _relayed(
    coming: Awaitable[Studied | None], lines: "asyncio.Queue[bytes]", here: AsyncGenerator[bytes, None]
) -> AsyncIterator[bytes]:
    """Progress and answer of a worker; if it is lost on the way, or was refused there, those of this server
    follow: what is wrong with a question is told in the same way by all."""
    task = asyncio.ensure_future(coming)
    task.add_done_callback(lambda _: lines.put_nowait(b""))
    try:
        while line := await lines.get():
            yield line
        found = task.result()
    finally:
        task.cancel()
    if found is not None and found.status == OK:
        yield found.body
        return
    async with aclosing(here):
        async for line in here:
            yield line


async def answer(
    request: Request, key: Hashable, work: Callable[[Work], Struct], *, streams: bool = False
) -> Response:
    """The answer to a question, from memory or worked out; with `streams`, lines that begin with progress.

    `key` is everything that the answer depends on. The work ends when the client goes away.
    """
    desk, visitor = desk_of(request), visitor_of(request)
    known = desk.known(key)
    if known is not None:
        return json_answer(known) if not streams else _lines(_one(known))
    if streams:
        return _lines(_streamed(desk, key, work, visitor))
    found = await while_connected(request, desk.do(work, visitor))
    body = msgspec.json.encode(found)
    _keep(desk, key, found, body)
    return json_answer(body)


def _keep(desk: Desk, key: Hashable, found: Struct, body: bytes) -> None:
    if getattr(found, "exact", True):  # otherwise more time may find more
        desk.keep(key, body)


def _lines(lines: AsyncIterator[bytes]) -> Response:
    return StreamingResponse(lines, 200, {"Cache-Control": "no-cache"}, "application/x-ndjson")


async def _one(line: bytes) -> AsyncIterator[bytes]:
    yield b'{"t":"answer","answer":' + line + b"}\n"


async def _streamed(
    desk: Desk, key: Hashable, work: Callable[[Work], Struct], visitor: str
) -> AsyncGenerator[bytes, None]:
    """Progress until the answer is there. The server cancels this when the client closes."""
    current: list[Work] = []
    task = asyncio.ensure_future(desk.do(work, visitor, current.append))
    start = time.monotonic()
    try:
        while True:
            await asyncio.wait({task}, timeout=BEAT_SECONDS)
            if task.done():
                break
            news = current[0].news if current else ProgressLine(waiting=True)
            told = structs.replace(news, seconds=round(time.monotonic() - start, 2))
            yield msgspec.json.encode(told) + b"\n"
        found = task.result()
        body = msgspec.json.encode(found)
        _keep(desk, key, found, body)
        async for line in _one(body):
            yield line
    except RefusedError as error:
        yield msgspec.json.encode(FailedLine(Fault.of(error))) + b"\n"
    finally:
        task.cancel()
