"""What the project says of itself, in the several places where others look for it."""

import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kit.places import ROOT
from kit.sources.dictionaries import open_dictionaries

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_one_version() -> None:
    version = re.escape(PROJECT["version"])
    assert re.search(rf"^version: {version}$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert re.search(
        rf"^## {version} \((unreleased|\d{{4}}-\d\d-\d\d)\)$",
        (ROOT / "CHANGELOG.md").read_text(),
        re.MULTILINE,
    )
    assert '"version"' not in (ROOT / "web/package.json").read_text()
    assert json.loads((ROOT / "web/engine/package.json").read_text())["version"] == PROJECT["version"]


@pytest.mark.parametrize(("tag", "code"), [(f"v{PROJECT['version']}", 0), ("v0.0.9", 1), ("v", 1)])
def test_a_tag_is_released_only_if_it_is_the_version(tag: str, code: int) -> None:
    """The step of the workflow itself."""
    workflow = (ROOT / ".github/workflows/release.yml").read_text()
    step = workflow.partition("- name: A tag is the version\n")[2].partition("- uses:")[0]
    command = step.partition("run: ")[2].strip()
    assert "TAG: ${{ github.ref_name }}" in step
    assert subprocess.run(["bash", "-c", command], cwd=ROOT, env={"TAG": tag}, check=False).returncode == code


def test_every_link_of_the_readme_works_on_pypi() -> None:
    command = [sys.executable, "-m", "hatch_fancy_pypi_readme"]
    shown = subprocess.check_output(command, cwd=ROOT, text=True)
    targets = re.findall(r"\]\(([^)]+)\)", shown)
    assert len(targets) > 20
    assert [target for target in targets if not target.startswith("https://")] == []
    for target in targets:
        inside = re.match(r"https://\S+/claimeven/claimeven/(?:blob/)?main/([^#]+)", target)
        assert inside is None or (ROOT / inside[1]).exists(), target


def test_the_workflows_try_every_declared_python() -> None:
    declared = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    workflow = (ROOT / ".github/workflows/ci.yml").read_text()
    assert re.findall(r"3\.\d+", re.findall(r"python: (\[.*\])", workflow)[0]) == declared
    wheels = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]["build"]
    assert re.findall(r"cp3(\d+)", wheels) == [version.partition(".")[2] for version in declared]


def test_the_workflows_try_the_oldest_compilers_that_are_promised() -> None:
    promised = re.findall(r"GCC (\d+) or Clang (\d+)", (ROOT / "README.md").read_text())
    workflow = (ROOT / ".github/workflows/ci.yml").read_text()
    assert promised == [("12", "16")]
    assert "clang++-16" in workflow
    assert "image: python:3.13-bookworm" in workflow  # its compiler is GCC 12


def test_the_figures_of_the_house_are_kept() -> None:
    """Printed by bench/house.py; what they were and are is in ARCHITECTURE.md."""
    figures = runpy.run_path(str(ROOT / "bench" / "house.py"))["counted"]()
    assert figures.open["dict[str, Any]"].total() <= 40
    assert sum(rooms.total() for rooms in figures.open.values()) <= 159
    assert {folder: n for folder, n in figures.folders.items() if n > 15} == {}
    assert figures.marks == ["web/src/lib/light.svelte.ts"]


def test_open_dictionaries_are_counted_however_they_are_written(tmp_path: Path) -> None:
    package = tmp_path / "claimeven"
    package.mkdir()
    (package / "one.py").write_text(
        "Open = Mapping[str, Any]\n"
        "def a(b: dict[str, object], c: 'list[typing.Dict[str, Any]]') -> Open: ...\n"
        "d: dict[str, int] = {}\n"
        "told = 'a text [of anything, Any]'\n"
    )
    (package / "two.py").write_text(
        "from collections import abc\n"
        "from claimeven import one\n"
        "from claimeven.one import Open as Shut\n"
        "def e(f: abc.MutableMapping[str, Any], g: Shut | None) -> one.Open: ...\n"
    )
    assert open_dictionaries(package) == {
        "Mapping[str, Any]": {"one": 1},
        "dict[str, object]": {"one": 1},
        "Dict[str, Any]": {"one": 1},
        "MutableMapping[str, Any]": {"two": 1},
        "Open = Mapping[str, Any]": {"one": 1, "two": 2},
    }


def test_every_program_of_bench_is_where_it_is_said_to_be() -> None:
    command = ["git", "grep", "-hoP", r"(?<!/)\bbench/[a-z_/]+\.(py|cpp|hpp)", "--", "."]
    named = set(subprocess.check_output(command, cwd=ROOT, text=True).split())
    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_any_changed_file_of_the_core_builds_it() -> None:
    command = ["make", "--print-data-base", "--question", "setup"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    rules = re.findall(r"^\.venv/\.ready-\d+: (.*)", told, re.MULTILINE)
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "native").rglob("*") if path.is_file()}
    assert "native/agents/network/network.hpp" in files
    assert files <= set(rules[0].split())
