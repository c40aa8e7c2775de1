"""Who plays: a position and some seconds in, a column out."""

from __future__ import annotations

import math
import random
import time
from typing import NamedTuple

from claimeven.export.parts.board import Game
from claimeven.export.parts.engine import Engine, Tree


def at_hand(game: Game, mine: int, mask: int) -> int | None:
    """A column that wins, else one where the opponent would win."""
    for stones in (mine, mine ^ mask):
        wins = game.wins(stones, mask)
        for column in sorted(game.legal(mask)):
            if game.landing(mask, column) & wins:
                return column
    return None


class Clock:
    """What a move may use: less than half of its time, and of the overage what leaves half for bad luck."""

    def __init__(self, start: float, per_move: float, overage: float) -> None:
        self.start = start
        self.soft = start + 0.4 * per_move
        self.hard = self.soft + max(0.0, overage - 30.0) / 2

    def left(self, until: float) -> float:
        return max(0.002, until - time.monotonic())


class Perfect(NamedTuple):
    """Quickest win, slowest loss; then fewest good replies; then nearest to the centre."""

    weights: list[float]

    def choose(self, engine: Engine, game: Game, mine: int, mask: int, clock: Clock) -> int:
        # Other boards may be too large to solve: there, time is kept for minimax.
        seconds = clock.left(clock.hard) if game.is_usual else clock.left(clock.soft) * 0.6
        bounds = engine.analyse(game, mine, mask, seconds)
        low, high = (max(pair[i] for pair in bounds.values()) for i in (0, 1))
        if low < high:
            cells, seconds = game.columns * game.rows, clock.left(clock.soft)
            order = engine.minimax(game, mine, mask, self.weights, 0, cells, seconds)
            # What the solver has ruled out is left out.
            return next(column for column in order if bounds[column][1] >= low)
        best = [column for column in bounds if bounds[column][0] == low]
        if len(best) == 1:
            return best[0]
        shares = {}
        for i, column in enumerate(best):
            seconds = clock.left(clock.soft) / (len(best) - i)
            shares[column] = good_replies(engine, game, mine, mask, column, seconds)
        return min(best, key=lambda column: shares[column])


def good_replies(
    engine: Engine, game: Game, mine: int, mask: int, column: int, seconds: float
) -> tuple[float, float]:
    """The share of replies that keep the outcome, and of those that keep the score; 1 if unknown."""
    cell = game.landing(mask, column)
    after = mask | cell
    if cell & game.wins(mine, mask) or after == game.full:
        return 1.0, 1.0
    bounds = engine.analyse(game, mine ^ mask, after, seconds)
    if any(low != high for low, high in bounds.values()):
        return 1.0, 1.0
    scores = [low for low, _ in bounds.values()]
    best = max(scores)
    keeping = [score for score in scores if (score > 0) == (best > 0) and (score < 0) == (best < 0)]
    return len(keeping) / len(scores), scores.count(best) / len(scores)


class Minimax(NamedTuple):
    weights: list[float]
    depth: int | None
    depth_by_width: bool

    def choose(self, engine: Engine, game: Game, mine: int, mask: int, clock: Clock) -> int:
        depth = self.depth
        if depth is None and self.depth_by_width:
            depth = int(9 / math.log(game.columns)) if game.columns > 1 else 9
        depth = depth or game.columns * game.rows
        return engine.minimax(game, mine, mask, self.weights, 0, depth, clock.left(clock.soft))[0]


class Level(NamedTuple):
    """An opponent that errs like people do."""

    weights: list[float]
    depth: int
    lapse: float
    is_attentive: bool

    def choose(self, engine: Engine, game: Game, mine: int, mask: int, clock: Clock) -> int:
        forced = at_hand(game, mine, mask) if self.is_attentive else None
        if forced is not None:
            return forced
        depth = 1 if random.random() < self.lapse else self.depth
        seed = random.getrandbits(63)
        return engine.minimax(game, mine, mask, self.weights, seed, depth, clock.left(clock.soft))[0]


class Mcts(NamedTuple):
    simulations: int
    tree: Tree
    final: str

    def choose(self, engine: Engine, game: Game, mine: int, mask: int, clock: Clock) -> int:
        forced = at_hand(game, mine, mask)
        if forced is not None:
            return forced
        seed, seconds = random.getrandbits(64), clock.left(clock.soft)
        found = engine.mcts(game, mine, mask, self.tree, seed, self.simulations, seconds)

        def rank(column: int) -> tuple[float, ...]:
            visits, mean, proven = found[column]
            by = (mean, visits) if self.final == "mean" else (visits, mean)
            return (proven or 0, visits > 0, *by)

        # A proven draw is taken when the rest is worse.
        draws = [column for column in found if found[column][2] == 0]
        others = [column for column in found if found[column][2] != 0]
        best = max(others or draws, key=rank)
        _, mean, proven = found[best]
        if draws and (proven == -1 or (proven is None and mean < 0.5)):
            best = max(draws, key=rank)
        return best
