"""How many games a tournament plays, and what it costs beside the thinking.

    python bench/players/arena.py [WORKERS]

First random against random, with every pair kept on disk: games per minute. Then the processor time of one
process for every move of agents that do not think, under a limit of time (each move then has a thread of its
own, so that it can be given up) and of nodes: all of it is overhead.
"""

import sys
import tempfile
import time
from pathlib import Path

from claimeven.arena.play import tournament
from claimeven.arena.play.schedule import Plan
from claimeven.limit import Limit


def main(workers: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        games = tournament.play(Plan(("random", "random"), games=4000), workers=workers, folder=Path(folder))
        seconds = time.perf_counter() - start
    print(f"random against random: {60 * len(games) / seconds:,.0f} games per minute, {workers} workers")

    for limit in (Limit(seconds=0.01), Limit(nodes=1000)):
        start = time.process_time()
        games = tournament.play(Plan(("random", "random"), games=1000, limit=limit))
        seconds = time.process_time() - start
        ms = 1000 * seconds / sum(len(game.ms) for game in games)
        print(f"limit {limit}: {ms:.3f} ms per move beside the thinking, {ms / 10:.1%} of 10 ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
