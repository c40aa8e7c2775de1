"""Fair shares of thinking: one visitor does not spoil the others' games."""

import asyncio
import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from claimeven.server.errors import RefusedError
from claimeven.server.shares import MAX_OF_VISITOR, Asker, Crew, Rank
from claimeven.server.study.desk import MAX_SECONDS
from claimeven.server.thinking import KEPT_AGENTS, Thinkers
from kit.serving import Served, serving, wait_until

ENGINE = "process:command=cat --show-nonprinting"  # a program and how it is started


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, proxies=("127.0.0.1",), threads=2, agents=[ENGINE]) as served:
        yield served


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priorities of their own")
def test_thinking_gives_way_to_serving() -> None:
    """On a busy machine two threads that think would take most of what the process gets."""

    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    async def both() -> tuple[int, int]:
        return priority(), await Crew(1, "test").run(priority, Asker())

    serving, thinking = asyncio.run(both())
    assert thinking > serving or serving == 19  # it cannot be less


NO_MEMORY = """
import asyncio, resource
from claimeven.server.shares import Asker, Crew
crew = Crew(2, "test")
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize(), resource.RLIM_INFINITY))
print(asyncio.run(crew.run(lambda: 42, Asker())))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="nothing else says how much memory it has")
def test_threads_are_there_before_memory_runs_out() -> None:
    """None could be started then, and the agent whose turn it was lost the game."""
    done = subprocess.run([sys.executable, "-c", NO_MEMORY], capture_output=True, text=True, timeout=60)
    assert done.stdout == "42\n", done.stderr


# Who is next -------------------------------------------------------------------------------------------


def test_the_order_is_by_rank_then_by_turns_of_visitors() -> None:
    """Whoever has much to ask waits for the others after each question."""

    async def run() -> list[str]:
        crew, gate, done = Crew(1, "test"), threading.Event(), list[str]()
        first = asyncio.create_task(crew.run(gate.wait, Asker()))
        await asyncio.sleep(0)
        wishes = [
            ("study", Rank.ASIDE, "d"),
            ("watched", Rank.WATCHED, "c"),
            ("a1", Rank.OPPONENT, "a"),
            ("a2", Rank.OPPONENT, "a"),
            ("a3", Rank.OPPONENT, "a"),
            ("b1", Rank.OPPONENT, "b"),
        ]
        tasks = []
        for name, rank, visitor in wishes:
            tasks.append(asyncio.create_task(crew.run(partial(done.append, name), Asker(rank, visitor))))
        await asyncio.sleep(0)
        assert crew.waiting == len(wishes)
        gate.set()
        await asyncio.gather(first, *tasks)
        assert (crew.busy, crew.waiting) == (0, 0)
        return done

    assert asyncio.run(run()) == ["a1", "b1", "a2", "a3", "watched", "study"]


def test_nobody_has_all_places_and_nobody_waits_for_much() -> None:
    async def run() -> None:
        crew, gate = Crew(2, "test"), threading.Event()
        asker = Asker(Rank.ASIDE, "a")
        mine = [asyncio.create_task(crew.run(gate.wait, asker)) for _ in range(1 + MAX_OF_VISITOR)]
        await asyncio.sleep(0)
        assert (crew.busy, crew.waiting) == (1, MAX_OF_VISITOR)
        with pytest.raises(RefusedError, match="questions of yours"):
            await crew.run(gate.wait, asker)
        assert await crew.run(lambda: 7, Asker(Rank.ASIDE, "b")) == 7
        local = [asyncio.create_task(crew.run(gate.wait, Asker(Rank.ASIDE))) for _ in range(20)]
        await asyncio.sleep(0)
        mine[-1].cancel()  # one that waits is forgotten
        await asyncio.sleep(0)
        assert (crew.busy, crew.waiting) == (2, MAX_OF_VISITOR - 1 + 19)
        gate.set()
        await asyncio.gather(*mine, *local, return_exceptions=True)
        assert (crew.busy, crew.waiting) == (0, 0)

    asyncio.run(run())


def test_long_work_gives_way_to_who_waits() -> None:
    """Only what can, and only to its equals or betters."""

    async def run() -> None:
        crew, stop = Crew(1, "test"), threading.Event()
        long = asyncio.create_task(crew.run(lambda: stop.wait(20), Asker(Rank.WATCHED, "a"), stop))
        await asyncio.sleep(0)
        later = asyncio.create_task(crew.run(lambda: None, Asker(Rank.ASIDE, "b")))
        await asyncio.sleep(0.3)
        assert not stop.is_set()
        await crew.run(lambda: None, Asker(Rank.OPPONENT, "c"))
        assert await long  # it was told to stop
        await later

    asyncio.run(run())


# Over the network ----------------------------------------------------------------------------------------


def replies(player: Served, count: int = 3) -> float:
    """Seconds that the slowest of some replies of level:1 took."""
    made = player.new("me", "level:1", think=10)
    slowest = 0.0
    with player.sit(made["game"], made["token"]) as talker:
        for number in range(count):
            begun = time.monotonic()
            talker.move(2 * number, 1 + 2 * number)
            talker.hear("move", ply=2 * number + 1)
            slowest = max(slowest, time.monotonic() - begun)
    return slowest


def test_long_thoughts_of_one_visitor_starve_nobody(server: Served) -> None:
    """Games of agents that think for half a minute, and one's own against such: 20 to 28 s before."""
    thief, honest = server.at("203.0.113.1"), server.at("203.0.113.2")
    with contextlib.ExitStack() as games:
        for first in ("mcts", "mcts", "me", "me"):
            made = thief.new(first, "mcts", board="9x9x4", think=30_000)
            talker = games.enter_context(thief.sit(made["game"], made["token"]))
            if first == "me":
                talker.move(0, 1)
        wait_until(lambda: server.hub.thinkers.busy == 1)
        assert replies(honest) < 5
        other = server.at("203.0.113.3")  # now all places are taken
        made = other.new("me", "mcts", board="9x9x4", think=30_000)
        talker = games.enter_context(other.sit(made["game"], made["token"]))
        talker.move(0, 1)
        wait_until(lambda: server.hub.thinkers.busy == 2)
        assert replies(honest) < 10


def test_hints_of_one_visitor_starve_nobody(server: Served) -> None:
    """Twenty of them: 57 s before."""
    thief, honest = server.at("203.0.113.1"), server.at("203.0.113.2")
    with contextlib.ExitStack() as games:
        for _ in range(20):
            made = thief.new("me", "first", board="9x9x4")
            games.enter_context(thief.sit(made["game"], made["token"])).say(t="hint", id="h")
        wait_until(lambda: server.hub.thinkers.busy == 1)
        assert replies(honest) < 5
        assert server.hub.thinkers.waiting <= MAX_OF_VISITOR


def ask(server: Served, path: str) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", server.port))
    head = "".join(f"{name}: {value}\r\n" for name, value in server.headers.items())
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n".encode())
    return line


def is_refused(line: socket.socket) -> bool:
    """Whether the answer has come, and is that too many are asked at once."""
    is_answered = bool(select.select([line], [], [], 0)[0])
    return is_answered and line.recv(16, socket.MSG_PEEK).startswith(b"HTTP/1.1 429 ")


def test_the_desk_has_places_for_each_visitor(server: Served) -> None:
    """101 analyses of one address: everybody else got 503."""
    thief, honest = server.at("203.0.113.1"), server.at("203.0.113.2")
    lines = [ask(thief, f"/api/analyse?board=9x9x4&moves={a}{b}") for a in range(1, 8) for b in range(1, 10)]
    try:
        wait_until(lambda: server.hub.thinkers.studies.waiting == MAX_OF_VISITOR)
        # More were asked than have a place; another one now might find one that has become free.
        wait_until(lambda: any(map(is_refused, lines)))
        answer = honest.http.get("/api/analyse?moves=444444222222")
        assert (answer.status_code, answer.json()["exact"]) == (200, True)
    finally:
        for line in lines:
            line.close()
    wait_until(lambda: server.hub.thinkers.studies.waiting == 0)


def test_two_visitors_do_not_hold_both_places_of_the_desk(server: Served) -> None:
    """Each of their questions takes all the time there is: who came third waited as long."""
    honest = server.at("203.0.113.3")
    thieves = [server.at(f"203.0.113.{number}") for number in (1, 2)]
    paths = [f"/api/analyse?board=9x9x4&moves={column}" for column in range(1, 6)]
    lines = [ask(thief, path) for thief in thieves for path in paths]
    try:
        wait_until(lambda: server.hub.thinkers.studies.busy == 2)
        begun = time.monotonic()
        assert honest.http.get("/api/analyse?moves=444444222222").json()["exact"]
        assert time.monotonic() - begun < MAX_SECONDS / 2
    finally:
        for line in lines:
            line.close()


def test_hints_and_thoughts_end_when_others_wait_or_nobody_does() -> None:
    async def run() -> None:
        thinkers = Thinkers()
        try:
            long = asyncio.create_task(thinkers.aside(lambda stop: stop.wait(20), "a"))
            await asyncio.sleep(0)
            assert await thinkers.aside(lambda stop: "short", "b") == "short"
            assert await long  # it was told to stop
            stops: list[threading.Event] = []
            left = asyncio.create_task(
                thinkers.aside(lambda stop: stops.append(stop) or stop.wait(20), "a")  # type: ignore[func-returns-value]
            )
            while not stops:
                await asyncio.sleep(0.01)
            left.cancel()
            await asyncio.gather(left, return_exceptions=True)
            assert stops[0].is_set()
        finally:
            thinkers.close()

    asyncio.run(run())


def test_abandoned_questions_of_programs_are_forgotten(server: Served) -> None:
    body = json.dumps(
        {"board": [[0] * 9] * 9, "current_player": 1, "valid_moves": list(range(9)), "is_new_game": True}
    )
    head = f"POST /api/connect4-move HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    request = f"{head}Content-Type: application/json\r\n\r\n{body}".encode()
    lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(30)]
    for line in lines:
        line.sendall(request)
    wait_until(lambda: server.hub.thinkers.waiting > 10)
    for line in lines:
        line.close()
    wait_until(lambda: server.hub.thinkers.waiting == 0, patience=3)


# Agents of the operator ----------------------------------------------------------------------------------


def test_how_a_program_is_started_is_nobodys_business(server: Served) -> None:
    listed = server.http.get("/api/agents").text
    assert "nonprinting" not in listed
    assert "process-1" in [agent["spec"] for agent in json.loads(listed)["agents"]]
    made = server.new("me", "process-1")
    assert "nonprinting" not in json.dumps(made)
    assert made["state"]["seats"][1]["name"] == "Process-1"
    assert server.new("me", ENGINE)["state"]["seats"][1]["agent"] == "process-1"  # who knows it may say so
    assert "nonprinting" not in server.http.get(f"/api/games/{made['game']}/record").text


def test_strangers_do_not_push_out_the_operators_agents() -> None:
    """Its program would run on, and the next one beside it."""
    thinkers = Thinkers([ENGINE])
    try:
        engine = thinkers._agent("process-1")
        for depth in range(KEPT_AGENTS + 2):
            thinkers._agent(f"minimax:depth={depth + 1}")
        assert thinkers._agent("process-1") is engine
    finally:
        thinkers.close()


def test_there_is_time_only_for_who_could_begin() -> None:
    async def look() -> None:
        crew, gate = Crew(2, "test"), threading.Event()
        one, other = Asker(Rank.ASIDE, "203.0.113.1"), Asker(Rank.ASIDE, "203.0.113.2")
        assert crew.has_time(one)
        running = asyncio.ensure_future(crew.run(gate.wait, one))
        await asyncio.sleep(0)
        assert not crew.has_time(one), "one visitor never has all places"
        assert crew.has_time(other)
        gate.set()
        await running
        assert crew.has_time(one)
        crew.close()

    asyncio.run(look())
