"""Thinking apart: a real NATS, workers in this process and in their own, and servers that do without them."""

import asyncio
import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from claimeven.agents import make_agent
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.server.cluster.bus import Bus, Reply
from claimeven.server.cluster.words import Chosen, Part, Studied, Visit, Words
from claimeven.server.logs import request_id
from claimeven.server.shares import Asker, Rank
from claimeven.server.work import far as far_side
from claimeven.server.work.far import Far
from claimeven.server.work.jobs import choice_of, choice_text, choose_of, position_of
from claimeven.server.work.metrics import place_of, serve
from claimeven.server.work.worker import Worker
from kit.cluster import House, Match, Nats, house
from kit.forked import Forked
from kit.serving import wait_until

LONG = "mcts:simulations=1000000000"  # thinks as long as it may
MIDDLE = Position.parse("4455")
VISIT = Visit("GET", "/api/analyse", b"moves=44535433", (), ("203.0.113.1", 1), "http")


@pytest.fixture(scope="module")
def nats() -> Iterator[Nats]:
    with Nats() as server:
        yield server


class Ear:
    """What a server hears of workers."""

    def __init__(self, far: Far) -> None:
        self._far = far

    def heard(self, word: Words, reply: Reply) -> None:
        assert isinstance(word, Chosen | Studied | Part)
        self._far.heard(word)

    def wired(self, run: int) -> None: ...


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def asking(nats: Nats) -> AsyncIterator[Far]:
    bus = Bus(nats.url, "test")
    far = Far(bus)
    bus.start(1, Ear(far))
    await until(lambda: bus.run > 0)
    try:
        yield far
    finally:
        await bus.close()


@asynccontextmanager
async def working(nats: Nats, threads: int = 2) -> AsyncIterator[Worker]:
    worker = Worker(nats.url, threads)
    worker.start()
    await until(lambda: worker.bus.run > 0)
    try:
        yield worker
    finally:
        await worker.close()


def play(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(test())


@pytest.mark.parametrize("spec", ["perfect", "minimax:depth=4", "rules", "first", "level:6"])
@pytest.mark.parametrize("position", [MIDDLE, Position.parse("7/7/7/7/3o3/2oxx2 x 7x6x4"), Position()])
def test_a_choice_travels_whole(spec: str, position: Position) -> None:
    asked = choose_of(spec, position, 1.0, False)
    assert (position_of(asked), position_of(asked).moves) == (position, position.moves)
    choice = make_agent(spec).choose(position, Limit(seconds=5))
    assert choice_of(choice_text(choice)) == replace(choice, weights=dict(choice.weights))


def test_a_worker_chooses_as_the_server_would(nats: Nats) -> None:
    async def test() -> None:
        async with asking(nats) as far:
            assert await far.choose("perfect", MIDDLE, 5.0, Asker(), False) is None, "nobody is there"
            async with working(nats) as worker, asyncio.timeout(30):
                # On a busy machine NATS may know of the worker only a moment after the worker of NATS.
                while (found := await far.choose("perfect", MIDDLE, 5.0, Asker(), False)) is None:
                    await asyncio.sleep(0.05)
                own = await worker.thinkers.choose("perfect", MIDDLE, 5.0, threading.Event(), Asker())
                assert found.opinions == own.opinions, "one of the best is drawn"
                swap = await far.choose("perfect", Position.parse("4"), 5.0, Asker(), True)
                assert swap is not None
                assert swap.swaps, "the middle is worth taking"
                assert await far.choose("process:cat", MIDDLE, 5.0, Asker(), False) is None, "no program"
            assert far.counters["apart"] == 2

    play(test)


def test_a_move_of_a_person_is_not_behind_analyses(nats: Nats) -> None:
    """The one thread for agents thinks aside, and gives way."""

    async def test() -> None:
        async with asking(nats) as far, working(nats, threads=1) as worker:
            aside = asyncio.ensure_future(
                far.choose(LONG, MIDDLE, 20.0, Asker(Rank.ASIDE, "somebody"), False)
            )
            await until(lambda: worker.thinkers.agents.busy == 1)
            refused = await far.choose("first", MIDDLE, 1.0, Asker(Rank.ASIDE, "another"), False)
            assert refused is None, "another question would wait: its server has a pool for that"
            moved = await far.choose("first", MIDDLE, 1.0, Asker(Rank.OPPONENT, "third"), False)
            assert moved is not None
            assert await aside is not None, "it finished early, with what it had"

    play(test)


def test_what_nobody_waits_for_ends(nats: Nats) -> None:
    async def test() -> None:
        async with asking(nats) as far, working(nats) as worker:
            thought = asyncio.ensure_future(far.choose(LONG, MIDDLE, 60.0, Asker(), False))
            await until(lambda: worker.thinkers.agents.busy == 1)
            thought.cancel()
            await until(lambda: not worker.jobs)
            await until(lambda: worker.thinkers.agents.busy == 0)
            assert not far._under_way
            assert not far._of_visitor

    play(test)


def test_one_visitor_has_two_questions_elsewhere(nats: Nats) -> None:
    async def test() -> None:
        async with asking(nats) as far, working(nats, threads=4) as worker:
            asker = Asker(Rank.ASIDE, "203.0.113.1")
            two = [asyncio.ensure_future(far.choose(LONG, MIDDLE, 30.0, asker, False)) for _ in range(2)]
            await until(lambda: worker.thinkers.agents.busy == 2)
            assert await far.choose("first", MIDDLE, 1.0, asker, False) is None
            other = Asker(Rank.ASIDE, "203.0.113.2")
            assert await far.choose("first", MIDDLE, 1.0, other, False) is not None
            for one in two:
                one.cancel()
            await asyncio.gather(*two, return_exceptions=True)

    play(test)


def test_a_worker_that_is_silent_or_late_is_given_up(nats: Nats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(far_side, "SILENT_SECONDS", 0.3)

    async def test() -> None:
        async with asking(nats) as far, working(nats) as worker:
            monkeypatch.setattr(worker, "_work", lambda job: asyncio.sleep(60))  # says yes, and nothing more
            assert await far.choose("first", MIDDLE, 30.0, Asker(), False) is None
            assert far.counters["lost"] == 1
            await until(lambda: not worker.jobs)
        monkeypatch.setattr(far_side, "SLACK_SECONDS", -0.9)
        async with asking(nats) as far, working(nats) as worker:  # it goes on and on
            assert await far.choose(LONG, MIDDLE, 1.0, Asker(), False) is None
            await until(lambda: not worker.jobs)

    play(test)


def test_a_worker_that_fails_says_so(
    nats: Nats, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The clock of the agent runs meanwhile: its server thinks itself, at once."""
    heard: list[str] = []
    caplog.handler.addFilter(lambda record: heard.append(request_id.get()) or True)  # type: ignore[func-returns-value]
    monkeypatch.setattr(far_side, "SILENT_SECONDS", 1000.0)

    async def test() -> None:
        async with asking(nats) as far, working(nats), asyncio.timeout(60):
            request_id.set("visit-1")
            with caplog.at_level("WARNING", "claimeven.server"):
                assert await far.choose("process:cat", MIDDLE, 1000.0, Asker(), False) is None
            assert heard == ["visit-1"], "who asked is known where it failed"
            failed = Visit("GET", "/api/no such thing", b"", (), ("203.0.113.1", 1), "http")
            found = await far.study(failed, b"", "203.0.113.1", lambda line: None)
            assert found is not None
            assert found.status != 200, "such an answer is not passed on"

    play(test)


def test_an_analysis_is_the_same_apart(nats: Nats) -> None:
    async def test() -> None:
        async with asking(nats) as far, working(nats):
            told: list[bytes] = []
            whole = await far.study(VISIT, b"", "203.0.113.1", told.append)
            assert whole is not None
            assert (whole.status, told) == (200, [])
            found = json.loads(whole.body)
            assert found["exact"]
            streamed = replace_query(VISIT, VISIT.query + b"&stream=true")
            lines = await far.study(streamed, b"", "203.0.113.1", told.append)
            assert lines is not None
            answer = json.loads(lines.body)["answer"]
            assert {**answer, "seconds": 0, "nodes": 0} == {**found, "seconds": 0, "nodes": 0}
            assert {json.loads(line)["t"] for line in told} <= {"progress"}
            bad = await far.study(replace_query(VISIT, b"moves=9"), b"", "203.0.113.1", told.append)
            assert bad is not None
            assert bad.status == 400

    play(test)


def replace_query(visit: Visit, query: bytes) -> Visit:
    return Visit(visit.method, visit.path, query, visit.headers, visit.client, visit.scheme)


class Apart:
    """`claimeven work` in a process of its own."""

    def __init__(self, nats: Nats, stack: ExitStack) -> None:
        command = [sys.executable, "-m", "claimeven", "work", "--nats", nats.url, "--log", "warning"]
        self._process = Forked(command, stdout=subprocess.PIPE, text=True)
        stack.callback(self._process.kill)
        assert self._process.stdout is not None
        assert re.fullmatch(r"claimeven works for \S+, \d+ agents at once\n", self._process.stdout.readline())

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def ended(self) -> int:
        assert self._process.stdout is not None
        self._process.stdout.close()
        return self._process.wait(20)


@pytest.fixture
def one(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path, 1) as servers:
        yield servers


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.slow
def test_a_server_has_its_thinking_done_and_does_without(one: House, stack: ExitStack) -> None:
    """Moves, analyses and reviews; and when the worker is killed in the middle the server thinks itself."""
    (server,) = one.servers
    apart = Apart(one.nats, stack)
    address, http = server.address, one.http

    def analysed(moves: str) -> Any:
        answer = http.get(f"{address}/api/analyse", params={"moves": moves, "stream": True})
        assert answer.status_code == 200, answer.text
        lines = [json.loads(line) for line in answer.text.splitlines()]
        return lines[-1]["answer"]["value"]

    def done() -> int:
        return one.metric(server, "apart_total")

    wait_until(lambda: analysed("4453543") is not None and done() > 0)
    before = done()
    wish = {"text": "4455332", "language": "en"}
    review = http.post(f"{address}/api/review", json=wish)
    assert review.status_code == 200, review.text
    assert done() == before + 1
    answered(one, "perfect")
    assert done() > before + 1
    apart.signal(signal.SIGSTOP)  # it hears nothing, and NATS still counts on it
    answered(one, "level:3")
    assert analysed("44535432") is not None
    apart.signal(signal.SIGKILL)
    assert apart.ended() == -signal.SIGKILL
    assert analysed("44535431") is not None
    last = Apart(one.nats, stack)
    before = done()
    wait_until(lambda: analysed(f"4453{time.monotonic_ns() % 7 + 1}") is not None and done() > before)
    last.signal(signal.SIGTERM)
    assert last.ended() == 0
    one.nats.stop()
    assert analysed("4453546") is not None


def answered(one: House, agent: str) -> None:
    """A game of agents that is watched: somebody waits for their moves."""
    (server,) = one.servers
    wish = {"seats": [{"kind": "agent", "agent": agent}, {"kind": "agent", "agent": agent}]}
    made = one.http.post(f"{server.address}/api/games", json=wish)
    assert made.status_code == 201, made.text
    with closing(Match(one, made.json()["game"], "", "").sit(server, None)) as watcher:
        watcher.hear("move")
        watcher.hear("move")


def test_a_worker_tells_prometheus_what_it_does(nats: Nats) -> None:
    async def test() -> None:
        async with asking(nats) as far, working(nats) as worker:
            assert await far.choose("first", MIDDLE, 1.0, Asker(), False) is not None
            assert await far.choose("process:cat", MIDDLE, 1.0, Asker(), False) is None
            await until(lambda: not worker.jobs)
            door = await serve(worker, "127.0.0.1", 0)
            port = door.sockets[0].getsockname()[1]
            answers = []
            for path in ("/metrics", "/elsewhere"):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                answers.append((await reader.read()).decode())
                writer.close()
            door.close()
            assert answers[0].startswith("HTTP/1.1 200")
            assert answers[1].startswith("HTTP/1.1 404")
            numbers = dict(
                line.rsplit(" ", 1) for line in answers[0].splitlines() if line.startswith("claimeven_")
            )
            counted = {
                name: numbers[f"claimeven_work_{name}_total"] for name in ("taken", "answered", "failed")
            }
            assert counted == {"taken": "2", "answered": "1", "failed": "1"}
            assert numbers["claimeven_work_wired"] == "1"
            assert numbers["claimeven_reader_waiting"] == "0"

    play(test)


def test_where_numbers_are_told() -> None:
    assert [place_of(text) for text in ("9100", "0.0.0.0:9100", "[::1]:1")] == [
        ("127.0.0.1", 9100),
        ("0.0.0.0", 9100),
        ("::1", 1),
    ]
    with pytest.raises(InputError):
        place_of("here")
