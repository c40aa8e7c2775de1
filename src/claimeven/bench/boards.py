"""How fast the search is on boards of other sizes, beside 7x6 in the same run.

What is compared is nodes per second of processor time, on quiet positions with a quarter of the cells filled.
Those that are solved before NODES are passed over: the time of a few hundred is that of clearing a table.
Every board has its turn in every round, so that a busy machine is busy for all of them.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.solver import Solver

# 64 bits and fewer, then more; then five in a row, of both.
SIZES = (
    *("7x6", "6x7", "8x6", "7x7", "8x7", "9x6", "10x5", "12x4"),
    *("9x7", "10x6", "8x8", "12x6"),
    *("9x6x5", "10x10x5"),
)
WORD_BITS = 64
MEGABYTES = 64
NODES = 200_000  # for one position, and then it stops
SEED = 7
SOLVED = "7x6"  # empty, once
# What C. Steininger tells of his solver (github.com/ChristopheSteininger/c4, 2024): no other times are there.
PUBLISHED = {"7x6": "3 s", "7x9": "16 hours"}


@dataclass(frozen=True)
class Rate:
    """What one board cost."""

    board: str
    bits: int
    nodes: int
    seconds: float

    @property
    def millions(self) -> float:
        """Nodes per second."""
        return self.nodes / self.seconds / 1e6

    def beside(self, other: "Rate") -> dict[str, float]:
        """Nodes in the same time, and the time of a node."""
        ratio = self.millions / other.millions
        return {"ratio": round(ratio, 3), "cost": round(1 / ratio, 3)}


def extremes(rates: list[Rate]) -> dict[str, float]:
    """What is asked of the search: most nodes of up to 64 bits, little time for a node of more."""
    first = rates[0].millions
    narrow = min(rate.millions for rate in rates if rate.bits <= WORD_BITS)
    wide = min(rate.millions for rate in rates if rate.bits > WORD_BITS)
    return {
        "narrow_ratio": round(narrow / first, 3),
        "wide_cost": round(first / wide, 3),
        "wide_cost_by_narrow": round(narrow / wide, 3),
    }


def measure_boards(
    rounds: int, progress: Callable[[int, int], None] | None = None, sizes: Sequence[str] = ()
) -> list[Rate]:
    """The rate of each board, SIZES unless told; the first is the one that the others are held against."""
    sizes = sizes or SIZES
    boards = [Board.parse(size) for size in sizes]
    nodes, seconds = [0] * len(boards), [0.0] * len(boards)
    for number in range(rounds):
        generator = random.Random(SEED + number)
        for i, board in enumerate(boards):
            searched, taken = _hard_search(board, generator)
            nodes[i] += searched
            seconds[i] += taken
            if progress:
                progress(number * len(boards) + i + 1, rounds * len(boards))
    return [
        Rate(size, board.columns * (board.rows + 1), nodes[i], seconds[i])
        for i, (size, board) in enumerate(zip(sizes, boards, strict=True))
    ]


def _hard_search(board: Board, generator: random.Random) -> tuple[int, float]:
    """The nodes and the processor seconds of the next position that is not solved before NODES."""
    while True:
        position = quiet_position(board, generator)
        solver = Solver(megabytes=MEGABYTES, book=False)
        start = time.process_time()
        nodes = solver.solve(position, Limit(nodes=NODES)).nodes
        if nodes >= NODES:
            return nodes, time.process_time() - start


def solve_empty() -> Rate:
    """A whole board on one thread, without a book."""
    board = Board.parse(SOLVED)
    start = time.process_time()
    nodes = Solver(book=False).solve(Position(board)).nodes
    return Rate(SOLVED, board.columns * (board.rows + 1), nodes, time.process_time() - start)


def quiet_position(board: Board, generator: random.Random, ply: int | None = None) -> Position:
    """So many cells, or a quarter, filled at random, but no win handed over: nobody can win at once."""
    ply = board.cells // 4 if ply is None else ply
    while True:
        position = Position(board)
        while not position.is_over and position.ply < ply:
            position = position.play(generator.choice(_safe(position) or position.legal))
        if not position.is_over and not _wins(position):
            return position


def _wins(position: Position) -> list[int]:
    return [column for column in position.legal if position.play(column).winner is not None]


def _safe(position: Position) -> list[int]:
    return [column for column in position.legal if not _wins(position.play(column))]
