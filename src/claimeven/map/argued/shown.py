"""Where a walk goes: by the map, but by threats alone wherever these win under a plan, as it is told.

The map plays those positions, too, though not always in the quickest way; what is said of a leaf is then what
is seen. The threats may lead off the map: to positions where every reply loses by threats.
"""

from dataclasses import replace

from claimeven.board import Board
from claimeven.map.argued.quick import delayed, threats
from claimeven.map.plan import Plan
from claimeven.map.stones import Stones
from claimeven.map.walk import Map, Place
from claimeven.position import Position


def seen(found: Map, position: Position) -> Place | None:
    """The place of a position; off the map only one where threats win is known."""
    place = found.find(position)
    if position.side != found.side:
        stones = Stones(position.mine, position.mask)
        node = None if position.is_over or position.board != found.board else found.node(stones)
        if isinstance(node, Plan):  # also where another plan led here
            return Place(stones, node, stones)
        if place is not None or position.is_over:
            return place
        return None if delayed(found.board, stones) is None else Place(stones, None, None)
    if position.is_over or (place is not None and place.plan is None):
        return place
    now = Stones(position.theirs, position.mask)
    cell = _forced(found.board, now, is_known=place is not None)
    if place is None:
        return Place(now, None, None, cell) if cell else None
    return replace(place, cell=cell) if cell else place


def answer(found: Map, place: Place, x: int) -> int:
    """The cell that answers x, as a bit."""
    if place.plan is None and found.node(place.stones) is not None:
        return found.answer(place, x)
    after = Stones(place.stones.theirs | x, place.stones.mask | x)
    return _forced(found.board, after, is_known=place.plan is not None) or found.answer(place, x)


def is_by_threats(board: Board, place: Place, x: int) -> bool:
    """Whether what answers x belongs to a win by threats alone."""
    theirs, mask = place.stones.theirs | x, place.stones.mask | x
    return place.cell in threats(board, theirs ^ mask, theirs)[:1]


def _forced(board: Board, now: Stones, *, is_known: bool) -> int:
    """What the holder plays to win by threats; 0 if it cannot. Where nothing else is known, a block, too,
    after which every reply loses so."""
    if line := threats(board, now.theirs ^ now.mask, now.theirs):
        return line[0]
    block = board.winning_cells(now.theirs, now.mask) & board.landings(now.mask)
    if is_known or block.bit_count() != 1 or delayed(board, Stones(now.theirs, now.mask | block)) is None:
        return 0
    return block
