"""Imports go downwards only; rooms on one floor do not know each other; inside a room there are no rings
(ARCHITECTURE.md, "Floors")."""

import ast
import sys
from collections.abc import Collection, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from kit.places import ROOT
from kit.syntax import parsed

PACKAGE = ROOT / "src" / "claimeven"

MAP = ROOT / "ARCHITECTURE.md"
WIDTH = 23  # of the first column of the map


def floors(text: str) -> tuple[list[set[str]], set[str]]:
    """The floors that the map draws, from the ground up, and the rooms below its line."""
    drawn = text.partition("## Floors")[2].partition("```text\n")[2].partition("```")[0].splitlines()
    rooms = [{name.strip(" /") for name in line[:WIDTH].split("·")} for line in reversed(drawn)]
    (line,) = (level for level, names in enumerate(rooms) if any(name.startswith("--") for name in names))
    inner = set().union(*rooms[:line])
    return [*rooms[:line], *rooms[line + 1 :], {"__main__"}], inner


FLOORS, INNER = floors(MAP.read_text())
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
CORE_USERS = {"board", "solver", "book", "count", "map", "agents", "learn", "neural"}
WITH_NUMPY = {"arrays", "solver", "learn"}  # in functions that nobody needs who has none
# Notebooks ask a position, a game and an analysis for their pictures.
EXCEPTIONS = {("position", "arrays"), ("position", "picture"), ("game", "picture"), ("solver", "overlay")}


def imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Full names of what a module imports, wherever in the module the import stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")
            base = parents[: len(parents) - node.level + 1] if node.level else []
            base += [node.module] if node.module else []
            for alias in node.names:
                yield ".".join([*base, alias.name])


def violations(package: Path) -> list[str]:
    found = []
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).with_suffix("").parts
        room = inside[0]
        if room == "__init__":
            continue  # only re-exports
        if room not in LEVEL:
            found.append(f"{room}: no floor; give it one in ARCHITECTURE.md")
            continue
        for name in imports(parsed(path), ".".join(("claimeven", *inside[:-1]))):
            reason = objection(room, name)
            if reason:
                found.append(f"{'.'.join(inside)} imports {name}: {reason}")
    return found


def objection(room: str, name: str) -> str | None:
    top, _, rest = name.partition(".")
    if top != "claimeven":
        is_allowed = top in sys.stdlib_module_names or (top == "numpy" and room in WITH_NUMPY)
        return None if is_allowed or room not in INNER else "standard library only"
    other = rest.partition(".")[0]
    if other == room or (room, other) in EXCEPTIONS or other == "__version__":
        return None
    if other == "_core":
        return None if room in CORE_USERS else f"only {', '.join(sorted(CORE_USERS))} use the core"
    if other not in LEVEL:
        return "import from the room where it lives"
    if LEVEL[other] == LEVEL[room]:
        return "rooms on one floor do not know each other"
    return None if LEVEL[other] < LEVEL[room] else "imports go downwards only"


def ring(package: Path, room: str) -> list[str]:
    """Modules of a room of which each imports the next, and the last the first; [] if there are none.

    An import counts wherever it stands: one for the type checker only, or inside a function, hides nothing.
    """
    sources = {}
    for path in (package / room).rglob("*.py"):
        inside = path.relative_to(package).with_suffix("").parts
        home = ".".join(("claimeven", *inside[:-1]))
        sources[home if inside[-1] == "__init__" else f"{home}.{inside[-1]}"] = path, home
    graph: dict[str, set[str]] = {}
    for module, (path, home) in sources.items():
        named = {_module(name, sources) for name in imports(parsed(path), home)}
        graph[module] = {other for other in named if other and other != module}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [str(module) for module in error.args[1]]
    return []


def _module(name: str, modules: Collection[str]) -> str:
    """The module in which an imported name lives; "" if it is elsewhere."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


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


def test_every_room_of_the_map_is_there() -> None:
    rooms = {
        path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert rooms - {"__init__"} == set(LEVEL)


def test_imports_go_downwards() -> None:
    assert violations(PACKAGE) == []


@pytest.mark.parametrize("room", [room for room in sorted(LEVEL) if (PACKAGE / room).is_dir()])
def test_a_room_has_no_ring(room: str) -> None:
    assert ring(PACKAGE, room) == []


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
    assert ring(tmp_path, "server") == []
    hub.write_text(line)
    assert {"claimeven.server.hub", "claimeven.server.inner.room"} <= set(ring(tmp_path, "server"))


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
        ("picture", "from claimeven import count", "rooms on one floor do not know each other"),
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
