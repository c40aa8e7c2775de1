"""_core.pyi says what the compiled core has; `make stub` writes it anew."""

import ast
import subprocess
import sys
from pathlib import Path

from kit.places import ROOT

STUB = ROOT / "src" / "claimeven" / "_core.pyi"


class WithoutWords(ast.NodeTransformer):
    """Drops docstrings, so that only names and signatures are left."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            node.value = ast.Constant(...)
        return node


def signatures(source: str) -> dict[str, str]:
    tree = WithoutWords().visit(ast.parse(source))
    named = [node for node in tree.body if not isinstance(node, ast.Expr)]
    return {getattr(node, "name", None) or ast.unparse(node): ast.unparse(node) for node in named}


def test_the_stub_is_what_the_core_has(tmp_path: Path) -> None:
    made = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "claimeven._core", "-o", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    assert signatures(STUB.read_text()) == signatures(made.read_text()), "run make stub"


def test_a_difference_is_found() -> None:
    stub = STUB.read_text()
    assert "depth: int" in stub
    assert signatures(stub) != signatures(stub.replace("depth: int", "depth: float", 1))
    assert signatures(stub) != signatures(stub + "\ndef more() -> None: ...\n")
    assert signatures(stub) == signatures(stub.replace('"""', '"""More. ', 1))
