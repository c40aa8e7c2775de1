"""One WebSocket: a raw ASGI application, so that a frame takes the shortest way to its room."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

from websockets.exceptions import InvalidState

from claimeven.server import messages as m
from claimeven.server.doors.limits import Bucket, Limits
from claimeven.server.errors import RefusedError
from claimeven.server.game.room import Room
from claimeven.server.hub import NO_GAME, Hub
from claimeven.server.logs import HEADER, request_id
from claimeven.server.tokens import hash_of

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

POLICY, TOO_BIG, SERVER_ERROR, RESTART = 1008, 1009, 1011, 1012
FORBIDDEN, NO_HELLO = 4003, 4008
log = logging.getLogger("claimeven.server")
WIRE = "claimeven.wire"  # in the scope: the wire itself, under run.py's server


class Wire(Protocol):
    """What the network below can do beyond ASGI (wires/guard.py)."""

    last_ping_rtt: float  # seconds, measured by the server's own pings
    hear: Callable[[str | bytes], None] | None  # messages go there at once, and wait for nobody

    def send_frames(self, frames: list[bytes]) -> bool:
        """Several messages in one packet; whether it could."""

    async def drained(self) -> None:
        """Until it can send; OSError if it never will."""

    def abort(self) -> None: ...


class Connection:
    """A guest at a room: what is sent waits here until the network takes it, up to a bound."""

    door = "WebSocket"

    def __init__(self, scope: Scope, receive: Receive, send: Send, limits: Limits) -> None:
        self.token_hash: str | None = None
        self.said_bye = False
        self.room: Room | None = None
        self.address = limits.address(scope)
        self.visitor = limits.visitor(scope)
        self._id = request_id.get()  # of all that is asked on it
        self._wire: Wire | None = scope.get(WIRE)
        self._game = str(scope["path_params"]["game"])
        self._receive = receive
        self._send = send
        self._limits = limits
        self._waiting: list[m.Outgoing] = []
        self._size = 0
        self._is_due = False  # what waits is sent at the end of this round of the loop
        self._has_more = asyncio.Event()  # for the task: the wire takes no more for now, or is to be closed
        self._loop = asyncio.get_running_loop()
        self._closing: int | None = None
        self._reader: asyncio.Task[None] | None = None

    @property
    def is_closing(self) -> bool:
        return self._closing is not None

    @property
    def lag(self) -> int:
        return int(self._wire.last_ping_rtt * 1000) if self._wire else 0

    def send(self, told: m.Outgoing) -> None:
        if self._closing is not None:
            return
        self._size += len(told.frame)
        if self._size > self._limits.max_unsent:
            self._limits.counters["slow_readers"] += 1
            self._limits.blame(self.address, "unread")
            self._waiting.clear()
            self.close(POLICY)
            if self._wire is not None:
                self._wire.abort()  # it does not read: it would not read the goodbye either
            return
        self._waiting.append(told)
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._send_now)

    def _send_now(self) -> None:
        """Without waking a task, as long as the wire takes it."""
        self._is_due = False
        if self._waiting and not self._is_sent_at_once():
            self._has_more.set()

    def _is_sent_at_once(self) -> bool:
        if self._wire is None or not self._wire.send_frames([told.frame for told in self._waiting]):
            return False
        self._waiting.clear()
        self._size = 0
        return True

    def close(self, code: int) -> None:
        """Send what is waiting, then this close code."""
        if self._closing is None:
            self._closing = code
            self._has_more.set()

    async def run(self, hub: Hub) -> None:
        """Until one of both sides ends it."""
        await self._send({"type": "websocket.accept", "headers": [(HEADER, self._id.encode())]})
        sender = asyncio.create_task(self._send_all())
        self._reader = asyncio.create_task(self._read_all(hub))
        try:
            await asyncio.wait((sender, self._reader), return_when=asyncio.FIRST_COMPLETED)
            if not sender.done():  # the client left, or the last words are still to be sent
                self.close(1000)
                await asyncio.wait((sender,), timeout=5)
        finally:
            for task in (sender, self._reader):
                task.cancel()
            await asyncio.gather(sender, self._reader, return_exceptions=True)

    async def _send_all(self) -> None:
        try:
            while True:
                await self._has_more.wait()
                self._has_more.clear()
                await self._send_waiting()
                if self._closing is not None:
                    await self._send({"type": "websocket.close", "code": self._closing})
                    return
        except (OSError, RuntimeError, InvalidState):  # gone: uvicorn raises an OSError for that
            return

    async def _send_waiting(self) -> None:
        if self._wire is not None:
            while self._waiting and not self._is_sent_at_once():
                await self._wire.drained()
            return
        while self._waiting:  # under another server than run.py's
            told = self._waiting.pop(0)
            await self._send({"type": "websocket.send", "text": told.text})
            self._size -= len(told.frame)

    async def _read_all(self, hub: Hub) -> None:
        room: Room | None = None
        try:
            hello = await self._hello()
            room = await hub.room(self._game)
            if hello.token is not None:
                token_hash = hash_of(hello.token)
                if not room.session.knows(token_hash):
                    self.close(FORBIDDEN)
                    return
                self.token_hash = token_hash
            self.room = room
            room.enter(self)
            await self._talk(room)
        except EOFError:
            self.close(1000)
        except Exception as error:
            self._end(error)
        finally:
            if room is not None:
                room.leave(self)

    def _end(self, error: Exception) -> None:
        """Something went wrong, on one of both sides: say so and hear no more."""
        if not isinstance(error, RefusedError):
            log.error("connection failed", exc_info=error, extra={"game": self._game})
            self.close(SERVER_ERROR)
            return
        codes = {"no_such_game": NO_GAME, "no_hello": NO_HELLO, "rate": POLICY, "busy": RESTART}
        if error.code == "bad_message":
            self.send(m.Outgoing(m.Error.of(None, error)))
        self.close(codes.get(error.code, POLICY))

    async def _hello(self) -> m.Hello:
        try:
            async with asyncio.timeout(self._limits.hello_seconds):
                message = m.parse(await self._next())
        except TimeoutError:
            raise RefusedError("no_hello.late") from None
        if not isinstance(message, m.Hello):
            raise RefusedError("bad_message.first")
        if message.protocol != m.PROTOCOL:
            raise RefusedError("bad_message.protocol", protocol=m.PROTOCOL)
        return message

    async def _talk(self, room: Room) -> None:
        bucket = Bucket(self._limits.messages_burst, self._limits.messages_per_second)

        def hear(text: str | bytes) -> None:
            if self._closing is None:
                before = request_id.set(self._id)
                try:
                    self._hear(room, bucket, text)
                except Exception as error:
                    self._end(error)
                finally:  # who calls may hear others, too
                    request_id.reset(before)

        if self._wire is not None:
            self._wire.hear = hear
        while True:  # those that came before, and all under another server than run.py's
            hear(await self._next())

    def _hear(self, room: Room, bucket: Bucket, text: str | bytes) -> None:
        if not bucket.take() or not self._limits.take_message(self.visitor):
            self._limits.counters["rate_closed"] += 1
            self._limits.blame(self.address, "messages")
            raise RefusedError("rate.messages")
        id: str | None = None
        try:
            message = m.parse(text)
            id = getattr(message, "id", None)
            self._do(room, message)
        except RefusedError as error:
            self.send(m.Outgoing(m.Error.of(id, error)))
            if error.needs_state:
                room.show(self)

    def _do(self, room: Room, message: m.FromClient) -> None:
        match message:
            case m.Hello():
                raise RefusedError("bad_message.hello")
            case m.Sync():
                room.show(self)
            case m.Ping(id=id):
                self.send(m.Outgoing(m.Pong(id)))
            case m.Bye():
                self.said_bye = True
            case _:
                room.request(self, message)

    async def _next(self) -> str | bytes:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise EOFError
        text: str | bytes | None = message.get("text")
        return text if text is not None else message.get("bytes") or b""


def endpoint(hub: Callable[[], Hub], limits: Limits) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    async def play(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        connection = Connection(scope, receive, send, limits)
        limits.sockets.add(connection)
        try:
            await connection.run(hub())
        finally:
            limits.sockets.discard(connection)

    return play
