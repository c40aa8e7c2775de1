"""Wins at hand: replies after which the holder wins by threats alone, whatever the plan would play.

Each disc of such a line completes a four or threatens one that the opponent, who has none to complete, must
block; the last block comes too late. A reply that threatens a four itself may only delay that: the holder
blocks, and every reply loses again.
"""

from claimeven.board import Board, bits
from claimeven.map.stones import Stones

LONGEST = 6  # discs of the holder in such a line
DELAYS = 3  # replies in a row that only delay it


def quick(board: Board, stones: Stones) -> dict[int, tuple[int, ...]]:
    """By reply what follows it, the holder first: the shortest line to a four. Only replies that lose so."""
    found = {}
    for x in bits(board.landings(stones.mask)):
        if line := _shortest(board, stones.theirs ^ stones.mask, stones.theirs | x):
            found[x] = line
    return found


def delayed(board: Board, stones: Stones, delays: int = DELAYS) -> dict[int, tuple[int, ...]] | None:
    """The same of every reply; of those that only delay it the block alone. None if some reply holds, or if
    there is none any more: a full board is a draw."""
    found, free = quick(board, stones), board.landings(stones.mask)
    if not free:
        return None
    for x in bits(free):
        if x not in found:
            theirs, mask = stones.theirs | x, stones.mask | x
            y = board.winning_cells(theirs, mask) & board.landings(mask)
            if (
                not delays
                or y.bit_count() != 1
                or delayed(board, Stones(theirs, mask | y), delays - 1) is None
            ):
                return None
            found[x] = (y,)
    return found


def _shortest(board: Board, ours: int, theirs: int) -> tuple[int, ...]:
    lines = (_won(board, ours, theirs, discs) for discs in range(1, LONGEST + 1))
    return next(filter(None, lines), ())


def _won(board: Board, ours: int, theirs: int, discs: int) -> tuple[int, ...]:
    """The holder to move wins with so many discs at most; nothing if it does not."""
    mask = ours | theirs
    free = board.landings(mask)
    if now := board.winning_cells(ours, mask) & free:
        return (now & -now,)
    blocks = board.winning_cells(theirs, mask) & free
    if discs == 1 or blocks.bit_count() > 1:
        return ()
    for y in bits(blocks or free):
        free = board.landings(mask | y)
        threats = board.winning_cells(ours | y, mask | y) & free
        if not threats or board.winning_cells(theirs, mask | y) & free:
            continue
        block = threats & -threats
        if rest := _won(board, ours | y, theirs | block, discs - 1):
            return (y, block, *rest)
    return ()
