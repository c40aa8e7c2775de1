"""How a server bears a full house: python bench/server/load.py [--games 500] [--saturate] [--idle 2000]

A real `claimeven serve` on a fresh SQLite file, and the players in this process, each with a WebSocket of
its own. By default one move per second in every game, for a while: how long an acknowledgement takes (it
comes after the move is on disk), what got lost, how the memory of the server grows. With --saturate everybody
moves as soon as it is their turn: how many durable moves per second there can be. With --idle so many others
are connected and do nothing. With --against PYTHON, of another environment, both versions take turns
and the processor time of a move is told.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import msgspec

from claimeven import notation
from claimeven.position import Position
from crowd import Crowd
from faults.process import ServerProcess
from lines import HANDSHAKE, Line, post

MOVES = 42  # of a whole game
OPENING_SECONDS = 5.0  # in which the house fills


@dataclass
class Tally:
    sent: int = 0
    acknowledged: int = 0
    errors: list[str] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    lost_lines: int = 0
    games: int = 0


class House:
    """All games."""

    def __init__(self, server: ServerProcess, pace: float | None, rng: random.Random) -> None:
        self.server, self.pace, self.rng = server, pace, rng
        self.tally = Tally()
        self.is_measured = False
        self.is_closing = False
        self.scripts = drawn_games(rng, 40)

    async def table(self, delay: float) -> None:
        """One game after the other, at the same two places. The first begins somewhere in its middle: so
        games end all the time, as in a house that has been open for long, and not all at once."""
        await asyncio.sleep(delay)
        skipped = self.rng.randrange(MOVES)
        while not self.is_closing:
            await Game(self, skipped).play()
            skipped = 0


class Game:
    """Two lines that play a drawn game to its end."""

    def __init__(self, house: House, skipped: int) -> None:
        self.house = house
        script = house.rng.choice(house.scripts)
        self.start, self.script = notation.moves_text(script[:skipped]), script[skipped:]
        self.first = skipped % 2  # the side that begins
        self.ply = 0
        self.due = 0.0
        self.sent_at = [0.0] * len(self.script)
        self.is_over = asyncio.Event()
        self.lines: list[Line] = []

    async def play(self) -> None:
        house, loop = self.house, asyncio.get_running_loop()
        wish = {"seats": [{"kind": "me"}, {"kind": "friend"}], "moves": self.start}
        made = await post(house.server.port, "/api/games", wish)
        place = f"/api/games/{made['game']}/join"
        joined = await post(house.server.port, place, {"invite": made["invite"]})
        house.tally.games += 1
        request = HANDSHAKE.format(game=made["game"], port=house.server.port).encode()
        for token in (made["token"], joined["token"]):
            hello = json.dumps({"t": "hello", "protocol": 1, "token": token}).encode()
            _, line = await loop.create_connection(
                lambda hello=hello: Line(request, hello, self.hear, self.lost),  # type: ignore[misc]
                "127.0.0.1",
                house.server.port,
            )
            self.lines.append(line)
        await self.is_over.wait()
        for line in self.lines:
            line.send(b'{"t":"bye"}')
            line.transport.close()

    def lost(self) -> None:
        if not self.is_over.is_set():
            self.house.tally.lost_lines += not self.house.is_closing
            self.is_over.set()

    def hear(self, line: Line, text: bytes) -> None:
        side = self.lines.index(line) if line in self.lines else len(self.lines)
        if text.startswith(b'{"t":"ack"'):
            self.acknowledged(msgspec.json.decode(text)["id"])
        elif text.startswith(b'{"t":"move"'):
            move = msgspec.json.decode(text)
            if move["turn"] == side + 1 and move["ply"] == self.ply - 1:
                self.soon()
        elif text.startswith(b'{"t":"error"'):
            self.house.tally.errors.append(text.decode())
            self.is_over.set()
        elif text.startswith(b'{"t":"state"') and side == 1 and self.ply == 0:
            self.soon()  # the second player is there: begin

    def soon(self) -> None:
        loop, pace = asyncio.get_running_loop(), self.house.pace
        if self.house.is_closing:
            loop.call_later(1.0, self.is_over.set)  # the last acknowledgement may still be on its way
        elif pace is None:
            self.move()
        else:
            now = loop.time()
            self.due = max(now, self.due + pace) if self.due else now + pace * self.house.rng.random()
            loop.call_at(self.due, self.move)

    def move(self) -> None:
        if self.is_over.is_set():
            return
        move = {
            "t": "move",
            "id": str(self.ply),
            "take": 0,
            "ply": self.ply,
            "column": self.script[self.ply] + 1,
        }
        self.house.tally.sent += 1
        self.sent_at[self.ply] = time.perf_counter()
        line = self.lines[(self.first + self.ply) % 2]
        self.ply += 1
        line.send(json.dumps(move, separators=(",", ":")).encode())

    def acknowledged(self, id: str) -> None:
        tally = self.house.tally
        tally.acknowledged += 1
        if self.house.is_measured:
            tally.latencies.append(time.perf_counter() - self.sent_at[int(id)])
        if int(id) == len(self.script) - 1:
            self.is_over.set()


def drawn_games(rng: random.Random, count: int) -> list[list[int]]:
    """Full boards without a four: games as long as they can be."""
    found: list[list[int]] = []
    while len(found) < count:
        position, columns = Position(), []
        while not position.is_over:
            quiet = [c for c in position.legal if position.play(c).winner is None]
            if not quiet:
                break
            columns.append(rng.choice(quiet))
            position = position.play(columns[-1])
        if len(columns) == MOVES:
            found.append(columns)
    return found


async def measure(server: ServerProcess, options: argparse.Namespace, tells: bool = True) -> float:
    """Milliseconds of the server's processor for a move."""
    rng = random.Random(options.seed)
    house = House(server, None if options.saturate else options.pace, rng)
    crowd = Crowd(server)
    await crowd.come(options.idle)
    start_memory = server.resident()
    tables = [asyncio.create_task(house.table(rng.random() * OPENING_SECONDS)) for _ in range(options.games)]
    await asyncio.sleep(OPENING_SECONDS + options.warm_up)
    memory = [server.resident()]
    cpu = processor_seconds(server.pid)
    acknowledged, began = house.tally.acknowledged, time.perf_counter()
    house.is_measured = True
    for _ in range(10):
        await asyncio.sleep(options.seconds / 10)
        memory.append(server.resident())
        if broken := [task for task in tables if task.done()]:
            broken[0].result()
    house.is_measured = False
    disk = await asyncio.to_thread(seconds_to_disk, server)
    seconds = time.perf_counter() - began
    made = house.tally.acknowledged - acknowledged
    cpu = processor_seconds(server.pid) - cpu
    house.is_closing = True
    await asyncio.wait(tables, timeout=10)
    for task in tables:
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*tables)
    if tells:
        report(house.tally, made, seconds, cpu, disk, start_memory, memory, options)
    if options.idle:
        print(crowd.report())
    return 1000 * cpu / max(made, 1)


def compare(options: argparse.Namespace) -> None:
    """Two versions in turn: what a busy machine does to one it does to the other."""
    # By another name: both start as an operator starts them, and not as forks of one process (kit/forked.py).
    this = str(Path(sys.executable).parent) + "/./" + Path(sys.executable).name
    found: dict[str, list[float]] = {this: [], options.against: []}
    for _ in range(options.rounds):
        for python, costs in found.items():
            with (
                tempfile.TemporaryDirectory() as folder,
                ServerProcess(Path(folder), python=python) as server,
            ):
                costs.append(asyncio.run(measure(server, options, tells=False)))
            print(f"{costs[-1]:.3f} ms per move  {python}", flush=True)
    now, then = (statistics.median(costs) for costs in found.values())
    print(f"processor per move, medians: {now:.3f} and {then:.3f} ms, {now / then:.2f} times as much")


def report(
    tally: Tally,
    made: int,
    seconds: float,
    cpu: float,
    disk: float,
    start: int,
    memory: list[int],
    options: argparse.Namespace,
) -> None:
    ordered = sorted(tally.latencies)

    def share(part: float) -> str:
        return f"{1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))]:.1f} ms"

    missing = tally.sent - tally.acknowledged
    growth = memory[-1] / memory[0] - 1
    for line in (
        f"{2 * options.games} players in {options.games} games, {tally.games} games begun",
        f"{made / seconds:,.0f} moves per second, on disk before they are acknowledged, for {seconds:.0f} s",
        f"acknowledged after p50 {share(0.5)}, p95 {share(0.95)}, p99 {share(0.99)}, at most {share(1)}",
        f"of this, {1000 * disk:.1f} ms on average until the disk had it",
        f"{tally.sent:,} sent, {missing} not acknowledged, {len(tally.errors)} errors,"
        f" {tally.lost_lines} lines lost",
        *tally.errors[:3],
        f"memory of the server: {mega(start)} empty, {mega(memory[0])} warm, {mega(memory[-1])} at the end"
        f" ({growth:+.1%}): {' '.join(f'{count / 2**20:.1f}' for count in memory)}",
        f"processor of the server: {cpu / seconds:.0%} of one core,"
        f" {1000 * cpu / max(made, 1):.2f} ms per move",
        f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
    ):
        print(line)


def mega(count: int) -> str:
    return f"{count / 2**20:.1f} MiB"


def seconds_to_disk(server: ServerProcess) -> float:
    """What the server itself measured, on average."""
    with urllib.request.urlopen(f"{server.address}/metrics", timeout=30) as answer:
        numbers = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if line[0] != "#")
    return float(numbers["claimeven_store_seconds_sum"]) / max(
        1, int(numbers["claimeven_store_seconds_count"])
    )


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def many_files() -> Iterator[None]:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else 65536, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a server under load.")
    parser.add_argument("--games", type=int, default=500, help="at the same time, two players each")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--warm-up", type=float, default=15.0, help="seconds before that")
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between two moves of a game")
    parser.add_argument("--saturate", action="store_true", help="move as soon as possible")
    parser.add_argument("--idle", type=int, default=0, help="watchers who only watch, and some who do less")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", help="the Python of another version's environment: processor per move")
    parser.add_argument("--rounds", type=int, default=3, help="with --against, of both in turn")
    options = parser.parse_args()
    if options.against is not None:
        with many_files():
            compare(options)
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        many_files(),
        ServerProcess(Path(folder), tcp=True) as server,
    ):
        asyncio.run(measure(server, options))


if __name__ == "__main__":
    main()
