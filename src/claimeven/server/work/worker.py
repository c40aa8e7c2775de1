"""The side of a worker: agents' moves, analyses and reviews for any server that asks; `claimeven work`.

It has the pool of a server (thinking.py): agents and studies have threads of their own, so no move of a
person waits behind an analysis, and visitors take turns. It takes what it can begin at once, and says no to
the rest.
"""

import asyncio
import logging
import os
import signal
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from fastapi import FastAPI

from claimeven.server.cluster.bus import Bus, Reply
from claimeven.server.cluster.words import (
    Choose,
    Chosen,
    Drop,
    Job,
    No,
    Part,
    Studied,
    Study,
    Words,
    Yes,
    scope_of,
)
from claimeven.server.logs import request_id
from claimeven.server.reading.reader import Reader
from claimeven.server.shares import Asker, Rank
from claimeven.server.thinking import Thinkers
from claimeven.server.work.jobs import choice_text, failure_of, position_of

BEAT_SECONDS = 0.5  # between two words that it still thinks
LAST_SECONDS = 5.0  # at the end, for what it took
log = logging.getLogger("claimeven.server")


class Worker:
    """Made inside the event loop."""

    def __init__(self, nats: str, threads: int | None = None) -> None:
        cores = threads or os.cpu_count() or 2
        self.thinkers = Thinkers(threads=cores, studies=max(2, cores // 2))
        self.bus = Bus(nats, "work")
        self.jobs: dict[str, asyncio.Task[None]] = {}
        self.counters: Counter[str] = Counter()
        self.is_closing = False
        self._app = _study_app(self.thinkers)

    def start(self) -> None:
        self.bus.work(self)

    async def close(self) -> None:
        """Take nothing more, and finish what was taken, if it is not long."""
        self.is_closing = True
        if self.jobs:
            await asyncio.wait(self.jobs.values(), timeout=LAST_SECONDS)
        for job in list(self.jobs.values()):
            job.cancel()
        await self.bus.flush(LAST_SECONDS)
        await self.bus.close()
        self.thinkers.close()
        if self.reader is not None:
            self.reader.close()

    @property
    def reader(self) -> Reader | None:
        """Of long texts, once there was one."""
        desk = getattr(self._app.state, "desk", None)
        return None if desk is None else desk.reader

    # What is heard ---------------------------------------------------------------------------------------

    def wired(self, run: int) -> None:
        if not run:  # nobody would hear the answers
            for job in list(self.jobs.values()):
                job.cancel()

    def heard(self, word: Words, reply: Reply) -> None:
        match word:
            case Drop():
                if (job := self.jobs.get(word.id)) is not None:
                    self.counters["dropped"] += 1
                    job.cancel()
            case Job():
                if self.is_closing or not self._has_time(word):
                    self.counters["refused"] += 1
                    reply(No())
                elif word.id not in self.jobs:  # else it came twice
                    self.counters["taken"] += 1
                    reply(Yes(self.bus.run))
                    self._begin(word)

    def _has_time(self, job: Job) -> bool:
        crew = self.thinkers.studies if isinstance(job.work, Study) else self.thinkers.agents
        return crew.has_time(Asker(Rank(job.rank), job.visitor))

    def _begin(self, job: Job) -> None:
        task = asyncio.get_running_loop().create_task(self._work(job))
        self.jobs[job.id] = task
        task.add_done_callback(lambda _: self.jobs.pop(job.id, None))

    # The work --------------------------------------------------------------------------------------------

    async def _work(self, job: Job) -> None:
        request_id.set(job.request)
        tell: Callable[[bytes], None] = lambda line: self.bus.tell_at(job.back, Part(job.id, line))  # noqa: E731
        beats = asyncio.get_running_loop().create_task(_beat(tell))
        doing = (
            self._choose(job, job.work) if isinstance(job.work, Choose) else self._study(job, job.work, tell)
        )
        try:
            async with asyncio.timeout(job.seconds):
                self.bus.tell_at(job.back, await doing)
            self.counters["answered"] += 1
        except TimeoutError:
            self.counters["late"] += 1
            log.info("a question took too long", extra={"job": job.id})
        except Exception as error:  # its server tries it, at once, and finds out why
            self.counters["failed"] += 1
            log.warning("not thought", extra={"job": job.id, "error": repr(error)})
            self.bus.tell_at(job.back, failure_of(job))
        finally:
            beats.cancel()

    async def _choose(self, job: Job, work: Choose) -> Chosen:
        stop, asker = threading.Event(), Asker(Rank(job.rank), job.visitor)
        spec = self.thinkers.check(work.spec)
        try:
            choice = await self.thinkers.choose(
                spec, position_of(work), work.seconds, stop, asker, is_pie=work.is_pie
            )
        finally:
            stop.set()
        return Chosen(job.id, choice_text(choice))

    async def _study(self, job: Job, work: Study, tell: Callable[[bytes], None]) -> Studied:
        """The last part of the answer comes with its end: what came before is progress."""
        status, parts = 500, [b""]
        is_sent = False

        async def receive() -> dict[str, Any]:
            nonlocal is_sent
            if is_sent:
                await asyncio.Event().wait()  # who asked goes away by cancelling this
            is_sent = True
            return {"type": "http.request", "body": work.body, "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message.get("body"):
                tell(parts[0])
                parts[0] = message["body"]

        scope = scope_of(work.visit, "http")
        scope["visitor"] = job.visitor
        await self._app(scope, receive, send)
        return Studied(job.id, status, parts[0])


Beside = Callable[[Worker], Awaitable[asyncio.Server]]


async def _beat(tell: Callable[[bytes], None]) -> None:
    while True:
        tell(b"")
        await asyncio.sleep(BEAT_SECONDS)


class _Told:
    """Who a visitor is was found out where they came in."""

    def visitor(self, scope: Any) -> str:
        visitor: str = scope["visitor"]
        return visitor


def _study_app(thinkers: Thinkers) -> FastAPI:
    from claimeven.server.app import answer_errors
    from claimeven.server.study import router

    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.hub = SimpleNamespace(thinkers=thinkers)  # all that a study asks of it
    app.state.limits = _Told()
    app.include_router(router)
    answer_errors(app)
    return app


def run(nats: str, threads: int | None, started: Callable[[int], None], beside: Beside | None = None) -> None:
    """Until a signal comes; `started` is told with how many threads for agents. `beside` opens a door."""
    asyncio.run(_run(nats, threads, started, beside))


async def _run(nats: str, threads: int | None, started: Callable[[int], None], beside: Beside | None) -> None:
    worker = Worker(nats, threads)
    door = None if beside is None else await beside(worker)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    worker.start()
    started(worker.thinkers.threads)
    await ended.wait()
    if door is not None:
        door.close()
    await worker.close()
