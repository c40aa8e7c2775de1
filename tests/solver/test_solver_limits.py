"""Limits, interruption and threads: a solver that is stopped tells what it knows, and nothing wrong."""

import random
import signal
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimeven import pons
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.solver import Solver
from kit.plain_solver import plain_score, random_position

EMPTY = Position()  # takes seconds without the book
MEDIUM = [pons.Scored(*scored) for name in ("L2_R2", "L1_R2") for scored in pons.read_set(name)[:40]]
GENEROUS = 30.0  # seconds: a tenth is the aim (claimeven bench --calls), but the machine may be busy


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(book=False)


# Bounds --------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(scored=st.sampled_from(MEDIUM), nodes=st.integers(1, 100_000), outcome=st.booleans())
def test_bounds_contain_the_score_for_any_number_of_nodes(
    solver: Solver, scored: pons.Scored, nodes: int, outcome: bool
) -> None:
    solver.clear()
    found = solver.solve(Position.parse(scored.moves), Limit(nodes=nodes), only_outcome=outcome)
    assert found.low <= scored.score <= found.high
    assert found.nodes <= nodes + 1


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    nodes=st.integers(1, 3000),
    text=st.sampled_from(["4x4x3", "5x4x4", "4x5x4", "6x4x3", "7x6x4", "9x3x3", "20x5x4", "9x7x4"]),
)
def test_bounds_of_columns_contain_their_scores(solver: Solver, seed: int, nodes: int, text: str) -> None:
    board = Board.parse(text)
    position = random_position(board, random.Random(seed), max(0, board.cells - 16))
    solver.clear()
    limited = solver.analyse(position, Limit(nodes=nodes))
    exact = solver.analyse(position)
    assert exact.is_exact
    assert set(limited.bounds) == set(position.legal)
    for column, (low, high) in limited.bounds.items():
        assert low <= exact.scores[column].value <= high
    for column, score in limited.scores.items():
        assert score == exact.scores[column]
    if limited.is_exact:
        assert limited.score == exact.score
        assert limited.best == exact.best or set(limited.best) <= set(exact.best)
    else:
        assert limited.best == ()


@pytest.mark.parametrize("text", ["5x4x4", "4x5x3", "7x6x4", "6x5x4"])
def test_depth_finds_exactly_the_wins_within_it(text: str, solver: Solver) -> None:
    """With a depth, wins and losses within so many stones are certain; of the rest, that they are later."""
    board = Board.parse(text)
    for seed in range(15):
        position = random_position(board, random.Random(seed), board.cells - 10)
        truth = solver.analyse(position)
        assert truth.score is not None
        assert truth.score.value == plain_score(position)
        for depth in range(1, 12):
            solver.clear()
            found = solver.analyse(position, Limit(depth=depth))
            for column, score in truth.scores.items():
                low, high = found.bounds[column]
                assert low <= score.value <= high
                if score.moves is None:
                    continue
                stones = 2 * score.moves - (score.value > 0)  # from this position to the end
                if stones <= depth:
                    assert low == high == score.value, (str(position), depth, column)


@pytest.mark.parametrize(("moves", "nodes"), [("", 2_000_000), ("1", 2_000_000), ("4444", 700_000)])
def test_every_column_has_its_share_of_a_limit(solver: Solver, moves: str, nodes: int) -> None:
    """The first column alone could use all of it, and much more, without an answer."""
    position = Position.parse(moves)
    solver.clear()
    unsearched = solver.analyse(position, Limit(nodes=1)).bounds
    solver.clear()
    found = solver.analyse(position, Limit(nodes=nodes))
    assert not found.is_exact
    assert found.nodes <= nodes + 30  # one more for every part
    for column, (low, high) in found.bounds.items():
        before = unsearched[column]
        assert before[0] <= low <= high <= before[1]
        assert high - low < before[1] - before[0]


def test_a_limit_of_nodes_is_kept_by_many_threads() -> None:
    found = Solver(threads=2, book=False).solve(EMPTY, Limit(nodes=200_000))
    assert found.low <= 1 <= found.high
    assert found.nodes < 1_000_000


def test_a_limited_solver_can_go_on(solver: Solver) -> None:
    """What a stopped search has learned helps the next one, and is right."""
    moves, score = pons.read_set("L1_R2")[2]
    position = Position.parse(moves)
    solver.clear()
    for _ in range(10_000):
        found = solver.solve(position, Limit(nodes=5000))
        assert found.low <= score <= found.high
        if found.low == found.high:
            break
    assert found.low == found.high == score


# Stopping ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_seconds(threads: int) -> None:
    start = time.monotonic()
    analysis = Solver(threads=threads, book=False).analyse(EMPTY, Limit(seconds=0.2))
    assert 0.15 < time.monotonic() - start < 0.2 + GENEROUS
    assert analysis.score is None
    assert not analysis.is_exact
    assert analysis.line == ()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", ["solve", "analyse"])
def test_stop_from_another_thread(method: str, threads: int) -> None:
    stop = threading.Event()
    wished = 0.0

    def wish() -> None:
        nonlocal wished
        time.sleep(0.3)
        wished = time.monotonic()
        stop.set()

    other = threading.Thread(target=wish)
    other.start()
    getattr(Solver(threads=threads, book=False), method)(EMPTY, Limit(stop=stop))
    assert time.monotonic() - wished < GENEROUS
    other.join()


def test_a_stop_wished_before_is_heard_too(solver: Solver) -> None:
    stop = threading.Event()
    stop.set()
    solver.clear()
    start = time.monotonic()
    found = solver.solve(EMPTY, Limit(stop=stop))
    assert time.monotonic() - start < GENEROUS
    assert found.low <= 1 <= found.high


@pytest.mark.parametrize(
    "call",
    [
        "Solver(book=False).score(Position())",
        "Solver(book=False, threads=2).score(Position())",
        "Solver(book=False).analyse(Position())",
        "Solver(book=False).scores([Position()] * 100)",
        "Solver(book=False, threads=2).scores([Position.parse(str(i)) for i in range(1, 8)] * 10)",
    ],
)
def test_ctrl_c(call: str) -> None:
    code = (
        f"from claimeven import Position, Solver\nsolver = Solver()\nprint('go', flush=True)\n"
        f"try:\n    {call}\nexcept KeyboardInterrupt:\n    print(solver.score(Position()))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        start = time.monotonic()
        out, _ = child.communicate(timeout=20)
    assert time.monotonic() - start < GENEROUS
    assert (child.returncode, out) == (0, "wins in 21 moves\n")


# Python's side -------------------------------------------------------------------------------------


def test_other_threads_run_meanwhile() -> None:
    """The solver lets the interpreter go: another thread counts while it works."""
    count, stop = 0, threading.Event()

    def work() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1

    other = threading.Thread(target=work)
    other.start()
    before = count
    Solver(book=False).solve(EMPTY, Limit(seconds=0.5))
    counted = count - before
    stop.set()
    other.join()
    assert counted > 10_000  # holding the lock would leave it a turn every 20 ms


@pytest.mark.parametrize("threads", [1, 2])
def test_progress(threads: int) -> None:
    seen: list[int] = []
    stop = threading.Event()

    def show(nodes: int) -> None:
        seen.append(nodes)
        if len(seen) == 5:
            stop.set()

    solver = Solver(threads=threads, megabytes=16, book=False)
    solver.analyse(EMPTY, Limit(stop=stop), show)
    assert len(seen) >= 5
    assert seen == sorted(seen)
    seen.clear()
    hard = [Position.parse(moves) for moves, _ in pons.read_set("L1_R2")[:40]]
    solver.scores(hard, show)
    assert seen


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_progress_ends_the_search(threads: int) -> None:
    def refuse(nodes: int) -> None:
        raise LookupError(f"enough after {nodes}")

    solver = Solver(threads=threads, book=False)
    for call in (
        lambda: solver.analyse(EMPTY, progress=refuse),
        lambda: solver.solve(EMPTY, progress=refuse),
        lambda: solver.scores([EMPTY] * 100, refuse),
    ):
        with pytest.raises(LookupError, match="enough after"):
            call()
    moves, score = MEDIUM[0]
    assert int(solver.score(Position.parse(moves))) == score  # and it still works


def test_two_threads_share_a_solver() -> None:
    """They take turns, on different boards too."""
    solver = Solver(book=False)
    wrong: list[object] = []

    def work(seed: int) -> None:
        generator = random.Random(seed)
        for moves, score in generator.sample(pons.read_set("L2_R1"), 100):
            found = int(solver.score(Position.parse(moves)))
            if found != score:
                wrong.append((moves, score, found))
            small = random_position(Board(4, 4, 3), generator, 8)
            if int(solver.score(small)) != plain_score(small):
                wrong.append(str(small))
            if generator.random() < 0.1:
                solver.clear()

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert wrong == []


@pytest.mark.parametrize(
    "limit", [{"seconds": 0}, {"seconds": -1}, {"nodes": 0}, {"depth": 0}, {"seconds": float("nan")}]
)
def test_impossible_limits(limit: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="limit: "):
        Limit(**limit)  # type: ignore[arg-type]
