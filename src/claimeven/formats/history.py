"""Find moves that lead to a position whose own moves are not known."""

from claimeven import notation
from claimeven.errors import InputError, PositionError
from claimeven.position import Position

MAX_STEPS = 200_000


def moves_to(position: Position) -> tuple[int, ...]:
    """Some order of moves that leads to this position; its own, if it knows them.

    Search backwards, taking a stone of the side that moved last off a column. As the stones under a
    column's top are given, what is left on the board says all about what can be taken next: a dead
    end is remembered by its stones alone.
    """
    board = position.board
    if position.moves is not None:
        return notation.parse_moves(position.moves, board.columns)
    stones = (position.theirs, position.mine) if position.side else (position.mine, position.theirs)
    dead: set[int] = set()
    taken: list[int] = []  # columns, the last move first
    left = position.mask
    waiting = [_takeable(position, stones, left)]
    for _ in range(MAX_STEPS):
        if not left:
            return tuple(reversed(taken))
        if waiting[-1]:
            column = waiting[-1].pop()
            top = _top(position, left, column)
            if left ^ top not in dead:
                left ^= top
                taken.append(column)
                waiting.append(_takeable(position, stones, left))
            continue
        waiting.pop()
        dead.add(left)
        if not taken:
            raise PositionError("stones.no_order")
        left |= (_top(position, left, taken[-1]) << 1) or board.bit(taken[-1], 0)
        taken.pop()
    raise InputError("no_order", steps=MAX_STEPS)


def _takeable(position: Position, stones: tuple[int, int], left: int) -> list[int]:
    """Columns whose top stone the side that moved last can have played."""
    mover = stones[1 - left.bit_count() % 2]
    columns = []
    for column in range(position.board.columns):
        top = _top(position, left, column)
        if not top & mover:
            continue
        # Only the last stone of all may complete a line.
        if left == position.mask and position.winner is not None and position.board.has_four(mover ^ top):
            continue
        columns.append(column)
    return columns


def _top(position: Position, left: int, column: int) -> int:
    """The highest stone of a column, as a bit; 0 when it is empty."""
    stones = left & position.board.column_bits(column)
    return stones & ~(stones >> 1)
