"""Where the package makes its errors of bad input, found in its syntax trees: code and parameters of each."""

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass

from kit.places import ROOT
from kit.sources.syntax import parsed

SOURCE = ROOT / "src" / "claimeven"


@dataclass(frozen=True)
class Site:
    place: str  # file and line
    code: str | None  # None: not written there as a plain text
    params: frozenset[str]


@functools.cache
def sites() -> tuple[Site, ...]:
    trees = {str(path.relative_to(SOURCE)): parsed(path) for path in SOURCE.rglob("*.py")}
    kinds = _kinds(
        [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    )
    files = ((file, tree) for file, tree in trees.items() if file != "errors.py")
    return tuple(site for file, tree in files for site in _sites(file, tree, kinds))


def _kinds(classes: list[ast.ClassDef]) -> set[str]:
    """InputError and every class that is one too."""
    kinds, before = {"InputError"}, 0
    while len(kinds) > before:
        before = len(kinds)
        kinds |= {found.name for found in classes if any(_name(base) in kinds for base in found.bases)}
    return kinds


def _sites(file: str, tree: ast.Module, kinds: set[str]) -> Iterator[Site]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = _name(node.func)
        is_wrapper = name == "wrapped" and isinstance(node.func, ast.Attribute)
        is_same = isinstance(node.func, ast.Call) and ast.unparse(node.func) == "type(error)"
        if name in kinds or is_wrapper or is_same:
            first = node.args[0] if node.args else None
            code = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
            params = frozenset(word.arg for word in node.keywords if word.arg is not None)
            yield Site(f"{file}:{node.lineno}", code, params | ({"cause"} if is_wrapper else set()))


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
