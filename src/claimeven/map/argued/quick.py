"""Wins at hand: replies after which the holder wins by threats alone, whatever the plan would play.

Each disc of such a line completes a four or threatens one that the opponent, who has none to complete, must
block; the last block comes too late. A reply that threatens a four itself may only delay that: the holder
blocks, and every reply loses again.
"""

from claimeven import _core
from claimeven.board import Board, bits
from claimeven.map.stones import Stones

LONGEST = 4  # discs of the holder in such a line: more than a person sees at once
DELAYS = 3  # replies in a row that only delay it


def quick(board: Board, stones: Stones) -> dict[int, tuple[int, ...]]:
    """By reply what follows it, the holder first: the shortest line to a four. Only replies that lose so."""
    lines = {x: threats(board, stones.theirs ^ stones.mask, stones.theirs | x) for x in stones.replies(board)}
    return {x: line for x, line in lines.items() if line}


def delayed(board: Board, stones: Stones, delays: int = DELAYS) -> dict[int, tuple[int, ...]] | None:
    """The same of every reply; of those that only delay it the block alone. None if some reply holds, or if
    there is none any more: a full board is a draw."""
    found, free = quick(board, stones), board.landings(stones.mask)
    if not free:
        return None
    for x in bits(free):
        if x not in found:
            theirs, mask = stones.theirs | x, stones.mask | x
            if board.has_four(theirs):
                return None
            y = board.winning_cells(theirs, mask) & board.landings(mask)
            if (
                not delays
                or y.bit_count() != 1
                or delayed(board, Stones(theirs, mask | y), delays - 1) is None
            ):
                return None
            found[x] = (y,)
    return found


def threats(board: Board, ours: int, theirs: int) -> tuple[int, ...]:
    """The shortest such line of the holder, who is to move; nothing if there is none."""
    if board.has_four(theirs):
        return ()
    sizes = (board.columns, board.rows, board.connect)
    return tuple(_core.threats(*sizes, ours, ours | theirs, LONGEST))
