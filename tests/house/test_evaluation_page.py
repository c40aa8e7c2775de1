"""docs/concepts/evaluation.md: its pictures are drawn from the evaluator and the solver as they are now."""

from types import ModuleType

import pytest

from claimeven import Position
from claimeven.agents.kinds.weights import PRESETS
from kit.places import ROOT
from kit.scripts import load

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    return load(DOCS / "evaluation_pictures.py")


def test_the_pictures_are_as_they_would_be_drawn(drawing: ModuleType) -> None:
    page = (DOCS / "concepts" / "evaluation.md").read_text()
    for name, svg in drawing.pictures().items():
        assert (DOCS / "images" / name).read_text() == svg, "run python docs/evaluation_pictures.py"
        assert f"../images/{name})" in page


@pytest.mark.parametrize("moves", ["452231444", "4522314445", "1317441", "44444327655", "6361336"])
@pytest.mark.parametrize("preset", ["b", "b10"])
def test_the_numbers_on_the_cells_add_up(drawing: ModuleType, moves: str, preset: str) -> None:
    position = Position.parse(moves)
    for side in (0, 1):
        worth = drawing.run_values(position, side, PRESETS[preset])
        assert sum(worth.values()) == PRESETS[preset].value(position, side)
