"""The fault harness: games over bad lines, on a server that is killed, frozen and kept from its database.

    python tests/faults/run.py --games 10000 --seed 1

Everything that any client saw is compared with what is stored, by a referee that knows nothing of the server.
The exit code is 1 if a promise was broken.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults.history import History
from faults.judge import Judge
from faults.players import Evening
from faults.process import ServerProcess
from faults.proxy import Proxy
from faults.trouble import Trouble
from kit.databases import postgres


@dataclass
class Outcome:
    broken: list[str]  # promises, in words
    counts: dict[str, int]
    histories: list[History]
    file: Path  # the database, if it is SQLite


async def run(
    folder: Path, games: int, seed: int, at_once: int, pause: float, database: str | None = None
) -> Outcome:
    rng = random.Random(seed)
    server = ServerProcess(folder, database=database)
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
        judge = Judge(server.database)
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
    parser.add_argument("--database", help="of PostgreSQL, empty; by default a new SQLite file")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server started for it")
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as used:
        database = used.enter_context(postgres()) if options.postgres else options.database
        wish = options.games, options.seed, options.at_once, options.pause, database
        outcome = asyncio.run(run(Path(folder), *wish))
    for name, count in outcome.counts.items():
        print(f"{count:>9,}  {name}")
    for fault in outcome.broken[:50]:
        print(fault)
    print(f"{len(outcome.broken)} broken promises, {time.monotonic() - began:.0f} s")
    return 1 if outcome.broken else 0


if __name__ == "__main__":
    sys.exit(main())
