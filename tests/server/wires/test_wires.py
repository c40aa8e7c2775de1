"""The loop belongs to everybody: what one visitor takes of it is counted, and requests take turns."""

import asyncio
import socket
import threading
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.frames import Frame

from claimeven.server.doors.limits import Limits
from claimeven.server.doors.wires.metered import metered
from claimeven.server.doors.wires.turns import MOST, Turns
from claimeven.server.run import TAKEN_WIRES
from kit.serving import NO_TLS, Served, serving, wait_until

PROXY = ("127.0.0.1",)


def status(served: Served, address: str, path: str = "/api/health") -> int:
    with httpx.Client(base_url=served.url, headers={"X-Forwarded-For": address}, verify=NO_TLS) as visitor:
        return visitor.get(path).status_code


def test_who_had_enough_of_the_loop_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = 0
    receive = H11Protocol.data_received

    def counted(self: H11Protocol, data: bytes) -> None:
        nonlocal read
        read += 1
        receive(self, data)

    monkeypatch.setattr(H11Protocol, "data_received", counted)
    limits = Limits(time_burst=1e-6, time_per_second=1e-9, spent_seconds=0.01)
    with serving(tmp_path, proxies=PROXY, limits=limits) as served:
        assert status(served, "203.0.113.1") == 200  # it costs more than there was
        before, read = read, 0
        assert [status(served, "203.0.113.1") for _ in range(5)] == [429] * 5
        assert read == 0 < before
        assert status(served, "203.0.113.2") == 200
        assert served.http.get("/api/health").status_code == 200  # this machine
        assert limits.counters["refused"] == 5


def test_what_an_answer_takes_is_counted_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To read a request is the smaller part of it."""
    charges: list[str] = []
    monkeypatch.setattr(Limits, "charge", lambda self, visitor, seconds: charges.append(visitor))
    with serving(tmp_path, proxies=PROXY) as served:
        status(served, "203.0.113.1", "/api/agents")
        wait_until(lambda: len(charges) >= 2)  # reading it, and every step of answering it
        assert set(charges) == {"203.0.113.1"}


def test_a_visitor_recovers() -> None:
    limits = Limits(time_burst=0.5, time_per_second=1e9)
    limits.charge("one", 100.0)
    assert not limits.is_spent("one")
    assert not limits.is_spent("somebody else")
    slow = Limits(time_burst=0.5, time_per_second=1e-9)
    slow.charge("one", 0.4)
    assert not slow.is_spent("one")
    slow.charge("one", 0.2)
    assert slow.is_spent("one")
    slow.charge("", 100.0)
    assert not slow.is_spent("")  # this machine


def test_a_few_requests_in_each_round_and_visitors_take_turns() -> None:
    async def rounds() -> list[list[str]]:
        turns, done = Turns(), [list[str]()]

        def work(name: str) -> None:
            done[-1].append(name)

        for number in range(3 * MOST):
            turns.take("many", partial(work, f"many {number}"))
        turns.take("one", partial(work, "one"))
        while turns.waiting:
            done.append([])
            await asyncio.sleep(0)
        return done

    done = asyncio.run(rounds())
    assert [len(one) for one in done] == [MOST, MOST, MOST, 1]
    assert "one" in done[1]
    many = [name for one in done for name in one if name != "one"]
    assert many == [f"many {number}" for number in range(3 * MOST)]  # in their order


def test_a_hundred_requests_do_not_keep_others_from_the_loop(tmp_path: Path) -> None:
    """Beside them something else gets its turn again and again, not once."""
    with serving(tmp_path) as served:
        wires = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(60)]

        def ask() -> None:
            for wire in wires:
                wire.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")

        wait_until(lambda: served.limits.open_connections >= 60)
        answered: list[int] = []
        rounds = _while_blocked(served, ask, lambda: answered.append(len(served.server.server_state.tasks)))
        for wire in wires:
            assert wire.recv(100).startswith(b"HTTP/1.1 200")
            wire.close()
        assert rounds > 60 // MOST
        assert max(answered) < 60 // 2  # requests under way at one time


def test_wires_are_taken_a_few_at_a_time(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        wires: list[socket.socket] = []
        counts: list[int] = []
        _while_blocked(
            served,
            lambda: wires.extend(socket.create_connection(("127.0.0.1", served.port)) for _ in range(60)),
            lambda: counts.append(served.limits.open_connections),
        )
        wait_until(lambda: served.limits.open_connections >= 60)
        for wire in wires:
            wire.close()
        steps = [after - before for before, after in pairwise(counts)]
        assert max(steps) <= TAKEN_WIRES


def _while_blocked(served: Served, come: Any, look: Any, rounds: int = 400) -> int:
    """Let something come while the loop does something else; then look once in every round. How many of them
    there were until nothing changed any more."""
    loop, is_here, is_over = served.hub.loop, threading.Event(), threading.Event()
    seen = 0

    def turn() -> None:
        nonlocal seen
        seen += 1
        look()
        if seen < rounds:
            loop.call_soon(turn)
        else:
            is_over.set()

    def block() -> None:
        is_here.wait(20)
        loop.call_soon(turn)

    loop.call_soon_threadsafe(block)
    come()
    is_here.set()
    assert is_over.wait(20)
    return seen


def test_frames_are_counted_before_many_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = 0
    parse = Frame.parse.__func__  # type: ignore[attr-defined]

    def counted(cls: type[Frame], *parts: Any, **options: Any) -> Any:
        nonlocal parsed
        parsed += 1
        return parse(cls, *parts, **options)

    with serving(tmp_path) as served:
        made = served.new("me", "me")
        with served.sit(made["game"]) as talker:
            monkeypatch.setattr(Frame, "parse", classmethod(counted))
            talker.socket.socket.sendall(b"\x89\x80\0\0\0\0" * 10_000)
            wait_until(lambda: served.limits.counters["rate_closed"] == 1)
            monkeypatch.undo()
    assert parsed < 4 * served.limits.frames_burst  # half of them are pongs, parsed by the client here


def test_work_is_metered_through_everything_that_it_waits_for() -> None:
    async def work(steps: list[str]) -> None:
        await asyncio.sleep(0)
        steps.append("one")
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            steps.append("cancelled")
            await asyncio.sleep(0)
            steps.append("cleaned up")
            raise

    async def main() -> tuple[list[str], list[float]]:
        steps: list[str] = []
        charged: list[float] = []
        task = asyncio.ensure_future(metered(work(steps), charged.append))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return steps, charged

    steps, charged = asyncio.run(main())
    assert steps == ["one", "cancelled", "cleaned up"]
    assert len(charged) == 4
    assert all(seconds >= 0 for seconds in charged)
