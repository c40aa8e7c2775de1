"""An agent against every reply, and the checker that shares no code with it."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from claimeven import Board, Position
from claimeven.agents.agent import sure
from claimeven.cli import run
from claimeven.errors import InputError
from claimeven.learn import Table, check, preset, train
from claimeven.learn.certificate import certify
from kit.places import ROOT

BOARD = Board(4, 4, 4)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("certificate") / "small.q"
    train(Table(BOARD, preset("claimeven", BOARD), seed=1), 300_000).write(path)
    return f"qlearning:file={path}"


def checked(path: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-I", str(ROOT / "docs/examples/check_certificate.py"), str(path)]
    return subprocess.run(command, capture_output=True, text=True)


def ends(agent_columns: dict[int, int], side: int) -> tuple[int, int, int, int]:
    """Met, won, drawn, lost: by `Position`, one game after the other."""
    waiting, seen, counts = [Position(BOARD)], set(), [0, 0, 0, 0]
    for position in waiting:
        own = position.side == side
        counts[0] += own
        for column in [agent_columns[position.key]] if own else position.legal:
            after = position.play(column)
            if after.is_over:
                counts[2 if after.winner is None else 1 if after.winner == side else 3] += 1
            elif after.key not in seen:
                seen.add(after.key)
                waiting.append(after)
    return counts[0], counts[1], counts[2], counts[3]


@pytest.mark.parametrize("side", [0, 1])
def test_a_table_against_every_reply(table: str, side: int, tmp_path: Path) -> None:
    found = certify(table, side, BOARD)
    taken = {int(k): int(c) for _, keys, columns in found.levels for k, c in zip(keys, columns, strict=True)}
    assert ends(taken, side) == (found.met, found.won, found.drawn, found.lost)
    learned = check(Table.read(Path(table.partition("=")[2])).best, BOARD)[side]
    assert (found.lost == 0) == (learned.lost == 0)
    found.write(tmp_path / "certificate")
    judged = checked(tmp_path / "certificate")
    assert judged.returncode == 0, judged.stderr
    assert judged.stdout.endswith("never loses\n") == found.never_loses


def test_one_that_loses_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "first"
    asked = ["certify", "first", "--board", "4x4", "--side", "second", "--out", str(out), "--workers", "1"]
    assert run(asked) == 0
    assert "it can be beaten" in capsys.readouterr().out
    assert checked(out).stdout.count("never loses") == 0


@pytest.mark.parametrize("change", ["column", "count", "key"])
def test_the_checker_finds_what_was_tampered_with(table: str, change: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate"
    certify(table, 0, BOARD).write(path)
    data = path.read_bytes()[:-32]
    if change == "column":  # of the last position: another one
        data = data[:-1] + bytes([(data[-1] + 1) % 4])
    elif change == "count":
        at = data.index(b'"lost": ') + len(b'"lost": ')
        data = data[:at] + bytes([data[at] + 1]) + data[at + 1 :]
    else:
        at = data.index(b"\n", 30) + 1 + 9  # the first key of the second level
        data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
    path.write_bytes(data + hashlib.sha256(data).digest())
    assert checked(path).returncode == 1
    path.write_bytes(data + bytes(32))
    assert "damaged" in checked(path).stderr


def test_what_was_done_is_kept(tmp_path: Path) -> None:
    whole = certify("first", 0, BOARD)
    kept = certify("first", 0, BOARD, folder=tmp_path / "kept")
    (tmp_path / "kept" / "ply-06" / "000000.jsonl").unlink()
    again = certify("first", 0, BOARD, folder=tmp_path / "kept")
    assert whole.counts() == kept.counts() == again.counts()
    with pytest.raises(InputError, match="another"):
        certify("minimax:depth=1", 0, BOARD, folder=tmp_path / "kept")


def test_mirror_images_are_one_where_the_agent_answers_them_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """The outermost open column, of two the one that is the mirror image's: symmetric, and easily counted."""
    from claimeven.agents.kinds import simple

    kind = type(simple.FIRST.make("first", None, {}))

    def choose(_: object, position: Position, *__: object) -> object:
        is_turned = position.key > position.canonical_key
        return sure(position.legal[-1 if is_turned else 0], position)

    monkeypatch.setattr(kind, "choose", choose)
    apart = certify("first", 1, BOARD)
    monkeypatch.setattr(kind, "is_symmetric", True, raising=False)
    together = certify("first", 1, BOARD)
    assert together.mirrors
    assert together.met < apart.met
    assert (together.lost == 0) == (apart.lost == 0)


def test_chance_is_refused() -> None:
    with pytest.raises(InputError, match="leaves its choice to chance"):
        certify("random", 0, BOARD)
