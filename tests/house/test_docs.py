"""Every example of the README, of docs/ and of the docstrings is executed.

Two kinds of fenced blocks are run, one session per page:
- ```python with `>>>` prompts: a doctest;
- ```console: each line that starts with `$ ` is run by bash in an empty folder, and what it prints (errors
  too) must be the lines that follow. `...` stands for anything.
Other blocks (```sh, ```text, ...) are only read.
"""

import doctest
import importlib
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import claimeven
from kit.forked import run
from kit.places import ROOT, TESTS

PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").glob("**/*.md"))]
HAS_TORCH = find_spec("torch") is not None  # asked once: there are hundreds of modules
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(claimeven.__path__, "claimeven.")
    if not module.name.endswith(("__main__", "_core"))
    # the one room that needs PyTorch, which quick tests do without
    and (HAS_TORCH or not module.name.startswith("claimeven.neural."))
)
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(text: str, kind: str) -> Iterator[tuple[str, int]]:
    """The fenced blocks of one kind, with the line they begin at."""
    for match in FENCE.finditer(text):
        if match[1] == kind:
            yield match[2], text[: match.start()].count("\n") + 1


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output it should have."""
    first, *parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert not first.strip(), "a console block starts with a command: $ ..."
    for part in parts:
        command, _, output = part.partition("\n")
        yield command, output


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_python_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block, line in blocks(page.read_text(), "python"):
        if ">>>" not in block:
            continue
        example = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), line)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        said: list[str] = []
        runner.run(example, out=said.append, clear_globs=False)
        names.update(example.globs)
        assert not runner.failures, "".join(said)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_console_examples(page: Path, tmp_path: Path) -> None:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    environment = os.environ | {"PATH": path, "COLUMNS": "100", "NO_COLOR": "1"}
    checker = doctest.OutputChecker()
    for block, line in blocks(page.read_text(), "console"):
        for command, expected in commands(block):
            # A fork does what needs no shell, and costs a tenth.
            needs_bash = not command.startswith("claimeven ") or set(command) & set("|&;<>()$`*?[]{}#~\\!")
            words = shlex.split(command.removeprefix("claimeven "))
            result = run(
                ["bash", "-c", command] if needs_bash else [sys.executable, "-m", "claimeven", *words],
                cwd=tmp_path,
                env=environment,
                stdin=subprocess.DEVNULL,
                stderr=subprocess.STDOUT,
            )
            where = f"{page.name}, block at line {line}: $ {command}\n{result.stdout}"
            assert checker.check_output(expected, result.stdout, doctest.ELLIPSIS), where


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


def test_the_tests_that_are_named_exist() -> None:
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", (ROOT / "docs/systems.md").read_text())
    assert len(named) > 20
    for file, test in named:
        (path,) = TESTS.rglob(file)
        assert f"def {test}(" in path.read_text(), f"{file} has no {test}"


def _lost(text: str) -> set[str]:
    """Paths into tests/, and names of tests with or without a folder, that a page names and that are gone."""
    ours = "".join(f"/{path.relative_to(ROOT)}\n" for path in TESTS.rglob("*.*"))
    named = re.findall(r"\btests/[\w/]+\.[a-z]+|(?:\b\w+/)*\btest_\w+\.py", text)
    return {name for name in named if f"/{name}\n" not in ours and not name.endswith("_X.py")}


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"], ids=lambda page: page.name
)
def test_the_tests_that_a_page_names_are_there(page: Path) -> None:
    assert _lost(page.read_text()) == set()


def test_a_test_that_is_gone_is_missed() -> None:
    assert (
        _lost("`tests/house/test_docs.py`, `house/test_docs.py`, test_docs.py, tests/kit/referee.py") == set()
    )
    assert _lost("`tests/house/test_gone.py`, test_lost.py") == {"tests/house/test_gone.py", "test_lost.py"}
    assert _lost("`tests/web/test_docs.py`, `web/test_docs.py`") == {
        "tests/web/test_docs.py",
        "web/test_docs.py",
    }


def test_a_wrong_example_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ echo 1\n2\n```\n")
    with pytest.raises(AssertionError, match=r"page\.md, block at line 1"):
        test_console_examples(page, tmp_path)
    page.write_text("```python\n>>> 1 + 1\n3\n```\n")
    with pytest.raises(AssertionError, match="Expected"), pytest.MonkeyPatch.context() as patch:
        test_python_examples(page, tmp_path, patch)
