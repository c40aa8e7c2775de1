"""Winning cells that stand on the board already: all quiet play is around them."""

from typing import Literal, NamedTuple

from claimeven.board import bits
from claimeven.position import Cell, Position
from claimeven.reasons.seen.geometry import is_own_row
from claimeven.reasons.seen.move import Move, fours_through

MANY = 2  # cells of one side: more are not one thing to look at


class Standing(NamedTuple):
    whose: Literal["you", "they", "both"]
    cells: tuple[Cell, ...]
    four: tuple[Cell, ...]  # that the first of them completes
    above: tuple[Cell, ...] = ()  # theirs, right above yours, in whatever rows: nobody may play below


def standing(position: Position, column: int) -> list[Standing]:
    """Of both sides those that a move leaves as they were, not open, in rows of their own, and lowest."""
    move, board = Move(position, column), position.board
    mine = move.old_wins & move.wins & ~move.open
    theirs = move.their_old_wins & move.their_wins & ~move.open
    sides: tuple[tuple[Literal["you", "they"], int, int, int], ...] = (
        ("you", position.side, mine, move.mine),
        ("they", 1 - position.side, theirs, move.theirs),
    )
    # Of a column the lowest cell decides; one that wins for both belongs to neither.
    lowest = sum(
        bit
        for bit in bits(mine | theirs)
        if not (move.wins | move.their_wins) & board.column_bits(board.column_of(bit)) & (bit - 1)
    )
    shared = lowest & move.wins & move.their_wins
    lowest &= ~shared
    found = []
    for whose, side, own, stones in sides:
        cells = [bit for bit in bits(own & lowest) if is_own_row(board, side, board.row_of(bit) + 1)]
        other = theirs if whose == "you" else mine
        under = [bit for bit in bits(own & lowest) if bit << 1 & other]
        if not cells and 1 <= len(under) <= MANY:
            above = board.cells_of(sum(bit << 1 for bit in under))
            found.append(Standing(whose, board.cells_of(sum(under)), (), above))
        if 1 <= len(cells) <= MANY:
            four = board.cells_of(fours_through(board, stones | cells[0], cells[0])[0])
            found.append(Standing(whose, board.cells_of(sum(cells)), four))
    if shared.bit_count() == 1:
        found.append(Standing("both", board.cells_of(shared), ()))
    return found
