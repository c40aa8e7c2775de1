"""The notebooks of docs/ are executed, and say what they said when they were kept."""

from pathlib import Path
from typing import Any

import pytest

from claimeven import Position, Solver
from kit.places import ROOT

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def words(notebook: Any) -> list[str]:
    """What each cell prints, and what kinds of pictures it shows; how they look is left to the eye."""
    return ["".join(map(shown, cell.get("outputs", []))) for cell in notebook.cells]


def shown(output: Any) -> str:
    return str(output["text"]) if "text" in output else f"<{' '.join(sorted(output['data']))}>"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the packages that run the kernel
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    kept = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(fresh, timeout=900, kernel_name="python3").execute()
    assert words(fresh) == words(kept)


def test_pictures_have_words_beside_them() -> None:
    """An image of its own has no alternative text in nbconvert; in a page, a picture keeps its title."""
    position = Position.parse("4453")
    for picture in (position, Solver().analyse(position)):
        assert "<title>7/7/7/7/3o3/2oxx2 x 7x6x4" in picture._repr_html_()
