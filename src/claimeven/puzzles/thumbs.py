"""Rules of thumb that everybody has: win, block, else the centre. They find no puzzle worth solving."""

from collections.abc import Iterable

from claimeven.position import Position
from claimeven.reasons.seen.move import Move


def opens_door(position: Position, column: int) -> bool:
    """They win right above this disc."""
    move = Move(position, column)
    return not move.is_won and bool(move.stone << 1 & move.their_wins)


def central(position: Position, columns: Iterable[int]) -> set[int]:
    """Those nearest to the middle: one, or two as near."""
    distances = {column: position.board.off_centre(column) for column in columns}
    return {column for column, distance in distances.items() if distance == min(distances.values())}


def is_quiet(position: Position) -> bool:
    """Nobody would win with the next disc: there is nothing to take and nothing to stop."""
    board = position.board
    wins = board.winning_cells(position.mine, position.mask) | board.winning_cells(
        position.theirs, position.mask
    )
    return not wins & board.landings(position.mask)


def careless(position: Position) -> set[int]:
    """What somebody plays who only likes the centre, where the position is quiet."""
    return central(position, position.legal)


def careful(position: Position) -> set[int]:
    """The same, by somebody who looks at the cell above."""
    return central(position, [c for c in position.legal if not opens_door(position, c)])
