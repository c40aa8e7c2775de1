"""`pip install claimeven` is the library and the command line; the server comes with `claimeven[app]`."""

import re
import subprocess
import sys
import tomllib

import pytest

from claimeven.cli import APP
from kit.places import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NEEDED = "claimeven: this needs the server: pip install 'claimeven[app]' (play --terminal does without)\n"

# A Python that has everything but what the app brings.
PROGRAM = f"""
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {sorted(APP)}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
from claimeven.cli import main
main(sys.argv[1:])
"""


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=False
    )


def test_the_extra_is_what_the_command_line_knows() -> None:
    extra = {re.split(r"[<>=~!\[]", line)[0] for line in PROJECT["optional-dependencies"]["app"]}
    assert extra - {"pydantic"} == APP  # Typer brings that one, too
    assert not extra & {re.split(r"[<>=~!\[]", line)[0] for line in PROJECT["dependencies"]}


@pytest.mark.parametrize("command", ["serve --port 0", "play", "join http://127.0.0.1:9/game/abcdefgh"])
def test_what_needs_the_app_says_so(command: str) -> None:
    result = run(*command.split())
    assert (result.returncode, result.stdout, result.stderr) == (2, "", NEEDED)


@pytest.mark.parametrize(
    "command",
    [
        "show 4453",
        "solve 4453",
        "explain 4131",
        "review 44444",
        "convert 4453 --to kaggle-board",
        "formats",
        "agents",
        "perft 5",
        "arena random first --games 2 --workers 1",
        "book info",
        "serve --help",
    ],
)
def test_the_rest_does_without(command: str) -> None:
    result = run(*command.split())
    assert result.returncode == 0, result.stderr
    assert result.stdout
