"""How long people wait: every position of many varied games analysed, and scores by the million.

    python bench/analysis.py [--games 1000] [--seed 1]

Times are CPU time of one core for the analyses (the machine may be busy), wall time for the batch.
"""

import argparse
import random
import time
import timeit
from collections.abc import Sequence

from claimeven import Analysis, Position, Solver


def varied_move(analysis: Analysis, rng: random.Random) -> int:
    """Half best moves, some second choices, some anything: games as different players make them."""
    ranked = sorted(analysis.scores, key=lambda column: -int(analysis.scores[column]))
    style = rng.random()
    if style < 0.5:
        return rng.choice(analysis.best)
    return rng.choice(ranked[:3] if style < 0.8 else ranked)


def quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def analyse_games(games: int, seed: int) -> None:
    rng = random.Random(seed)
    solver = Solver()
    milliseconds = []
    for _ in range(games):
        position = Position()
        while not position.is_over:
            start = time.process_time()
            analysis = solver.analyse(position)
            milliseconds.append((time.process_time() - start) * 1000)
            position = position.play(varied_move(analysis, rng))
    milliseconds.sort()
    print(
        f"analyse, {len(milliseconds):,} positions of {games:,} games: "
        f"median {quantile(milliseconds, 0.5):.2f} ms, 95 % {quantile(milliseconds, 0.95):.1f} ms, "
        f"99 % {quantile(milliseconds, 0.99):.1f} ms, longest {milliseconds[-1]:.0f} ms"
    )


def late_position(empty: int, rng: random.Random) -> Position:
    """A random game that avoids wins, so that it lasts, up to so many empty cells."""
    while True:
        position = Position()
        while position.ply < position.board.cells - empty:
            quiet = [p for p in map(position.play, position.legal) if not p.is_over]
            if not quiet:
                break
            position = rng.choice(quiet)
        else:
            return position


def score_batch(seed: int) -> None:
    rng = random.Random(seed)
    positions = [late_position(rng.randint(2, 10), rng) for _ in range(10_000)] * 50
    for threads in (1, 2):
        solver = Solver(threads=threads)
        start, start_cpu = time.perf_counter(), time.process_time()
        solver.scores(positions)
        wall, cpu = time.perf_counter() - start, time.process_time() - start_cpu
        print(
            f"scores, at most 10 empty cells, {threads} threads: {len(positions) / wall / 1e6:.2f} million "
            f"a second, {len(positions) / cpu / 1e6:.2f} million per second of one core"
        )
    solver = Solver()
    won = Position.parse("112233")
    each = timeit.timeit(lambda: solver.score(won), number=200_000) / 200_000
    print(f"score, one call with a win at hand: {each * 1e6:.2f} µs")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    score_batch(arguments.seed)
    analyse_games(arguments.games, arguments.seed)
