"""The fault harness: games over bad lines, on a server that is killed, frozen and kept from its database, on
a disk that forgets what was not synced.

    python tests/faults/run.py --games 500 --rounds 20

Everything that any client saw is compared with what is stored, by a referee that knows nothing of the server.
The exit code is 1 if a promise was broken.
"""

import argparse
import asyncio
import contextlib
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults import baits
from faults.disk import Disk, Mode
from faults.history import History
from faults.judge import Judge
from faults.players import Evening
from faults.process import ServerProcess
from faults.proxy import Proxy
from faults.text import TextDoor
from faults.trouble import House, Trouble
from kit.databases import Postgres

# Shorter than usual, or a server would not live long enough for somebody to be gone.
PATIENCE = {"CLAIMEVEN_GRACE": "800", "CLAIMEVEN_GRACE_AFTER_BYE": "400", "CLAIMEVEN_FIRST_MOVE": "3000"}
TEXT_SHARE = 0.03  # of the games
CLEANING_SECONDS = 60.0  # in which old games must be gone, on a machine that others use too


@dataclass(frozen=True)
class Plan:
    games: int
    seed: int
    at_once: int
    pause: float  # seconds between two blows, in the mean
    is_lying: bool = False  # the disk: it says that it wrote
    defects: tuple[str, ...] = ()  # of the server: planted.py


@dataclass
class Outcome:
    broken: list[str]  # promises, in words
    counts: dict[str, int]
    histories: list[History]
    file: Path  # the database, if it is SQLite


async def run(folder: Path, plan: Plan, postgres: Postgres | None = None) -> Outcome:
    rng = random.Random(plan.seed)
    disk = Disk(folder)
    usual = Mode.LYING if plan.is_lying else Mode.HONEST
    disk.behave(usual)
    url = None if postgres is None else postgres.url
    variables = disk.variables | PATIENCE | baits.VARIABLES
    server = ServerProcess(disk.folder, True, url, variables, plan.defects)
    baits.lay(server.database)
    if postgres is None:
        disk.adopt(server.file)
    trouble = Trouble(server, House(disk, postgres, usual), rng, plan.pause)
    text = TextDoor(rng)
    await asyncio.to_thread(server.start)
    try:
        async with Proxy(trouble.ports, rng) as proxy:
            evening = Evening(proxy.address, rng, lambda: trouble.calm)
            todo = iter(range(plan.games))

            async def table() -> None:
                for _ in todo:
                    if rng.random() < TEXT_SHARE:
                        await text.play(trouble.server.tcp_port)
                    await evening.play()

            tables = asyncio.gather(*(table() for _ in range(plan.at_once)))
            troubles = asyncio.create_task(trouble.go_on())
            await asyncio.wait((tables, troubles), return_when=asyncio.FIRST_COMPLETED)
            trouble.is_enough.set()
            await troubles
            if trouble.is_lost and not tables.done():
                tables.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await tables
        if not trouble.is_lost:  # the judge sees what this leaves
            await _cleaned(server.database)
            await trouble.strike(trouble.cut_power if postgres is None else trouble.kill)
        judge = Judge(trouble.server.database)
        broken = [*trouble.faults, *judge.verdict(evening.histories, text.histories)]
        judge.close()
    finally:
        trouble.end()
    counts = {**judge.counts, **evening.counts, **proxy.faults, **trouble.counts, **text.counts}
    return Outcome(broken, counts | {"syncs": disk.syncs}, evening.histories, server.file)


async def _cleaned(database: str) -> None:
    """Give a server that lives through it the time to forget what it must; the judge says whether it did."""
    end = time.monotonic() + CLEANING_SECONDS
    while time.monotonic() < end:
        judge = Judge(database)
        is_done = not judge.baits()
        judge.close()
        if is_done:
            return
        await asyncio.sleep(0.5)


def main() -> int:
    parser = argparse.ArgumentParser(description="Play many games while everything goes wrong.")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=1, help="so often, each with a fresh database and seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=60, help="games at the same time")
    parser.add_argument("--pause", type=float, default=3.0, help="mean seconds between two blows")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server started for it")
    parser.add_argument("--lying-disk", action="store_true", help="that forgets what it said it wrote")
    parser.add_argument("--defect", action="append", default=[], help="of the server, see planted.py")
    parser.add_argument("--keep", type=Path, help="a folder for what is left of rounds with broken promises")
    parser.add_argument("--results", type=Path, help="a file of JSON lines: rounds in it are not run again")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    broken: list[str] = []
    known = {} if options.results is None else _read(options.results)
    for seed in range(options.seed, options.seed + options.rounds):
        plan = Plan(
            options.games, seed, options.at_once, options.pause, options.lying_disk, tuple(options.defect)
        )
        if seed not in known:
            known[seed] = _round(plan, options.postgres, options.keep)
            if options.results is not None:
                with options.results.open("a") as file:
                    file.write(json.dumps({"seed": seed, **known[seed]}) + "\n")
        total.update(known[seed]["counts"])
        broken += known[seed]["broken"]
    for name, count in total.items():
        print(f"{count:>9,}  {name}")
    for fault in broken[:50]:
        print(fault)
    print(f"{len(broken)} broken promises")
    return 1 if broken else 0


def _round(plan: Plan, on_postgres: bool, keep: Path | None) -> dict[str, Any]:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as used:
        postgres = used.enter_context(Postgres()) if on_postgres else None
        outcome = asyncio.run(run(Path(folder), plan, postgres))
        if outcome.broken and keep is not None:
            shutil.copytree(folder, keep / str(plan.seed))
            (keep / str(plan.seed) / "seen").write_text("\n".join(map(repr, outcome.histories)))
    counts = outcome.counts | {"seconds": round(time.monotonic() - began)}
    print(
        f"seed {plan.seed}: {len(outcome.broken)} broken, {counts['seconds']} s", file=sys.stderr, flush=True
    )
    return {"counts": counts, "broken": outcome.broken}


def _read(file: Path) -> dict[int, dict[str, Any]]:
    if not file.exists():
        return {}
    rounds = [json.loads(line) for line in file.read_text().splitlines()]
    return {one["seed"]: one for one in rounds}


if __name__ == "__main__":
    sys.exit(main())
