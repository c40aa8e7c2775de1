"""Agents: how fast they search, how closely they keep a time limit, how well they play.

    python bench/players/agents.py speed     nodes and playouts per second on one core, on an empty 7x6 board
    python bench/players/agents.py limits    milliseconds beyond a limit of time
    python bench/players/agents.py boards    12x6 against 7x6 per move made; answers in time on others
    python bench/players/agents.py quality   share of moves that keep the outcome, by exact scores (minutes)

Speed is given per second of processor time, so that other work on the machine disturbs it less, and per
second on the wall.
"""

import random
import statistics
import sys
import time

from claimeven.agents import make_agent
from claimeven.arena import measure, pons_questions
from claimeven.bench.boards import quiet_position
from claimeven.limit import Limit
from claimeven.position import Board, Position

MINIMAX = ["minimax", *(f"minimax:preset={name}" for name in ("a", "a-playable", "b", "d", "e"))]
MCTS = ["mcts", *(f"mcts:{extra}" for extra in ("tt", "lgr=1", "lgr=2", "hybrid", "decisive", "solver"))]

# Those of web/src/play/start/BoardSize.svelte, and one of system B.
OFFERED = ("7x6", "8x7", "9x7", "9x9", "10x10x5", "6x5", "5x4x3", "12x6")
WITHIN = 500  # milliseconds
GAMES = 500


def speed() -> None:
    print(f"{'':20}{'depth':>6}{'million per second':>22}{'on the wall':>14}")
    for spec in MINIMAX + MCTS:
        is_mcts = spec.startswith("mcts")
        rates = [_rate(spec, Limit(nodes=500_000 if is_mcts else 5_000_000), is_mcts) for _ in range(3)]
        cpu, wall, depth = max(rates)
        print(f"{spec:20}{depth:>6}{cpu:>22.2f}{wall:>14.2f}")
    start, cpu = time.perf_counter(), time.process_time()
    make_agent("minimax:preset=a-playable,depth=12").choose(Position())
    cpu, wall = time.process_time() - cpu, time.perf_counter() - start
    print(f"depth 12 with preset a-playable: {cpu:.2f} s of processor time, {wall:.2f} s on the wall")


def _rate(spec: str, limit: Limit, is_mcts: bool) -> tuple[float, float, int]:
    agent = make_agent(spec, seed=1)
    start, cpu = time.perf_counter(), time.process_time()
    effort = agent.choose(Position(), limit).effort
    cpu, wall = time.process_time() - cpu, time.perf_counter() - start
    count = (effort.playouts if is_mcts else effort.nodes) or 0
    depth = effort.tree.depth if effort.tree is not None else effort.depth
    return count / cpu / 1e6, count / wall / 1e6, depth or 0


def limits() -> None:
    """On a board where nothing is solved early."""
    print(f"{'':20}{'limit':>8}{'median':>9}{'worst':>9}  ms beyond the limit, 20 moves each")
    position = Position.parse("55", Board(9, 7, 4))
    for spec in ("minimax", "mcts", "mcts:hybrid,solver", "perfect"):
        for milliseconds in (20, 100, 500):
            agent, late = make_agent(spec, seed=1), []
            for _ in range(20):
                start = time.perf_counter()
                agent.choose(position, Limit(seconds=milliseconds / 1000))
                late.append(1000 * (time.perf_counter() - start) - milliseconds)
            print(f"{spec:20}{milliseconds:>6}ms{statistics.median(late):>9.1f}{max(late):>9.1f}")


def boards() -> None:
    """Moves made on 12x6 per second, by those on 7x6; and how late answers come where people play."""
    small, large = Board.parse("7x6"), Board.parse("12x6")
    lengths = {board: _mean_length(board) for board in (small, large)}
    for spec, nodes in (("minimax", 1_000_000), ("mcts", 50_000)):
        rounds = []
        for _ in range(7):  # by turns, so that a busy machine is busy for both
            rate = {}
            for board in (small, large):
                start = time.process_time()
                effort = make_agent(spec, seed=1).choose(Position(board), Limit(nodes=nodes)).effort
                moves = effort.nodes or (effort.playouts or 0) * lengths[board]
                rate[board] = moves / (time.process_time() - start)
            rounds.append(rate[large] / rate[small])
        print(f"{spec}: {statistics.median(rounds):.2f} times the moves of 7x6 on 12x6")
    print(f"\n{'board':10}{'agent':12}{'median':>8}{'worst':>8}  ms for an answer within {WITHIN} ms")
    for size in OFFERED:
        board = Board.parse(size)
        starts = [Position(board), *(quiet_position(board, random.Random(seed)) for seed in range(4))]
        for spec in ("level:7", "level:9", "level:10", "perfect"):
            agent, taken = make_agent(spec, seed=1), []
            for position in starts:
                start = time.perf_counter()
                agent.choose(position, Limit(seconds=WITHIN / 1000))
                taken.append(1000 * (time.perf_counter() - start))
            print(f"{size:10}{spec:12}{statistics.median(taken):>8.0f}{max(taken):>8.0f}")


def _mean_length(board: Board) -> float:
    """Of random games: what a playout from the empty board has to play."""
    generator, moves = random.Random(1), 0
    for _ in range(GAMES):
        position = Position(board)
        while not position.is_over:
            position = position.play(generator.choice(position.legal))
        moves += position.ply
    return moves / GAMES


def quality() -> None:
    plan = [
        ("random", "", 1000),
        ("rules", "", 1000),
        *((f"level:{n}", "", 1000) for n in range(1, 8)),
        ("level:8", "", 200),
        ("level:9", "", 200),
        ("perfect", "", 200),
        ("mcts", "1000n", 1000),
        *((spec, "100000n", 200) for spec in ("mcts", "mcts:solver", "mcts:lgr=1", "mcts:hybrid")),
        ("minimax", "100000n", 200),
        ("minimax", "10000000n", 200),
    ]
    print(f"{'':20}{'limit':>11}{'positions':>11}{'keeps':>9}{'decisive':>10}{'optimal':>9}  %")
    for spec, limit, per_set in plan:
        found = measure(spec, pons_questions(per_set), Limit.parse(limit), seed=1)
        shares = found.keeping(), found.keeping(decisive=True), found.optimal()
        numbers = "".join(
            f"{100 * share.value:>{width}.2f}" for share, width in zip(shares, (9, 10, 9), strict=True)
        )
        print(f"{spec:20}{limit:>11}{len(found.answers):>11}{numbers}", flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or ["speed", "limits"]:
        {"speed": speed, "limits": limits, "boards": boards, "quality": quality}[name]()
