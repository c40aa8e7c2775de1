"""The Dockerfile's steps without Docker: each stage in a folder and an environment of its own."""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDS_ROOT = ("apt-get", "useradd")  # what prepares the system; here it is prepared already


def instructions(text: str) -> list[tuple[str, str]]:
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


class Stage:
    """A folder in the place of WORKDIR, with a Python of its own."""

    def __init__(self, folder: Path) -> None:
        self.work = folder / "work"
        self.work.mkdir(parents=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "SKBUILD"))},
            "PATH": f"{folder / 'env/bin'}{os.pathsep}{os.environ['PATH']}",
        }

    def copy(self, sources: list[str], target: str, origin: Path) -> None:
        for source in sources:
            to = self.work / target
            if (origin / source).is_dir():
                ignored = shutil.ignore_patterns("node_modules", "__pycache__", "static")
                keep_all = origin != ROOT
                shutil.copytree(origin / source, to, ignore=None if keep_all else ignored, dirs_exist_ok=True)
            else:
                shutil.copy(origin / source, to)

    def run(self, command: str) -> None:
        if not command.startswith(NEEDS_ROOT):
            subprocess.run(["sh", "-c", command], cwd=self.work, env=self.environment, check=True)


@pytest.mark.slow
def test_the_image_serves(tmp_path: Path) -> None:
    stages: dict[str, Stage] = {}
    stage, command = None, []
    for word, rest in instructions((ROOT / "Dockerfile").read_text()):
        if word == "FROM":
            name = rest.rpartition(" AS ")[2] if " AS " in rest else "last"
            stage = stages[name] = Stage(tmp_path / name)
        assert stage is not None
        if word == "COPY":
            *sources, target = rest.split()
            origin = ROOT
            if sources[0].startswith("--from="):
                origin = stages[sources.pop(0).removeprefix("--from=")].work
            stage.copy(sources, target, origin)
        elif word == "RUN":
            stage.run(rest)
        elif word == "CMD":
            command = json.loads(rest)

    last = stages["last"]
    changed = {
        "0.0.0.0": "127.0.0.1",
        "8080": "0",
        "sqlite:////data/games.db": f"sqlite:///{tmp_path}/games.db",
    }
    command = [changed.get(argument, argument) for argument in command] + ["--tcp-port", "0"]
    command[0] = str(tmp_path / "last/env/bin" / command[0])
    with subprocess.Popen(
        command, cwd=last.work, env=last.environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address is not None
            with urllib.request.urlopen(address[0]) as page:
                assert b"<script" in page.read()
            with urllib.request.urlopen(f"{address[0]}/api/agents") as agents:
                assert "level" in agents.read().decode()
        finally:
            server.terminate()
