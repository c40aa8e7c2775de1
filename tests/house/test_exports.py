"""The names at the top of the package: all there, all typed, none loaded before it is used."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import claimeven


def test_every_name_comes_from_its_room() -> None:
    assert sorted(claimeven.__all__) == sorted(claimeven._ROOMS)
    for name in claimeven.__all__:
        assert getattr(claimeven, name) is getattr(import_module(f"claimeven.{claimeven._ROOMS[name]}"), name)
    assert set(claimeven.__all__) <= set(dir(claimeven))


def test_the_type_checker_sees_the_same_names() -> None:
    tree = ast.parse(Path(claimeven.__file__).read_text())
    seen = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("claimeven.")
        for alias in node.names
    }
    assert seen == {name: f"claimeven.{room}" for name, room in claimeven._ROOMS.items()}


def test_a_missing_name_is_an_attribute_error() -> None:
    assert not hasattr(claimeven, "Nonsense")


def test_import_loads_no_room() -> None:
    code = "import sys, claimeven; print(sorted(m for m in sys.modules if m.startswith('claimeven.')))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
