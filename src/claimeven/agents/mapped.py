"""The player that follows a map (docs/map.md): no search, no solver, no memory of the game.

Where the map leads it wins, or draws where that was the aim. Elsewhere it completes a four, stops one, or
plays near the centre.
"""

from pathlib import Path

from claimeven.agents.agent import NO_LIMIT, open_columns, sure
from claimeven.agents.choice import Choice
from claimeven.agents.kind import Kind
from claimeven.agents.option import rest
from claimeven.limit import Limit
from claimeven.map import Map, read_map
from claimeven.map.plan import urgent
from claimeven.position import Position


class MapAgent:
    """Finds the position on its map and plays what is written there."""

    is_symmetric = True  # mirror images are one place of the map

    def __init__(self, name: str, atlas: Map) -> None:
        self.name, self.map = name, atlas

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        columns = open_columns(position)
        board, mirror = position.board, position.board.mirror
        is_image = mirror(position.mine) + mirror(position.mask) < position.key
        seen = position if not is_image else Position(board, mirror(position.mine), mirror(position.mask))
        cell, text = self._cell(seen)
        if not cell:
            return sure(board.central(columns), position, text=text)
        return sure(board.column_of(mirror(cell) if is_image else cell), position, text=text)

    def _cell(self, position: Position) -> tuple[int, str]:
        place = self.map.find(position) if position.side == self.map.side else None
        if place is not None:
            return place.cell, "on the map" if place.plan is None else "by a plan of the map"
        return urgent(position.board, position.theirs, position.mask), "off the map"


KIND = Kind(
    "map",
    "follows a map, a whole strategy of one side, without search",
    lambda name, _seed, values: MapAgent(name, read_map(Path(values["file"]))),
    (rest("file", "made by claimeven map build"),),
)
