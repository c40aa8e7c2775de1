"""Attacks of one visitor on a server, for attacks.py: each goes on for some seconds."""

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Target(NamedTuple):
    """A server, and the address that its proxy says we have."""

    port: int
    address: str


def frame(payload: bytes, kind: int = 0x81) -> bytes:
    """As a client sends it, masked by nothing."""
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
    return bytes([kind]) + size + bytes(4) + payload


async def connect(target: Target) -> Line:
    return await asyncio.open_connection("127.0.0.1", target.port)


def head(target: Target, method: str, path: str, *more: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"X-Forwarded-For: {target.address}", *more]
    return "\r\n".join((*lines, "", "")).encode()


async def request(target: Target, method: str, path: str, body: object = None) -> tuple[int, dict[str, Any]]:
    reader, writer = await connect(target)
    try:
        data = b"" if body is None else json.dumps(body).encode()
        more = ["Content-Type: application/json", f"Content-Length: {len(data)}", "Connection: close"]
        writer.write(head(target, method, path, *more) + data)
        answer = await reader.read()
    finally:
        writer.close()
    top, _, rest = answer.partition(b"\r\n\r\n")
    with contextlib.suppress(ValueError):
        return int(top.split()[1]), json.loads(rest)
    return 0, {}


UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
)


async def open_socket(target: Target, game: str, token: str | None = None) -> Line:
    reader, writer = await connect(target)
    writer.write(head(target, "GET", f"/ws/{game}", *UPGRADE))
    await reader.readuntil(b"\r\n\r\n")
    hello: dict[str, object] = {"t": "hello", "protocol": 1} | ({"token": token} if token else {})
    writer.write(frame(json.dumps(hello).encode()))
    return reader, writer


async def new_game(target: Target, *kinds: str, **wishes: object) -> dict[str, Any]:
    seats = [{"kind": kind} if kind == "me" else {"kind": "agent", "agent": kind} for kind in kinds]
    return (await request(target, "POST", "/api/games", {"seats": seats, **wishes}))[1]


async def again(seconds: float, many: int, once: Callable[[], Awaitable[object]]) -> None:
    """So many at a time, each again and again, whatever becomes of it."""
    end = time.monotonic() + seconds

    async def one() -> None:
        while time.monotonic() < end:
            with contextlib.suppress(OSError, EOFError, asyncio.IncompleteReadError, KeyError):
                await once()
            await asyncio.sleep(0)

    await asyncio.gather(*(one() for _ in range(many)))


async def _flood(target: Target, seconds: float, piece: bytes, sockets: int, reads: bool) -> None:
    game = str((await new_game(target, "me", "me"))["game"])

    async def once() -> None:
        reader, writer = await open_socket(target, game)
        try:
            while True:
                writer.write(piece * 200)
                await writer.drain()
                if reads:
                    await asyncio.sleep(0)
                if writer.transport.is_closing() or reader.at_eof():
                    return
        finally:
            writer.transport.abort()

    await again(seconds, sockets, once)


async def pings_that_nobody_reads(target: Target, seconds: float) -> None:
    await _flood(target, seconds, frame(b"x" * 125, 0x89), 3, reads=False)


async def empty_pings(target: Target, seconds: float) -> None:
    await _flood(target, seconds, frame(b"", 0x89), 20, reads=True)


async def empty_pongs(target: Target, seconds: float) -> None:
    await _flood(target, seconds, frame(b"", 0x8A), 20, reads=True)


async def empty_fragments(target: Target, seconds: float) -> None:
    await _flood(target, seconds, frame(b"", 0x01) + frame(b"", 0x00) * 20, 20, reads=True)


async def long_texts(target: Target, seconds: float) -> None:
    body = {"text": "{c}" * 66_000}
    await again(seconds, 60, lambda: request(target, "POST", "/api/convert", body))


async def long_thoughts(target: Target, seconds: float) -> None:
    lines = []
    for seats in (("mcts", "mcts"), ("mcts", "mcts"), ("mcts", "mcts"), ("me", "mcts")):
        made = await new_game(target, *seats, board="9x9x4", think=30_000)
        lines.append(await open_socket(target, made["game"], made["token"]))
    lines[-1][1].write(frame(b'{"t":"move","id":"1","take":0,"ply":0,"column":1}'))
    await asyncio.sleep(seconds)


async def hints(target: Target, seconds: float) -> None:
    for _ in range(20):
        made = await new_game(target, "me", "first", board="9x9x4")
        _, writer = await open_socket(target, made["game"], made["token"])
        writer.write(frame(b'{"t":"hint","id":"1"}'))
    await asyncio.sleep(seconds)


async def abandoned_questions(target: Target, seconds: float) -> None:
    rows = [[0] * 9 for _ in range(9)]
    body = json.dumps({"board": rows, "current_player": 1, "valid_moves": list(range(9))}).encode()

    async def once() -> None:
        _, writer = await connect(target)
        writer.write(head(target, "POST", "/api/connect4-move", f"Content-Length: {len(body)}") + body)
        await asyncio.sleep(0.05)
        writer.transport.abort()

    await again(seconds, 20, once)


async def analyses(target: Target, seconds: float) -> None:
    moves = iter(f"{a}{b}{c}" for a in range(1, 10) for b in range(1, 10) for c in range(1, 10))
    await again(seconds, 100, lambda: request(target, "GET", f"/api/analyse?board=9x9x4&moves={next(moves)}"))


async def new_games(target: Target, seconds: float) -> None:
    """With clocks of a day, of every address of many IPv6 networks."""
    count = iter(range(10**9))

    async def once() -> None:
        visitor = target._replace(address=f"2001:db8:0:{next(count) % 4000:x}::1")
        made = await new_game(visitor, "me", "me", clock={"initial": 86_400_000})
        _, writer = await open_socket(visitor, made["game"], made["token"])
        for ply in range(2):
            move = {"t": "move", "id": str(ply), "take": 0, "ply": ply, "column": 1}
            writer.write(frame(json.dumps(move).encode()))
        await writer.drain()
        writer.close()

    await again(seconds, 4, once)


async def half_open_upgrades(target: Target, seconds: float) -> None:
    lines: list[Line] = []

    async def once() -> None:
        line = await connect(target)
        lines.append(line)
        line[1].write(head(target, "GET", "/ws/nothing", *UPGRADE, "Content-Length: 5"))
        await asyncio.sleep(0.02)

    await again(seconds, 40, once)


async def silent_lines(target: Target, seconds: float) -> None:
    lines: list[Line] = []

    async def once() -> None:
        lines.append(await connect(target))
        await asyncio.sleep(0.02)

    await again(seconds, 20, once)


async def upgrades_to_another_protocol(target: Target, seconds: float) -> None:
    async def once() -> None:
        reader, writer = await connect(target)
        writer.write(head(target, "GET", "/api/health", "Connection: Upgrade, close", "Upgrade: h2c"))
        await reader.read()
        writer.close()

    await again(seconds, 20, once)


async def names_before_watchers(target: Target, seconds: float) -> None:
    made = await new_game(target, "me", "me")
    watchers = [await open_socket(target, made["game"]) for _ in range(60)]

    async def listen(line: Line) -> None:
        while await line[0].read(65536):
            pass

    tasks = [asyncio.create_task(listen(line)) for line in watchers]
    _, writer = await open_socket(target, made["game"], made["token"])
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end:
        count += 1
        writer.write(frame(json.dumps({"t": "name", "id": str(count), "name": f"n{count}"}).encode()))
        await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()


async def asking_whether_it_is_ready(target: Target, seconds: float) -> None:
    await again(seconds, 20, lambda: request(target, "GET", "/api/ready"))


async def files_of_the_page(target: Target, seconds: float) -> None:
    """On lines that stay open."""

    async def once() -> None:
        reader, writer = await connect(target)
        try:
            while not reader.at_eof():
                writer.write(head(target, "GET", "/theme.js"))
                await reader.read(65536)
        finally:
            writer.transport.abort()

    await again(seconds, 40, once)


Attack = Callable[[Target, float], Coroutine[Any, Any, None]]
_ALL: tuple[Attack, ...] = (
    pings_that_nobody_reads,
    empty_pings,
    empty_pongs,
    empty_fragments,
    long_texts,
    long_thoughts,
    hints,
    abandoned_questions,
    analyses,
    new_games,
    half_open_upgrades,
    silent_lines,
    upgrades_to_another_protocol,
    names_before_watchers,
    asking_whether_it_is_ready,
    files_of_the_page,
)
ATTACKS: dict[str, Attack] = {attack.__name__: attack for attack in _ALL}
