"""Imports go downwards only; rooms on one floor do not know each other; modules make no rings
(ARCHITECTURE.md, "Floors")."""

from pathlib import Path

import pytest

from kit.sources.floors import ALLOWED, LEVEL, PACKAGE, allowed, floors, rings, violations


def test_the_map_is_read_as_it_is_drawn() -> None:
    drawn = """## Floors\n```text
cli                    the command line
terminal/  ·  server/  doors  ·  more
-----------------------------------  below this line
game/                  a record
board  ·  limit        geometry
```"""
    rooms, inner = floors(drawn)
    assert rooms == [{"board", "limit"}, {"game"}, {"terminal", "server"}, {"cli"}, {"__main__"}]
    assert inner == {"board", "limit", "game"}


def test_exceptions_are_read_from_the_map() -> None:
    drawn = """## Floors\n```text
cli                    the command line
```\nAnd beyond that:\n```text
_core                  board  solver
numpy                  solver                for arrays
```"""
    assert allowed(drawn) == {"_core": {"board", "solver"}, "numpy": {"solver"}}
    assert ALLOWED.keys() == {"_core", "numpy", "ray"}
    assert {room for rooms in ALLOWED.values() for room in rooms} <= LEVEL.keys()


def test_every_room_of_the_map_is_there() -> None:
    rooms = {
        path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert rooms - {"__init__"} == set(LEVEL)


def test_imports_go_downwards() -> None:
    assert violations(PACKAGE) == []


def test_there_is_no_ring() -> None:
    assert rings(PACKAGE) == []


@pytest.mark.parametrize(
    "line",
    [
        "from claimeven.server.inner import room",
        "from claimeven.server.inner.room import Room",
        "if TYPE_CHECKING:\n    from claimeven.server.inner.room import Room",
        "def late():\n    from .inner import room",
        "from claimeven.server.inner import Room",  # by way of the package, which re-exports it
    ],
)
def test_a_planted_ring_is_found(tmp_path: Path, line: str) -> None:
    inner = tmp_path / "server" / "inner"
    inner.mkdir(parents=True)
    (inner / "__init__.py").write_text("from claimeven.server.inner.room import Room\n")
    (inner / "room.py").write_text("from ..hub import Hub\n")
    hub = tmp_path / "server" / "hub.py"
    hub.write_text("import asyncio\n")
    assert rings(tmp_path) == []
    hub.write_text(line)
    (found,) = rings(tmp_path)
    assert {"claimeven.server.hub", "claimeven.server.inner.room"} <= set(found)


def test_a_planted_ring_of_rooms_is_found(tmp_path: Path) -> None:
    (tmp_path / "position.py").write_text("def late():\n    from claimeven.picture import position_svg\n")
    (tmp_path / "picture.py").write_text("from claimeven.overlay import marks\n")
    (tmp_path / "overlay.py").write_text("if TYPE_CHECKING:\n    from claimeven.position import Position\n")
    assert rings(tmp_path) == [["claimeven.overlay", "claimeven.picture", "claimeven.position"]]


CORE = "only agents, board, book, count, learn, map, neural, solver use the core"


@pytest.mark.parametrize(
    ("room", "line", "reason"),
    [
        ("position", "from claimeven.solver import Solver", "imports go downwards only"),
        ("position", "def late():\n    import claimeven.cli", "imports go downwards only"),
        ("position", "from . import game", "imports go downwards only"),
        ("position", "import msgspec", "standard library only"),
        ("game", "import msgspec", "standard library only"),
        ("puzzles", "def late():\n    from rich import print", "standard library only"),
        ("game", "import numpy", "standard library only"),
        ("game", "from importlib import import_module\nimport_module('ray')", "standard library only"),
        ("game", "import importlib\nimportlib.import_module(name)", "standard library only"),
        ("game", "import importlib as il\nil.import_module('ray')", "standard library only"),
        ("game", "from importlib import import_module as im\nim(name='ray')", "standard library only"),
        ("game", "import builtins\nload = builtins.__import__\nload('ray')", "standard library only"),
        ("game", "def late():\n    __import__(f'claimeven.server.{name}')", "imports go downwards only"),
        ("raster", "from claimeven import count", "rooms on one floor do not know each other"),
        (
            "reasons",
            "from claimeven import _core",
            CORE,
        ),
        (
            "game",
            "from claimeven._core import perft",
            CORE,
        ),
        ("arena", "from claimeven import Position", "import from the room where it lives"),
        ("utils", "", "no floor; give it one in ARCHITECTURE.md"),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, room: str, line: str, reason: str) -> None:
    (tmp_path / "__init__.py").write_text("from claimeven.cli import main\n")
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "tree.py").write_text("from .. import _core\nfrom . import tree\n")
    (tmp_path / f"{room}.py").write_text(line)
    assert [text.rpartition(": ")[2] for text in violations(tmp_path)] == [reason]
