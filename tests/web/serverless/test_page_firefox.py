"""The static site in Firefox, with its host and after the host has gone."""

import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from claimeven.puzzles import shipped_puzzles
from kit.page.host import static_host
from kit.page.journeys import JOURNEYS

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
DRIVER = ROOT / "build" / "firefox"
SCRIPT = ROOT / "tests" / "kit" / "page" / "firefox.mjs"


def test_firefox_takes_the_journeys_and_needs_no_host_afterwards(folder: Path) -> None:
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if firefox is None or not (DRIVER / "node_modules" / "puppeteer-core").exists():
        pytest.skip("needs Firefox, and: make build/firefox/.ready")
    chosen = next(each for each in shipped_puzzles() if each.goal == "win" and each.steps == 2)
    line = "".join(str(column + 1) for column in chosen.line)
    with ExitStack() as host:
        address = host.enter_context(static_host(folder / "some" / "folder"))
        arguments = [address, firefox, str(DRIVER), chosen.id, line]
        pipe = subprocess.PIPE
        with subprocess.Popen(["node", SCRIPT, *arguments], stdin=pipe, stdout=pipe, text=True) as program:
            assert program.stdin
            assert program.stdout
            told = []
            for text in program.stdout:
                told.append(text.strip())
                if text == "cut\n":
                    host.close()
                    program.stdin.write("\n")
                    program.stdin.flush()
    taken = [journey.__name__ for journey in JOURNEYS]
    assert told == [
        *(f"{name} with a network" for name in taken),
        "cut",
        *(f"{name} without a network" for name in taken),
    ]
