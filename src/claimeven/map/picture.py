"""The map as a picture: every node once, with the node from which one comes to it first."""

from collections import Counter
from collections.abc import Mapping
from itertools import accumulate

from claimeven.map.reason import WHYS, Why
from claimeven.map.stones import Stones, canonical, questions
from claimeven.map.walk import Map
from claimeven.notation import column_digit

INNER = -1
MOST = 7_000  # nodes that are drawn; of a larger map those with few discs


def picture(found: Map, whys: Mapping[Stones, Why]) -> tuple[dict[Stones, int], list[tuple[int, int, str]]]:
    """The number of every node, and by number: its parent's, that of its kind of reason (a leaf has one), and
    the columns from there.

    The columns count from 1, as one who walks from the root plays them: nobody turns the board.
    """
    board = found.board
    numbers: dict[Stones, int] = {}
    nodes: list[tuple[int, int, str]] = []
    first = found.start + ("" if found.column is None else column_digit(found.column))
    waiting, deepest = [(found.root, -1, first)], _deepest(found)
    while waiting:
        stones, parent, steps = waiting.pop()
        key = canonical(board, stones)[0]
        if key in numbers:
            continue
        number = numbers[key] = len(nodes)
        why = WHYS.index(whys[key]) if key in whys else INNER
        nodes.append((parent, why, steps))
        if why == INNER and stones.mask.bit_count() < deepest:
            place, after = found.enter(stones), []
            for x in questions(board, stones):
                y = found.answer(place, x)
                steps = column_digit(board.column_of(x)) + column_digit(board.column_of(y))
                after.append((Stones(stones.theirs | x, stones.mask | x | y), number, steps))
            waiting.extend(reversed(after))
    return numbers, nodes


def _deepest(found: Map) -> int:
    """The number of discs up to which there are not too many nodes."""
    often = Counter(stones.mask.bit_count() for stones in found.nodes)
    total = accumulate(often[ply] for ply in sorted(often))
    return max(ply for ply, nodes in zip(sorted(often), total, strict=True) if nodes <= MOST)
