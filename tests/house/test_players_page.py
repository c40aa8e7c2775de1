"""docs/players.md: pictures and table are those of agents, solver and data as they are now."""

import re
from types import ModuleType

import pytest

from claimeven import Position, Solver
from kit.places import ROOT
from kit.scripts import load

DOCS = ROOT / "docs"
PAGE = (DOCS / "players.md").read_text()


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    return load(DOCS / "player_pictures.py")


def test_the_pictures_are_as_they_would_be_drawn(drawing: ModuleType) -> None:
    for name, svg in drawing.pictures().items():
        assert (DOCS / "images" / name).read_text() == svg, "run python docs/player_pictures.py"
        assert f"(images/{name})" in PAGE


def test_what_the_page_says_of_each_mistake_is_so(drawing: ModuleType) -> None:
    does = {"win": ("wins", "win"), "draw": ("draws", "draw"), "loss": ("loses", "lose")}
    for name, (spec, moves) in drawing.WRONG.items():
        column, times = drawing.played(spec, moves)
        scores = Solver(megabytes=64).analyse(Position.parse(moves)).scores
        best = max(scores.values()).outcome
        assert scores[column].outcome != best
        right = [str(each + 1) for each, score in scores.items() if score.outcome == best]
        often = "" if times == len(drawing.SEEDS) else f", {times} times of {len(drawing.SEEDS)}"
        said = f"`{spec}` after `{moves}`: column {column + 1}{often}; it {does[scores[column].outcome][0]}, "
        said += f"{' and '.join(right)} {does[best][len(right) > 1]}"
        assert f"![{said}](images/{name})" in PAGE, said


def test_the_table_of_strength_is_the_data(drawing: ModuleType) -> None:
    table = PAGE.partition("## Strength against time")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `([^`]+)` \| (.*) \|$", table, re.MULTILINE)
    rows = drawing.rows()
    assert {spec for spec, _ in listed} == rows.keys()
    for spec, told in listed:
        row = rows[spec]
        assert told == drawing.told(row), spec
