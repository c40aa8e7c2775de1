"""The solver against published values: other boards, first moves, replies, histograms."""

import json
from collections import Counter
from typing import Any

import pytest

from claimeven.position import Board, Position
from claimeven.solver import Solver
from kit.places import DATA

# Of boards whose first moves are not listed: seconds on one core.
GAME_VALUES = {
    **{"4x9": 0.2, "4x10": 0.5, "4x11": 0.9, "7x5": 0.8, "5x8": 1.3, "6x6": 1},
    **{"6x7": 4, "4x12": 6, "9x4": 10, "5x9": 10, "8x5": 14, "4x13": 19},
}
QUICK = 2


def first_moves(oracles: dict[str, Any]) -> dict[str, list[int]]:
    found = {f"{size}x4": scores for size, scores in oracles["first_move_scores"]["k4"].items()}
    for k in (2, 3, 5):
        for size, entry in oracles["connect_k"][f"k{k}"].items():
            found[f"{size}x{k}"] = entry["first_move_scores"]
    return found


def boards() -> list[str]:
    return sorted(first_moves(json.loads((DATA / "oracles.json").read_text())))


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(book=False)


@pytest.mark.parametrize("board", [board for board in boards() if board != "7x6x4"])
def test_first_moves_of_other_boards(board: str, oracles: dict[str, Any], solver: Solver) -> None:
    scores = solver.analyse(Position(Board.parse(board))).scores
    assert [int(score) for score in scores.values()] == first_moves(oracles)[board]


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(size, marks=[pytest.mark.slow] if seconds > QUICK else [])
        for size, seconds in GAME_VALUES.items()
    ],
)
def test_game_values(size: str, oracles: dict[str, Any], solver: Solver) -> None:
    """Who wins, and the stones on the board at the end."""
    published = oracles["game_value_by_board"]
    board = Board.parse(size)
    score = solver.score(Position(board))
    assert {"win": "+", "draw": "=", "loss": "-"}[score.outcome] == published["values"][size]
    last = board.cells if score.moves is None else 2 * score.moves - (score.value > 0)
    assert last == published["last_ply"][size]


# 7x6x4 -------------------------------------------------------------------------------------------


def test_first_moves_and_replies(oracles: dict[str, Any]) -> None:
    solver = Solver()
    scores = [int(score) for score in solver.analyse(Position()).scores.values()]
    assert scores == oracles["first_move_scores"]["k4"]["7x6"]
    for first, replies in oracles["reply_scores"]["values"].items():
        found = solver.analyse(Position.parse(first)).scores
        assert [int(score) for score in found.values()] == replies


@pytest.mark.slow
def test_first_moves_and_replies_without_the_book(oracles: dict[str, Any], solver: Solver) -> None:
    scores = [int(score) for score in solver.analyse(Position()).scores.values()]
    assert scores == oracles["first_move_scores"]["k4"]["7x6"]
    for first, replies in oracles["reply_scores"]["values"].items():
        found = solver.analyse(Position.parse(first)).scores
        assert [int(score) for score in found.values()] == replies


def layer(ply: int) -> list[Position]:
    """All distinct positions with so many stones."""
    found = {0: Position()}
    for _ in range(ply):
        children = (p.play(column) for p in found.values() for column in p.legal)
        found = {child.key: child for child in children}
    return list(found.values())


@pytest.mark.parametrize("ply", range(7))
def test_histograms(ply: int, oracles: dict[str, Any]) -> None:
    counts = Counter(int(score) for score in Solver().scores(layer(ply)))
    assert {str(value): n for value, n in counts.items()} == oracles["score_histograms"]["by_ply"][str(ply)]


@pytest.mark.slow
def test_the_histogram_of_ply_3_without_the_book(oracles: dict[str, Any]) -> None:
    """121 positions up to reflection, each a search of seconds; the other plies follow from them."""
    counts = Counter(int(score) for score in Solver(threads=2, book=False).scores(layer(3)))
    assert {str(value): n for value, n in counts.items()} == oracles["score_histograms"]["by_ply"]["3"]


def test_a_published_line() -> None:
    """Boeck's example: the side to move wins in 37 plies, with the columns 2 and 5 only."""
    analysis = Solver().analyse(Position.parse("443"))
    assert analysis.best == (1, 4)
    assert analysis.score is not None
    assert 2 * (analysis.score.moves or 0) - 1 == 37
    assert {column for column, score in analysis.scores.items() if score.value > 0} == {1, 4}
