"""Throw garbage at the doors of a running server: python fuzz/network.py [--seconds 60] [--seed 1]

Noise, broken requests, frames that lie about their length, messages that are almost right, people who send
one byte a moment, or nothing, or never read; at the web port and at the text door. Meanwhile two people play.
The server must stay up, complain of nothing in its log, and their game go on as if nobody else were there.
"""

import argparse
import asyncio
import contextlib
import json
import random
import socket
import struct
import sys
import tempfile
import time
from asyncio import StreamReader, StreamWriter
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from claimeven.client import Client, create_game, join_game, new_token
from faults.process import ServerProcess

FAIR_MOVES = 30  # at least
ATTACKERS = 10  # at the same time
SIT_SECONDS = 1.5  # that the patient ones stay
REQUEST = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
KINDS: list[str | None] = [
    *("hello", "move", "undo", "redo", "offer", "answer", "resign", "claim", "seat", "hint"),
    *("more_time", "name", "sync", "ping", "bye", "state", "", None),
]
VALUES: list[Any] = [
    *(0, 1, 2, 4, 7, -1, 2**31, 2**53 + 1, 10**400, 1.5, None, True, False, [], {}, [[[[]]]]),
    *("", "a", "draw", "undo", "rematch", "win", "level:1", "x" * 3000, "\u202e\0"),
    *("process:command=true", "mcts:simulations=1e9"),
]

LINES = [b"3", b"3\n", b"6\r\n", b"7\n", b"-1\n", b"\xff\xfe", b"3" * 300, b"\n" * 50, b"0\n1\n2\n"]


@dataclass
class Siege:
    """One server under attack."""

    server: ServerProcess
    rng: random.Random
    seats: list[tuple[str, str | None]] = field(default_factory=list)  # games to be spoilt, with tokens
    counts: Counter[str] = field(default_factory=Counter)
    # Seconds until the fair players' moves were acknowledged.
    waits: list[float] = field(default_factory=list)
    reconnects: int = 0

    async def prepare(self) -> None:
        me, friend, agent = {"kind": "me"}, {"kind": "friend"}, {"kind": "agent", "agent": "first"}
        for chairs in ((me, friend), (me, agent), (me, me), (friend, me)):
            link, token, _ = await create_game(self.server.address, chairs, think=10)
            assert link.game is not None
            self.seats += [(link.game, token), (link.game, None), (link.game, "wrong")]

    async def go_on(self, seconds: float) -> None:
        await self.prepare()
        end = time.monotonic() + seconds
        fair = asyncio.create_task(self.play_fair(end))
        attackers = [asyncio.create_task(self.attack(end)) for _ in range(ATTACKERS)]
        await asyncio.gather(*attackers)
        await fair

    async def attack(self, end: float) -> None:
        attacks: list[Callable[[], Awaitable[None]]] = [
            *(self.noise, self.broken_request, self.slow_request, self.wild_frames),
            *(self.almost_right, self.deaf, self.silent, self.text_player),
        ]
        while time.monotonic() < end:
            attack = self.rng.choice(attacks)
            self.counts[attack.__name__] += 1
            with contextlib.suppress(OSError, EOFError, TimeoutError):
                async with asyncio.timeout(2 * SIT_SECONDS):
                    await attack()

    # Attacks -----------------------------------------------------------------------------------------

    async def noise(self) -> None:
        async with self.connection(self.any_port()) as (_, writer):
            for _ in range(self.rng.randrange(1, 8)):
                writer.write(self.rng.randbytes(self.rng.choice((1, 10, 1000, 100_000))))
                await writer.drain()
                await asyncio.sleep(self.rng.uniform(0, 0.1))

    async def broken_request(self) -> None:
        whole = bytearray(self.request())
        for _ in range(self.rng.randrange(1, 6)):
            at = self.rng.randrange(len(whole))
            match self.rng.randrange(4):
                case 0:
                    whole[at] = self.rng.randrange(256)
                case 1:
                    del whole[at : at + self.rng.randrange(1, 20)]
                case 2:
                    whole[at:at] = self.rng.randbytes(self.rng.randrange(1, 20))
                case _:
                    whole[at:at] = b"X-Long: " + b"a" * self.rng.choice((100, 70_000)) + b"\r\n"
        async with self.connection(self.server.port) as (reader, writer):
            writer.write(bytes(whole))
            await reader.read(1000)

    async def slow_request(self) -> None:
        async with self.connection(self.server.port) as (_, writer):
            for byte in self.request():
                writer.write(bytes([byte]))
                await asyncio.sleep(SIT_SECONDS / 100)

    async def wild_frames(self) -> None:
        async with self.socket() as (reader, writer):
            if self.rng.random() < 0.5:
                writer.write(frame(self.hello()))
            for _ in range(self.rng.randrange(1, 20)):
                writer.write(self.wild_frame())
            await writer.drain()
            await reader.read(1000)

    async def almost_right(self) -> None:
        async with self.socket() as (reader, writer):
            writer.write(frame(self.hello()))
            for _ in range(self.rng.randrange(1, 60)):
                writer.write(frame(self.message()))
                if self.rng.random() < 0.1:
                    await asyncio.sleep(0.05)
            await writer.drain()
            while await reader.read(65536):
                if self.rng.random() < 0.2:
                    return

    async def deaf(self) -> None:
        """Asks and asks, and reads nothing."""
        async with self.socket() as (_, writer):
            writer.write(frame(self.hello()))
            for _ in range(30):
                writer.write(frame(b'{"t":"sync"}') * 10)
                await asyncio.sleep(0.02)

    async def silent(self) -> None:
        port = self.any_port()
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(20):
                await stack.enter_async_context(self.connection(port))
            await asyncio.sleep(SIT_SECONDS)

    async def text_player(self) -> None:
        async with self.connection(self.server.tcp_port) as (reader, writer):
            for _ in range(self.rng.randrange(1, 30)):
                writer.write(self.rng.choice(LINES))
                await writer.drain()
                await asyncio.sleep(self.rng.uniform(0, 0.1))
            await reader.read(100)

    # Their tools -------------------------------------------------------------------------------------

    def any_port(self) -> int:
        return self.rng.choice((self.server.port, self.server.tcp_port))

    @contextlib.asynccontextmanager
    async def connection(self, port: int) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            yield reader, writer
        finally:
            if self.rng.random() < 0.3:  # with a reset instead of a goodbye
                raw = writer.get_extra_info("socket")
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort() if self.rng.random() < 0.3 else writer.close()

    @contextlib.asynccontextmanager
    async def socket(self) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
        self._game, self._token = self.rng.choice(self.seats)
        async with self.connection(self.server.port) as (reader, writer):
            writer.write(REQUEST.format(path=f"/ws/{self._game}").encode())
            await reader.readuntil(b"\r\n\r\n")
            yield reader, writer

    def request(self) -> bytes:
        if self.rng.random() < 0.5:
            return REQUEST.format(path=f"/ws/{self.rng.choice(self.seats)[0]}").encode()
        body = json.dumps({"seats": [{"kind": "me"}, {"kind": "friend"}]})
        head = f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
        return f"{head}Content-Type: application/json\r\n\r\n{body}".encode()

    def hello(self) -> bytes:
        token = {} if self._token is None else {"token": self._token}
        return json.dumps({"t": "hello", "protocol": 1, **token}).encode()

    def message(self) -> bytes:
        """Often of the right shape, sometimes broken."""
        rng = self.rng
        message: dict[str, Any] = {"t": rng.choice(KINDS), "id": f"f{rng.randrange(10**9)}"}
        for name in ("take", "ply", "column", "kind", "yes", "side", "agent", "result", "name", "token"):
            if rng.random() < 0.7:
                message[name] = rng.randrange(8) if rng.random() < 0.6 else rng.choice(VALUES)
        text = json.dumps(message).encode()
        if rng.random() < 0.3:
            at = rng.randrange(len(text))
            text = text[:at] + rng.randbytes(rng.randrange(4)) + text[at + rng.randrange(4) :]
        return b"[" * 4000 if rng.random() < 0.02 else text

    def wild_frame(self) -> bytes:
        rng = self.rng
        match rng.randrange(9):
            case 0:
                return rng.randbytes(rng.randrange(1, 200))
            case 1:  # not masked
                return b"\x81\x05hello"
            case 2:  # promises more than it holds
                return b"\x81\xfe\x0f\xff" + rng.randbytes(20)
            case 3:
                return b"\x81\xff" + (2**63 - 1).to_bytes(8, "big") + b"mask"
            case 4:
                return frame(b"x" * rng.choice((4097, 70_000)))
            case 5:  # a text in pieces that never ends
                return frame(b"x" * 100, first=0x01) + frame(b"x" * 100, first=0x00) * 60
            case 6:
                return frame(rng.randbytes(200), first=0x80 | rng.choice((8, 9, 10)))
            case 7:
                return frame(struct.pack(">H", rng.choice((0, 999, 1005, 5000))), first=0x88)
            case _:
                return frame(rng.randbytes(50), first=rng.randrange(256))

    # The others --------------------------------------------------------------------------------------

    async def play_fair(self, end: float) -> None:
        """Two people, one game after the other, as if nothing were the matter."""
        while self._goes_on(end):
            link, first, _ = await create_game(self.server.address, [{"kind": "me"}, {"kind": "friend"}])
            second = new_token()
            await join_game(link, "", second)
            async with Client(link, first) as one, Client(link, second) as two:
                await self._play(one, two, end)
                await one.until(lambda one=one: one.state is not None)  # type: ignore[misc]
                await two.until(lambda two=two: two.state is not None)  # type: ignore[misc]
                assert one.state is not None
                assert two.state is not None
                assert one.state.moves == two.state.moves
                self.reconnects += one.reconnects + two.reconnects
            self.counts["fair games"] += 1

    def _goes_on(self, end: float) -> bool:
        """On a busy machine the siege may end before they have played at all."""
        return time.monotonic() < end or len(self.waits) < FAIR_MOVES

    async def _play(self, one: Client, two: Client, end: float) -> None:
        players = [one, two]
        while self._goes_on(end):
            mover, other = players
            await mover.until(lambda mover=mover: mover.is_my_turn or mover.is_over)  # type: ignore[misc]
            if mover.is_over:
                break
            began = time.monotonic()
            seq = await mover.move(self.rng.choice(mover.position.legal))
            self.waits.append(time.monotonic() - began)
            await other.until(lambda other=other, seq=seq: other.state is not None and other.state.seq >= seq)  # type: ignore[misc]
            players.reverse()
            await asyncio.sleep(0.02)


def frame(payload: bytes, first: int = 0x81) -> bytes:
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 65536:
        length = bytes([0xFE]) + size.to_bytes(2, "big")
    else:
        length = bytes([0xFF]) + size.to_bytes(8, "big")
    return bytes([first]) + length + b"\0\0\0\0" + payload


GREETING = ("claimeven serves", "text play", "who is connected")


async def lay_siege(server: ServerProcess, seconds: float, seed: int) -> tuple[Siege, list[str]]:
    """What happened, and what went wrong."""
    siege = Siege(server, random.Random(seed))
    await siege.go_on(seconds)
    wrong = []
    if not server.is_alive or not await asyncio.to_thread(server.answers):
        wrong.append("the server does not answer any more")
    if siege.reconnects:
        wrong.append(f"the fair players lost their line {siege.reconnects} times")
    words = server.log.read_text().splitlines()
    # Whoever goes over a limit is named in the log, for the operator: that is what we are.
    noise = [line for line in words if not line.startswith(GREETING) and '"what":"over a limit"' not in line]
    wrong += [f"in the log: {line[:300]}" for line in noise[:5]]
    return siege, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Throw garbage at a running server.")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder), tcp=True) as server:
        before = server.resident()
        siege, wrong = asyncio.run(lay_siege(server, options.seconds, options.seed))
        after = server.resident() if server.is_alive else 0
    for name, count in siege.counts.items():
        print(f"{count:>7,}  {name}")
    waits = sorted(siege.waits)
    print(f"{len(waits):>7,}  fair moves, p50 {1000 * waits[len(waits) // 2]:.0f} ms,"
          f" p99 {1000 * waits[int(0.99 * len(waits))]:.0f} ms")  # fmt: skip
    print(f"memory {before / 2**20:.0f} -> {after / 2**20:.0f} MiB")
    for line in wrong:
        print(line)
    print(f"{len(wrong)} things went wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
