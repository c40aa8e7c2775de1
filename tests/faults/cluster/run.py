"""The fault harness for three servers on one PostgreSQL and one NATS, behind a line that misbehaves.

    python tests/faults/cluster/run.py --games 100 --rounds 5

People and promises are those of tests/faults/run.py, and one more: nobody but its owner writes of a game. In
every second round words between the servers come twice and in another order. The exit code is 1 if a promise
was broken.
"""

import argparse
import asyncio
import contextlib
import json
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from faults import baits
from faults.cluster import audit
from faults.cluster.cable import Cable
from faults.cluster.trouble import ClusterTrouble, Member
from faults.disk import Disk, Mode
from faults.history import History
from faults.judge import Judge
from faults.players import Evening
from faults.process import ServerProcess, free_port
from faults.proxy import Proxy
from faults.run import PATIENCE, _cleaned
from kit.cluster import Nats
from kit.databases import Postgres

SERVERS = 3


@dataclass(frozen=True)
class Plan:
    games: int
    seed: int
    at_once: int
    pause: float  # seconds between two blows, in the mean
    defects: tuple[str, ...] = ()  # of the servers: planted.py
    blows: tuple[str, ...] = ()  # only these; none: all


@dataclass
class Outcome:
    broken: list[str]  # promises, in words
    counts: dict[str, int]
    histories: list[History]


async def run(folder: Path, plan: Plan, postgres: Postgres, nats: Nats) -> Outcome:
    rng = random.Random(plan.seed)
    clock = Disk(folder)
    clock.behave(Mode.HONEST)
    baits.lay(postgres.url)
    variables = clock.variables | PATIENCE | baits.VARIABLES
    async with AsyncExitStack() as used:
        members = [
            await _member(used, folder / str(number), postgres, nats, variables, plan.defects)
            for number in range(SERVERS)
        ]
        trouble = ClusterTrouble(members, postgres, nats, clock, rng, plan.pause)
        used.callback(trouble.end)
        if plan.blows:
            trouble.blows = lambda: [(getattr(trouble, blow), 1.0) for blow in plan.blows]  # type: ignore[method-assign]
        await asyncio.to_thread(members[0].server.start)
        audit.begin(postgres.url)
        for member in members[1:]:
            await asyncio.to_thread(member.server.start)
        await trouble.recover("the start")
        evening, proxy = await _play(plan, rng, trouble)
        if not trouble.is_lost:
            await _cleaned(postgres.url)
        judge = Judge(postgres.url)
        broken = [*trouble.faults, *judge.verdict(evening.histories), *audit.found(postgres.url)]
        judge.close()
    counts = {**judge.counts, **evening.counts, **proxy.faults, **trouble.counts}
    return Outcome(broken, counts, evening.histories)


async def _member(
    used: AsyncExitStack,
    folder: Path,
    postgres: Postgres,
    nats: Nats,
    variables: dict[str, str],
    defects: tuple[str, ...],
) -> Member:
    folder.mkdir()
    socket = ".s.PGSQL.5432"
    real, _, place = postgres.url.partition("host=")
    # A short path: sockets need it.
    short = Path(used.enter_context(tempfile.TemporaryDirectory(prefix="c4-", dir="/tmp")))
    to_postgres = await used.enter_async_context(Cable(Path(place) / socket, short / socket))
    port = free_port()
    to_nats = await used.enter_async_context(Cable(nats.port, port))
    environment = {**variables, "CLAIMEVEN_NATS": f"nats://127.0.0.1:{port}"}
    server = ServerProcess(folder, database=f"{real}host={short}", variables=environment, defects=defects)
    return Member(server, to_nats, to_postgres)


async def _play(plan: Plan, rng: random.Random, trouble: ClusterTrouble) -> tuple[Evening, Proxy]:
    async with Proxy(trouble.ports, rng) as proxy:
        evening = Evening(proxy.address, rng, lambda: trouble.calm)
        todo = iter(range(plan.games))

        async def table() -> None:
            for _ in todo:
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
    return evening, proxy


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Play many games on three servers while everything goes wrong."
    )
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=1, help="so often, each with a fresh database and seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=40, help="games at the same time")
    parser.add_argument("--pause", type=float, default=3.0, help="mean seconds between two blows")
    parser.add_argument("--blow", action="append", default=[], help="only this, see trouble.py")
    parser.add_argument("--defect", action="append", default=[], help="of the servers, see planted.py")
    parser.add_argument("--keep", type=Path, help="a folder for the logs of rounds with broken promises")
    parser.add_argument("--results", type=Path, help="a file of JSON lines: rounds in it are not run again")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    broken: list[str] = []
    known: dict[int, dict[str, Any]] = {}
    if options.results is not None and options.results.exists():
        known = {one["seed"]: one for one in map(json.loads, options.results.read_text().splitlines())}
    for seed in range(options.seed, options.seed + options.rounds):
        if seed not in known:
            defects = (*options.defect, *(("stormy",) if seed % 2 else ()))
            plan = Plan(options.games, seed, options.at_once, options.pause, defects, tuple(options.blow))
            known[seed] = _round(plan, options.keep)
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


def _round(plan: Plan, keep: Path | None) -> dict[str, Any]:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Postgres() as postgres, Nats() as nats:
        outcome = asyncio.run(run(Path(folder), plan, postgres, nats))
        if outcome.broken and keep is not None:
            (keep / str(plan.seed)).mkdir(parents=True, exist_ok=True)
            for log in Path(folder).glob("*/server.log"):
                (keep / str(plan.seed) / f"{log.parent.name}.log").write_bytes(log.read_bytes())
            (keep / str(plan.seed) / "seen").write_text("\n".join(map(repr, outcome.histories)))
    counts = outcome.counts | {"seconds": round(time.monotonic() - began)}
    print(
        f"seed {plan.seed}: {len(outcome.broken)} broken, {counts['seconds']} s", file=sys.stderr, flush=True
    )
    return {"counts": counts, "broken": outcome.broken}


if __name__ == "__main__":
    sys.exit(main())
