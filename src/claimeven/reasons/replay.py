"""The verifier: plays a plan against every reply of the opponent. It knows no theorem.

What does not pass is never shown, so a mistake in the theory could cost an explanation but not make one
false.
"""

from collections.abc import Mapping

from claimeven.position import Position
from claimeven.reasons.lines import bits, landings

MAX_NODES = 60_000  # a plan with more positions to play through is not verified, hence not shown


def holds(position: Position, bound: int, answers: Mapping[int, int], max_nodes: int = MAX_NODES) -> bool:
    """Whether answering as told keeps the side to move from scoring more than `bound`, whatever it plays.

    `answers` maps the cell of a move to the cell of its answer, as bits; a win at hand is taken first.
    """
    board = position.board
    seen: set[int] = set()
    waiting = [(position.mine, position.mask)]
    while waiting:
        mover, mask = waiting.pop()
        key = mover + mask
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > max_nodes:
            return False
        for move in bits(landings(board, mask)):
            if board.has_line(mover | move):
                return False  # the opponent wins
            after = mask | move
            follower = mask ^ mover
            if after == board.full:
                if bound < 0:
                    return False  # a draw, but a win was promised
                continue
            open_cells = landings(board, after)
            if any(board.has_line(follower | cell) for cell in bits(open_cells)):
                if (board.cells + 1 - after.bit_count()) // 2 < -bound:
                    return False  # the win comes later than promised
                continue
            answer = answers.get(move, 0)
            if not answer & open_cells:
                return False
            if after | answer == board.full:
                if bound < 0:
                    return False
                continue
            waiting.append((mover | move, after | answer))
    return True
