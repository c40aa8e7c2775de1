"""The floors of ARCHITECTURE.md, and what our modules import: upwards, from outside, in rings."""

import ast
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from kit.places import ROOT
from kit.sources.syntax import parsed_text

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


def allowed(text: str) -> dict[str, set[str]]:
    """What else may be imported, and by which rooms: the second drawing. A wider gap, and a word about it."""
    drawn = text.partition("## Floors")[2].partition("```text\n")[2].partition("```text\n")[2]
    rows = (row for row in drawn.partition("```")[0].splitlines())
    return {row[:WIDTH].strip(): set(row[WIDTH:].partition("   ")[0].split()) for row in rows}


FLOORS, INNER = floors(MAP.read_text())
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
ALLOWED = allowed(MAP.read_text())
CORE_USERS = ALLOWED["_core"]
OUTSIDE = {(room, name) for name, rooms in ALLOWED.items() if name != "_core" for room in rooms}


@cache
def imported(text: str, package: str) -> tuple[str, ...]:
    """By a module with this text. Rings and floors ask for the same, and two tests for both: read once."""
    return tuple(imports(parsed_text(text), package))


def imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Full names of what a module imports, wherever in the module the import stands."""
    by_name = BY_NAME | set(_other_names(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")
            base = parents[: len(parents) - node.level + 1] if node.level else []
            base += [node.module] if node.module else []
            for alias in node.names:
                yield ".".join([*base, alias.name])
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in by_name:
            given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "name")]
            yield from map(_beginning, given[:1])


BY_NAME = {"import_module", "__import__"}  # of whatever `importlib` and `builtins` are called here


def _other_names(tree: ast.AST) -> Iterator[str]:
    """What else a module calls these functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.asname for alias in node.names if alias.asname and alias.name in BY_NAME)
        elif isinstance(node, ast.Assign) and ast.unparse(node.value).rpartition(".")[2] in BY_NAME:
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _beginning(name: ast.expr) -> str:
    """Of a module that is imported by its name, as far as it is written; "?" where nothing is."""
    first = name.values[0] if isinstance(name, ast.JoinedStr) else name
    return str(first.value).rstrip(".") if isinstance(first, ast.Constant) else "?"


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
        for name in imported(path.read_text(), ".".join(("claimeven", *inside[:-1]))):
            reason = objection(room, name)
            if reason:
                found.append(f"{'.'.join(inside)} imports {name}: {reason}")
    return found


def objection(room: str, name: str) -> str | None:
    top, _, rest = name.partition(".")
    if top != "claimeven":
        is_allowed = top in sys.stdlib_module_names or (room, top) in OUTSIDE
        return None if is_allowed or room not in INNER else "standard library only"
    other = rest.partition(".")[0]
    if other in (room, "__version__"):
        return None
    if other == "_core":
        return None if room in CORE_USERS else f"only {', '.join(sorted(CORE_USERS))} use the core"
    if other not in LEVEL:
        return "import from the room where it lives"
    if LEVEL[other] == LEVEL[room]:
        return "rooms on one floor do not know each other"
    return None if LEVEL[other] < LEVEL[room] else "imports go downwards only"


def rings(package: Path) -> list[list[str]]:
    """Modules that import each other, by whatever way round, in groups; the package itself only re-exports.

    An import counts wherever it stands: one for the type checker only, or inside a function, hides nothing.
    """
    sources = {}
    for path in package.rglob("*.py"):
        inside = path.relative_to(package).with_suffix("").parts
        home = ".".join(("claimeven", *inside[:-1]))
        sources[home if inside[-1] == "__init__" else f"{home}.{inside[-1]}"] = path, home
    sources.pop("claimeven", None)
    graph: dict[str, set[str]] = {}
    for module, (path, home) in sources.items():
        named = {_module(name, sources) for name in imported(path.read_text(), home)}
        graph[module] = {other for other in named if other and other != module}
    behind = {module: _behind(module, graph) for module in graph}
    groups = {frozenset(one for one in behind[module] if module in behind[one]) for module in graph}
    return sorted(sorted(group) for group in groups if group)


def _behind(module: str, graph: dict[str, set[str]]) -> set[str]:
    """All that a module imports, and what that imports, and so on."""
    found: set[str] = set()
    ahead = [module]
    while ahead:
        new = graph[ahead.pop()] - found
        found |= new
        ahead += new
    return found


def _module(name: str, modules: Collection[str]) -> str:
    """The module in which an imported name lives; "" if it is elsewhere."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name
