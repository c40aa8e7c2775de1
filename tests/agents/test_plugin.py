"""A package with an agent of its own is installed into a virtual environment, and found everywhere."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from pathlib import Path

import pytest

from kit.places import TESTS

PLUGIN = TESTS / "plugin"


@pytest.fixture(scope="module")
def claimeven(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command line in an environment that has the plug-in, and sees our packages."""
    folder = tmp_path_factory.mktemp("plugin")
    venv.create(folder / "env", symlinks=True)
    python = str(folder / "env/bin/python")
    own = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    Path(own, "ours.pth").write_text(
        f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    )  # with the .pth files there: the editable install
    shutil.copytree(PLUGIN, folder / "plugin")
    command = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps"]
    offline = ["--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*command, *offline, str(folder / "plugin")], check=True, env=_environment())
    return [python, "-m", "claimeven"]


def _environment() -> dict[str, str]:
    return os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}


def _run(command: list[str], *arguments: str) -> str:
    done = subprocess.run([*command, *arguments], check=True, capture_output=True, text=True)
    return done.stdout


def test_the_command_line_and_the_arena_know_it(claimeven: list[str]) -> None:
    assert "nearest to the centre" in _run(claimeven, "agents", "central")
    table = _run(claimeven, "arena", "central", "first", "--games", "4", "--judge", "0", "--workers", "1")
    assert "central" in table


def test_the_app_offers_it_when_told_to(claimeven: list[str], tmp_path: Path) -> None:
    options = ["--port", "0", "--tcp-port", "0", "--database", f"sqlite:///{tmp_path / 'games.db'}"]
    with subprocess.Popen(
        [*claimeven, "serve", *options, "--agent", "central"], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address is not None
            with urllib.request.urlopen(f"{address[0]}/api/agents") as answer:
                assert "central" in json.dumps(json.load(answer))
        finally:
            server.terminate()
