"""The fault harness: games over bad lines, on a server that is killed, frozen and kept from its database, on
a disk that forgets what was not synced.

    python tests/faults/run.py --games 500 --rounds 20

Everything that any client saw is compared with what is stored, by a referee that knows nothing of the server.
The exit code is 1 if a promise was broken.
"""

import asyncio
import random
import shutil
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults import baits
from faults.common import rounds
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

            async def game() -> None:
                if rng.random() < TEXT_SHARE:
                    await text.play(trouble.server.tcp_port)
                await evening.play()

            await rounds.play(plan.games, plan.at_once, game, trouble)
        if not trouble.is_lost:  # the judge sees what this leaves
            await rounds.cleaned(server.database)
            await trouble.strike(trouble.cut_power if postgres is None else trouble.kill)
        judge = Judge(trouble.server.database)
        broken = [*trouble.faults, *judge.verdict(evening.histories, text.histories)]
        judge.close()
    finally:
        trouble.end()
    counts = {**judge.counts, **evening.counts, **proxy.faults, **trouble.counts, **text.counts}
    return Outcome(broken, counts | {"syncs": disk.syncs}, evening.histories, server.file)


def main() -> int:
    parser = rounds.arguments("Play many games while everything goes wrong.", games=300, at_once=60)
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server started for it")
    parser.add_argument("--lying-disk", action="store_true", help="that forgets what it said it wrote")
    options = parser.parse_args()

    def outcome(seed: int) -> Outcome:
        defects = tuple(options.defect)
        plan = Plan(options.games, seed, options.at_once, options.pause, options.lying_disk, defects)
        return _round(plan, options.postgres, options.keep)

    return rounds.run_all(options, outcome)


def _round(plan: Plan, on_postgres: bool, keep: Path | None) -> Outcome:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as used:
        postgres = used.enter_context(Postgres()) if on_postgres else None
        outcome = asyncio.run(run(Path(folder), plan, postgres))
        if outcome.broken and keep is not None:
            shutil.copytree(folder, keep / str(plan.seed))
            (keep / str(plan.seed) / "seen").write_text("\n".join(map(repr, outcome.histories)))
    return outcome


if __name__ == "__main__":
    sys.exit(main())
