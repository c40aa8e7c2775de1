"""What a death costs those who live: python bench/server/death.py [--games 3500] [--heirs 1]

PostgreSQL with so many games with a clock, twenty moves each, all of one server that is dead. Told: how long
the transaction takes that buries it and shares them out, and what reading its share costs one of the heirs,
in processor time of the server, by the clock, and a game.
"""

import argparse
import asyncio
import os
import sys
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import psycopg

from claimeven.server.cluster.cluster import Cluster
from claimeven.server.hub import Hub
from claimeven.server.storage.cluster import SharedStore
from claimeven.server.storage.members import BEAT_SECONDS, DEAD_SECONDS, Members
from claimeven.server.thinking import Thinkers
from kit.databases import postgres

MOVES = 20  # of a game
CLOCK = 600_000
IDS = "SELECT lpad(n::text, 12, '0') AS id FROM generate_series(1, %(games)s) n"
FILL = (
    "INSERT INTO games (id, created, board, start, think, clock_initial, clock_increment, owner, seq, take,"
    " redo, left_first, left_second, offers)"
    f" SELECT id, 1, '7x6x4', '', 1000, {CLOCK}, 0, 'token', {MOVES}, 0, '', {CLOCK}, {CLOCK}, ''"
    f" FROM ({IDS}) ids",
    "INSERT INTO seats (game, side, kind, name, owner) SELECT id, side, 'human', 'Ada', 'token'"
    f" FROM ({IDS}) ids, generate_series(1, 2) side",
    'INSERT INTO moves (game, take, ply, "column", side, seq, ms, left_ms, at)'
    f" SELECT id, 0, ply, ply %% 7 + 1, ply %% 2 + 1, ply + 1, 900, {CLOCK}, ply"
    f" FROM ({IDS}) ids, generate_series(0, {MOVES - 1}) ply",
    f"INSERT INTO cluster_leases (game, server, epoch) SELECT id, %(server)s, 1 FROM ({IDS}) ids",
)


class Clock:
    """That moves on with every sign of life."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


async def measure(url: str, games: int, heirs: int) -> None:
    store = SharedStore(url)
    store.claim()
    cluster = Cluster(store, url, "nats://127.0.0.1:1", "here")
    shared = cluster.shared
    shared._sure_until = float("inf")
    clock = Clock()
    members = Members(url, clock)
    dead, others = members.enter("dead"), [members.enter(f"heir {n}") for n in range(1, heirs)]
    with psycopg.connect(url) as session:
        for statement in FILL:
            session.execute(statement.encode(), {"games": games, "server": dead})
    with psycopg.connect(url, autocommit=True) as session:
        session.execute("ANALYZE")
    while clock.seconds < 2 * DEAD_SECONDS:
        clock.seconds += BEAT_SECONDS
        for id in (shared.id, *others):
            members.beat(id, 1)
    began = time.perf_counter()
    buried = members.bury(shared.id, others)
    lasted = time.perf_counter() - began
    print(f"buried and shared out: {buried.clocks:,} games among {heirs} in {lasted:.3f} s")
    hub = cluster._hub = Hub(store, Thinkers((), 1), tenure=shared)
    share = members.inherited(shared.id)
    began, used = time.perf_counter(), time.process_time()
    cluster._wake(share)
    while cluster._waking:
        await asyncio.sleep(0.01)
    lasted, cost = time.perf_counter() - began, time.process_time() - used
    print(
        f"read by one heir: {len(share):,} games in {lasted:.2f} s, {cost:.2f} s of the processor,"
        f" {1000 * cost / len(share):.2f} ms a game; {shared.counters['inherited']:,} in memory"
    )
    members.hang_up()
    shared._members.hang_up()
    with closing(store):
        await hub.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what the death of a server costs the others.")
    parser.add_argument("--games", type=int, default=3500, help="with a clock, of the dead server")
    parser.add_argument("--heirs", type=int, default=1, help="servers that live")
    options = parser.parse_args()
    with postgres() as url:
        asyncio.run(measure(url, options.games, options.heirs))
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
