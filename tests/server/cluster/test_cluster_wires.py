"""A visitor's wire from one server to another over a real NATS: once each and in order, or cut."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from claimeven.server.cluster import wires
from claimeven.server.cluster.bus import Bus, Reply
from claimeven.server.cluster.order import MOST_AHEAD, BrokenWireError, InOrder
from claimeven.server.cluster.wires import NearWire, Wires
from claimeven.server.cluster.words import Closed, No, Open, Said, Shut, Told, Words, Yes
from claimeven.server.doors.limits import Limits
from claimeven.server.doors.socket import WIRE
from kit.cluster import Nats
from kit.serving import PATIENCE

HERE, THERE, NEXT = 1, 2, 3


@pytest.fixture(scope="module")
def nats() -> Iterator[str]:
    with Nats() as server:
        yield server.url


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_order_each_comes_once(seed: int) -> None:
    rng = random.Random(seed)
    words = [number for number in range(100) for _ in range(rng.choice((1, 1, 2)))]
    words.sort(key=lambda number: number + rng.uniform(0, 30))
    wire: InOrder[int] = InOrder()
    assert [told for number in words for told in wire.come(number, number)] == list(range(100))
    assert not wire.has_hole


def test_too_many_wait_for_one_that_is_lost() -> None:
    wire: InOrder[int] = InOrder()
    for number in range(1, MOST_AHEAD + 1):
        assert list(wire.come(number, number)) == []
    with pytest.raises(BrokenWireError):
        list(wire.come(MOST_AHEAD + 1, 0))


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """A game that says what it hears."""
    await receive()
    while (heard := await receive())["type"] == "websocket.receive":
        scope[WIRE].send_frames([bytes([0x81, len(heard["bytes"])]) + heard["bytes"]])
        if heard["bytes"] == b"bye":
            await send({"type": "websocket.close", "code": 4003})
            return


class Book:
    """Where the game is, as this server finds it in the database."""

    def __init__(self) -> None:
        self.owner = THERE
        self.looks: list[bool] = []

    async def after(self, game: str, owner: int, has_answered: bool) -> int | None:
        self.looks.append(has_answered)
        await asyncio.sleep(0.05)
        return self.owner

    def forget(self, game: str) -> None: ...


class Server:
    """What a server has of the wire."""

    def __init__(self, url: str, id: int) -> None:
        self.id = id
        self.bus = Bus(url, "test")
        self.book = Book()
        self.wires = Wires(self.bus, lambda: id, self.book)
        self.is_wired = asyncio.Event()
        self.has_game = True
        self.is_frozen = False

    async def start(self) -> "Server":
        self.bus.start(self.id, self)
        async with asyncio.timeout(PATIENCE):
            await self.is_wired.wait()
        return self

    def wired(self, run: int) -> None:
        if run:
            self.is_wired.set()
        else:
            self.wires.cut()

    def heard(self, word: Words, reply: Reply) -> None:
        match word:
            case Said() | Shut() | Told() | Closed():
                self.wires.heard(word)
            case Open() if self.is_frozen:
                pass
            case Open() if self.has_game:
                self.wires.open(word, echo)
                reply(Yes(self.bus.run))
            case _:
                reply(No())


class Visitor:
    """A WebSocket at a server, as ASGI has it."""

    def __init__(self, here: Server) -> None:
        self.says: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard: list[str] = []
        self.code: int | None = None
        scope = {
            "path": "/ws/game",
            "path_params": {"game": "game"},
            "headers": [],
            "client": ("192.0.2.1", 1),
        }
        self.wire = NearWire(scope, self.says.get, self._send, Limits(), here.wires, THERE)

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.heard.append(message["text"])
        elif message["type"] == "websocket.close":
            self.code = message["code"]

    def say(self, text: str) -> None:
        self.says.put_nowait({"type": "websocket.receive", "text": text})

    async def stay(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.wire.run(None)  # type: ignore[arg-type]


async def heard_of(visitor: Visitor, staying: "asyncio.Task[None]") -> None:
    """Wait for the first answer; who was sent away will not get one."""
    while not visitor.heard:
        assert not staying.done(), visitor.code
        await asyncio.sleep(0.01)


def played(url: str, visit: Callable[[Server, Server, Visitor], Awaitable[None]]) -> Visitor:
    async def play() -> Visitor:
        here, there = Server(url, HERE), Server(url, THERE)
        await asyncio.gather(here.start(), there.start())
        try:
            visitor = Visitor(here)
            await visit(here, there, visitor)
            return visitor
        finally:
            await asyncio.gather(here.bus.close(), there.bus.close())

    return asyncio.run(play())


def misbehave(bus: Bus, seed: int, lost: int | None = None) -> None:
    """Some words come twice, some late; the `lost`th never."""
    rng, put = random.Random(seed), bus._put
    count = 0

    def scatter(subject: str, data: bytes) -> None:
        nonlocal count
        count += 1
        if count == lost:
            return
        if rng.random() < 0.3:
            asyncio.get_running_loop().call_later(rng.uniform(0, 0.05), put, subject, data)
        else:
            put(subject, data)
        if rng.random() < 0.3:
            asyncio.get_running_loop().call_later(rng.uniform(0, 0.1), put, subject, data)

    bus._put = scatter  # type: ignore[method-assign]


@pytest.mark.parametrize("seed", range(3))
def test_words_that_come_twice_and_late_are_heard_once_and_in_order(nats: str, seed: int) -> None:
    async def visit(here: Server, there: Server, visitor: Visitor) -> None:
        misbehave(here.bus, seed)
        misbehave(there.bus, seed + 100)
        for number in range(40):
            visitor.say(str(number))
        visitor.say("bye")
        await visitor.stay()

    visitor = played(nats, visit)
    assert visitor.heard == [*map(str, range(40)), "bye"]
    assert visitor.code == 4003


@pytest.mark.parametrize("is_near", [True, False], ids=["of the visitor", "to the visitor"])
def test_a_word_that_is_lost_cuts_the_wire(nats: str, is_near: bool) -> None:
    async def visit(here: Server, there: Server, visitor: Visitor) -> None:
        misbehave((here if is_near else there).bus, 0, lost=10)
        for number in range(40):
            visitor.say(str(number))
        await visitor.stay()

    visitor = played(nats, visit)
    assert visitor.heard == list(map(str, range(len(visitor.heard))))
    assert len(visitor.heard) < 40
    assert visitor.code == 1012


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wires, "HOLD_SECONDS", 0.3)


@pytest.mark.usefixtures("impatience")
def test_a_game_that_stays_away_sends_the_visitor_on(nats: str) -> None:
    async def visit(here: Server, there: Server, visitor: Visitor) -> None:
        there.has_game = False
        await visitor.stay()

        assert all(here.book.looks), "it was asked, and said no: so the database is asked"

    assert played(nats, visit).code == 1012


@pytest.mark.parametrize("is_frozen", [False, True], ids=["killed", "stopped"])
def test_who_comes_to_a_game_of_the_dead_waits_for_its_next_server(nats: str, is_frozen: bool) -> None:
    """One wire from before its server counts as dead until it is another's: nobody has to come again."""

    async def visit(here: Server, there: Server, visitor: Visitor) -> None:
        there.is_frozen = is_frozen
        if not is_frozen:
            await there.bus.close()
        visitor.say("hello")
        staying = asyncio.create_task(visitor.stay())
        await asyncio.sleep(0.3)
        assert (visitor.code, visitor.heard) == (None, [])
        after = await Server(nats, NEXT).start()
        here.book.owner = NEXT
        visitor.wire.since -= 60  # it has been waiting for longer than any news takes
        here.wires.keep({HERE: 1, NEXT: 1})
        await heard_of(visitor, staying)
        visitor.say("bye")
        await staying
        assert not any(here.book.looks), "it never said that it has the game no more"
        await after.bus.close()

    visitor = played(nats, visit)
    assert visitor.heard == ["hello", "bye"]
    assert visitor.code == 4003


@pytest.mark.usefixtures("impatience")
def test_a_server_that_nobody_hears_sends_the_visitor_on(nats: str) -> None:
    async def visit(here: Server, there: Server, visitor: Visitor) -> None:
        await there.bus.close()
        await visitor.stay()

    assert played(nats, visit).code == 1012


def test_a_visitor_who_goes_leaves_no_wire_behind(nats: str) -> None:
    async def visit(here: Server, there: Server, visitor: Visitor) -> None:
        visitor.say("here")
        staying = asyncio.create_task(visitor.stay())
        await heard_of(visitor, staying)
        assert (len(here.wires.near), len(there.wires.far)) == (1, 1)
        visitor.says.put_nowait({"type": "websocket.disconnect"})
        await staying
        while there.wires.far:
            await asyncio.sleep(0.01)
        assert not here.wires.near

    played(nats, visit)


def test_wires_to_a_server_with_another_wire_of_its_own_end(nats: str) -> None:
    async def visit(here: Server, there: Server, visitor: Visitor) -> None:
        visitor.say("here")
        staying = asyncio.create_task(visitor.stay())
        await heard_of(visitor, staying)
        here.wires.keep({HERE: 1, THERE: 1})
        there.wires.keep({HERE: 1, THERE: 1})
        assert visitor.code is None
        here.wires.keep({HERE: 1, THERE: 2})
        await staying

    assert played(nats, visit).code == 1012
