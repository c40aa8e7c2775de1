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
Line = tuple[int, ...]  # columns that the opponent plays, the answers between them left out
MAX_KNOWN = 24


class End(Enum):
    KEPT = 1
    BROKEN = 2


class Refutations:
    """Lines that broke plans for a position: what breaks one often breaks the next. Last used, first."""

    def __init__(self) -> None:
        self._lines: list[Line] = []

    def add(self, line: Line) -> None:
        self._lines = [line, *self._lines[: MAX_KNOWN - 1]]

    def refute(self, position: Position, bound: int, answer: Answer) -> bool:
        """Whether one of them breaks this plan, too."""
        for line in self._lines:
            if _breaks(position, bound, answer, line):
                self._lines.remove(line)
                self.add(line)
                return True
        return False


def _breaks(position: Position, bound: int, answer: Answer, line: Line) -> bool:
    board = position.board
    stones = position.mine, position.mask
    for column in line:
        move = board.landing(stones[1], column)
        if not move:  # this plan has filled the column up
            continue
        after = step(board, stones, move, answer, bound, completing(board, stones))
        if isinstance(after, End):
            return after is End.BROKEN
        stones = after
    return False


def holds(
    position: Position,
    bound: int,
    answer: Answer,
    max_nodes: int = MAX_NODES,
    known: Refutations | None = None,
) -> bool:
    """Whether answering as told keeps the side to move from scoring more than `bound`, whatever it plays."""
    board = position.board
    start = (position.mine, position.mask)
    before: dict[Stones, tuple[Stones, int] | None] = {start: None}  # and the move that led on
    waiting = [start]
    while waiting:
        stones = waiting.pop()
        lines = completing(board, stones)
        for move in bits(board.landings(stones[1])):
            after = step(board, stones, move, answer, bound, lines)
            if after is End.BROKEN:
                if known is not None:
                    known.add(_line_to(board, before, stones, move))
                return False
            if not isinstance(after, End) and after not in before:
                before[after] = (stones, move)
                waiting.append(after)
        if len(before) > max_nodes:
            return False
    return True


def _line_to(
    board: Board, before: dict[Stones, tuple[Stones, int] | None], stones: Stones, move: int
) -> Line:
    moves, reached = [move], before[stones]
    while reached is not None:
        stones, move = reached
        moves.append(move)
        reached = before[stones]
    return tuple(board.column_of(move) for move in reversed(moves))


def survives(
    position: Position, bound: int, answer: Answer, games: int, chance: random.Random, known: Refutations
) -> bool:
    """The same for some games against random play: quick to say no."""
    board = position.board
    for _ in range(games):
        stones: Stones | End = (position.mine, position.mask)
        line = []
        while not isinstance(stones, End):
            move = chance.choice(list(bits(board.landings(stones[1]))))
            line.append(board.column_of(move))
            stones = step(board, stones, move, answer, bound, completing(board, stones))
        if stones is End.BROKEN:
            known.add(tuple(line))
            return False
    return True


def winning(board: Board, stones: int, mask: int, open_cells: int) -> int:
    """The first of these cells that completes a line of some stones; 0 if none does."""
    cells = board.winning_cells(stones, mask) & open_cells
    return cells & -cells


def completing(board: Board, stones: Stones) -> tuple[int, int]:
    """The empty cells that complete a line of the opponent, and of the other side."""
    mine, mask = stones
    return board.winning_cells(mine, mask), board.winning_cells(mine ^ mask, mask)


def step(
    board: Board, stones: Stones, move: int, answer: Answer, bound: int, lines: tuple[int, int]
) -> Stones | End:
    """One move of the opponent and its answer; `lines` are what `completing` says before it."""
    losses, wins = lines
    if move & losses:
        return End.BROKEN  # the opponent wins
    full, mine, after = board.full, stones[0] | move, stones[1] | move
    if after == full:
        return End.KEPT if bound >= 0 else End.BROKEN  # a draw: enough, unless a win was promised
    cell = answer(stones, move)
    if not cell or cell & after or not (after + board.bottom) & cell:
        return End.BROKEN  # no answer, or one that cannot be played
    if cell & wins:
        # Won, if it is not later than promised: with so many stones before it, the score is at most `bound`.
        is_late = after.bit_count() > board.cells + 1 + 2 * bound
        return End.BROKEN if bound < 0 and is_late else End.KEPT
    if after | cell == full:
        return End.KEPT if bound >= 0 else End.BROKEN
    return mine, after | cell
