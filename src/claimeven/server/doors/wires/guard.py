"""What uvicorn leaves open: connections that say nothing, half a request, or never read their answer."""

import asyncio
import json
import logging
import random
import re
import time
from collections.abc import Callable
from http import HTTPStatus

import h11
from uvicorn._types import HTTPScope
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from claimeven.server.doors.files import GIVEN, asked
from claimeven.server.doors.limits import Bucket, Limits
from claimeven.server.doors.socket import POLICY, WIRE, Scope
from claimeven.server.doors.wires.turns import Turns
from claimeven.server.errors import RefusedError

SLICE = 512  # bytes that are read at once: what is counted afterwards must not take long before
DEAF_SECONDS = 1.0
MAX_UNREAD = 16  # messages of one WebSocket that wait for the application
INVALID_DATA = 1007
HEAD_END = b"\r\n\r\n"
BODY = (b"content-length", b"transfer-encoding")  # no handshake has one
WIRE_SECONDS = 0.0003  # that a wire takes which says nothing: so much was seen
FORWARDED = re.compile(rb"\r\n(x-forwarded-for):[ \t]*([^\r\n]*)", re.IGNORECASE)
# What uvicorn says of clients that break the rules: strangers must not fill the log, still less with traces.
FAULTS_OF_CLIENTS = ("Invalid HTTP request received.", "Invalid UTF-8 sequence received from client.")
logging.getLogger("uvicorn.error").addFilter(lambda record: record.getMessage() not in FAULTS_OF_CLIENTS)


def _refusal(error: RefusedError) -> bytes:
    """The answer to whoever is one too many, whatever they were going to ask."""
    body = json.dumps({"error": {"code": error.code, "message": error.message}})
    head = f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode()


def protocols(limits: Limits) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
    """The classes that speak HTTP and WebSocket, within these limits."""
    turns = Turns()

    class GuardedHttp(H11Protocol):
        """A request must be whole, and an answer be read, within seconds."""

        _timer: asyncio.TimerHandle | None = None
        _address: str | None = None
        _visitor: str = ""  # whose request it is, as far as can be seen before it is read
        _waiting: bool = False  # for its turn to be read
        _is_new: bool = True  # nothing was said on it yet

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            address = self.client[0] if self.client else ""
            try:
                limits.enter(address)
            except RefusedError as error:
                transport.write(_refusal(error))
                transport.close()
                return
            self._address = address
            self._arm(limits.header_seconds)

        def connection_lost(self, exc: Exception | None) -> None:
            self._disarm()
            self._uncount()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if self.conn.their_state is h11.IDLE and not self._waiting:
                self._visitor = self._whose(data)
                if limits.is_spent(self._visitor):
                    limits.charge(self._visitor, self._wire_seconds())
                    self._refuse()
                    return
            if not turns.take(self._visitor, lambda: self._read(data)):
                self._waiting = True
                self.transport.pause_reading()

        def _whose(self, data: bytes) -> str:
            """Where a proxy brings it, what it says of the visitor is looked for without reading the rest."""
            peer = self.client[0] if self.client else ""
            if peer not in limits.proxies:
                return limits.visitor_at(peer)
            named = FORWARDED.findall(data.partition(HEAD_END)[0])
            return limits.visitor_at(
                limits.proxies.behind(peer, ((name.lower(), value) for name, value in named))
            )

        def _refuse(self) -> None:
            """Whoever had more of the loop's time than one may is told so, a little later and without being
            understood: that is what would take time."""
            limits.counters["refused"] += 1
            limits.blame(self._visitor, "time")
            self._disarm()
            self.transport.pause_reading()
            self._timer = self.loop.call_later(limits.spent_seconds, self._send_away)

        def _send_away(self) -> None:
            self.transport.write(_refusal(RefusedError("rate.requests")))
            self.transport.close()

        def _read(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            if self._waiting:
                self._waiting = False
                if not self.flow.read_paused:
                    self.transport.resume_reading()
            before = self.scope
            began = time.thread_time()  # to ask for it takes time too
            super().data_received(data)
            taken = time.thread_time() - began + self._wire_seconds()
            if not self._is_given(before):
                limits.charge(self._visitor, taken)
            if self.transport.get_protocol() is not self:
                return  # it is a WebSocket now
            if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
                if self._timer is None:
                    self._arm(limits.header_seconds)
            else:
                self._disarm()

        def _wire_seconds(self) -> float:
            """What it took that this wire came, once."""
            is_new, self._is_new = self._is_new, False
            return WIRE_SECONDS if is_new else 0.0

        def _is_given(self, before: HTTPScope) -> bool:
            """Whether a request begins here for a file of the page: everybody is given many of those."""
            scope = self.scope
            if scope is before or any(name in BODY for name, _ in scope["headers"]):
                return False
            file = asked(scope["method"], scope["path"])
            if file is None or not limits.take_file(limits.visitor(scope)):  # type: ignore[arg-type]
                return False
            scope.setdefault("extensions", {})[GIVEN] = {}
            return True

        def _unsupported_upgrade_warning(self) -> None:
            """Who asks for another protocol gets plain HTTP; a line in the log each would fill the disk."""

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            self._disarm()
            if any(name in BODY for name, _ in self.headers):
                self._refuse_upgrade()
                return
            address, self._address = self._address, None  # the WebSocket counts from here
            super().handle_websocket_upgrade(event)
            protocol = self.transport.get_protocol()
            assert isinstance(protocol, GuardedSocket)
            protocol.address, protocol.visitor = address, self._visitor
            if not protocol.handshake_initiated:  # too many headers: it would wait for ever
                self._refuse_upgrade()

        def _refuse_upgrade(self) -> None:
            limits.counters["refused"] += 1
            self.transport.write(_refusal(RefusedError("bad_message.upgrade")))
            self.transport.close()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._arm(limits.write_seconds)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._disarm()

        def _arm(self, seconds: float) -> None:
            self._disarm()
            self._timer = self.loop.call_later(seconds, self._cut)

        def _disarm(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _cut(self) -> None:
            limits.counters["cut"] += 1
            self.transport.abort()

        def _uncount(self) -> None:
            if self._address is not None:
                limits.leave(self._address)
                self._address = None

    class GuardedSocket(WebSocketsSansIOProtocol):
        """Tells the application how long its wire is, and lets it cut it or send much at once.

        Every frame counts, not only messages: pings, pongs and empty fragments cost as much as they do.
        """

        address: str | None = None
        visitor: str = ""
        hear: Callable[[str | bytes], None] | None = None
        _last_words: asyncio.TimerHandle | None = None
        _is_deaf: bool = False
        _frames: Bucket

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            self._frames = Bucket(limits.frames_burst, limits.frames_per_second)

        def data_received(self, data: bytes) -> None:
            if self._is_deaf:
                return
            began = time.thread_time() if self.visitor else 0.0
            if len(data) <= SLICE:
                super().data_received(data)
            else:
                self._read_in_slices(data)
            if self.visitor:
                limits.charge(self.visitor, time.thread_time() - began)

        def _read_in_slices(self, data: bytes) -> None:
            for start in range(0, len(data), SLICE):
                if self._is_deaf or self.transport.is_closing():
                    return
                super().data_received(data[start : start + SLICE])

        def handle_events(self) -> None:
            if self.handshake_complete and not self._frames.take(len(self.conn.events)):
                self._hear_no_more()
                return
            super().handle_events()
            if self.transport.get_write_buffer_size() > limits.max_unsent:
                limits.counters["slow_readers"] += 1
                self._blame("unread")
                self.abort()

        def _blame(self, limit: str) -> None:
            scope: Scope = self.scope  # type: ignore[assignment]
            limits.blame(limits.address(scope), limit)

        def _hear_no_more(self) -> None:
            """Too many frames: say so, read no more of them, for that alone takes time, and cut it a moment
            later: at once, the goodbye would be lost."""
            limits.counters["rate_closed"] += 1
            self._blame("frames")
            self._is_deaf = True
            self.stop_keepalive()
            self.conn.events_received()
            self.queue.put_nowait({"type": "websocket.disconnect", "code": POLICY})
            if self.conn.state is State.OPEN:
                self.conn.send_close(POLICY)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.pause_reading()
            self.close_timer = self.loop.call_later(DEAF_SECONDS, self.transport.abort)

        def keepalive_timeout(self) -> None:
            super().keepalive_timeout()
            if self.transport.get_write_buffer_size():  # it would not read the goodbye either
                self.abort()

        async def run_asgi(self) -> None:
            scope: Scope = self.scope  # type: ignore[assignment]
            scope[WIRE] = self
            try:
                await super().run_asgi()
            finally:  # no circles: they would wait for the garbage collector, and it makes games wait
                del scope[WIRE]
                self.hear = None
                if not self.disconnected:
                    self._last_words = self.loop.call_later(limits.write_seconds, self.transport.abort)

        def schedule_ping(self) -> None:
            """Those who came at once, after a restart, are not all asked at once for ever after."""
            assert self.ping_interval is not None
            delay = self.ping_interval * random.uniform(0.7, 1.0)
            self.ping_timer = self.loop.call_later(delay, self.send_keepalive_ping)

        def send_receive_event_to_app(self) -> None:
            """Let some messages wait before reading stops: to do so for each takes two system calls."""
            if self.hear is not None and self.queue.empty() and not self.close_sent:
                self._be_heard(self.hear)
                return
            if self.read_paused or self.queue.qsize() >= MAX_UNREAD:
                super().send_receive_event_to_app()
                return
            self.read_paused = True  # or so uvicorn is told: then it does not stop reading
            try:
                super().send_receive_event_to_app()
            finally:
                self.read_paused = False

        def _be_heard(self, hear: Callable[[str | bytes], None]) -> None:
            """Without the queue, and the task that waits there."""
            data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
            self.frames = []
            if self.curr_msg_data_type == "bytes":
                hear(data)
                return
            try:
                text = data.decode()
            except UnicodeDecodeError:
                self.conn.send_close(INVALID_DATA)
                self.handle_parser_exception()
                return
            hear(text)

        def abort(self) -> None:
            self.transport.abort()

        def send_frames(self, frames: list[bytes]) -> bool:
            """Several messages in one packet: sending is what a server spends most of its time with."""
            can_send = not self._is_gone and self.writable.is_set()
            if can_send:
                self.transport.write(b"".join(frames))
            return can_send

        async def drained(self) -> None:
            await self.writable.wait()
            if self._is_gone:
                raise ConnectionError

        @property
        def _is_gone(self) -> bool:
            return self.disconnected or self.close_sent or self.conn.state is not State.OPEN

        def connection_lost(self, exc: Exception | None) -> None:
            if self.address is not None:
                limits.leave(self.address)
                self.address = None
            if self._last_words is not None:
                self._last_words.cancel()
            super().connection_lost(exc)
            self.conn.parser.close()  # a generator that holds its own connection

    return GuardedHttp, GuardedSocket
