"""What is printed while progress is shown stays whole: looked at as a person would, on a screen."""

import sys
from pathlib import Path

import pytest

from kit.places import ROOT
from kit.screen import Screen

CODE = """
import sys, time
from claimeven.runner import Bar

with Bar() as bar:
    show = bar.of("solving a rather long name of something")
    for done in range(12):
        show(done, 12)
        time.sleep(0.15)
        print(f"row {done}: " + "x" * 40, file=sys.stderr if done % 3 == 0 else sys.stdout)
    bar.watch(lambda seconds: "one more " * 50)
    time.sleep(0.3)
    print("the end of ", end="", flush=True)
    time.sleep(0.3)
    print("a sentence")
print("after")
"""


@pytest.mark.parametrize("columns", [100, 60, 50])
def test_rows_under_a_bar_stay_whole(columns: int) -> None:
    screen = Screen("-c", CODE, command=(sys.executable,), columns=columns, rows=20)
    rows = [f"row {done}: " + "x" * 40 for done in range(12)]
    assert screen.end().splitlines() == [*rows, "the end of a sentence", "after"]
    assert "solving a rather long" in screen.all
    assert " of 12" in screen.all
    assert "\x1b" in screen.all


def test_bench_keeps_its_table() -> None:
    sets = ["end-easy", "middle-easy", "middle-medium", "begin-easy"]
    lines = Screen("bench", "--quick", "--sets", ",".join(sets)).end().splitlines()
    assert [line.split()[0] for line in lines] == ["set", *sets]
    assert len(set(map(len, lines))) == 1  # the last numbers stand below each other


def test_book_verify_keeps_its_sentences() -> None:
    """Of the shipped book: this is the test that it is right, and the example of docs/book.md, run once."""
    command = "book verify --sample 60 --seed 3 --workers 1"
    lines = Screen(*command.split()).end().splitlines()
    assert lines == [
        "The file is whole: its checksum is right.",
        "All 6973918 positions to ply 12 are there, and agree from ply to ply.",
        "Of ply 12, 60 random positions were searched anew: the same scores.",
    ]
    shown = "\n".join(["```text", f"$ claimeven {command}", *lines, "```"])
    assert shown in (ROOT / "docs" / "book.md").read_text()


def test_train_shows_its_points_above_the_bar(tmp_path: Path) -> None:
    arguments = f"train q-learning --games 40000 --checkpoint 10000 --out {tmp_path}/table".split()
    lines = Screen(*arguments, columns=160).end().splitlines()
    assert [line.partition(" · ")[0] for line in lines[1:5]] == [f"{n}0,000 games" for n in range(1, 5)]
    assert lines[5].startswith("40,000 games on 4x4x4; ")
    assert not [line for line in lines if "━" in line]


def test_arena_and_measure_leave_only_their_result(tmp_path: Path) -> None:
    # Slow enough to be seen on any machine: what is done at once shows no progress.
    thinker = tmp_path / "thinker.py"
    thinker.write_text(
        "import sys, time\n"
        "for moves in sys.stdin:\n"
        "    time.sleep(0.2)\n"
        "    print(next(c for c in '1234567' if moves.count(c) < 6), flush=True)\n"
    )
    agent = f"process:command={sys.executable} {thinker}"
    screen = Screen("arena", agent, "random", "--games", "4", "--judge", "0", "--workers", "2", columns=60)
    lines = screen.end().splitlines()
    assert lines[0].split()[0] == "games"
    assert " of 4 games" in screen.all
    screen = Screen("measure", "level:5", "--count", "30", "--set", "begin-hard")
    assert screen.end().startswith("level:5: 30 positions\n")


def test_a_plain_terminal_gets_no_codes() -> None:
    screen = Screen("-c", CODE, command=(sys.executable,), TERM="dumb")
    assert screen.end().endswith("after")
    assert "\x1b" not in screen.all
