"""A line that misbehaves: a TCP proxy that knows where WebSocket messages begin and end.

It drops, doubles, delays and swaps whole messages in both directions, cuts connections before or after any of
them, or swallows from then on whatever is said, and brings copies of what a client said on one line on its
next. Plain HTTP passes through it as well: there it loses requests and answers, keeps both waiting, or brings
a copy of what is asked of the lobby to any server later.
"""

import asyncio
import contextlib
import random
from asyncio import StreamReader, StreamWriter
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

SWALLOWED_SECONDS = 40.0  # longer than either end waits
LATE_SECONDS = 8.0  # by which a copy of a request comes late, at most
LATE = b"POST /api/lobby"
SWAP_PATIENCE = 0.3  # seconds a message waits for another one to overtake it


@dataclass(frozen=True)
class Weather:
    """How likely each fault is, per message."""

    drop: float = 0.01
    double: float = 0.03
    delay: float = 0.05
    swap: float = 0.02
    cut: float = 0.006
    swallow: float = 0.001
    late: float = 0.01
    lose_http: float = 0.03
    swallow_http: float = 0.003
    late_http: float = 0.1  # of those that must not do harm when they come late
    longest_delay: float = 0.25


@dataclass
class _Line:
    """One WebSocket through here."""

    swallows: bool = False
    hello: bytes = b""  # the first that the client says: who it is


class Proxy:
    def __init__(
        self, ports: Callable[[], Sequence[int]], rng: random.Random, weather: Weather | None = None
    ) -> None:
        """Each line leads to one of the ports."""
        self.weather = weather or Weather()
        self.faults: Counter[str] = Counter()
        self._server_ports = ports
        self._late: dict[bytes, list[bytes]] = {}  # by hello: messages that come once more on the next line
        self._rng = rng
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.Task[None] | None] = set()  # else nobody would hold them
        self.port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> "Proxy":
        self._server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for line in list(self._lines):
            if line is not None:
                line.cancel()
        await asyncio.sleep(0)

    async def _meet(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        self._lines.add(task)
        with contextlib.suppress(OSError, EOFError, asyncio.LimitOverrunError, asyncio.CancelledError):
            try:
                await self._join(reader, writer)
            finally:
                writer.transport.abort()
                self._lines.discard(task)

    async def _join(self, reader: StreamReader, writer: StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        far_reader, far_writer = await asyncio.open_connection(
            "127.0.0.1", self._rng.choice(self._server_ports())
        )
        try:
            if not head.startswith(b"GET /ws/"):
                await self._http(head, (reader, writer), (far_reader, far_writer))
                return
            far_writer.write(head)
            answer = await far_reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            line = _Line()
            pumps = [
                asyncio.create_task(self._pump(reader, far_writer, line, of_client=True)),
                asyncio.create_task(self._pump(far_reader, writer, line)),
            ]
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            if line.swallows:  # who is left behind is not told that the other end is gone
                await asyncio.wait(pumps, timeout=SWALLOWED_SECONDS)
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
        finally:
            far_writer.transport.abort()

    async def _http(
        self, head: bytes, near: tuple[StreamReader, StreamWriter], far: tuple[StreamReader, StreamWriter]
    ) -> None:
        """One request and its answer; urllib closes the connection after it."""
        if self._happens(self.weather.lose_http):
            self.faults["requests lost"] += 1
            return
        if self._happens(self.weather.swallow_http):
            self.faults["requests swallowed"] += 1
            await asyncio.sleep(SWALLOWED_SECONDS)
            return
        length = next(
            (line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0"
        )
        asked = head + await near[0].readexactly(int(length.partition(b":")[2]))
        if head.startswith(LATE) and self._happens(self.weather.late_http):
            self._lines.add(asyncio.create_task(self._come_late(asked)))
        far[1].write(asked)
        answer = await far[0].read()
        if self._happens(self.weather.lose_http):
            self.faults["answers lost"] += 1
            return
        near[1].write(answer)
        await near[1].drain()
        near[1].close()
        await near[1].wait_closed()

    async def _come_late(self, asked: bytes) -> None:
        await asyncio.sleep(self._rng.uniform(0, LATE_SECONDS))
        self.faults["late requests"] += 1
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self._rng.choice(self._server_ports())
            )
            try:
                writer.write(asked)
                await reader.read()
            finally:
                writer.transport.abort()
                self._lines.discard(asyncio.current_task())

    def _happens(self, chance: float) -> bool:
        return self._rng.random() < chance

    async def _pump(
        self, reader: StreamReader, writer: StreamWriter, line: _Line, of_client: bool = False
    ) -> None:
        with contextlib.suppress(OSError):
            await self._forward(reader, writer, line, of_client)

    async def _forward(
        self, reader: StreamReader, writer: StreamWriter, line: _Line, of_client: bool
    ) -> None:
        weather, rest = self.weather, b""
        held: bytes | None = None
        while True:
            try:
                async with asyncio.timeout(SWAP_PATIENCE if held else None):
                    data = await reader.read(65536)
            except TimeoutError:
                assert held is not None
                writer.write(held)
                held = None
                continue
            if not data:
                return
            if line.swallows:
                continue
            frames, rest = split(rest + data)
            for frame in frames:
                if frame[0] & 0x0F != 1:  # only texts meet faults; pings and goodbyes pass
                    writer.write(frame)
                    continue
                if of_client and not line.hello:
                    line.hello = text_of(frame)
                    late = self._late.pop(line.hello, [])
                    self.faults["late copies"] += len(late)
                    writer.write(frame + b"".join(late))
                    continue
                if of_client and self._happens(weather.late):
                    self._late.setdefault(line.hello, []).append(frame)
                if self._happens(weather.swallow):
                    self.faults["lines swallowed"] += 1
                    line.swallows = True
                    break
                if self._happens(weather.cut):
                    self.faults["cut"] += 1
                    if self._happens(0.5):  # it may just have arrived
                        writer.write(frame)
                        await asyncio.sleep(0.01)
                    return
                if self._happens(weather.drop):
                    self.faults["dropped"] += 1
                    continue
                if self._happens(weather.delay):
                    self.faults["delayed"] += 1
                    await asyncio.sleep(self._rng.uniform(0, weather.longest_delay))
                if held is None and self._happens(weather.swap):
                    self.faults["swapped"] += 1
                    held = frame
                    continue
                writer.write(frame)
                if self._happens(weather.double):
                    self.faults["doubled"] += 1
                    writer.write(frame)
                if held is not None:
                    writer.write(held)
                    held = None
            await writer.drain()


def text_of(frame: bytes) -> bytes:
    """What a short message of a client says: they are masked."""
    start = 4 if frame[1] & 0x7F == 126 else 2
    mask, body = frame[start : start + 4], frame[start + 4 :]
    return bytes(byte ^ mask[place % 4] for place, byte in enumerate(body))


def split(data: bytes) -> tuple[list[bytes], bytes]:
    """Whole frames, and what is left."""
    return list(_frames(data)), data[_end(data) :]


def _frames(data: bytes) -> Iterator[bytes]:
    start = 0
    while (end := _next(data, start)) is not None:
        yield data[start:end]
        start = end


def _end(data: bytes) -> int:
    start = 0
    while (end := _next(data, start)) is not None:
        start = end
    return start


def _next(data: bytes, start: int) -> int | None:
    """Where the frame that begins here ends; None if it is not whole."""
    if len(data) < start + 2:
        return None
    size, body = data[start + 1] & 0x7F, start + 2
    if size >= 126:
        wide = 2 if size == 126 else 8
        if len(data) < body + wide:
            return None
        size = int.from_bytes(data[body : body + wide], "big")
        body += wide
    body += 4 if data[start + 1] & 0x80 else 0
    return body + size if len(data) >= body + size else None
