"""The verifier: plays a plan against every reply of the opponent. It knows no theorem.

What does not pass is never shown, so a mistake in the theory could cost an explanation but not make one
false.
"""

from collections.abc import Mapping

from claimeven.position import Position
from claimeven.reasons.lines import bits, landings, lines_by_cell

MAX_NODES = 60_000  # a plan with more positions to play through is not verified, hence not shown


def holds(position: Position, bound: int, answers: Mapping[int, int], max_nodes: int = MAX_NODES) -> bool:
    """Whether answering as told keeps the side to move from scoring more than `bound`, whatever it plays.

    `answers` maps the cell of a move to the cell of its answer, as bits.
    """
    board = position.board
    full, through = board.full, lines_by_cell(board)
    # With fewer stones than this before the follower's winning one, the score is as low as promised.
    latest = board.cells + 1 + 2 * bound
    seen = {position.mask | position.mine << board.columns * (board.rows + 1)}
    waiting = [(position.mine, position.mask)]
    while waiting:
        mover, mask = waiting.pop()
        for move in bits(landings(board, mask)):
            stones, after = mover | move, mask | move
            if any(stones & line == line for line in through[move]):
                return False  # the opponent wins
            answer = answers.get(move, 0)
            if after == full:
                if bound < 0:
                    return False  # a draw, but a win was promised
                continue
            if not answer or answer & after or not (after + board.bottom) & answer:
                return False  # no answer, or one that cannot be played
            follower = after ^ stones | answer
            if any(follower & line == line for line in through[answer]):
                if bound < 0 and after.bit_count() > latest:
                    return False  # the win comes later than promised
                continue
            if after | answer == full:
                if bound < 0:
                    return False
                continue
            key = after | answer | stones << board.columns * (board.rows + 1)
            if key not in seen:
                seen.add(key)
                waiting.append((stones, after | answer))
        if len(seen) > max_nodes:
            return False
    return True
