"""Imports go downwards only; rooms on one floor do not know each other (ARCHITECTURE.md, "Floors")."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "claimeven"

# From the ground up. A room is a module or a package directly inside claimeven.
FLOORS = (
    ("errors",),
    ("notation",),
    ("position", "limit"),
    ("game",),
    ("formats",),
    ("solver", "runner", "picture", "count", "pons"),
    ("book", "overlay"),
    ("agents",),
    ("reasons",),
    ("arena",),
    ("puzzles", "learn"),
    ("terminal", "server", "export", "adapters", "bench"),
    ("client",),
    ("commands",),
    ("cli",),
    ("__main__",),
)
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
CORE_USERS = {"solver", "book", "count", "agents", "learn"}
STANDARD_LIBRARY_ONLY = {"errors", "notation", "position"}
# Notebooks ask a position, a game and an analysis for their pictures.
EXCEPTIONS = {("position", "picture"), ("game", "picture"), ("solver", "overlay")}


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
            found.append(f"{room}: no floor; give it one in tests/test_floors.py and ARCHITECTURE.md")
            continue
        for name in imports(ast.parse(path.read_text()), ".".join(("claimeven", *inside[:-1]))):
            reason = objection(room, name)
            if reason:
                found.append(f"{'.'.join(inside)} imports {name}: {reason}")
    return found


def objection(room: str, name: str) -> str | None:
    top, _, rest = name.partition(".")
    if top != "claimeven":
        is_standard = top in sys.stdlib_module_names
        return None if is_standard or room not in STANDARD_LIBRARY_ONLY else "standard library only"
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


def test_imports_go_downwards() -> None:
    assert violations(PACKAGE) == []


@pytest.mark.parametrize(
    ("room", "line", "reason"),
    [
        ("position", "from claimeven.solver import Solver", "imports go downwards only"),
        ("position", "def late():\n    import claimeven.cli", "imports go downwards only"),
        ("position", "from . import game", "imports go downwards only"),
        ("position", "import msgspec", "standard library only"),
        ("picture", "from claimeven import solver", "rooms on one floor do not know each other"),
        ("reasons", "from claimeven import _core", "only agents, book, count, learn, solver use the core"),
        ("game", "from claimeven._core import perft", "only agents, book, count, learn, solver use the core"),
        ("arena", "from claimeven import Position", "import from the room where it lives"),
        ("utils", "", "no floor; give it one in tests/test_floors.py and ARCHITECTURE.md"),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, room: str, line: str, reason: str) -> None:
    (tmp_path / "__init__.py").write_text("from claimeven.cli import main\n")
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "tree.py").write_text("from .. import _core\nfrom . import tree\n")
    (tmp_path / f"{room}.py").write_text(line)
    assert [text.rpartition(": ")[2] for text in violations(tmp_path)] == [reason]
