"""The fault harness for three servers on one PostgreSQL and one NATS, behind a line that misbehaves.

    python tests/faults/cluster/run.py --games 100 --rounds 5

People and promises are those of tests/faults/run.py, and one more: nobody but its owner writes of a game.
Strangers meet in the lobby meanwhile (strangers.py), and a worker thinks for the servers (worker.py). In
every second round what these say to each other, questions and answers among it, comes twice, late and in
another order, in every third one a tournament goes on beside the games, of each format in turn
(tournament.py). The exit code is 1 if a promise was broken.
"""

import asyncio
import random
import sys
import tempfile
from collections.abc import Awaitable
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from faults import baits
from faults.cluster import audit, tournament
from faults.cluster.cable import Cable
from faults.cluster.drive import Drive
from faults.cluster.strangers import Strangers
from faults.cluster.trouble import ClusterTrouble, Member
from faults.cluster.worker import Worker
from faults.common import rounds
from faults.disk import Disk, Mode
from faults.history import History
from faults.judge import Judge
from faults.players import Evening
from faults.process import ServerProcess, free_port
from faults.proxy import Proxy
from faults.run import PATIENCE
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
    has_tournament: bool = False
    has_strangers: bool = False
    format: str = "swiss"  # of the tournament


@dataclass
class Outcome:
    broken: list[str]  # promises, in words
    counts: dict[str, int]
    histories: list[History]


async def run(folder: Path, plan: Plan, postgres: Postgres, nats: Nats, drive: Drive) -> Outcome:
    rng = random.Random(plan.seed)
    clock = Disk(folder)
    clock.behave(Mode.HONEST)
    baits.lay(postgres.url)
    variables = clock.variables | PATIENCE | baits.VARIABLES | tournament.VARIABLES
    async with AsyncExitStack() as used:
        members = [
            await _member(used, folder / str(number), postgres, nats, variables, plan.defects)
            for number in range(SERVERS)
        ]
        port = free_port()
        of_worker = await used.enter_async_context(Cable(nats.port, port))
        # Not all defects are of things that a worker has.
        planted = tuple(defect for defect in plan.defects if defect == "stormy")
        worker = Worker(f"nats://127.0.0.1:{port}", folder / "worker.log", planted)
        worker.start()
        used.callback(worker.kill)
        trouble = ClusterTrouble(
            members, postgres, nats, clock, drive, worker, of_worker, rng, plan.pause, plan.blows
        )
        used.callback(trouble.end)
        await asyncio.to_thread(members[0].server.start)
        audit.begin(postgres.url)
        for member in members[1:]:
            await asyncio.to_thread(member.server.start)
        await trouble.recover("the start")
        async with Proxy(trouble.ports, rng) as proxy:
            evening = Evening(proxy.address, rng, lambda: trouble.calm)
            club = tournament.Tournament(proxy.address, rng, lambda: trouble.calm, plan.format)
            guests = Strangers(proxy.address, rng, lambda: trouble.calm)
            beside: list[Awaitable[object]] = [club.is_late.wait()] if plan.has_tournament else []
            beside += [guests.play()] if plan.has_strangers else []
            event = asyncio.create_task(club.play()) if plan.has_tournament else None
            await rounds.play(plan.games, plan.at_once, evening.play, trouble, *beside)
            if event is not None:
                await (asyncio.wait((event,), timeout=0) if trouble.is_lost else event)
                event.cancel()
        if not trouble.is_lost:
            await rounds.cleaned(postgres.url)
        judge = Judge(postgres.url)
        histories = [*evening.histories, *guests.histories]
        broken = [*trouble.faults, *judge.verdict(histories, left=guests.left), *audit.found(postgres.url)]
        judge.close()
        broken += worker.faults()
        broken += club.verdict(postgres.url) if plan.has_tournament else []
        broken += guests.verdict(postgres.url) if plan.has_strangers else []
    counts = {
        **judge.counts,
        **club.counts,
        **guests.counts,
        **evening.counts,
        **proxy.faults,
        **trouble.counts,
    }
    return Outcome(broken, counts, histories)


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


def main() -> int:
    parser = rounds.arguments(
        "Play many games on three servers while everything goes wrong.", games=100, at_once=40
    )
    parser.add_argument("--blow", action="append", default=[], help="only this, see trouble.py")
    parser.add_argument("--tournament", action="store_true", help="in every round")
    parser.add_argument("--format", choices=tournament.FORMATS, help="of tournaments; else each in turn")
    options = parser.parse_args()

    def outcome(seed: int) -> Outcome:
        defects = (*options.defect, *(("stormy",) if seed % 2 else ()))
        blows, has_event = tuple(options.blow), options.tournament or seed % 3 == 0
        format = options.format or tournament.FORMATS[seed // 3 % len(tournament.FORMATS)]
        at_once, pause = options.at_once, options.pause
        plan = Plan(options.games, seed, at_once, pause, defects, blows, has_event, True, format)
        return _round(plan, options.keep)

    return rounds.run_all(options, outcome)


def _round(plan: Plan, keep: Path | None) -> Outcome:
    with ExitStack() as used:
        folder = used.enter_context(tempfile.TemporaryDirectory())
        drive = used.enter_context(Drive())
        postgres = used.enter_context(Postgres(variables=drive.variables))
        nats = used.enter_context(Nats())
        outcome = asyncio.run(run(Path(folder), plan, postgres, nats, drive))
        if outcome.broken and keep is not None:
            (keep / str(plan.seed)).mkdir(parents=True, exist_ok=True)
            worker = Path(folder) / "worker.log"
            (keep / str(plan.seed) / worker.name).write_bytes(worker.read_bytes())
            for log in Path(folder).glob("*/server.log"):
                (keep / str(plan.seed) / f"{log.parent.name}.log").write_bytes(log.read_bytes())
            (keep / str(plan.seed) / "seen").write_text("\n".join(map(repr, outcome.histories)))
    return outcome


if __name__ == "__main__":
    sys.exit(main())
