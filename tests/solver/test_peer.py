"""Another solver, written by somebody else, on random positions of all plies: the extra `bench`."""

import random

import pytest

from claimeven.bench.contest import BitBully
from claimeven.position import Board, Position
from claimeven.solver import Solver
from kit.plain_solver import random_position

pytest.importorskip("bitbully", reason="bitbully is missing: pip install -e '.[bench]'")


@pytest.fixture(scope="module")
def peer() -> BitBully:
    return BitBully()


def disagreements(peer: BitBully, solver: Solver, positions: list[Position]) -> dict[str, tuple[int, int]]:
    found = {}
    for position in positions:
        assert position.moves is not None
        mine, theirs = int(solver.score(position)), peer.score(position.moves)
        if mine != theirs:
            found[position.moves] = (mine, theirs)
    return found


def unfinished(seed: str, plies: range, count: int) -> list[Position]:
    generator = random.Random(seed)
    return [random_position(Board(), generator, ply) for ply in plies for _ in range(count)]


def test_random_positions_of_all_plies(peer: BitBully) -> None:
    positions = unfinished("all plies", range(18, 42), 50)
    assert disagreements(peer, Solver(book=False), positions) == {}


def test_random_positions_with_the_book_near(peer: BitBully) -> None:
    """Around its last ply: positions inside, children of the last layer, positions beyond."""
    positions = unfinished("near the book", range(13, 18), 8)
    assert disagreements(peer, Solver(), positions) == {}


@pytest.mark.slow
def test_random_positions_of_early_plies(peer: BitBully) -> None:
    positions = unfinished("early plies", range(9, 18), 12)
    assert disagreements(peer, Solver(book=False), positions) == {}
    assert disagreements(peer, Solver(), positions) == {}


def test_the_contest_counts_its_nodes(peer: BitBully) -> None:
    moves = "2252576253462244111563365343671351441"
    first, second = peer.answer(moves), peer.answer(moves)
    assert first.score == -1
    assert first.nodes == second.nodes > 0
    assert peer.name == "bitbully 0.0.79"
