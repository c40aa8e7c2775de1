"""docs/boards.md: its table, its lines of best play and its pictures, against data, oracles and search."""

import json
import runpy
from typing import Any

import pytest

from claimeven.position import Board, Position
from claimeven.solver import Solver
from kit.places import ROOT
from kit.plain_solver import plain_score

PAGE = (ROOT / "docs" / "boards.md").read_text()
ROWS = [json.loads(row) for row in (ROOT / "docs" / "data" / "boards.jsonl").read_text().splitlines()]
EVERY_ORACLE = json.loads((ROOT / "tests" / "data" / "oracles.json").read_text())
ORACLES = EVERY_ORACLE["game_value_by_board"]
FIRST_MOVES = EVERY_ORACLE["first_move_scores"]["k4"]
PLAIN = 9  # empty cells of positions that plain minimax is asked about
QUICK = 24  # and the solver, from nothing
AGAIN = 5.0  # seconds that a board took which is solved again

Row = dict[str, Any]
every_board = pytest.mark.parametrize("row", ROWS, ids=lambda row: row["board"])


def positions(row: Row) -> list[Position]:
    """Along the line of best play, from the start to the end."""
    found = [Position(Board.parse(row["board"]))]
    for column in row["line"]:
        assert not found[-1].is_over
        found.append(found[-1].play(int(column, 36) - 1))
    return found


def test_the_page_has_the_table_and_the_pictures_of_the_data() -> None:
    table = runpy.run_path(str(ROOT / "bench" / "solver" / "boards.py"))["table"]
    for number, connect in enumerate((4, 5), start=1):
        assert PAGE.split("<!-- table -->\n")[number].split("\n<!-- end -->")[0] == table(connect)
    for name, drawn in runpy.run_path(str(ROOT / "docs" / "board_pictures.py"))["pictures"]().items():
        assert (ROOT / "docs" / "images" / name).read_text() == drawn
        assert f"images/{name}" in PAGE


PUBLISHED = [row for row in ROWS if row["board"] in ORACLES["values"]]


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row["board"])
def test_values_are_the_published_ones(row: Row) -> None:
    sign = {"+": 1, "=": 0, "-": -1}[ORACLES["values"][row["board"]]]
    assert (row["value"] > 0) - (row["value"] < 0) == sign
    assert row["last_ply"] == ORACLES["last_ply"][row["board"]]


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ("8x8", "twice"),
        ("7x8", "twice"),
        ("4x12", "once"),
        ("8x9", "once"),
        ("4x14", "none"),
        ("6x6x5", "none"),
    ],
)
def test_who_else_solved_a_board(size: str, told: str) -> None:
    elsewhere = runpy.run_path(str(ROOT / "bench" / "solver" / "boards.py"))["elsewhere"]
    assert elsewhere(Board.parse(size)) == told


def test_first_moves_are_told_of_boards_that_were_quick() -> None:
    told = {row["board"]: row["first_moves"] for row in ROWS if "first_moves" in row}
    assert set(told) == {row["board"] for row in ROWS if row["seconds"] < 20}
    assert len(FIRST_MOVES.keys() & told.keys()) >= 14  # computed independently
    assert all(told[size] == FIRST_MOVES[size] for size in FIRST_MOVES.keys() & told.keys())
    for row in ROWS:
        if "first_moves" in row:
            assert len(row["first_moves"]) == Board.parse(row["board"]).columns
            assert max(row["first_moves"]) == row["value"]
            assert row["first_moves"] == row["first_moves"][::-1]


@every_board
def test_lines_are_played_to_the_end_that_the_value_tells(row: Row) -> None:
    *before, end = positions(row)
    assert (end.is_over, end.ply) == (True, row["last_ply"])
    assert end.winner == (None if row["value"] == 0 else 0 if row["value"] > 0 else 1)
    known: dict[int, int] = {}
    for position in before:
        if position.board.cells - position.ply <= PLAIN:
            assert plain_score(position, known) == (row["value"] if position.side == 0 else -row["value"])


def check(row: Row, most: int) -> None:
    for position in positions(row):
        if position.board.cells - position.ply <= most and not position.is_over:
            score = Solver(megabytes=8, book=False).score(position).value
            assert score == (row["value"] if position.side == 0 else -row["value"]), position.moves


@pytest.mark.parametrize("row", ROWS[-6:], ids=lambda row: row["board"])
def test_positions_near_the_end_have_the_value(row: Row) -> None:
    check(row, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in ROWS if row["seconds"] < AGAIN], ids=lambda row: row["board"])
def test_two_threads_and_a_small_table_find_the_same_value(row: Row) -> None:
    found = Solver(threads=2, megabytes=16, book=False).solve(Position(Board.parse(row["board"])))
    assert found[:2] == (row["value"], row["value"])


@pytest.mark.slow
@every_board
def test_most_positions_have_the_value(row: Row) -> None:
    check(row, 34)
