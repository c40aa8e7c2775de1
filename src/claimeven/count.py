"""Counting with the native core: move sequences (perft) and distinct positions."""

import operator
from typing import NamedTuple

from claimeven import _core
from claimeven.errors import InputError
from claimeven.position import Board, Position, needed


class Sequences(NamedTuple):
    """Move sequences of one length; a finished game has no continuation."""

    total: int
    won: int  # those whose last move completes a line


class Distinct(NamedTuple):
    """Distinct positions of one ply, finished ones included."""

    total: int
    won: int  # with a complete line on the board
    canonical: int  # up to left-right reflection
    unforced: int  # not over and no side can win with its next stone, up to reflection


def perft(position: Position, depth: int) -> Sequences:
    """Count the sequences of exactly `depth` moves.

    >>> perft(Position(), 7)
    Sequences(total=823536, won=13032)
    """
    if _whole(depth) < 0:
        raise InputError("count.moves", depth=depth)
    board = needed(position).board
    if depth > board.cells - position.ply:
        return Sequences(0, 0)
    return Sequences(
        *_core.perft(board.columns, board.rows, board.reach, position.mine, position.mask, depth)
    )


def distinct_positions(board: Board, last_ply: int) -> tuple[Distinct, ...]:
    """Count the positions at every ply from 0 to `last_ply`, or to the end of the game.

    >>> [ply.total for ply in distinct_positions(Board(), 4)]
    [1, 7, 49, 238, 1120]
    """
    if _whole(last_ply) < 0:
        raise InputError("count.ply", ply=last_ply)
    try:
        plies = _core.count_positions(board.columns, board.rows, board.reach, min(last_ply, board.cells))
    except ValueError as error:  # too many for the memory
        raise InputError("count.core", reason=str(error)) from None
    return tuple(Distinct(*ply) for ply in plies)


def _whole(number: object) -> int:
    try:
        return operator.index(number)  # type: ignore[arg-type]  # or a TypeError
    except TypeError:
        raise InputError("count.whole", number=f"{number!r:.60}") from None
