"""The fault harness sees what it is there for: a disk that lies, a second writer, a fence that is lost."""

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import pytest

from faults.disk import SECTOR, Disk, Mode
from faults.run import Outcome, Plan, run
from faults.trouble import Trouble
from kit.databases import Postgres

PLAN = Plan(games=30, seed=11, at_once=15, pause=1.5)


def outcome(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    blow: str,
    *defects: str,
    lies: bool = False,
    postgres: Postgres | None = None,
) -> Outcome:
    """A run in which one thing only happens, again and again."""
    monkeypatch.setattr(Trouble, "blows", lambda self: [(getattr(self, blow), 1)])
    plan = Plan(PLAN.games, PLAN.seed, PLAN.at_once, PLAN.pause, lies, defects)
    return asyncio.run(run(folder, plan, postgres))


def test_a_disk_that_never_syncs_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = outcome(tmp_path, monkeypatch, "cut_power", lies=True)
    assert found.broken
    assert found.counts["power cuts"] > 0


@pytest.mark.slow
def test_commits_that_are_left_to_the_system_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite's `synchronous=NORMAL`: whole after a power cut, but what was acknowledged is lost."""
    found = outcome(tmp_path, monkeypatch, "cut_power", "lazy")
    assert any("not stored" in fault or "lost as a whole" in fault for fault in found.broken)


@pytest.mark.slow
def test_an_early_acknowledgement_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, monkeypatch, "cut_power", "early").broken


def test_a_second_writer_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # With both defects it would go on for ever: no need to wait as long as for one that may still notice.
    monkeypatch.setattr("faults.trouble.GIVING_UP_SECONDS", 5.0)
    found = outcome(tmp_path, monkeypatch, "_second_server", "no_hold", "no_fence")
    assert "a second server began to serve the same database" in found.broken
    assert "a server that lost its database goes on" in found.broken


@pytest.mark.slow  # PostgreSQL restarts again and again
@pytest.mark.parametrize("defects", [("no_fence",), ("no_fence", "blind")], ids="+".join)
def test_a_lost_fence_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, defects: tuple[str, ...]
) -> None:
    """Also of a server that looks whether the database is its own, a moment too late."""
    with Postgres() as postgres:
        found = outcome(tmp_path, monkeypatch, "_take_over", *defects, postgres=postgres)
    assert found.counts["of them that took the database"] > 0
    assert "a server that lost its database acknowledged a change" in found.broken
    assert ("a server that lost its database goes on" in found.broken) == ("blind" in defects)


@pytest.mark.slow
def test_a_fence_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which server is quicker is chance, so again until a second one took the database."""
    for number in range(8):
        folder = tmp_path / str(number)
        folder.mkdir()
        with Postgres() as postgres:
            found = outcome(folder, monkeypatch, "_take_over", postgres=postgres)
        assert found.broken == []
        if found.counts.get("of them that took the database"):
            return
    pytest.fail("no second server ever took the database")


WRITES = """
import os, sys
at = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
for number, word in enumerate(sys.argv[2:]):
    os.fsync(at) if word == "sync" else os.pwrite(at, word.encode() * 512, number * 512)
"""


def written(disk: Disk, *words: str) -> Path:
    file = disk.folder / "file"
    subprocess.run([sys.executable, "-c", WRITES, file, *words], env=disk.variables, check=True)
    return file


def test_what_was_synced_survives_and_nothing_else(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    file = written(disk, "a", "sync", "b", "c")
    assert file.stat().st_size == 4 * SECTOR
    assert disk.cut_power(random.Random(1), tears=False) == 3
    assert file.read_bytes() == b"a" * SECTOR
    assert disk.syncs == 1
    written(disk, "x", "y", "sync", "z")
    assert disk.cut_power(random.Random(1), tears=False) == 2
    assert file.read_bytes() == b"x" * SECTOR + b"y" * SECTOR


def test_torn_writes_are_of_either_side(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    found = set()
    for seed in range(12):
        file = written(disk, "a", "b", "sync")
        written(disk, "c", "d")
        disk.cut_power(random.Random(seed), tears=True)
        found.add((file.read_bytes()[:1], file.read_bytes()[SECTOR : SECTOR + 1]))
    assert found == {(b"a", b"b"), (b"a", b"d"), (b"c", b"b"), (b"c", b"d")}


@pytest.mark.parametrize("mode", [Mode.LYING, Mode.FAILING])
def test_syncs_lie_or_fail(tmp_path: Path, mode: Mode) -> None:
    disk = Disk(tmp_path)
    disk.behave(mode)
    if mode is Mode.LYING:
        written(disk, "a", "sync")
    else:
        with pytest.raises(subprocess.CalledProcessError):
            written(disk, "a", "sync")
    disk.cut_power(random.Random(1), tears=False)
    assert not (disk.folder / "file").exists()


def test_the_wall_clock_jumps_and_no_other(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    clocks = "import time; print(int(time.time()), int(time.monotonic()))"

    def read() -> list[int]:
        said = subprocess.check_output([sys.executable, "-c", clocks], env=disk.variables)
        return [int(word) for word in said.split()]

    before = read()
    disk.set_clock(86_400)
    after = read()
    assert 86_400 <= after[0] - before[0] < 86_500
    assert 0 <= after[1] - before[1] < 100
