"""How a command line starts and what a shell is told: what is loaded, help, completion."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kit.forked import run

CLAIMEVEN = [sys.executable, "-m", "claimeven"]


def loaded(*arguments: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    code = (
        "import sys; from claimeven import cli; cli.run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return set(ran.stderr.split())


@pytest.mark.parametrize(
    "arguments", [["show", "4453"], ["show", "4453", "--json"], ["--help"], ["show", "-h"]]
)
def test_show_and_help_load_only_what_they_need(arguments: list[str]) -> None:
    modules = loaded(*arguments)
    ours = {
        name
        for name in modules
        if name.startswith("claimeven.") and not name.startswith("claimeven.commands.")
    }
    rooms = {name.split(".")[1] for name in ours}
    if "4453" in arguments:
        rooms_of_commands = {name.split(".")[2] for name in modules if name.startswith("claimeven.commands.")}
        assert rooms_of_commands <= {"asked", "look", "shown"}
    rules = {"board", "position", "_core"} if "4453" in arguments else {"board", "position"}
    assert rooms <= {"cli", "commands", "errors", "notation", "picture", "terminal", "limit"} | rules
    assert not modules & {
        "claimeven.terminal.table",
        "http.client",
        "urllib.request",
        "multiprocessing",
        "asyncio",
        "pydantic",
        "rich.console",
    }


@pytest.mark.parametrize(
    "arguments", [["perft", "3"], ["arena", "first", "random", "--games=2", "--judge=0", "--workers=1"]]
)
def test_numbers_and_lists_are_read_without_pydantic(arguments: list[str]) -> None:
    assert "pydantic" not in loaded(*arguments)


@pytest.mark.parametrize("line", ["perft 4", "show 9", "games", "play --terminal"])
def test_a_fork_is_what_a_start_is(line: str, tmp_path: Path) -> None:
    """kit/forked.py: the same words, folder, environment and exit code."""
    options: dict[str, Any] = {"cwd": tmp_path, "env": os.environ | {"XDG_STATE_HOME": str(tmp_path)}}
    command = [*CLAIMEVEN, *line.split()]
    started = subprocess.run(command, capture_output=True, text=True, input="q\n", **options)
    forked = run(command, input="q\n", **options)
    for part in ("returncode", "stdout", "stderr"):
        assert getattr(forked, part) == getattr(started, part)


def completed(words: str, shell: str = "bash") -> list[str]:
    """What Tab offers after these words."""
    asked = {"_CLAIMEVEN_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": words}
    asked |= {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - (not words.endswith(" ")))}
    asked |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    ran = run(CLAIMEVEN, env=os.environ | asked, check=True)
    assert ran.stderr == ""
    return ran.stdout.splitlines()


def test_tab_offers_commands_options_agents_and_formats() -> None:
    assert completed("claimeven s") == ["serve", "show", "solve"]
    assert "--threads" in completed("claimeven solve --")
    assert completed("claimeven arena mi") == ["minimax"]
    assert "level" in completed("claimeven arena first ")
    assert completed("claimeven play --agent perf") == ["perfect"]
    assert completed("claimeven play --agent level")[-3:] == [
        "level:10",
        "level:ladder=people",
        "level:ladder=first",
    ]
    assert "minimax:preset=a" in completed("claimeven arena minimax")
    assert completed("claimeven convert 44 --to ka") == ["kaggle-board", "kaggle-replay"]
    assert completed("claimeven explain --language p") == ["pl"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_told_the_same(shell: str) -> None:
    assert [line for line in completed("claimeven arena mi", shell) if "minimax" in line]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell(shell: str) -> None:
    asked = {"_CLAIMEVEN_COMPLETE": f"source_{shell}"}
    ran = subprocess.run(CLAIMEVEN, env=os.environ | asked, capture_output=True, text=True, check=True)
    assert "_CLAIMEVEN_COMPLETE" in ran.stdout
