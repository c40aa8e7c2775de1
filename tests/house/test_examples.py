"""Ten explanations of different kinds: docs/examples.md is their golden file, and all claims are checked."""

import pytest

from claimeven.picture import position_text
from claimeven.position import Position
from claimeven.reasons import explain
from claimeven.solver import Solver
from kit.coach.explained import check_explanation
from kit.places import ROOT

PAGE = ROOT / "docs" / "examples.md"
HEAD = """# Ten explanations

What `claimeven explain MOVES --column COLUMN` says: ten of different kinds. How they are made and checked is
told in [explanations](explanations.md).
"""
EXAMPLES = {
    "Four in a line": ("4455224427675", 6),
    "An open three": ("4131", 5),
    "Too late to block": ("41315", 2),
    "A win thrown away": ("4131", 2),
    "The only column that holds": ("4444426", 5),
    "A win by force": ("4153673443443566", 5),
    "One threat above the other": ("154615556646323226644745452211", 1),
    "No safe column left": ("4214222444566676266747231117771", 1),
    "A plan for every reply": ("726555534444344655333737766662", 2),
    "Allis' rules": ("24456456456522546746526112", 2),
}


def section(title: str, moves: str, column: int, solver: Solver) -> str:
    position = Position.parse(moves)
    explanation = explain(position, column - 1, solver)
    check_explanation(explanation, solver)
    words = explanation.text.replace("\n", "\n\n")
    return (
        f"\n## {title}\n\n`{moves}`, column {column}\n\n```text\n{position_text(position)}\n```\n\n{words}\n"
    )


def test_the_page_of_examples(request: pytest.FixtureRequest) -> None:
    solver = Solver(megabytes=64)
    page = HEAD + "".join(section(title, *example, solver) for title, example in EXAMPLES.items())
    if request.config.getoption("--record"):
        PAGE.write_text(page)
    assert page == PAGE.read_text(), "docs/examples.md says something else; if it should not, pytest --record"
    assert len(EXAMPLES) == 10
