"""Tests run in any order, alone or together with those of the page."""

import re
import subprocess

from kit.places import ROOT, TESTS


def test_nothing_is_imported_from_conftest() -> None:
    """Two files are called conftest.py: which one is found depends on the order of the tests."""
    guilty = [
        path.name
        for path in TESTS.rglob("*.py")
        if re.search(r"^(from|import) conftest\b", path.read_text(), re.MULTILINE)
    ]
    assert guilty == []


# Folders that are drawn, and the words before each map.
MAPS = {"native": "three doors:", "src/claimeven/server": "eleven groups", "web/src": "The page (`web/`"}


def test_every_folder_of_the_maps_is_there() -> None:
    """Each entry begins with a folder; `inner/: what it is` is one inside it."""
    text, named = (ROOT / "ARCHITECTURE.md").read_text(), []
    for place, before in MAPS.items():
        drawn = text.partition(before)[2].partition("```text\n")[2].partition("\n```")[0]
        for entry in re.split(r"\n(?! )", drawn):
            outer = f"{place}/{entry.partition('/')[0]}"
            named += [outer, *(f"{outer}/{inner}" for inner in re.findall(r"\b(\w+)/:", entry))]
    assert len(named) > 30
    assert [name for name in named if not (ROOT / name).is_dir()] == []


def test_a_file_that_the_map_names_is_one_file() -> None:
    """A bare `run.py` may be any of six: a name in ARCHITECTURE.md goes far enough to be only one."""
    files = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).split()
    named = set(
        re.findall(r"`(\w[\w./-]*\.(?:py|ts|svelte|hpp|cpp|json))`", (ROOT / "ARCHITECTURE.md").read_text())
    )
    meant = {name: [file for file in files if f"/{file}".endswith(f"/{name}")] for name in named}
    made = {"tests/agents/test_X.py", "build/coverage.json"}  # by who reads it, or by make
    assert len(named) > 100
    assert {name: found for name, found in meant.items() if len(found) != 1 and name not in made} == {}
