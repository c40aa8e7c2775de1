"""One WebSocket: a raw ASGI application, so that a frame takes the shortest way to its room."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

from websockets.exceptions import InvalidState

from claimeven.server import messages as m
from claimeven.server.doors.limits import Bucket, Limits
from claimeven.server.errors import RefusedError
from claimeven.server.game.room import Room
from claimeven.server.hub import NO_GAME, Hub
from claimeven.server.tokens import hash_of

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

POLICY, TOO_BIG, SERVER_ERROR, RESTART = 1008, 1009, 1011, 1012
FORBIDDEN, NO_HELLO = 4003, 4008
LINE = "claimeven.line"  # in the scope: the line itself, under run.py's server


class Line(Protocol):
    """What the network below can do beyond ASGI (lines/guard.py)."""

    last_ping_rtt: float  # seconds, measured by the server's own pings

    def abort(self) -> None: ...

    async def send_texts(self, texts: list[str]) -> None:
        """Several messages in one packet."""


class Connection:
    """A guest at a room: what is sent waits here until the network takes it, up to a bound."""

    door = "WebSocket"

    def __init__(self, scope: Scope, receive: Receive, send: Send, limits: Limits) -> None:
        self.token_hash: str | None = None
        self.said_bye = False
        self.room: Room | None = None
        self.address = limits.address(scope)
        self.visitor = limits.visitor(scope)
        self._scope = scope
        self._receive = receive
        self._send = send
        self._limits = limits
        self._waiting: deque[str] = deque()
        self._size = 0
        self._has_more = asyncio.Event()
        self._closing: int | None = None
        self._reader: asyncio.Task[None] | None = None

    @property
    def lag(self) -> int:
        line = self._line
        return int(line.last_ping_rtt * 1000) if line else 0

    @property
    def _line(self) -> Line | None:
        line: Line | None = self._scope.get(LINE)
        return line

    def send(self, told: m.Outgoing) -> None:
        if self._closing is not None:
            return
        text = told.text
        self._size += len(text)
        if self._size > self._limits.max_unsent:
            self._limits.counters["slow_readers"] += 1
            self._limits.blame(self.address, "unread")
            self._waiting.clear()
            self.close(POLICY)
            if line := self._line:
                line.abort()  # it does not read: it would not read the goodbye either
            return
        self._waiting.append(text)
        self._has_more.set()

    def close(self, code: int) -> None:
        """Send what is waiting, then this close code."""
        if self._closing is None:
            self._closing = code
            self._has_more.set()

    async def run(self, hub: Hub, game: str) -> None:
        """Until one of both sides ends it."""
        await self._send({"type": "websocket.accept"})
        sender = asyncio.create_task(self._send_all())
        self._reader = asyncio.create_task(self._read_all(hub, game))
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
                while self._waiting:
                    texts = list(self._waiting)
                    self._waiting.clear()
                    await self._send_texts(texts)
                    self._size -= sum(map(len, texts))
                if self._closing is not None:
                    await self._send({"type": "websocket.close", "code": self._closing})
                    return
        except (OSError, RuntimeError, InvalidState):  # gone: uvicorn raises an OSError for that
            return

    async def _send_texts(self, texts: list[str]) -> None:
        if line := self._line:
            await line.send_texts(texts)
            return
        for text in texts:  # under another server than run.py's
            await self._send({"type": "websocket.send", "text": text})

    async def _read_all(self, hub: Hub, game: str) -> None:
        room: Room | None = None
        try:
            hello = await self._hello()
            room = await hub.room(game)
            if hello.token is not None:
                token_hash = hash_of(hello.token)
                if not room.session.knows(token_hash):
                    self.close(FORBIDDEN)
                    return
                self.token_hash = token_hash
            self.room = room
            room.enter(self)
            await self._talk(room)
        except RefusedError as error:
            codes = {"no_such_game": NO_GAME, "no_hello": NO_HELLO, "rate": POLICY, "busy": RESTART}
            if error.code == "bad_message":
                self.send(m.Outgoing(m.Error(None, error.code, error.message)))
            self.close(codes.get(error.code, POLICY))
        except EOFError:
            self.close(1000)
        except Exception:
            hub.log.exception("connection failed", extra={"game": game})
            self.close(SERVER_ERROR)
        finally:
            if room is not None:
                room.leave(self)

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
        while True:
            text = await self._next()
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
                self.send(m.Outgoing(m.Error(id, error.code, error.message)))
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
            await connection.run(hub(), scope["path_params"]["game"])
        finally:
            limits.sockets.discard(connection)

    return play
