"""Every declared Python that this machine has: what CI does for it, done here (job `matrix` of ci.yml)."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kit.places import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DECLARED = [match[1] for line in PROJECT["classifiers"] if (match := re.fullmatch(r".* :: (3\.\d+)", line))]
JOB = (ROOT / ".github/workflows/ci.yml").read_text().partition("\n  matrix:\n")[2].partition("\n\n")[0]
INSTALLED = re.findall(r"pip install .*'\.\[(\w+)\]'$", JOB, re.MULTILINE)
TRIED = re.findall(r"\btests/\S+", JOB)


def interpreter(version: str) -> Path | None:
    """One of pyenv, on the path, or this one; with all that it takes to build for it."""
    name = f"python{version}"
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
    for folder in (*sorted(kept.glob(f"{version}.*/bin")), *folders, Path(sys.base_prefix) / "bin"):
        home = (folder / name).resolve().parents[1]
        parts = (folder / name, home / "include" / name / "Python.h", home / "lib" / name / "ensurepip")
        if all(part.exists() for part in parts):
            return folder / name
    return None


HERE = {version: found for version in DECLARED if (found := interpreter(version)) is not None}


def test_the_declared_ones_are_allowed() -> None:
    assert DECLARED
    assert PROJECT["requires-python"] == f">={DECLARED[0]}"


def test_what_ci_tries_is_there() -> None:
    assert len(TRIED) > 5
    assert [name for name in TRIED if not (ROOT / name).exists()] == []
    (extra,) = INSTALLED
    named = " ".join(PROJECT["optional-dependencies"][extra])
    assert {"pytest", "pytest-xdist", "hypothesis"} <= set(re.findall(r"[\w-]+", named))


@pytest.mark.slow
@pytest.mark.parametrize("version", HERE)  # the others are CI's: tests/house/test_project.py
def test_a_python(version: str, tmp_path: Path) -> None:
    subprocess.run([str(HERE[version]), "-m", "venv", str(tmp_path / "env")], check=True)
    own = str(tmp_path / "env/bin/python")
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}

    def run(*command: str) -> None:
        subprocess.run([own, *command], check=True, cwd=tmp_path, env=clean)

    options = ["--quiet", "--disable-pip-version-check", "-C", f"build-dir={tmp_path / 'build'}"]
    run("-m", "pip", "install", *options, *(f"{ROOT}[{extra}]" for extra in INSTALLED))
    shutil.copytree(ROOT / "tests", tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", *TRIED)
    run("-m", "claimeven", "solve", "4453")
