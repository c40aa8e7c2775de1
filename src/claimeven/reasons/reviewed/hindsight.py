"""A mistake that was too deep to be seen, looked at from the end: the right cell lay on a line that won.

At the time nobody could tell; afterwards everybody can see on the board what the disc would have broken.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from claimeven.board import bits
from claimeven.position import Position
from claimeven.reasons.reviewed.mistake import Mistake
from claimeven.reasons.told.line import Decided

TWO_BEFORE = 3  # positions from the end: the loser had one disc left


def in_hindsight(found: Iterable[Mistake], positions: Sequence[Position]) -> list[Mistake]:
    """The same mistakes; the deep ones of whoever lost know which cell was right, and for what."""
    end = positions[-1]
    if end.winner is None or len(positions) < TWO_BEFORE:
        return list(found)
    won, stopped = _deciding_lines(positions)
    return [_seen(one, won, stopped) if one.position.side != end.winner else one for one in found]


def _deciding_lines(positions: Sequence[Position]) -> tuple[list[int], list[int]]:
    """The fours that won; and those beside them that were threatened, too, before the loser's last disc."""
    end, before, last = positions[-1], positions[-2], positions[-TWO_BEFORE]
    board, played = end.board, end.mask ^ before.mask
    won = [line for line in board.fours if line & played and line & end.theirs == line]
    threatened = [
        line
        for cell in bits(board.winning_cells(last.theirs, last.mask) & board.landings(last.mask))
        for line in board.fours
        if line & cell and not line & ~cell & ~last.theirs
    ]
    return won, [line for line in threatened if line not in won]


def _seen(found: Mistake, won: Sequence[int], stopped: Sequence[int]) -> Mistake:
    if found.kind != "deep":
        return found
    board, mask = found.position.board, found.position.mask
    for line in (*won, *stopped):
        for column in sorted(found.better, key=board.from_centre.index):
            cell = board.landing(mask, column)
            if line & cell:
                end: Decided | None = None if line in won else "fork"
                return replace(found, cells=board.cells_of(cell), fours=(board.cells_of(line),), end=end)
    return found
