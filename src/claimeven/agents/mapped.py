"""The player that follows a map (docs/map.md): no search, no solver, no memory of the game.

Where the map leads it wins, or draws where that was the aim. Elsewhere it completes a four, stops one, or
plays near the centre.
"""

from functools import cached_property
from pathlib import Path

from claimeven import _core
from claimeven.agents.agent import NO_LIMIT, open_columns, sure
from claimeven.agents.choice import Choice
from claimeven.agents.kind import Kind
from claimeven.agents.option import rest
from claimeven.board import Board
from claimeven.limit import Limit
from claimeven.map import Map, Plan, read_map
from claimeven.map.file import shipped_path
from claimeven.map.plan import urgent
from claimeven.map.walk import Place
from claimeven.position import Position

OFF = 255  # -1 as a byte: a position that is not on the map


class MapAgent:
    """Finds the position on its map and plays what is written there."""

    is_symmetric = True  # mirror images are one place of the map

    def __init__(self, name: str, atlas: Map) -> None:
        self.name, self.map = name, atlas

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        columns = open_columns(position)
        board, mirror = position.board, position.board.mirror
        image = position.mirror()
        # From a node that is its own image the map goes one of two ways that mirror each other: what is off
        # the map may be on it as its image. Of two that are, the one with the smaller key decides for both.
        seen = [image, position] if image.key < position.key else [position, image]
        for one in seen:
            if (place := self._place(one)) is not None:
                text = "on the map" if place.plan is None else "by a plan of the map"
                cell = mirror(place.cell) if one is image else place.cell
                return sure(board.column_of(cell), position, text=text)
        cell = urgent(board, seen[0].theirs, seen[0].mask)
        if not cell:
            return sure(board.central(columns), position, text="off the map")
        return sure(board.column_of(mirror(cell) if seen[0] is image else cell), position, text="off the map")

    def choices(self, mine: bytes, mask: bytes) -> bytes:
        """The columns of many positions of 7x6, the holder to move, as `choose` gives them.

        Each is the one with the smaller key of itself and its mirror image."""
        found = bytearray(self._guide.columns(mine, mask))
        words = (memoryview(data).cast("Q") for data in (mine, mask))
        for index, (own, stones) in enumerate(zip(*words, strict=True)):
            if found[index] == OFF:
                found[index] = self.choose(Position(Board(), own, stones)).column
        return bytes(found)

    @cached_property
    def _guide(self) -> "_core.Guide":
        """The map for the core, which follows it in millions of positions."""
        board = self.map.board
        nodes: list[tuple[int, int, int, list[tuple[int, int]]]] = []
        plans: dict[Plan, int] = {}
        for found in self.map.nodes:
            for stones in dict.fromkeys((found, found.mirrored(board))):
                node = self.map.node(stones)
                if isinstance(node, Plan):
                    nodes.append((*stones, plans.setdefault(node, len(plans)), []))
                else:
                    place = self.map.enter(stones)
                    pairs = [(x, self.map.answer(place, x)) for x in stones.replies(board)]
                    nodes.append((*stones, -1, pairs))
        root = self.map.root
        roots = dict.fromkeys((root, root.mirrored(board)))
        return _core.Guide(list(roots), nodes, [plan.rules for plan in plans])

    def _place(self, position: Position) -> Place | None:
        return self.map.find(position) if position.side == self.map.side else None


KIND = Kind(
    "map",
    "follows a map, a whole strategy of one side, without search",
    lambda name, _seed, values: MapAgent(
        name, read_map(Path(values["file"]) if values["file"] else shipped_path())
    ),
    (rest("file", "made by claimeven map build; nothing is that of 7x6, of this package", ""),),
)
