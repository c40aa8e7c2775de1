"""The fault harness: games over bad lines, on a server that is killed, frozen and locked out of its database.

    python tests/faults/run.py --games 10000 --seed 1

Everything that any client saw is compared with what is stored, by a referee that knows nothing of the server.
The exit code is 1 if a promise was broken.
"""

import argparse
import asyncio
import contextlib
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults.history import History, Judge
from faults.players import Evening
from faults.process import ServerProcess, freeze_core
from faults.proxy import Proxy


class Trouble:
    """What happens to the server while games are played."""

    def __init__(self, server: ServerProcess, rng: random.Random, pause: float) -> None:
        self.server = server
        self.counts: Counter[str] = Counter()
        self.is_enough = asyncio.Event()
        self._rng = rng
        self._pause = pause

    async def go_on(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._rng.uniform(0.3, 1.7) * self._pause):
                    await self.is_enough.wait()
                    return
            dice = self._rng.random()
            if dice < 0.75:
                await self.kill()
            elif dice < 0.80:
                self.counts["stops by SIGTERM"] += 1
                assert await asyncio.to_thread(self.server.stop) == 0
                await asyncio.to_thread(self.server.start)
            elif dice < 0.90:
                await self._freeze()
            else:
                await asyncio.to_thread(self._lock)

    async def kill(self) -> None:
        self.counts["kills by SIGKILL"] += 1
        self.server.kill()
        await asyncio.to_thread(self.server.start)

    async def _freeze(self) -> None:
        self.counts["freezes by SIGSTOP"] += 1
        self.server.signal(signal.SIGSTOP)
        await asyncio.sleep(self._rng.uniform(0.5, 6))
        self.server.signal(signal.SIGCONT)

    def _lock(self) -> None:
        """This process keeps the server, another one, from writing."""
        self.counts["database locks"] += 1
        connection = sqlite3.connect(self.server.file, timeout=30, isolation_level=None)
        try:
            connection.execute("BEGIN EXCLUSIVE")
            time.sleep(self._rng.uniform(0.5, 8))
            connection.execute("ROLLBACK")
        finally:
            connection.close()


@dataclass
class Outcome:
    broken: list[str]  # promises, in words
    counts: dict[str, int]
    histories: list[History]
    file: Path  # the database


async def run(folder: Path, games: int, seed: int, at_once: int, pause: float) -> Outcome:
    rng = random.Random(seed)
    server = ServerProcess(folder)
    trouble = Trouble(server, rng, pause)
    await asyncio.to_thread(server.start)
    try:
        async with Proxy(server.port, rng) as proxy:
            evening = Evening(proxy.address, rng)
            todo = iter(range(games))

            async def table() -> None:
                for number in todo:
                    await evening.play()
                    if number % 500 == 499:
                        print(f"{time.strftime('%H:%M:%S')} {number + 1} games", file=sys.stderr, flush=True)

            tables = asyncio.gather(*(table() for _ in range(at_once)))
            troubles = asyncio.create_task(trouble.go_on())
            await asyncio.wait((tables, troubles), return_when=asyncio.FIRST_COMPLETED)
            trouble.is_enough.set()
            if troubles.done() and not tables.done():  # the server could not be started again
                tables.cancel()
            await troubles
            await tables
        await trouble.kill()  # what is in the file now is what a power cut leaves
        judge = Judge(server.file)
        broken = judge.verdict(evening.histories)
        judge.close()
    finally:
        if server.is_alive:
            server.kill()
    counts = {**judge.counts, **evening.counts, **proxy.faults, **trouble.counts}
    return Outcome(broken, counts, evening.histories, server.file)


def main() -> int:
    parser = argparse.ArgumentParser(description="Play many games while everything goes wrong.")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=60, help="games at the same time")
    parser.add_argument(
        "--pause", type=float, default=9.0, help="mean seconds between two blows to the server"
    )
    options = parser.parse_args()
    freeze_core()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = asyncio.run(run(Path(folder), options.games, options.seed, options.at_once, options.pause))
    for name, count in outcome.counts.items():
        print(f"{count:>9,}  {name}")
    for fault in outcome.broken[:50]:
        print(fault)
    print(f"{len(outcome.broken)} broken promises, {time.monotonic() - began:.0f} s")
    return 1 if outcome.broken else 0


if __name__ == "__main__":
    sys.exit(main())
