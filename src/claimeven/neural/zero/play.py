"""Many games side by side, every move searched; what was played and found becomes lessons at the end."""

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
        # What the games that are being played did so far: a row for every game, its moves in it.
        wide = (games, board.cells, board.columns)
        self.log: dict[str, Array] = {
            "mine": np.zeros(wide[:2], np.uint64),
            "mask": np.zeros(wide[:2], np.uint64),
            "shares": np.zeros(wide, np.float32),
            "means": np.zeros(wide, np.float32),
            "columns": np.zeros(wide[:2], np.int64),
        }
        self.moves = np.zeros(games, np.int64)  # in the log
        self.finished = 0
        self._begin(np.arange(games))

    def move(self, think: Think) -> Lessons:
        """One move of every game, and the lessons of those that end by it."""
        games, width = len(self.mine), self.board.columns
        noise = self.rng.dirichlet([self.alpha] * width, games)
        found = search(self.forest, self.mine, self.mask, think, noise)
        shares = found[..., 0].cumsum(-1)
        drawn = (shares > self.rng.random((games, 1)) * shares[:, -1:]).argmax(-1)
        best = np.frombuffer(self.forest.found()[1], np.int8)
        columns = np.where(np.bitwise_count(self.mask) < self.free, drawn, best)
        every = np.arange(games)
        did = (self.mine, self.mask, found[..., 0], found[..., 1], columns)
        for rows, values in zip(self.log.values(), did, strict=True):
            rows[every, self.moves] = values
        self.moves += 1
        is_won = self._play(every, columns)
        over = np.flatnonzero(is_won | (self.mask == np.uint64(self.geometry.full)))
        lessons = self._told(over, is_won[over])
        self._begin(over)
        return lessons

    def _play(self, games: Array, columns: Array) -> Array:
        """Who just moved has won."""
        height, mask = self.board.rows + 1, self.mask[games]
        column = np.uint64((1 << self.board.rows) - 1) << (columns * height).astype(np.uint64)
        cells = self.geometry.landing(mask) & column
        stones = self.mine[games] | cells
        self.mine[games] ^= mask
        self.mask[games] |= cells
        return self.geometry.is_won(stones)

    def _told(self, games: Array, is_won: Array) -> Lessons:
        """Game after game, move after move."""
        self.finished += len(games)
        stones = np.bitwise_count(self.mask[games]).astype(np.int64)
        scores = np.where(is_won, (self.board.cells + 2 - stones) // 2, 0)  # for who moved last
        moves, numbers = self.moves[games, None], np.arange(self.board.cells)
        signs = 1 - 2 * ((moves - 1 - numbers) % 2)
        is_there = numbers < moves
        told = {name: rows[games][is_there] for name, rows in self.log.items()}
        return Lessons(**told, scores=(signs * scores[:, None])[is_there])

    def _begin(self, games: Array) -> None:
        """New games; some begin with moves by chance, as long as nobody wins by them."""
        self.moves[games] = 0
        while len(games):
            self.mine[games] = self.mask[games] = 0
            is_open = self.rng.random(len(games)) < OPEN_SHARE
            moves = np.where(is_open, self.rng.integers(1, self.board.cells // 2, len(games)), 0)
            is_over = np.zeros(len(games), np.bool_)
            for number in range(int(moves.max())):
                going = np.flatnonzero((moves > number) & ~is_over)
                is_over[going] = self._play(games[going], self._any_columns(games[going]))
            games = games[is_over]

    def _any_columns(self, games: Array) -> Array:
        landing = self.geometry.landing(self.mask[games])
        columns = np.array([self.geometry.column(column) for column in range(self.board.columns)], np.uint64)
        is_free = (landing[:, None] & columns) != 0
        return np.where(is_free, self.rng.random(is_free.shape), -1.0).argmax(-1)


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
