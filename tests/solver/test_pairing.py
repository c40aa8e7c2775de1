"""The parity theorems, played out: the follower keeps to his plan, the mover tries everything.

What the bounds say is held against the truth for every position of small boards by tests/native/theorems.cpp;
here it is the proofs that are tried: the answers are always possible, the mover never completes a line, and
the follower wins in time. docs/theorems.md has the statements and the proofs.
"""

import random
from collections import Counter

import pytest

from claimeven.position import Board, Cell, Position
from claimeven.solver import Solver
from kit.pairing import Plan, plans
from kit.plain_solver import random_position


def play_out(position: Position, plan: Plan, seen: set[int]) -> None:
    """All ways the game can go when the follower answers by his plan."""
    if position.key in seen:
        return
    seen.add(position.key)
    cells = position.board.cells
    if position.mask == position.board.full:
        assert plan.bound == 0
        return
    mover = position.side
    for column in position.legal:
        row = position.height(column)
        after = position.play(column)
        assert after.winner is None, "the mover has a line"
        answer = plan.answers[Cell(column, row)]
        assert after.height(answer.column) == answer.row, "the answer is not possible"
        then = after.play(answer.column)
        if then.winner is None:
            play_out(then, plan, seen)
        else:
            assert then.winner == 1 - mover
            assert -((cells + 2 - then.ply) // 2) <= plan.bound, "the follower wins too late"


@pytest.mark.parametrize(
    "text", ["3x6x3", "3x7x3", "5x3x3", "8x2x3", "5x4x4", "4x6x4", "5x5x4", "4x7x4", "6x5x4", "7x6x4"]
)
def test_plans_hold_whatever_is_played(text: str) -> None:
    board, seed, solver = Board.parse(text), random.Random(text), Solver(book=False)
    tried: Counter[str] = Counter()
    for _ in range(250):
        ply = board.cells - seed.randint(1, min(14, board.cells))
        position = random_position(board, seed, ply)
        for plan in plans(position):
            if tried[plan.theorem] > 25:
                continue
            tried[plan.theorem] += 1
            play_out(position, plan, set())
            assert int(solver.score(position)) <= plan.bound
    assert sum(tried.values()) > 10


def test_all_four_theorems_are_met() -> None:
    """On even and on odd heights."""
    for board in (Board(5, 4), Board(5, 5)):
        seed = random.Random(7)
        met: Counter[str] = Counter()
        for _ in range(400):
            position = random_position(board, seed, board.cells - seed.randint(1, 12))
            met.update({plan.theorem for plan in plans(position)})
        assert set(met) == {"T1", "T2", "T3", "T4"}


def test_a_wrong_plan_is_found_out() -> None:
    """The game at hand: without the pair of singles the mover gets both, and a line."""
    position = Position(Board(4, 2, 3))
    plan = Plan("T1", {Cell(c, 0): Cell(c, 1) for c in range(4)}, 0)
    with pytest.raises(AssertionError, match="the mover has a line"):
        play_out(position, plan, set())
    late = Plan("T3", {Cell(c, 0): Cell(c, 1) for c in range(4)}, -4)
    with pytest.raises(AssertionError):
        play_out(position, late, set())
