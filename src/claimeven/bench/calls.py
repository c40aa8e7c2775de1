"""What single calls cost a Python program, with the book: one score, a batch, an analysis, a stop."""

import random
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from claimeven import pons
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.solver import Solver

Progress = Callable[[int, int], None]
BATCH = 200_000
FEW_EMPTIES = 10
STOPS = 10


@dataclass(frozen=True)
class Calls:
    score_microseconds: float  # of a position with a win at hand
    batch_per_second: float  # scores of positions with at most ten empty cells
    batch_threads: int
    analyse_milliseconds: dict[str, float]  # median, 95th and 99th percentile, longest
    analyse_positions: int
    stop_milliseconds: float  # from Limit.stop to the answer, the longest of some


def measure_calls(games: int, threads: int, seed: int = 0, progress: Progress | None = None) -> Calls:
    generator = random.Random(seed)
    milliseconds = sorted(1000 * seconds for seconds in analyse_games(games, generator, progress))
    cuts = statistics.quantiles(milliseconds, n=100, method="inclusive")
    return Calls(
        score_microseconds=1e6 * score_call(),
        batch_per_second=batch(threads, generator),
        batch_threads=threads,
        analyse_milliseconds={
            "median": cuts[49],
            "95th": cuts[94],
            "99th": cuts[98],
            "longest": milliseconds[-1],
        },
        analyse_positions=len(milliseconds),
        stop_milliseconds=1000 * max(stop() for _ in range(STOPS)),
    )


def score_call(rounds: int = 20, calls: int = 5000) -> float:
    """Seconds of one call that needs no search; the fastest round, as the machine may be busy."""
    solver = Solver()
    position = Position.parse("414141")
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            solver.score(position)
        best = min(best, (time.perf_counter() - start) / calls)
    return best


def batch(threads: int, generator: random.Random) -> float:
    """Scores per second; making the positions does not count."""
    positions = late_positions(BATCH)
    generator.shuffle(positions)
    solver = Solver(threads=threads)
    solver.scores(positions[:1000])
    solver.clear()
    start = time.perf_counter()
    solver.scores(positions)
    return len(positions) / (time.perf_counter() - start)


def late_positions(count: int) -> list[Position]:
    """Different unfinished positions with at most ten empty cells: those of a set, and what follows them."""
    found: dict[int, Position] = {}
    layer = [Position.parse(moves) for moves, _ in pons.read_set("L3_R1")]
    while layer and len(found) < count:
        late = (p for p in layer if not p.is_over and p.board.cells - p.ply <= FEW_EMPTIES)
        found |= {position.key: position for position in late}
        layer = [position.play(column) for position in layer for column in position.legal]
    return list(found.values())[:count]


def analyse_games(games: int, generator: random.Random, progress: Progress | None = None) -> Iterator[float]:
    """Seconds of the analysis of every position of games whose moves are half best, half random."""
    solver = Solver()
    for game in range(games):
        position = Position()
        while not position.is_over:
            start = time.perf_counter()
            analysis = solver.analyse(position)
            yield time.perf_counter() - start
            columns = analysis.best if generator.random() < 0.5 else position.legal
            position = position.play(generator.choice(columns))
        if progress:
            progress(game + 1, games)


def stop() -> float:
    """Seconds from the wish to stop, by another thread, to the answer."""
    solver = Solver(book=False)
    wish, wished = threading.Event(), 0.0

    def wait() -> None:
        nonlocal wished
        time.sleep(0.3)
        wished = time.perf_counter()
        wish.set()

    other = threading.Thread(target=wait)
    other.start()
    solver.analyse(Position(), Limit(stop=wish))
    answered = time.perf_counter()
    other.join()
    return answered - wished
