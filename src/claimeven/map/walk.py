"""Follows a map: where a position is on it, and what is played there. No search of the game, no solver."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from claimeven.board import Board
from claimeven.map.plan import Plan
from claimeven.map.stones import Stones, canonical, questions
from claimeven.position import Position

Node = Plan | dict[int, int]  # a leaf, or by the column of each reply the column that answers it
Goal = Literal["win", "draw"]


@dataclass(frozen=True)
class Place:
    """Where a position is on the map, as the map is turned there."""

    stones: Stones  # of the last position with the opponent to move
    plan: Plan | None  # that is being followed, if one has been reached
    leaf: Stones | None  # where it was reached
    cell: int = 0  # what is played, as a bit, if the holder is to move


@dataclass(frozen=True)
class Map:
    """A strategy of one side from some position on. Nodes have the opponent to move, and are canonical."""

    board: Board
    side: int
    goal: Goal
    column: int | None  # the first one of a holder who moves first
    nodes: dict[Stones, Node]
    start: str = ""  # the moves before the first one of the map

    @cached_property
    def before(self) -> Stones:
        """Where the map starts, whoever is to move."""
        position = Position.parse(self.start, self.board)
        return Stones(position.theirs if position.side == self.side else position.mine, position.mask)

    @cached_property
    def root(self) -> Stones:
        if self.column is None:
            return self.before
        theirs, mask = self.before
        return Stones(theirs, mask | self.board.landing(mask, self.column))

    @property
    def leaves(self) -> dict[Stones, Plan]:
        return {stones: node for stones, node in self.nodes.items() if isinstance(node, Plan)}

    def node(self, stones: Stones) -> Node | None:
        """The node of a position, turned as the position is."""
        found, is_image = canonical(self.board, stones)
        node = self.nodes.get(found)
        if node is None or not is_image:
            return node
        if isinstance(node, Plan):
            return node.mirrored(self.board)
        last = self.board.columns - 1
        return {last - reply: last - column for reply, column in node.items()}

    def answer(self, place: Place, x: int) -> int:
        """The cell that answers x, as a bit; 0 where the map says nothing."""
        theirs, mask = place.stones.theirs | x, place.stones.mask | x
        if place.plan is not None:
            return place.plan.answer(self.board, theirs, mask, x)
        wins = self.board.winning_cells(theirs ^ mask, mask) & self.board.landings(mask)
        if wins:
            return wins & -wins
        node = self.node(place.stones)
        assert not isinstance(node, Plan)
        reply, last = self.board.column_of(x), self.board.columns - 1
        if node is None:
            return 0
        if reply in node:
            return self.board.landing(mask, node[reply])
        if last - reply in node and place.stones.mirrored(self.board) == place.stones:
            return self.board.landing(mask, last - node[last - reply])
        return 0

    def enter(self, stones: Stones, plan: Plan | None = None, leaf: Stones | None = None) -> Place:
        node = self.node(stones) if plan is None else None
        return Place(stones, node, stones) if isinstance(node, Plan) else Place(stones, plan, leaf)

    def find(self, position: Position) -> Place | None:
        """The place of a position, by whatever order of moves the map leads to it; None off the map."""
        ours = position.mine if position.side == self.side else position.theirs
        mask = position.mask
        if position.board != self.board or position.is_over:
            return None
        root, image = self.root, self.root.mirrored(self.board)
        for turned, start in ((root, self.before), (image, self.before.mirrored(self.board))):
            if self.column is not None and start == (mask & ~ours, mask):
                return Place(start, None, None, turned.mask & ~mask)
        waiting = [
            self.enter(start)
            for start in dict.fromkeys((root, image))
            if not start.theirs & (ours | ~mask) and not (start.theirs ^ start.mask) & ~ours
        ]
        seen = set[tuple[Stones, Plan | None]]()
        while waiting:
            place = waiting.pop()
            if place.stones.mask == mask:
                return place
            if (place.stones, place.plan) in seen:
                continue
            seen.add((place.stones, place.plan))
            for x in place.stones.replies(self.board):
                if not x & mask & ~ours:
                    continue
                y = self.answer(place, x)
                if place.stones.mask | x == mask:
                    return Place(place.stones, place.plan, place.leaf, y) if y else None
                if y & ours:
                    after = Stones(place.stones.theirs | x, place.stones.mask | x | y)
                    waiting.append(self.enter(after, place.plan, place.leaf))
        return None

    def walk(self) -> Iterator[tuple[Stones, Node]]:
        """Every node once, from the root down, each before what follows it: the order of the file."""
        waiting, seen = [canonical(self.board, self.root)[0]], set[Stones]()
        while waiting:
            stones = waiting.pop()
            if stones in seen:
                continue
            seen.add(stones)
            node = self.nodes[stones]
            yield stones, node
            if isinstance(node, dict):
                waiting.extend(reversed([child for _, _, child in children(self.board, stones, node)]))


def children(board: Board, stones: Stones, node: dict[int, int]) -> Iterator[tuple[int, int, Stones]]:
    """By question: the column of the reply, that of the answer, and the canonical position after both."""
    for x in questions(board, stones):
        reply = board.column_of(x)
        y = board.landing(stones.mask | x, node[reply])
        yield reply, node[reply], canonical(board, Stones(stones.theirs | x, stones.mask | x | y))[0]
