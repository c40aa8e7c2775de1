"""Answers travel compressed to who can read them so, also those that come line by line."""

import zlib
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

KINDS = (b"application/json", b"application/x-ndjson")  # files of the page are kept compressed (files.py)
LEAST = 1024  # bytes; less gains nothing
GZIP = 16 + zlib.MAX_WBITS


def packed(scope: Message, send: Send) -> Send:
    """`send`, in between which answers of text are compressed; each part can be read as soon as it comes."""
    if b"gzip" not in dict(scope["headers"]).get(b"accept-encoding", b""):
        return send
    held: Message | None = None  # the start, until it is known how the answer goes on
    packer: Any = None

    async def pack(message: Message) -> None:
        nonlocal held, packer
        if message["type"] == "http.response.start":
            if _is_text(message["headers"]):
                held = message
            else:
                await send(message)
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        if held is not None:
            start, held = held, None
            if more or len(body) >= LEAST:
                packer = zlib.compressobj(6, zlib.DEFLATED, GZIP)
                start["headers"] = _told(start["headers"])
            await send(start)
        if packer is not None:
            small = packer.compress(body) + packer.flush(zlib.Z_SYNC_FLUSH if more else zlib.Z_FINISH)
            message = {**message, "body": small}
        await send(message)

    return pack


def _is_text(headers: list[tuple[bytes, bytes]]) -> bool:
    given = dict(headers)
    return given.get(b"content-type", b"").startswith(KINDS) and b"content-encoding" not in given


def _told(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in headers if name != b"content-length"]
    return [*kept, (b"content-encoding", b"gzip"), (b"vary", b"Accept-Encoding")]
