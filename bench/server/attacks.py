"""What each attack costs the others: python bench/server/attacks.py [--rounds 3] [--seconds 4] [--only NAME]

Two real servers behind a proxy that they believe, so that every limit applies. On both of them an honest
visitor plays and begins games all the time; one of the two is attacked, from a process of its own.
What the attacker takes of the machine, and whatever else runs there, both servers feel alike: so the other
server is the control, in the same seconds. Quiet and attacked slices take turns, each attack from an address
that is new to the server, with all that a new visitor may use up at once.

Printed of an attack: the median time to an acknowledged move, quiet (on both), meanwhile on the control, and
meanwhile on the attacked; the last divided by each of the others; the 99th percentile on both; how late the
loop of the attacked server was on average; how much processor time it used for each second of the attack,
more than when it was quiet; its memory; how often the honest visitor was refused.
"""

import argparse
import asyncio
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from assaults import ATTACKS, Target, frame, open_socket, request
from faults.process import ServerProcess

MOVES = 21  # three rows of discs that never make four
MOST_TIMES = 5.0  # the quiet median
MOST_MEMORY = 640 * 2**20  # in all: 90 MiB when nobody is there, and 64 for each thought, hint and study
FIRST_SECONDS = 1.0  # in which an attacker gets going
REST_SECONDS = 2.0  # in which the server is rid of them
VISITORS = itertools.cycle(range(1, 255))  # each slice has one of its own
HEADER = (
    "| attack | quiet | control | attacked | to quiet | to control | p99, control | p99 | loop late"
    " | processor | memory | refused |"
)


@dataclass
class Seen:
    """What an honest visitor saw of one server, in all slices of a kind."""

    acknowledged: list[float] = field(default_factory=list)
    refused: int = 0
    memory: int = 0
    processor: float = 0.0  # seconds of the server
    seconds: float = 0.0
    late: float = 0.0  # seconds of its loop, in all beats
    beats: int = 0

    @property
    def median(self) -> float:
        return statistics.median(self.acknowledged)

    @property
    def long(self) -> float:
        """The 99th percentile."""
        return sorted(self.acknowledged)[int(0.99 * len(self.acknowledged))]

    @property
    def share(self) -> float:
        """Of one core."""
        return self.processor / self.seconds


async def play(target: Target, seen: Seen, end: float) -> None:
    """Game after game, a move every 20 ms."""
    while time.monotonic() < end:
        status, made = await request(
            target, "POST", "/api/games", {"seats": [{"kind": "me"}, {"kind": "me"}]}
        )
        if status != 201:
            seen.refused += 1
            await asyncio.sleep(0.2)
            continue
        try:
            await _play_one(target, str(made["game"]), str(made["token"]), seen, end)
        except (OSError, EOFError, asyncio.IncompleteReadError):
            seen.refused += 1


async def _play_one(target: Target, game: str, token: str, seen: Seen, end: float) -> None:
    reader, writer = await open_socket(target, game, token)
    try:
        for ply in range(MOVES):
            began = time.monotonic()
            move = f'{{"t":"move","id":"{ply}","take":0,"ply":{ply},"column":{ply % 7 + 1}}}'
            writer.write(frame(move.encode()))
            while b'"ack"' not in await _hear(reader):
                pass
            seen.acknowledged.append(time.monotonic() - began)
            if began > end:
                return
            await asyncio.sleep(0.02)
    finally:
        writer.close()


async def _hear(reader: asyncio.StreamReader) -> bytes:
    kind, size = await reader.readexactly(2)
    if size == 126:
        size = int.from_bytes(await reader.readexactly(2), "big")
    body = await reader.readexactly(size)
    if kind & 0x0F == 8:
        raise EOFError(body)
    return body


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def lateness(server: ServerProcess) -> tuple[float, int]:
    """What the server itself counted: how late its loop was in all, and how often it looked."""
    with urllib.request.urlopen(f"{server.address}/metrics", timeout=60) as answer:
        lines = [line for line in answer.read().decode().splitlines() if line[0] != "#"]
    numbers = dict(line.rsplit(" ", 1) for line in lines)
    name = "claimeven_loop_late_seconds"
    return float(numbers[f"{name}_sum"]), int(numbers[f"{name}_count"])


async def measure(server: ServerProcess, seconds: float, address: str, seen: Seen) -> None:
    began, end = time.monotonic(), time.monotonic() + seconds
    late, processor = await asyncio.to_thread(lateness, server), processor_seconds(server.pid)
    await asyncio.gather(play(Target(server.port, address), seen, end), _watch(server, seen, end))
    seen.processor += processor_seconds(server.pid) - processor
    seen.seconds += time.monotonic() - began
    after = await asyncio.to_thread(lateness, server)
    seen.late += after[0] - late[0]
    seen.beats += after[1] - late[1]


async def _watch(server: ServerProcess, seen: Seen, end: float) -> None:
    while time.monotonic() < end:
        seen.memory = max(seen.memory, server.resident())
        await asyncio.sleep(0.2)


async def both(servers: list[ServerProcess], seconds: float, slice: int, seen: list[Seen]) -> None:
    address = f"198.51.100.{slice}"
    await asyncio.gather(
        *(measure(server, seconds, address, one) for server, one in zip(servers, seen, strict=True))
    )


def one(name: str, servers: list[ServerProcess], rounds: int, seconds: float) -> tuple[str, bool]:
    """A line of the table, and whether it is as it should be."""
    quiet, during = [Seen(), Seen()], [Seen(), Seen()]  # the attacked server, the control
    for _ in range(rounds):
        asyncio.run(both(servers, seconds, next(VISITORS), quiet))
        command = [sys.executable, __file__, "--attack", name, "--port", str(servers[0].port)]
        command += ["--address", f"203.0.113.{next(VISITORS)}", "--seconds", str(seconds + 60)]
        attacker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert attacker.stdout is not None
        attacker.stdout.readline()  # it begins
        time.sleep(FIRST_SECONDS)
        asyncio.run(both(servers, seconds, next(VISITORS), during))
        attacker.kill()
        attacker.wait()
        time.sleep(REST_SECONDS)
    return line(name, quiet, during), is_right(quiet, during)


@contextmanager
def two_servers() -> Iterator[list[ServerProcess]]:
    """The one that is attacked, and the control."""
    with ExitStack() as used:
        folders = [Path(used.enter_context(tempfile.TemporaryDirectory())) for _ in range(2)]
        believed = {"CLAIMEVEN_PROXY": "127.0.0.1"}
        yield [used.enter_context(ServerProcess(folder, True, variables=believed)) for folder in folders]


def is_right(quiet: list[Seen], during: list[Seen]) -> bool:
    attacked, control = during
    return (
        attacked.median <= MOST_TIMES * max(control.median, quiet[0].median)
        and attacked.memory <= MOST_MEMORY
        and not attacked.refused
    )


def line(name: str, quiet: list[Seen], during: list[Seen]) -> str:
    attacked, control = during
    still = statistics.median(quiet[0].acknowledged + quiet[1].acknowledged)
    cells = (
        name.replace("_", " "),
        *(f"{1000 * value:.1f} ms" for value in (still, control.median, attacked.median)),
        f"{attacked.median / still:.1f}",
        f"{attacked.median / control.median:.1f}",
        *(f"{1000 * value:.0f} ms" for value in (control.long, attacked.long)),
        f"{1000 * attacked.late / max(attacked.beats, 1):.1f} ms",
        f"{attacked.share - quiet[0].share:+.2f}",
        f"{quiet[0].memory >> 20} → {attacked.memory >> 20} MiB",
        str(attacked.refused),
    )
    return f"| {' | '.join(cells)} |"


async def attack(name: str, target: Target, seconds: float) -> None:
    print("go", flush=True)
    await ATTACKS[name](target, seconds)
    await asyncio.sleep(seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="a quiet slice and an attacked one in each")
    parser.add_argument("--seconds", type=float, default=4.0, help="of a slice")
    parser.add_argument("--only", action="append", choices=sorted(ATTACKS), help="only this attack")
    parser.add_argument("--attack", choices=sorted(ATTACKS), help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--address", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.attack is not None:
        asyncio.run(attack(options.attack, Target(options.port, options.address), options.seconds))
        return 0
    print(HEADER)
    print("|---" + "|--:" * (HEADER.count("|") - 2) + "|", flush=True)
    wrong, loads = [], []
    with two_servers() as servers:
        for name in options.only or ATTACKS:
            told, right = one(name, servers, options.rounds, options.seconds)
            print(told, flush=True)
            wrong += [] if right else [name]
            loads.append(os.getloadavg()[0])
    print(f"wrong: {', '.join(wrong) or 'none'}")
    print(f"load of the machine: {min(loads):.1f} to {max(loads):.1f} on {os.cpu_count()} cores")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
