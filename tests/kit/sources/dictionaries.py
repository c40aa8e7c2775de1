"""Dictionaries of anything in our sources: who reads one does not know what is in it.

However they are written: `dict[str, Any]`, `MutableMapping[str, object]`, in quotes, and by a name that
stands for one of them, every time that it is used.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from kit.sources.syntax import parsed

KINDS = {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "UserDict"}
ANYTHING = {"Any", "object"}


def open_dictionaries(package: Path) -> dict[str, Counter[str]]:
    """By how they are written, and by room."""
    modules = {_module(path, package): parsed(path) for path in sorted(package.rglob("*.py"))}
    aliases = {
        f"{module}.{name}": spelt for module, tree in modules.items() for name, spelt in _aliases(tree)
    }
    found: dict[str, Counter[str]] = {}
    for module, tree in modules.items():
        for spelt in [*_written(tree), *_by_name(module, tree, aliases)]:
            found.setdefault(spelt, Counter())[module.split(".")[1]] += 1
    return found


def _module(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)


def _written(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if spelt := _open(node):
            yield spelt
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "[" in node.value:
            with suppress(SyntaxError, ValueError):  # of a text
                yield from _written(ast.parse(node.value, mode="eval"))


def _open(node: ast.AST) -> str:
    """How it is written, if it is one."""
    match node:
        case ast.Subscript(value=kind, slice=ast.Tuple(elts=[keys, values])):
            is_one = _last(kind) in KINDS and _last(values) in ANYTHING
            return f"{_last(kind)}[{ast.unparse(keys)}, {_last(values)}]" if is_one else ""
    return ""


def _last(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2] if isinstance(node, ast.Name | ast.Attribute) else ""


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _open(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((target.id, _open(node.value)) for target in targets if isinstance(target, ast.Name))


def _by_name(module: str, tree: ast.Module, aliases: Mapping[str, str]) -> Iterator[str]:
    """Every use of a name that stands for one, but for where it is made."""
    known = {name: f"{module}.{name}" for name, _ in _aliases(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            known |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            full = known.get(node.id, "")
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            full = f"{known.get(node.value.id, '')}.{node.attr}"
        else:
            continue
        if full in aliases:
            yield f"{full.rpartition('.')[2]} = {aliases[full]}"
