"""How many moves a server stores and acknowledges, and how fast: many games at once, two players each.

    python bench/server.py                            # 500 games, one move per second each, 20 s
    python bench/server.py --games 100 --rate 0       # as fast as the answers come
    python bench/server.py --url http://HOST:PORT     # a server that runs already

Server and players share this machine unless --url says otherwise. A move counts when it is
acknowledged, which is after it is on disk.
"""

import argparse
import asyncio
import base64
import gc
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Player(asyncio.Protocol):
    """A WebSocket client without frills: a thousand of them must not be what is measured."""

    def __init__(
        self, host: str, game: str, token: str, heard: Callable[["Player", dict[str, Any]], None]
    ) -> None:
        self.host, self.game, self.token, self.heard = host, game, token, heard
        self.buffer = b""
        self.is_open = False
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(  # type: ignore[attr-defined]
            f"GET /ws/{self.game} HTTP/1.1\r\nHost: {self.host}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def say(self, message: dict[str, Any]) -> None:
        self.frame(0x81, json.dumps(message).encode())

    def frame(self, opcode: int, data: bytes) -> None:
        # The mask may be zero: it protects proxies from browsers.
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        self.transport.write(bytes([opcode]) + size + b"\0\0\0\0" + data)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.is_open:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                raise RuntimeError(head.decode())
            self.is_open, self.buffer = True, rest
            self.say({"t": "hello", "protocol": 1, "token": self.token})
        while (frame := self.next_frame()) is not None:
            opcode, payload = frame
            if opcode == 0x9:
                self.frame(0x8A, payload)
            elif opcode == 0x1:
                self.heard(self, json.loads(payload))

    def next_frame(self) -> tuple[int, bytes] | None:
        b = self.buffer
        if len(b) < 2:
            return None
        size, start = b[1] & 0x7F, 2
        if size == 126:
            size, start = int.from_bytes(b[2:4], "big"), 4
        if len(b) < start + size:
            return None
        self.buffer = b[start + size :]
        return b[0] & 0x0F, b[start : start + size]


class Match:
    """One game after the other at one table."""

    def __init__(self, load: "Load", number: int) -> None:
        self.load = load
        self.random = random.Random(number)
        self.players: list[Player] = []
        self.sent: dict[str, float] = {}
        self.ply = 0
        self.next_at = 0.0

    async def open(self) -> None:
        made = await self.load.post("/api/games", {"seats": [{"kind": "me"}, {"kind": "friend"}]})
        joined = await self.load.post(f"/api/games/{made['game']}/join", {"invite": made["invite"]})
        self.game, self.ply = made["game"], 0
        for token in (made["token"], joined["token"]):
            _, player = await asyncio.get_running_loop().create_connection(
                lambda token=token: Player(self.load.host, self.game, token, self.heard),
                self.load.host,
                self.load.port,
            )
            self.players.append(player)
            await player.ready

    def begin(self) -> None:
        self.next_at = time.monotonic() + self.random.random() / (self.load.rate or 1000)
        self.plan({str(column): 1 for column in range(1, 8)})

    def plan(self, landing: dict[str, int]) -> None:
        self.landing = landing
        if not self.load.is_running:
            return
        wait = self.next_at - time.monotonic() if self.load.rate else 0
        asyncio.get_running_loop().call_later(max(0, wait), self.move)

    def move(self) -> None:
        column = int(self.random.choice(list(self.landing)))
        self.next_at += 1 / self.load.rate if self.load.rate else 0
        self.sent[str(self.ply)] = time.monotonic()
        message = {"t": "move", "id": str(self.ply), "take": 0, "ply": self.ply, "column": column}
        self.players[self.ply % 2].say(message)

    def heard(self, player: Player, message: dict[str, Any]) -> None:
        kind = message["t"]
        if kind == "ack":
            self.load.times.append(time.monotonic() - self.sent.pop(message["id"]))
        elif kind == "error":
            self.load.errors.append(message)
        elif kind == "state" and not player.ready.done():
            player.ready.set_result(None)
        elif kind == "move" and player is self.players[message["ply"] % 2]:
            self.ply = message["ply"] + 1
            if message["turn"] is None:
                self.load.spawn(self.again())
            else:
                self.plan(message["landing"])

    async def again(self) -> None:
        for player in self.players:
            player.transport.close()
        self.players.clear()
        if self.load.is_running:
            await self.open()
            self.begin()


class Load:
    def __init__(self, url: str, rate: float) -> None:
        self.url, self.rate = url, rate
        self.host, _, port = url.removeprefix("http://").partition(":")
        self.port = int(port)
        self.times: list[float] = []
        self.errors: list[dict[str, Any]] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self.is_running = True

    def warm(self) -> None:
        """Called when the measurement begins."""

    def spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )

        def ask() -> dict[str, Any]:
            with urllib.request.urlopen(request, timeout=30) as answer:
                found: dict[str, Any] = json.load(answer)
                return found

        return await asyncio.to_thread(ask)

    async def run(self, games: int, seconds: float) -> float:
        matches = [Match(self, number) for number in range(games)]
        for start in range(0, games, 20):
            await asyncio.gather(*(match.open() for match in matches[start : start + 20]))
        for match in matches:
            match.begin()
        await asyncio.sleep(min(2.0, seconds / 5))  # warm
        self.times.clear()
        self.warm()
        began = time.monotonic()
        await asyncio.sleep(seconds)
        took = time.monotonic() - began
        self.is_running = False
        return took


def memory(process: "subprocess.Popen[str] | None") -> float:
    if process is None:
        return 0.0
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def processor(process: "subprocess.Popen[str] | None") -> float:
    """Seconds of processor time that the server has used."""
    if process is None:
        return 0.0
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start(folder: str) -> tuple["subprocess.Popen[str]", str]:
    command = [
        sys.executable,
        "-m",
        "claimeven",
        "serve",
        "--port",
        "0",
        "--tcp-port",
        "0",
        "--log",
        "warning",
    ]
    process = subprocess.Popen(
        [*command, "--database", f"sqlite:///{folder}/games.db"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().split()[-1]


def main() -> None:
    gc.disable()  # pauses of this program are not what is measured
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument(
        "--rate", type=float, default=1.0, help="moves per second in each game; 0: as fast as possible"
    )
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--url", help="of a running server; otherwise one is started")
    parser.add_argument("--folder", default=".", help="where the database lies meanwhile")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=wish.folder) as folder:
        process, url = (None, wish.url) if wish.url else start(folder)
        try:
            load = Load(url, wish.rate)
            at_start: list[float] = []
            load.warm = lambda: at_start.extend((memory(process), processor(process)))  # type: ignore[method-assign]
            took = asyncio.run(load.run(wish.games, wish.seconds))
            report(load, wish.games, took)
            if process is not None:
                used = 1000 * (processor(process) - at_start[1]) / len(load.times)
                print(f"memory of the server {at_start[0]:.0f} -> {memory(process):.0f} MiB")
                print(f"{used:.2f} ms of its processor time per move")
        finally:
            if process is not None:
                process.terminate()
                process.wait()


def report(load: Load, games: int, took: float) -> None:
    times = sorted(load.times)
    cuts = statistics.quantiles(times, n=1000)
    print(f"{games} games, {2 * games} players, {took:.1f} s: {len(times)} moves stored and acknowledged")
    print(f"{len(times) / took:.0f} moves per second, {len(load.errors)} errors")
    middle, late, last = (1000 * seconds for seconds in (cuts[499], cuts[989], times[-1]))
    print(f"acknowledged after p50 {middle:.1f} ms, p99 {late:.1f} ms, max {last:.1f} ms")
    for error in load.errors[:3]:
        print(error)


if __name__ == "__main__":
    main()
