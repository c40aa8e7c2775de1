"""A mistake that was too deep to be seen, looked at from the end: the right cell lay on a line that won.

At the time nobody could tell; afterwards everybody can see on the board what the disc would have broken.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from claimeven.position import Position
from claimeven.reasons.reviewed.mistake import Asked, Mistake, mistake

TWO_BEFORE = 3  # positions from the end: the loser had one disc left
OPENING = 8  # discs: before, hardly anything that is deep teaches something


def in_hindsight(found: Iterable[Mistake], positions: Sequence[Position], analyse: Asked) -> list[Mistake]:
    """The same mistakes; the deep ones of whoever lost know which cell was right, and for what.

    Who lost without a mistake that shows on the board has one more: where a better disc would have broken
    the line that won, even if the game was lost before.
    """
    end, told = positions[-1], list(found)
    if end.winner is None or len(positions) < TWO_BEFORE:
        return told
    won = _won(positions)
    told = [_seen(one, won) if one.position.side != end.winner else one for one in told]
    if any(_shows(one) for one in told if one.position.side != end.winner):
        return told
    passed = _let_through(positions, won, analyse)
    return told if passed is None else [*(one for one in told if one.position != passed.position), passed]


def _shows(found: Mistake) -> bool:
    return found.kind != "deep" or (bool(found.cells) and found.position.ply >= OPENING)


def _let_through(positions: Sequence[Position], won: Sequence[int], analyse: Asked) -> Mistake | None:
    """The last disc beside such a line where one on it was better."""
    for before, after in reversed(list(pairwise(positions))):
        analysis = analyse(before) if before.side != positions[-1].winner else None
        if analysis is None or before.ply < OPENING or not analysis.is_complete:
            continue
        column = before.board.column_of(before.mask ^ after.mask)
        had, has = max(analysis.scores.values()), analysis.scores[column]
        if had.value >= 0 or had == has:  # what changed the outcome is a mistake without this
            continue
        seen = mistake(before, column)  # by the rules: two threats, even if they came only a little sooner
        if seen is not None and seen.kind.endswith("_allowed") and seen.depth == has.moves:
            return replace(seen, better=analysis.best, had=had, has=has)
        found = _seen(Mistake("deep", before, column, has.moves or 0, analysis.best, had=had, has=has), won)
        if found.cells:
            return found
    return None


def _won(positions: Sequence[Position]) -> list[int]:
    """The fours that won."""
    end = positions[-1]
    played = end.mask ^ positions[-2].mask
    return [four for four in end.board.fours if four & played and four & end.theirs == four]


def _seen(found: Mistake, won: Sequence[int]) -> Mistake:
    if found.kind != "deep":
        return found
    board, mask = found.position.board, found.position.mask
    for four in won:
        for column in sorted(found.better, key=board.from_centre.index):
            cell = board.landing(mask, column)
            if four & cell:
                return replace(found, cells=board.cells_of(cell), fours=(board.cells_of(four),))
    return found
