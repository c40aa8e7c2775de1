"""WebSockets and HTTP, as little as will do: on two cores the players share the machine with the server."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

HANDSHAKE = (
    "GET /ws/{game} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Line(asyncio.Protocol):
    """A WebSocket that tells what it hears, answers pings and reads nothing it need not."""

    def __init__(
        self, request: bytes, hello: bytes, hear: Callable[["Line", bytes], None], lost: Callable[[], None]
    ) -> None:
        self._request, self._hello, self._hear, self._lost = request, hello, hear, lost
        self._data = b""
        self._is_open = False
        self.end = "cut"  # why it ended: the code of the server, or the status of who did not let it in

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        self._lost()

    def data_received(self, data: bytes) -> None:
        data = self._data + data
        if not self._is_open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._data = head
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.end = head.split(b" ")[1].decode()
                self.transport.abort()  # it is told as a line that was lost
                return
            self._is_open = True
            self.send(self._hello)
        start = 0
        while len(data) >= start + 2:
            size, body = data[start + 1], start + 2
            if size == 126:
                size, body = int.from_bytes(data[body : body + 2], "big"), body + 2
            if len(data) < body + size:
                break
            kind, start, payload = data[start] & 0x0F, body + size, data[body : body + size]
            if kind == 1:
                self._hear(self, payload)
            elif kind == 8:
                self.end = str(int.from_bytes(payload[:2], "big"))
                self.transport.close()
            elif kind == 9:
                self.send(payload, 10)
        self._data = data[start:]

    def send(self, payload: bytes, kind: int = 1) -> None:
        self.transport.write(frame(payload, kind))


def frame(payload: bytes, kind: int = 1) -> bytes:
    """The mask is zero: allowed, and free of charge."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2, "big")
    return bytes([0x80 | kind]) + length + b"\0\0\0\0" + payload


async def post(port: int, path: str, body: object) -> dict[str, Any]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode() + data)
    answer = await reader.read()
    writer.close()
    head, _, rest = answer.decode().partition("\r\n\r\n")
    assert head.split()[1] in ("200", "201"), answer
    found: dict[str, Any] = json.loads(rest)
    return found
