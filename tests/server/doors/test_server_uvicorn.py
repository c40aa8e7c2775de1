"""The private parts of uvicorn that the server stands on (wires/guard.py, run.py; pyproject.toml pins it).

When one is gone, the server would fail in the middle of a game, or silently lose a guard: so it is said here.
"""

import ast
import inspect
from pathlib import Path

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from claimeven.server import run
from claimeven.server.doors.limits import Limits
from claimeven.server.doors.wires import guard

BASES = {"GuardedHttp": H11Protocol, "GuardedSocket": WebSocketsSansIOProtocol, "Server": uvicorn.Server}


def names_of_base(base: type) -> set[str]:
    """Methods and class attributes, and what any method sets on itself."""
    names: set[str] = set(dir(base))
    for kind in base.__mro__[:-1]:
        if kind.__module__.startswith("uvicorn"):
            for node in ast.walk(ast.parse(inspect.getsource(inspect.getmodule(kind)))):  # type: ignore[arg-type]
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    names.add(node.attr)
    return names


def used(module: object) -> dict[str, set[str]]:
    """For every class of ours that inherits from uvicorn: what it takes from there."""
    tree = ast.parse(Path(inspect.getsourcefile(module) or "").read_text())  # type: ignore[arg-type]
    found = {}
    for kind in ast.walk(tree):
        if isinstance(kind, ast.ClassDef) and kind.name in BASES:
            functions = (ast.FunctionDef, ast.AsyncFunctionDef)
            own = {node.name for node in ast.walk(kind) if isinstance(node, functions)}
            taken = set()
            for node in ast.walk(kind):
                if isinstance(node, ast.Attribute):
                    is_self = isinstance(node.value, ast.Name) and node.value.id == "self"
                    is_super = isinstance(node.value, ast.Call) and ast.unparse(node.value) == "super()"
                    if is_super or (is_self and node.attr not in own):
                        taken.add(node.attr)
            set_here = {
                node.target.id
                for node in kind.body
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
            }
            started = next((node for node in kind.body if getattr(node, "name", "") == "__init__"), None)
            if started is not None:
                set_here |= {
                    node.attr
                    for node in ast.walk(started)
                    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
                }
            found[kind.name] = taken - set_here
    return found


USED = {name: taken for module in (guard, run) for name, taken in used(module).items()}


def test_every_class_is_looked_at() -> None:
    assert set(USED) == set(BASES)
    assert "read_paused" in USED["GuardedSocket"]
    assert "_captured_signals" in USED["Server"]


@pytest.mark.parametrize("name", BASES)
def test_uvicorn_still_has_what_is_used_of_it(name: str) -> None:
    gone = USED[name] - names_of_base(BASES[name])
    assert not gone, f"uvicorn {uvicorn.__version__} has no {sorted(gone)}, which {name} stands on"


def test_the_classes_can_still_be_made() -> None:
    http, ws = guard.protocols(Limits())
    assert issubclass(http, H11Protocol)
    assert issubclass(ws, WebSocketsSansIOProtocol)
