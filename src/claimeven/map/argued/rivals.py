"""What the opponent has: fours that lack one disc, and what comes of each in the games of a plan."""

from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.plan import Plan
from claimeven.map.reason import resisted
from claimeven.map.stones import Stones

# Right below the missing cell the holder completes a four; nobody plays there who resists; the holder has the
# missing cell in every end; or it never plays right below, and stops the four where the opponent does.
Fate = Literal["below", "shut", "takes", "guards"]
FATES: tuple[Fate, ...] = ("below", "shut", "takes", "guards")


def fates(board: Board, stones: Stones, plan: Plan) -> dict[int, Fate]:
    """By the cell on which the opponent would complete a four; none of these can be played now."""
    theirs = board.winning_cells(stones.theirs, stones.mask)
    if not theirs:
        return {}
    ours = board.winning_cells(stones.theirs ^ stones.mask, stones.mask)
    steps = resisted(board, stones, plan)[1]
    ends = [now for now, after in steps.items() if not after]

    def fate(y: int) -> Fate:
        if ours & y >> 1:
            return "below"
        if not any(now.mask & y >> 1 for now in steps):
            return "shut"
        return "takes" if all(y & end.mask & ~end.theirs for end in ends) else "guards"

    return {y: fate(y) for y in bits(theirs)}
