"""The proof of what an agent can do on a small board: its play against every reply of the opponent.

The agent must be deterministic. It plays both sides in turn; whatever the opponent does is tried. Positions
that several lines reach, and mirror images, are looked at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from claimeven.arena.measure import Question
from claimeven.position import Board, Position
from claimeven.solver import Solver, outcome_of

Choose = Callable[[Position], int]
Counting = Callable[[int], None]  # called with the positions met so far


@dataclass(frozen=True)
class Check:
    """What an agent meets, and what it makes of it, with one side."""

    side: int
    value: str  # of the empty board for that side: win, draw or loss
    met: int  # positions where it had to move
    decisive: int  # of these, where its columns differed in outcome
    kept: int  # of the decisive ones, where it kept the outcome
    lost: int  # ends of the game in which it has lost

    @property
    def share(self) -> float:
        return self.kept / self.decisive if self.decisive else 1.0


def check(choose: Choose, board: Board, progress: Counting | None = None) -> tuple[Check, Check]:
    """With side 0 and with side 1."""
    solver = Solver(megabytes=64)
    asked = 0

    @cache
    def scores(position: Position) -> dict[int, int]:
        return {column: score.value for column, score in solver.analyse(position).scores.items()}

    def question(position: Position) -> Question:
        nonlocal asked
        asked += 1
        if progress is not None:
            progress(asked)
        if position.key == position.canonical_key:
            return Question("met", position, scores(position))
        turned = scores(position.mirror())
        return Question("met", position, {board.columns - 1 - c: value for c, value in turned.items()})

    start = solver.score(Position(board)).value
    return _check(choose, board, 0, outcome_of(start), question), _check(
        choose, board, 1, outcome_of(-start), question
    )


def _check(
    choose: Choose, board: Board, side: int, value: str, question: Callable[[Position], Question]
) -> Check:
    waiting, seen = [Position(board)], set[int]()
    met = decisive = kept = lost = 0
    while waiting:
        position = waiting.pop()
        if position.is_over:
            lost += position.winner == 1 - side
            continue
        if position.canonical_key in seen:
            continue
        seen.add(position.canonical_key)
        if position.side != side:
            waiting += [position.play(column) for column in position.legal]
            continue
        column, asked = choose(position), question(position)
        met += 1
        if asked.is_decisive:
            decisive += 1
            kept += asked.keeps(column)
        waiting.append(position.play(column))
    return Check(side, value, met, decisive, kept, lost)
