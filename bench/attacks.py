"""What each attack costs the others: python bench/attacks.py [--seconds 10] [--only NAME]

A real server behind a proxy that it believes, so that every limit applies. One visitor plays and begins
games, another (in a process of its own) attacks. Printed are the median and the longest time to an
acknowledged move, quiet and meanwhile, the memory of the server, and how often the first was refused.
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from assaults import ATTACKS, Target, frame, open_socket, request
from faults.process import ServerProcess

MOVES = 21  # three rows of discs that never make four
MOST_TIMES = 5.0  # the quiet median
MOST_MEMORY = 200 * 2**20  # more than before


@dataclass
class Seen:
    """What an honest visitor saw."""

    acknowledged: list[float] = field(default_factory=list)
    refused: int = 0
    memory: int = 0

    @property
    def median(self) -> float:
        return statistics.median(self.acknowledged)


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


async def watch(server: ServerProcess, seen: Seen, end: float) -> None:
    while time.monotonic() < end:
        seen.memory = max(seen.memory, server.resident())
        await asyncio.sleep(0.2)


async def measure(server: ServerProcess, seconds: float, address: str) -> Seen:
    seen, end = Seen(), time.monotonic() + seconds
    await asyncio.gather(play(Target(server.port, address), seen, end), watch(server, seen, end))
    return seen


def one(name: str, seconds: float) -> tuple[str, bool]:
    """A line of the table, and whether it is as it should be."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder), True, variables={"CLAIMEVEN_PROXY": "127.0.0.1"}) as server,
    ):
        quiet = asyncio.run(measure(server, seconds, "198.51.100.1"))
        command = [sys.executable, __file__, "--attack", name, "--port", str(server.port)]
        attacker = subprocess.Popen([*command, "--seconds", str(seconds + 3)], stderr=subprocess.DEVNULL)
        time.sleep(2)
        during = asyncio.run(measure(server, seconds, "198.51.100.2"))
        attacker.terminate()
        attacker.wait()
    before, after, ratio = quiet.median * 1000, during.median * 1000, during.median / quiet.median
    is_right = ratio <= MOST_TIMES and during.memory - quiet.memory <= MOST_MEMORY and not during.refused
    return (
        f"| {name.replace('_', ' ')} | {before:.1f} ms | {after:.1f} ms | {ratio:.1f} |"
        f" {max(quiet.acknowledged) * 1000:.0f} ms | {max(during.acknowledged) * 1000:.0f} ms |"
        f" {quiet.memory >> 20} → {during.memory >> 20} MiB | {during.refused} |"
    ), is_right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--only", action="append", choices=sorted(ATTACKS), help="only this attack")
    parser.add_argument("--attack", choices=sorted(ATTACKS), help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.attack is not None:
        asyncio.run(ATTACKS[options.attack](Target(options.port, "203.0.113.7"), options.seconds))
        return 0
    print("| attack | median, quiet | meanwhile | times | longest, quiet | meanwhile | memory | refused |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    wrong = []
    for name in options.only or ATTACKS:
        line, is_right = one(name, options.seconds)
        print(line, flush=True)
        wrong += [] if is_right else [name]
    print(f"wrong: {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
