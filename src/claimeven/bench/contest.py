"""Solvers side by side on the same positions, in one run, one after the other position by position.

The rules are the same for all: one thread, no book, a table that knows nothing of earlier positions; the
processor time of the process counts, and only that of the answer itself. Emptying a peer's table throws the
whole processor cache away, so that the next answer would mostly measure memory: therefore every engine first
answers one easy question, always the same, on its own time.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple, Protocol

from claimeven import pons
from claimeven.errors import InputError
from claimeven.notation import parse_moves
from claimeven.position import Position
from claimeven.solver import Solver

# How many positions of each set are measured: all of the easy ones, fewer where each takes long.
POSITIONS = {"L3_R1": 1000, "L2_R1": 1000, "L1_R1": 1000, "L2_R2": 200, "L1_R2": 50, "L1_R3": 20}
EMPTY = "empty"
EMPTY_SCORE = 1
WARM_UP = "5554224333234511764415115"  # the first of middle-easy

Progress = Callable[[int, int], None]  # positions done, positions in all


class Answer(NamedTuple):
    score: int
    nodes: int
    seconds: float


class Engine(Protocol):
    name: str

    def answer(self, moves: str) -> Answer: ...


class Ours:
    """This package's solver. Only the clock of the wall can tell what several threads are worth."""

    def __init__(self, name: str = "claimeven", threads: int = 1, *, by_wall_clock: bool = False) -> None:
        self.name = name
        self._clock = time.perf_counter if by_wall_clock else time.process_time
        self._solver = Solver(threads=threads, book=False)
        self._warm_up = Position.parse(WARM_UP)

    def answer(self, moves: str) -> Answer:
        position = Position.parse(moves)
        self._solver.solve(self._warm_up)
        self._solver.clear()
        start = self._clock()
        bounds = self._solver.solve(position)
        seconds = self._clock() - start
        return Answer(bounds.low, bounds.nodes, seconds)


class BitBully:
    """The fastest solver that can be installed from PyPI."""

    def __init__(self) -> None:
        try:
            self._core: Any = import_module("bitbully.bitbully_core")
        except ImportError:
            raise InputError("needs.bitbully") from None
        self.name = f"bitbully {version('bitbully')}"
        self._engine = self._core.BitBullyCore()
        self._warm_up = self._board(WARM_UP)

    def answer(self, moves: str) -> Answer:
        board = self._board(moves)
        self._engine.resetTranspositionTable()
        self._engine.mtdf(self._warm_up, 0)
        before = self._engine.getNodeCounter()
        start = time.process_time()
        score = self._engine.mtdf(board, 0)
        seconds = time.process_time() - start
        return Answer(score, self._engine.getNodeCounter() - before, seconds)

    def score(self, moves: str) -> int:
        """Only the score; the table may know something already."""
        found: int = self._engine.mtdf(self._board(moves), 0)
        return found

    def _board(self, moves: str) -> Any:
        board = self._core.BoardCore()
        board.play(list(parse_moves(moves, 7)))
        return board


PEERS: dict[str, Callable[[], Engine]] = {"bitbully": BitBully}


def make_peer(name: str) -> Engine:
    if name not in PEERS:
        raise InputError("no_peer", name=repr(name), known=", ".join(PEERS))
    return PEERS[name]()


@dataclass
class Total:
    """What one engine needed for a set."""

    positions: int = 0
    nodes: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)  # moves of the positions with another score

    def add(self, moves: str, score: int, answer: Answer) -> None:
        self.positions += 1
        self.nodes += answer.nodes
        self.seconds += answer.seconds
        if answer.score != score:
            self.wrong.append(moves)


@dataclass(frozen=True)
class Result:
    """One set, and what each engine needed for it; an engine may have left it out."""

    set: str
    totals: dict[str, Total]

    def faster(self, first: str, second: str) -> float | None:
        return self._ratio(first, second, lambda total: total.seconds)

    def fewer_nodes(self, first: str, second: str) -> float | None:
        return self._ratio(first, second, lambda total: total.nodes)

    def _ratio(self, first: str, second: str, of: Callable[[Total], float]) -> float | None:
        if first not in self.totals or second not in self.totals:
            return None
        return of(self.totals[second]) / max(of(self.totals[first]), 1e-9)


def questions(name: str, is_quick: bool = False) -> list[pons.Scored]:
    """The positions of a set that are measured; `EMPTY` is the empty board."""
    if name == EMPTY:
        return [pons.Scored("", EMPTY_SCORE)]
    count = POSITIONS[name]
    return pons.read_set(name)[: count // 10 if is_quick else count]


def compete(
    engines: Sequence[Engine],
    sets: Sequence[str],
    *,
    is_quick: bool = False,
    everyone_on_empty: bool = False,
    progress: Callable[[str], Progress] | None = None,
) -> Iterator[Result]:
    """Set by set: every engine on every position, in turns, each as often first as the others.

    The empty board takes the peers minutes: only the first engine gets it, unless all shall.
    """
    for name in sets:
        asked = questions(name, is_quick)
        taking_part = list(engines if name != EMPTY or everyone_on_empty else engines[:1])
        totals = {engine.name: Total() for engine in taking_part}
        show = progress(name) if progress else None
        for done, (moves, score) in enumerate(asked, start=1):
            shift = done % len(taking_part)
            for engine in taking_part[shift:] + taking_part[:shift]:
                totals[engine.name].add(moves, score, engine.answer(moves))
            if show:
                show(done, len(asked))
        yield Result(name, totals)
