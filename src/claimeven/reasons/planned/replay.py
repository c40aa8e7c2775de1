"""The verifier: plays a plan against every reply of the opponent. It knows no theorem.

What does not pass is never shown, so a mistake in the theory could cost an explanation but not make one
false.
"""

import random
from collections.abc import Callable
from enum import Enum

from claimeven.board import bits
from claimeven.position import Board, Position

MAX_NODES = 60_000  # a plan with more positions to play through is not verified, hence not shown

Stones = tuple[int, int]  # of the opponent, who is to move, and all
# The cell that answers a move, given the stones before it; 0 where there is no answer.
Answer = Callable[[Stones, int], int]


class End(Enum):
    KEPT = 1
    BROKEN = 2


def holds(position: Position, bound: int, answer: Answer, max_nodes: int = MAX_NODES) -> bool:
    """Whether answering as told keeps the side to move from scoring more than `bound`, whatever it plays."""
    board = position.board
    start = (position.mine, position.mask)
    seen, waiting = {start}, [start]
    while waiting:
        stones = waiting.pop()
        for move in bits(board.landings(stones[1])):
            after = step(board, stones, move, answer, bound)
            if after is End.BROKEN:
                return False
            if not isinstance(after, End) and after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(seen) > max_nodes:
            return False
    return True


def survives(position: Position, bound: int, answer: Answer, games: int, chance: random.Random) -> bool:
    """The same for some games against random play: quick to say no."""
    for _ in range(games):
        stones: Stones | End = (position.mine, position.mask)
        while not isinstance(stones, End):
            move = chance.choice(list(bits(position.board.landings(stones[1]))))
            stones = step(position.board, stones, move, answer, bound)
        if stones is End.BROKEN:
            return False
    return True


def completes(board: Board, stones: int, cell: int) -> bool:
    """Whether one of these stones, this one, completes a line of them."""
    for line in board.fours_by_cell[cell]:  # noqa: SIM110 (asked for every move of every plan: half the time of any())
        if stones & line == line:
            return True
    return False


def step(board: Board, stones: Stones, move: int, answer: Answer, bound: int) -> Stones | End:
    """One move of the opponent and its answer."""
    full, mine, after = board.full, stones[0] | move, stones[1] | move
    if completes(board, mine, move):
        return End.BROKEN  # the opponent wins
    if after == full:
        return End.KEPT if bound >= 0 else End.BROKEN  # a draw: enough, unless a win was promised
    cell = answer(stones, move)
    if not cell or cell & after or not (after + board.bottom) & cell:
        return End.BROKEN  # no answer, or one that cannot be played
    follower = after ^ mine | cell
    if completes(board, follower, cell):
        # Won, if it is not later than promised: with so many stones before it, the score is at most `bound`.
        is_late = after.bit_count() > board.cells + 1 + 2 * bound
        return End.BROKEN if bound < 0 and is_late else End.KEPT
    if after | cell == full:
        return End.KEPT if bound >= 0 else End.BROKEN
    return mine, after | cell
