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
ORACLES = json.loads((ROOT / "tests" / "data" / "oracles.json").read_text())["game_value_by_board"]
PLAIN = 9  # empty cells of positions that plain minimax is asked about
QUICK = 24  # and the solver, from nothing

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
    table = runpy.run_path(str(ROOT / "bench" / "solver" / "boards.py"))["table"]()
    assert PAGE.split("<!-- table -->\n")[1].split("\n<!-- end -->")[0] == table
    for name, drawn in runpy.run_path(str(ROOT / "docs" / "board_pictures.py"))["pictures"]().items():
        assert (ROOT / "docs" / "images" / name).read_text() == drawn
        assert f"images/{name}" in PAGE


PUBLISHED = [row for row in ROWS if row["board"] in ORACLES["values"]]


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row["board"])
def test_values_are_the_published_ones(row: Row) -> None:
    sign = {"+": 1, "=": 0, "-": -1}[ORACLES["values"][row["board"]]]
    assert (row["value"] > 0) - (row["value"] < 0) == sign
    assert row["last_ply"] == ORACLES["last_ply"][row["board"]]


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
@every_board
def test_most_positions_have_the_value(row: Row) -> None:
    check(row, 34)
