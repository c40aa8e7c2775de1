"""The player that follows a map (docs/map.md): no search, no solver, no memory of the game.

Where the map leads it wins, or draws where that was the aim. Elsewhere, as after 1. d1 when it moves second,
it completes a four, stops one, or plays near the centre: it holds nothing there.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from claimeven import _core
from claimeven.agents.agent import NO_LIMIT, open_columns, sure
from claimeven.agents.choice import Choice
from claimeven.agents.kind import Kind
from claimeven.agents.option import rest
from claimeven.board import Board
from claimeven.limit import Limit
from claimeven.map import Map, Plan, read_map
from claimeven.map.atlas import shipped_of
from claimeven.map.plan import urgent
from claimeven.position import Position
from claimeven.solver.exact import words

OFF = 255  # -1 as a byte: a position that is not on the map


class MapAgent:
    """Finds the position on one of its maps and plays what is written there."""

    is_symmetric = True  # mirror images are one place of the map

    def __init__(self, name: str, maps: Callable[[int], Sequence[Map]]) -> None:
        self.name = name
        self.maps = maps  # by the side that holds them; of those that know a position the first is followed
        self._guides: dict[str, _core.Guide] = {}  # by the start of the map

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        columns = open_columns(position)
        board, mirror = position.board, position.board.mirror
        image = position.mirror()
        # From a node that is its own image the map goes one of two ways that mirror each other: what is off
        # the map may be on it as its image. Of two that are, the one with the smaller key decides for both.
        seen = [image, position] if image.key < position.key else [position, image]
        for atlas in self.maps(position.side):
            for one in seen:
                if (place := atlas.find(one)) is not None:
                    text = "on the map" if place.plan is None else "by a plan of the map"
                    cell = mirror(place.cell) if one is image else place.cell
                    return sure(board.column_of(cell), position, text=text)
        cell = urgent(board, seen[0].theirs, seen[0].mask)
        if not cell:
            return sure(board.central(columns), position, text="off the map")
        return sure(board.column_of(mirror(cell) if seen[0] is image else cell), position, text="off the map")

    def choices(self, mine: bytes, mask: bytes) -> bytes:
        """The columns of many positions of 7x6, as `choose` gives them.

        Each is the one with the smaller key of itself and its mirror image."""
        seen = list(zip(*(memoryview(data).cast("Q").tolist() for data in (mine, mask)), strict=True))
        found = bytearray([OFF] * len(seen))
        for side in (0, 1):
            ours = [index for index, (_, stones) in enumerate(seen) if stones.bit_count() % 2 == side]
            for atlas in self.maps(side) if ours else ():
                if atlas.board.is_standard:  # of another one it is followed nowhere here
                    self._follow(atlas, seen, ours, found)
        for index, (own, stones) in enumerate(seen):
            if found[index] == OFF:
                found[index] = self.choose(Position(Board(), own, stones)).column
        return bytes(found)

    def _follow(self, atlas: Map, seen: list[tuple[int, int]], indices: list[int], found: bytearray) -> None:
        """Columns of a map for those of the positions that have none yet and are on it, or their images."""
        board = atlas.board
        for is_image in (False, True):
            left = [index for index in indices if found[index] == OFF]
            if not left:
                return
            if atlas.start not in self._guides:
                self._guides[atlas.start] = _guide_of(atlas)
            halves = [[seen[index][half] for index in left] for half in (0, 1)]
            if is_image:
                halves = [list(map(board.mirror, half)) for half in halves]
            columns = self._guides[atlas.start].columns(*(words(board, half) for half in halves))
            for index, column in zip(left, columns, strict=True):
                if column != OFF:
                    found[index] = board.columns - 1 - column if is_image else column


def _guide_of(atlas: Map) -> "_core.Guide":
    """A map for the core, which follows it in millions of positions."""
    board = atlas.board
    nodes: list[tuple[int, int, int, list[tuple[int, int]]]] = []
    plans: dict[Plan, int] = {}
    for found in atlas.nodes:
        for stones in dict.fromkeys((found, found.mirrored(board))):
            node = atlas.node(stones)
            if isinstance(node, Plan):
                nodes.append((*stones, plans.setdefault(node, len(plans)), []))
            else:
                place = atlas.enter(stones)
                pairs = [(x, atlas.answer(place, x)) for x in stones.replies(board)]
                nodes.append((*stones, -1, pairs))
    roots = dict.fromkeys((atlas.root, atlas.root.mirrored(board)))
    return _core.Guide(list(roots), nodes, [plan.rules for plan in plans])


def _one(path: Path) -> Callable[[int], Sequence[Map]]:
    found = read_map(path)
    return lambda side: [found] if side == found.side else []


KIND = Kind(
    "map",
    "follows a map, a whole strategy of one side, without search",
    lambda name, _seed, values: MapAgent(name, _one(Path(values["file"])) if values["file"] else shipped_of),
    (rest("file", "made by claimeven map build; nothing is those of 7x6, of this package", ""),),
)
