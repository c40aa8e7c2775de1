"""What the project says of itself, in the several places where others look for it."""

import re
import runpy
import subprocess
import sys
import tomllib

from kit.places import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_one_version() -> None:
    version = re.escape(PROJECT["version"])
    assert re.search(rf"^version: {version}$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert re.search(
        rf"^## {version} \(\d{{4}}-\d\d-\d\d\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    assert '"version"' not in (ROOT / "web/package.json").read_text()


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


def test_the_figures_of_the_house_are_kept() -> None:
    """Printed by bench/house.py; what they were and are is in ARCHITECTURE.md."""
    figures = runpy.run_path(str(ROOT / "bench" / "house.py"))
    dictionaries, folders, _ = figures["counted"]()
    assert dictionaries.total() <= 40
    assert {folder: n for folder, n in folders.items() if n > 15} == {}
