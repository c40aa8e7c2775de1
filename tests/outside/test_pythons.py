"""Every declared Python that this machine has: the package is built, installed and used there."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from kit.places import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DECLARED = [match[1] for line in PROJECT["classifiers"] if (match := re.fullmatch(r".* :: (3\.\d+)", line))]
TRIED = "test_position.py test_notation.py test_solver.py test_minimax.py test_mcts.py test_reasons_facts.py"


def interpreter(version: str) -> str | None:
    """On the path, or one of pyenv."""
    named = shutil.which(f"python{version}")
    works = named and subprocess.run([named, "-c", ""], capture_output=True).returncode == 0
    if works:
        return named
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    return next((str(path) for path in versions.glob(f"{version}.*/bin/python")), None)


def test_the_declared_ones_are_allowed() -> None:
    assert DECLARED
    assert PROJECT["requires-python"] == f">={DECLARED[0]}"


@pytest.mark.slow
@pytest.mark.parametrize("version", DECLARED)
def test_a_python(version: str, tmp_path: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no python{version} on this machine")
    subprocess.run([python, "-m", "venv", str(tmp_path / "env")], check=True)
    own = str(tmp_path / "env/bin/python")
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}

    def run(*command: str) -> None:
        subprocess.run([own, *command], check=True, cwd=tmp_path, env=clean)

    options = ["--quiet", "--disable-pip-version-check"]
    run("-m", "pip", "install", *options, str(ROOT), "pytest", "hypothesis", "jsonschema")
    shutil.copytree(ROOT / "tests", tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    tests = [f"tests/{name}" for name in TRIED.split()]
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    run("-m", "claimeven", "solve", "4453")
