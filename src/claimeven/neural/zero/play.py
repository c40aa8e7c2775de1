"""Many games side by side, every move searched; what was played and found becomes lessons at the end."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from claimeven import _core
from claimeven.board import Board
from claimeven.learn.labels.bits import Geometry

Array = np.ndarray[Any, Any]
Think = Callable[[Array, Array], tuple[Array, Array]]  # positions in; wishes and values by column out


@dataclass(frozen=True)
class Lessons:
    """Positions of finished games, a row each."""

    mine: Array
    mask: Array
    shares: Array  # by column: how often the search would play it
    means: (
        Array  # by column: what the search thinks of it, from -1 to 1; not a number where it has not looked
    )
    columns: Array  # what was played
    scores: Array  # how the game ended, for who was to move: as an exact score would say it

    def __len__(self) -> int:
        return len(self.mine)


def search(forest: _core.Forest, mine: Array, mask: Array, think: Think, noise: Array | None = None) -> Array:
    """Let every tree of the forest grow. [tree][column] of (share, mean): see `Lessons`."""
    forest.start(mine.tobytes(), mask.tobytes())
    is_new = True
    while True:
        leaves = [np.frombuffer(words, np.uint64) for words in forest.leaves()]
        if not len(leaves[0]):
            break
        wishes, values = think(*leaves)
        forest.learn(wishes.astype(np.float32).tobytes(), values.astype(np.float32).tobytes())
        if is_new and noise is not None:
            forest.stir(noise.astype(np.float32).tobytes(), NOISE_SHARE)
        is_new = False
    return np.frombuffer(forest.found()[0], np.float32).reshape(len(mine), -1, 2)


NOISE_SHARE = 0.25
OPEN_SHARE = 0.5  # of the games begin with moves by chance, else nothing but their own games is learned


class Games:
    """`alpha`: of the noise at the roots, the smaller the more it is about single columns. For `free` plies
    moves are drawn by the shares of the search, later the best is played."""

    def __init__(self, board: Board, games: int, simulations: int, seed: int, threads: int = 1) -> None:
        self.board, self.geometry = board, Geometry(board)
        self.rng = np.random.default_rng(seed)
        self.alpha = 10 / board.columns / 2
        self.free = board.cells // 3
        self.forest = forest_of(board, simulations, threads)
        self.mine, self.mask = np.zeros(games, np.uint64), np.zeros(games, np.uint64)
        self.rounds: deque[tuple[Array, ...]] = deque(maxlen=board.cells)  # what all games did, by move
        self.since = np.zeros(games, np.int64)  # the first of those rounds is so many back
        self.finished = 0
        for game in range(games):
            self._begin(game)

    def move(self, think: Think) -> Lessons:
        """One move of every game, and the lessons of those that end by it."""
        games, width = len(self.mine), self.board.columns
        noise = self.rng.dirichlet([self.alpha] * width, games)
        found = search(self.forest, self.mine, self.mask, think, noise)
        shares = found[..., 0].cumsum(-1)
        drawn = (shares > self.rng.random((games, 1)) * shares[:, -1:]).argmax(-1)
        best = np.frombuffer(self.forest.found()[1], np.int8)
        columns = np.where(np.bitwise_count(self.mask) < self.free, drawn, best)
        self.rounds.append((self.mine.copy(), self.mask.copy(), found[..., 0], found[..., 1], columns))
        self.since += 1
        is_won = self._play(slice(None), columns)
        is_over = is_won | (self.mask == np.uint64(self.geometry.full))
        lessons = []
        for game in np.flatnonzero(is_over).tolist():
            lessons += self._told(game, bool(is_won[game]))
            self._begin(game)
        return (
            Lessons(*(np.array(rows) for rows in zip(*lessons, strict=True))) if lessons else nothing(width)
        )

    def _play(self, games: "slice | int", columns: Array) -> Array:
        """Who just moved has won."""
        height, mask = self.board.rows + 1, self.mask[games]
        column = np.uint64((1 << self.board.rows) - 1) << (columns * height).astype(np.uint64)
        cells = self.geometry.landing(mask) & column
        stones = self.mine[games] | cells
        self.mine[games] ^= mask
        self.mask[games] |= cells
        return self.geometry.is_won(stones)

    def _told(self, game: int, is_won: bool) -> list[tuple[Any, ...]]:
        stones = int(np.bitwise_count(self.mask[game]))
        score = (self.board.cells + 2 - stones) // 2 if is_won else 0  # for who moved last
        rows = list(self.rounds)[-int(self.since[game]) :]
        last = len(rows) - 1
        self.finished += 1
        return [
            (*(part[game] for part in row), score if (last - i) % 2 == 0 else -score)
            for i, row in enumerate(rows)
        ]

    def _begin(self, game: int) -> None:
        """A new game; some begin with moves by chance, as long as nobody wins by them."""
        self.since[game] = 0
        while True:
            self.mine[game] = self.mask[game] = 0
            moves = int(self.rng.integers(1, self.board.cells // 2)) if self.rng.random() < OPEN_SHARE else 0
            if not any(self._play(game, self._any_column(game)) for _ in range(moves)):
                return

    def _any_column(self, game: int) -> Any:
        landing = int(self.geometry.landing(self.mask[game]))
        columns = [column for column in range(self.board.columns) if landing & self.geometry.column(column)]
        return np.int64(self.rng.choice(columns))


def nothing(width: int) -> Lessons:
    none = np.zeros((0,), np.uint64)
    columns = np.zeros((0, width), np.float32)
    return Lessons(none, none, columns, columns, none, none)


def forest_of(board: Board, simulations: int, threads: int = 1) -> _core.Forest:
    return _core.Forest(
        board.columns,
        board.rows,
        board.reach,
        exploration=EXPLORATION,
        slope=0.0,
        simulations=simulations,
        threads=threads,
    )


EXPLORATION = 1.5
