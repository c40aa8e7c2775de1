"""Draws the map: an AND/OR graph, small by choice.

Nodes are positions in which the opponent is to move. A node is a leaf when a plan is found; else every reply
needs a column. Which one: the solver tells those that keep the result; near the start all of them are drawn
and the cheapest is kept, further down the one that leaves the least open `LOOK` moves ahead.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from claimeven.board import Board, bits
from claimeven.errors import InputError
from claimeven.map.plan import Plan
from claimeven.map.share import shared, shorter
from claimeven.map.stones import Stones, canonical, questions
from claimeven.map.walk import Goal, Map, Node, children
from claimeven.notation import column_digit
from claimeven.position import Position
from claimeven.runner import Execute, Progress, run
from claimeven.solver import Solver

BUDGET = 10_000  # moves that the search for one plan may play, in each try
TRIES = 8
QUICK = 1  # tries that every answer to a reply gets before one of them gets them all
LOOK = 1
SPREAD = 0  # moves of the holder for which every column is drawn
SPLIT = 2  # moves after those, below which each position is a task of its own; the map does not depend on it
EMPTY = 35  # cells: where more are empty no plan is looked for, it would take long and hardly ever be found
FAR = 31  # cells: where more are empty the quickest win is chosen, for nothing closes one move ahead
OPEN = 10  # what a node that no plan closes is taken to cost, in leaves
Graph = dict[Stones, Node]
Steps = Callable[[str], Progress]  # a display of progress, by name of the step


@dataclass(frozen=True)
class Question:
    """What is drawn: a board, whose strategy, and whether a draw is enough."""

    board: Board
    draw_is_enough: bool
    budget: int = BUDGET
    look: int = LOOK
    tries: int = TRIES


class Search:
    """Draws the part of the map below a position."""

    def __init__(self, asked: Question) -> None:
        self.asked, self.board = asked, asked.board
        self._plans: dict[Stones, Plan] = {}
        self._tried: dict[Stones, int] = {}  # how often a plan was looked for in vain
        self._kept: dict[tuple[Stones, int], dict[int, Stones]] = {}
        self.graph: Graph = {}

    def plan(self, stones: Stones, tries: int | None = None) -> Plan | None:
        """A plan that closes this (canonical) position."""
        tries = min(tries or self.asked.tries, self.asked.tries)
        if stones in self._plans:
            return self._plans[stones]
        if self._tried.get(stones, 0) >= tries or self._empty(stones) > EMPTY:
            return None
        found = _solver().reached_plan(
            self.board,
            stones.theirs,
            stones.mask,
            draw_is_enough=self.asked.draw_is_enough,
            budget=self.asked.budget,
            tries=tries,
        )
        if found is None:
            self._tried[stones] = tries
            return None
        self._plans[stones] = Plan.of(found)
        return self._plans[stones]

    def _empty(self, stones: Stones) -> int:
        return self.board.cells - stones.mask.bit_count()

    def kept(self, stones: Stones, x: int) -> dict[int, Stones]:
        """By the cell that is played after x, canonical: the positions that keep the result."""
        if (stones, x) not in self._kept:
            board, mask, theirs = self.board, stones.mask | x, stones.theirs | x
            after = {y: canonical(board, Stones(theirs, mask | y))[0] for y in bits(board.landings(mask))}
            values = _values(board, [child for child in after.values() if child.mask != board.full])
            values |= dict.fromkeys(after.values() - values.keys(), 0)  # full boards are drawn
            most = 0 if self.asked.draw_is_enough else -1
            self._kept[stones, x] = {y: child for y, child in after.items() if values[child] <= most}
        return self._kept[stones, x]

    def answer(self, stones: Stones, x: int) -> tuple[int, Stones] | None:
        """A cell after which a plan closes the position: of those found first, one with the fewest rules."""
        kept = self.kept(stones, x)
        for tries in (QUICK, None):
            closed = [
                (len(plan), y, child)
                for y, child in kept.items()
                if (plan := self.plan(child, tries)) is not None
            ]
            if closed:
                return min(closed)[1:]
        return None

    def _closes(self, stones: Stones, x: int) -> bool:
        """Whether some answer to x leads to a leaf; that on top of x is tried first, for it often does."""
        kept = self.kept(stones, x)
        first = sorted(kept, key=lambda y: (y != x << 1, y))
        return any(self.plan(kept[y], tries) is not None for tries in (QUICK, None) for y in first)

    def cost(self, stones: Stones, look: int, most: float = math.inf) -> float:
        """What a position is taken to cost; `most` when that is reached, however much more it is."""
        if self.plan(stones) is not None:
            return 1
        if not look:
            return OPEN
        asked = questions(self.board, stones)
        total: float = 1 + len(asked)  # as if all were leaves
        for x in asked:
            if total >= most:
                return most
            if not self._closes(stones, x):
                least: float = math.inf
                for child in self.kept(stones, x).values():
                    least = min(least, self.cost(child, look - 1, min(least, most - total + 1)))
                total += least - 1
        return min(total, most)

    def _cheapest(self, stones: Stones, x: int) -> tuple[int, Stones]:
        """Of the answers to x the one that leaves the least open; of equals the first."""
        best, found = math.inf, None
        if self._empty(stones) > FAR:
            kept = self.kept(stones, x)
            scores = _scores(self.board, list(kept.values()))
            return min(kept.items(), key=lambda item: (scores.get(item[1], 0), item[0]))
        for y, child in self.kept(stones, x).items():
            cost = self.cost(child, self.asked.look, best)
            if found is None or cost < best:
                best, found = cost, (y, child)
        assert found is not None  # this position keeps the result
        return found

    def choices(self, stones: Stones) -> tuple[dict[int, int], list[Stones]]:
        """By the column of each reply the column that answers it, and the positions after both."""
        columns, after = dict[int, int](), []
        for x in questions(self.board, stones):
            y, child = self.answer(stones, x) or self._cheapest(stones, x)
            columns[self.board.column_of(x)] = self.board.column_of(y)
            after.append(child)
        return columns, after

    def draw(self, stones: Stones) -> None:
        """Add this position and all below it to the graph."""
        if stones in self.graph:
            return
        plan = self.plan(stones)
        if plan is not None:
            self.graph[stones] = plan
            return
        columns, after = self.choices(stones)
        for child in after:
            self.draw(child)
        self.graph[stones] = columns


def build(
    board: Board,
    side: int,
    *,
    start: str = "",
    column: int | None = None,
    budget: int = BUDGET,
    tries: int = TRIES,
    look: int = LOOK,
    spread: int = SPREAD,
    workers: int = 1,
    folder: Path | None = None,
    steps: Steps | None = None,
    execute: Execute | None = None,
) -> Map:
    """The map of a side after some moves: it wins, or draws where nobody wins. It may be interrupted.

    A holder who moves first begins with `column`; without one, all that keep the result are drawn, and the
    one with the fewest nodes is kept.
    """
    empty = Map(board, side, "win", None, {}, start)
    mover = len(start) % 2
    if Position.parse(start, board).is_over:
        raise InputError("match.opening_over", opening=start)
    mine = empty.before.theirs if mover != side else empty.before.theirs ^ empty.before.mask
    [sign] = _solver().reached_signs(board, [mine], [empty.before.mask])
    value = sign if mover == side else -sign
    if value < 0:
        raise InputError("map.lost", board=str(board))
    asked = Question(board, value == 0, budget, look, tries)
    top = Top(asked, empty, spread, SPLIT, column)
    parts = run(
        _part,
        [(str(board), asked.draw_is_enough, budget, look, tries, stones) for stones in top.frontier],
        workers=workers,
        folder=folder,
        name="map",
        parameters={
            "board": str(board),
            "side": side,
            "start": start,
            "column": column,
            "budget": budget,
            "tries": tries,
            "look": look,
            "spread": spread,
        },
        progress=steps and steps("drawing"),
        execute=execute,
    )
    for stones, part in zip(top.frontier, parts, strict=True):
        top.take(stones, part)
    drawn = top.drawn()
    leaves = {stones: node for stones, node in drawn.nodes.items() if isinstance(node, Plan)}
    drawn.nodes.update(shared(board, leaves, asked.draw_is_enough, steps and steps("sharing plans")))
    return drawn


class Top:
    """The opening, in which every column that keeps the result is drawn and the cheapest is kept."""

    def __init__(
        self, asked: Question, empty: Map, spread: int, split: int, column: int | None = None
    ) -> None:
        self.asked, self.empty, self.board = asked, empty, asked.board
        self.search = Search(asked)
        # By the first cell of the holder; 0 where the opponent moves first.
        is_ours = len(empty.start) % 2 == empty.side
        before = empty.before
        self.starts = self.search.kept(before, 0) if is_ours else {0: canonical(self.board, before)[0]}
        if column is not None:
            self.starts = {y: at for y, at in self.starts.items() if self.board.column_of(y) == column}
            if not self.starts:
                raise InputError("map.column", column=column_digit(column))
        self.frontier: list[Stones] = []
        self._met = set[Stones]()
        for stones in self.starts.values():
            self._spread(stones, spread, split)
        self._costs: dict[Stones, int] = {}

    def _spread(self, stones: Stones, spread: int, split: int) -> None:
        if stones in self._met:
            return
        self._met.add(stones)
        plan = self.search.plan(stones)
        if plan is not None:
            self.search.graph[stones] = shorter(self.board, [stones], plan, self.asked.draw_is_enough)
        elif spread:
            for x in questions(self.board, stones):
                for child in self.search.kept(stones, x).values():
                    self._spread(child, spread - 1, split)
        elif split:
            columns, after = self.search.choices(stones)
            self.search.graph[stones] = columns
            for child in after:
                self._spread(child, 0, split - 1)
        else:
            self.frontier.append(stones)

    def take(self, stones: Stones, part: "list[list[Any]]") -> None:
        """Add what was drawn below a position of the frontier."""
        self._costs[stones] = len(part)
        for theirs, mask, is_leaf, said in part:
            node = Plan.of(said) if is_leaf else dict(said)
            self.search.graph.setdefault(Stones(theirs, mask), node)

    def _cost(self, stones: Stones) -> int:
        if stones not in self._costs:
            node = self.search.graph.get(stones)
            if node is None:
                node = self.search.graph[stones] = {
                    self.board.column_of(x): self.board.column_of(self._cheapest(stones, x))
                    for x in questions(self.board, stones)
                }
            after = children(self.board, stones, node) if isinstance(node, dict) else ()
            self._costs[stones] = 1 + sum(self._cost(child) for _, _, child in after)
        return self._costs[stones]

    def _cheapest(self, stones: Stones, x: int) -> int:
        kept = self.search.kept(stones, x)
        return min(kept, key=lambda y: (self._cost(kept[y]), y))

    def drawn(self) -> Map:
        cell = min(self.starts, key=lambda first: (self._cost(self.starts[first]), first))
        goal: Goal = "draw" if self.asked.draw_is_enough else "win"
        column = self.board.column_of(cell) if cell else None
        whole = replace(self.empty, goal=goal, column=column, nodes=self.search.graph)
        return replace(whole, nodes=dict(whole.walk()))  # without what was drawn and not chosen


def _part(item: "tuple[str, bool, int, int, int, Stones]", _seed: int) -> "list[list[Any]]":
    """The task: everything below one position, as JSON values."""
    text, draw_is_enough, budget, look, tries, stones = item
    search = Search(Question(Board.parse(text), draw_is_enough, budget, look, tries))
    search.draw(Stones(*stones))
    return [
        [*key, True, json.loads(json.dumps(shorter(search.board, [key], node, draw_is_enough).rules))]
        if isinstance(node, Plan)
        else [*key, False, [list(pair) for pair in node.items()]]
        for key, node in search.graph.items()
    ]


@cache
def _solver() -> Solver:
    return Solver(megabytes=64)


def _values(board: Board, positions: list[Stones]) -> dict[Stones, int]:
    """1, 0 or -1 for the side to move, the opponent."""
    theirs, masks = [stones.theirs for stones in positions], [stones.mask for stones in positions]
    return dict(zip(positions, _solver().reached_signs(board, theirs, masks), strict=True))


def _scores(board: Board, positions: list[Stones]) -> dict[Stones, int]:
    """The exact scores for the side to move, the opponent: the less, the sooner it loses."""
    theirs, masks = [stones.theirs for stones in positions], [stones.mask for stones in positions]
    return dict(zip(positions, _solver().reached_scores(board, theirs, masks), strict=True))
