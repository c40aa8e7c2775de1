"""Sixty explanations of all kinds: docs/examples.md is their golden file, and all claims are checked."""

import pytest

from claimeven.picture import position_text
from claimeven.position import Board, Position
from claimeven.reasons import explain
from claimeven.solver import Solver
from kit.coach.explained import check_explanation
from kit.places import ROOT

PAGE = ROOT / "docs" / "examples.md"
HEAD = """# Sixty explanations

What `claimeven explain MOVES --column COLUMN` says, of positions of all kinds. How explanations are made and
checked is told in [explanations](explanations.md).
"""
# Moves and column; without a column the best move is explained.
EXAMPLES: dict[str, list[tuple[str, int | None]]] = {
    "Openings": [
        ("", None),
        ("", 2),
        ("4", None),
        ("44", None),
        ("444", None),
        ("45", None),
        ("43", None),
        ("445", None),
        ("444442", None),
        ("64", None),
    ],
    "Threats": [
        ("4455224427675", 6),
        ("12121", 1),
        ("12121", 3),
        ("4131", None),
        ("41315", 2),
        ("445566", 1),
        ("4433", None),
        ("4153673443443566", None),
        ("44133234244325156", None),
        ("54554544355336643423", 7),
    ],
    "One above the other": [
        ("154615556646323226644745452211", None),
        ("44444343311312", None),
        ("3275225373553", None),
        ("344435337566255", None),
        ("24334544355673", 1),
        ("3464644311537", None),
        ("6566555233333226566737752244", None),
    ],
    "The count": [
        ("546445664565544151123133177773122", None),
        ("4214222444566676266747231117771", None),
        ("726555534444344655333737766662", None),
        ("2464644446777", None),
        ("165713352355467777", None),
        ("33474534413433425271", None),
        ("12533224332444553545534262776", None),
        ("3525515355323123123766667444277727", None),
        ("37313333717124171162542", None),
    ],
    "The lesser evil": [
        ("5455174361263362", None),
        ("4354673757713", None),
        ("7264", None),
        ("4453", None),
        ("51412", None),
        ("345416435564133411161556", None),
        ("444444536755655573", None),
        ("744446635213322", None),
    ],
    "Draws": [
        ("4444426", None),
        ("274552224131661", None),
        ("443445122725", None),
        ("4444422226666246", None),
        ("5444445555452222", None),
        ("455345343345531513744777111", None),
    ],
    "Mistakes": [
        ("4131", 2),
        ("4131", 1),
        ("7475", 5),
        ("2442551", 2),
        ("3445747526544", 2),
        ("45742565567", 3),
        ("46353453421434347755255317777112222", 6),
    ],
    "Other boards": [("8x7", None), ("9x7", None), ("6x4x3", None)],
}


def section(asked: str, column: int | None, solver: Solver) -> str:
    """One explanation; a board alone is its empty position, and one too large to be solved is not."""
    board = Board.parse(asked) if "x" in asked else None
    position = Position(board) if board is not None else Position.parse(asked)
    is_solved = position.board.cells <= 42
    explanation = explain(position, None if column is None else column - 1, solver if is_solved else None)
    if is_solved:
        check_explanation(explanation, solver)
    words = explanation.text.replace("\n", "\n\n")
    what = f"`--board {asked}`" if board is not None else f"`{asked}`" if asked else "The empty board"
    title = f"{what}, {'xo'[position.side]} to move, column {explanation.column + 1}"
    return f"\n### {title}\n\n```text\n{position_text(position)}\n```\n\n{words}\n"


def test_the_page_of_examples(request: pytest.FixtureRequest) -> None:
    solver = Solver(megabytes=64)
    page = HEAD
    for title, examples in EXAMPLES.items():
        page += f"\n## {title}\n" + "".join(section(*example, solver) for example in examples)
    if request.config.getoption("--record"):
        PAGE.write_text(page)
    assert page == PAGE.read_text(), "docs/examples.md says something else; if it should not, pytest --record"
    assert sum(map(len, EXAMPLES.values())) == 60
