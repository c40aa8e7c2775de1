"""A visitor's WebSocket that came in at one server, for a game of another one.

`NearWire` is where the visitor is, `FarWire` where the game is. What either says is numbered: what comes
twice is heard once, what comes too early waits, and where something is missing the visitor is sent away and
comes back, as after any broken wire. A game never depends on what was on its way.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol

from claimeven.server import messages as m
from claimeven.server.cluster.bus import Bus, OutOfReachError
from claimeven.server.cluster.order import BrokenWireError, InOrder
from claimeven.server.cluster.words import Closed, Open, Said, Shut, Told, Words, Yes, scope_of, visit_of
from claimeven.server.doors.limits import Limits
from claimeven.server.doors.socket import RESTART, WIRE, Connection, Receive, Scope, Send
from claimeven.server.errors import RefusedError
from claimeven.server.hub import Hub

OPEN_SECONDS = 5.0  # for the other server to take a wire
NEWS_SECONDS = 1.5  # until every server has heard that another one is there
HOLE_SECONDS = 1.0  # that a message may be late
HOLD_SECONDS = 7.0  # that a visitor waits here for a game whose server is gone; clients wait for 9
Play = Callable[[Scope, Receive, Send], Any]


class Way(Protocol):
    """Where games are."""

    async def after(self, game: str, owner: int, has_answered: bool) -> int | None:
        """A moment later, whose it is: that server did not take it, or did not even answer. None: ours, or
        nobody's."""

    def forget(self, game: str) -> None:
        """It is not where it was thought to be."""


class Relayed(m.Outgoing):
    """A frame as the other server made it."""

    __slots__ = ()

    def __init__(self, frame: bytes) -> None:
        self._frame = frame

    @property
    def text(self) -> str:  # for doors without frames, as in tests of the application alone
        assert self._frame is not None
        return self._frame[2 if self._frame[1] < 126 else 4 :].decode()


class NearWire(Connection):
    """Hears the visitor, and sends what the other server tells."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, limits: Limits, wires: "Wires", owner: int
    ) -> None:
        super().__init__(scope, receive, send, limits)
        self.owner = owner
        self.run_of_owner = 0  # its wire to NATS, as far as known
        self.since = time.monotonic()
        self.number = 0
        self._asking: asyncio.Future[Words | None] | None = None  # whether it takes the wire
        self._visit = visit_of(scope)
        self._wires = wires
        self._said = 0
        self._told: InOrder[tuple[bytes, ...] | int] = InOrder()

    async def _read_all(self, hub: Hub) -> None:
        wires = self._wires
        end = time.monotonic() + HOLD_SECONDS
        try:
            while not (taken := await self._is_taken()):
                if time.monotonic() > end:
                    raise RefusedError("busy.elsewhere")
                owner = await wires.way.after(self._game, self.owner, has_answered=taken is False)
                if owner is None:
                    await super()._read_all(hub)
                    return
                self.owner = owner
            if self._wire is not None:
                self._wire.hear = self._say
            while True:
                self._say(await self._next())
        except EOFError:
            self.close(1000)
        except OutOfReachError:
            self.close(RESTART)
        except Exception as error:
            self._end(error)
        finally:
            self._hang_up()

    async def _is_taken(self) -> bool | None:
        """Whether the other server takes the wire; None: nobody hears. OutOfReachError: nor do we."""
        wires, bus = self._wires, self._wires.bus
        self.number, self.since, self.run_of_owner = wires.new_number(), time.monotonic(), 0
        wires.near[self.number] = self
        opening = Open(wires.id(), bus.run, self.number, self._game, self._visit)
        self._asking = asyncio.ensure_future(bus.ask(self.owner, opening, OPEN_SECONDS))
        answer: Words | None = None
        try:
            await asyncio.wait((self._asking,))
            if not self._asking.cancelled():
                answer = self._asking.result()
        except OutOfReachError:
            if not bus.run:
                raise
        finally:
            self._asking.cancel()
            self._asking = None
            if not isinstance(answer, Yes):
                self._hang_up()
        if isinstance(answer, Yes):
            self.run_of_owner = answer.run
            return True
        return None if answer is None else False

    def _hang_up(self) -> None:
        if self._wires.near.pop(self.number, None) is not None:
            self._wires.bus.tell(self.owner, Shut(self._wires.id(), self.number))

    def owner_is_gone(self) -> None:
        """Who still waits for its word looks for the next one; else what it told may be missing."""
        if self._asking is not None:
            self._asking.cancel()
        else:
            self._wires.way.forget(self._game)
            self.close(RESTART)

    def _say(self, text: str | bytes) -> None:
        rtt = self._wire.last_ping_rtt if self._wire else 0.0
        said = text.encode() if isinstance(text, str) else text
        self._wires.bus.tell(self.owner, Said(self._wires.id(), self.number, self._said, said, rtt))
        self._said += 1

    def hear(self, number: int, told: tuple[bytes, ...] | int) -> None:
        """Frames, or the close code."""
        try:
            for item in self._told.come(number, told):
                if isinstance(item, int):
                    self._wires.way.forget(self._game)  # which is elsewhere soon, or gone
                    self.close(item)
                else:
                    for frame in item:
                        self.send(Relayed(frame))
        except BrokenWireError:
            self.close(RESTART)
        if self._told.has_hole:
            self._loop.call_later(HOLE_SECONDS, self._check_hole, self._told.next)

    def _check_hole(self, missing: int) -> None:
        if self._told.has_hole and self._told.next == missing:
            self.close(RESTART)


class FarWire:
    """The wire of a `Connection` here, to a visitor at another server."""

    def __init__(self, wires: "Wires", word: Open) -> None:
        self.last_ping_rtt = 0.0
        self.hear: Callable[[str | bytes], None] | None = None
        self.since = time.monotonic()
        self.server = word.server
        self.run_of_server = word.run
        self._number = word.wire
        self._wires = wires
        self._told = 0
        self._said: InOrder[Said] = InOrder()
        self._heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._is_gone = False
        self._loop = asyncio.get_running_loop()

    # As a wire of the network ----------------------------------------------------------------------------

    def send_frames(self, frames: list[bytes]) -> bool:
        if self._is_gone:
            return False
        self._wires.bus.tell(self.server, Told(self._wires.id(), self._number, self._told, tuple(frames)))
        self._told += 1
        return True

    async def drained(self) -> None:
        if self._is_gone:
            raise ConnectionError

    def abort(self) -> None:
        self._close(RESTART)

    # As ASGI ---------------------------------------------------------------------------------------------

    async def play(self, word: Open, play: Play) -> None:
        scope = scope_of(word.visit, "websocket")
        scope["path_params"] = {"game": word.game}
        scope[WIRE] = self
        self._heard.put_nowait({"type": "websocket.connect"})
        try:
            await play(scope, self._heard.get, self._send)
        finally:
            self._close(RESTART)
            self.hear = None

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.close":
            self._close(message["code"])

    def _close(self, code: int) -> None:
        if not self._is_gone:
            self._is_gone = True
            self._wires.bus.tell(self.server, Closed(self._number, self._told, code))

    # From the other server -------------------------------------------------------------------------------

    def said(self, word: Said) -> None:
        try:
            for one in self._said.come(word.number, word):
                self.last_ping_rtt = one.rtt
                if self.hear is not None and self._heard.empty():
                    self.hear(one.text)
                else:
                    self._heard.put_nowait({"type": "websocket.receive", "bytes": one.text})
        except BrokenWireError:
            self.abort()
        if self._heard.qsize() > MAX_UNHEARD:
            self.abort()
        if self._said.has_hole:
            self._loop.call_later(HOLE_SECONDS, self._check_hole, self._said.next)

    def _check_hole(self, missing: int) -> None:
        if self._said.has_hole and self._said.next == missing:
            self.abort()
            self.shut()

    def shut(self) -> None:
        """The visitor is gone."""
        self._is_gone = True
        self._heard.put_nowait({"type": "websocket.disconnect", "code": 1006})


MAX_UNHEARD = 128  # messages of a visitor whose game is being loaded
REMEMBERED = 4096  # wires that have ended: a copy of their first word begins no new one


class Wires:
    """Those of one server, in both directions."""

    def __init__(self, bus: Bus, id: Callable[[], int], way: Way) -> None:
        """`id` is this server's."""
        self.bus = bus
        self.id = id
        self.way = way
        self.near: dict[int, NearWire] = {}
        self.far: dict[tuple[int, int], FarWire] = {}
        self._ended: OrderedDict[tuple[int, int], None] = OrderedDict()  # of the far ones, the last
        self._numbers = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def new_number(self) -> int:
        self._numbers += 1
        return self._numbers

    def open(self, word: Open, play: Play) -> bool:
        """Take a wire of another server; False if it was taken already."""
        key = word.server, word.wire
        if key in self.far or key in self._ended:
            return False
        wire = self.far[key] = FarWire(self, word)
        task = asyncio.get_running_loop().create_task(wire.play(word, play))
        self._tasks.add(task)

        def ended(task: "asyncio.Task[None]") -> None:
            self._tasks.discard(task)
            self.far.pop(key, None)
            self._ended[key] = None
            if len(self._ended) > REMEMBERED:
                self._ended.popitem(last=False)
            if not task.cancelled():
                task.exception()

        task.add_done_callback(ended)
        return True

    def heard(self, word: Said | Shut | Told | Closed) -> None:
        match word:
            case Said():
                if (far := self.far.get((word.server, word.wire))) is not None:
                    far.said(word)
            case Shut():
                if (far := self.far.get((word.server, word.wire))) is not None:
                    far.shut()
            case Told():
                if (near := self.near.get(word.wire)) is not None:
                    near.hear(word.number, word.frames)
                else:  # nobody is at that end
                    self.bus.tell(word.server, Shut(self.id(), word.wire))
            case Closed():
                if (near := self.near.get(word.wire)) is not None:
                    near.hear(word.number, word.code)

    def keep(self, wired: dict[int, int]) -> None:
        """Wires to servers that are gone, or have another wire to NATS, end. `wired`: those that live."""
        for near in list(self.near.values()):
            if is_dead(wired.get(near.owner, 0), near.run_of_owner, near.since):
                near.owner_is_gone()
        for far in list(self.far.values()):
            if is_dead(wired.get(far.server, 0), far.run_of_server, far.since):
                far.shut()

    def cut(self) -> None:
        """All of them: the wire is broken."""
        for near in list(self.near.values()):
            near.close(RESTART)
        for far in list(self.far.values()):
            far.shut()


def is_dead(wired: int, run: int, since: float) -> bool:
    """Of what is known of the other server: that may be older than the wire itself."""
    return wired > run > 0 if wired else time.monotonic() - since > NEWS_SECONDS
