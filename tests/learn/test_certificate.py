"""An agent against every reply, and the checker that shares no code with it."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from claimeven import Board, Position, Solver, make_agent
from claimeven.agents.agent import sure
from claimeven.arrays import positions_of
from claimeven.cli import run
from claimeven.errors import InputError
from claimeven.learn import Table, check, preset, train
from claimeven.learn.certificate import certify
from claimeven.learn.labels import Wanted, make_labels
from claimeven.learn.many import columns_of
from kit.places import ROOT

BOARD = Board(4, 4, 4)
LATE = "315254756166635457131526"  # 24 stones: the second player wins, and none of ours loses that


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("certificate") / "small.q"
    train(Table(BOARD, preset("claimeven", BOARD), seed=1), 300_000).write(path)
    return f"qlearning:file={path}"


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checker for millions of positions, compiled as its first lines say."""
    program = tmp_path_factory.mktemp("quick") / "check"
    source = ROOT / "docs/examples/check_certificate.cpp"
    subprocess.run(["g++", "-O2", "-std=c++20", str(source), "-o", str(program)], check=True)
    return program


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


@pytest.mark.parametrize(("start", "side"), [("1", 1), ("12", 0), ("21", 1), ("4", 1)])
def test_games_that_begin_with_some_moves(
    table: str, start: str, side: int, quick: Path, tmp_path: Path
) -> None:
    found, out = certify(table, side, BOARD, start=start), tmp_path / "certificate"
    waiting, seen, won, lost = [Position.parse(start, BOARD)], set(), 0, 0
    agent = make_agent(table)
    for position in waiting:
        own = position.side == side
        for column in [agent.choose(position).column] if own else position.legal:
            after = position.play(column)
            won, lost = won + (after.winner == side), lost + (after.winner == 1 - side)
            if not after.is_over and after.key not in seen:
                seen.add(after.key)
                waiting.append(after)
    if not found.mirrors:
        assert (found.won, found.lost) == (won, lost)
    assert found.levels[0][0] == len(start) + (len(start) % 2 != side)
    found.write(out)
    judged = checked(out)
    assert judged.returncode == 0, judged.stderr
    assert subprocess.run([str(quick), str(out)], check=False).returncode == 0
    data = out.read_bytes().replace(
        f'"start": "{start}"'.encode(), b'"start": "3' + start[1:].encode() + b'"'
    )
    wrong = data[:-32] + hashlib.sha256(data[:-32]).digest()
    out.write_bytes(wrong)
    assert checked(out).returncode != 0
    assert subprocess.run([str(quick), str(out)], check=False, capture_output=True).returncode != 0


@pytest.mark.parametrize("spec", ["ntuple", "neural", "neural:network=tiny,depth=1", "minimax:depth=2"])
@pytest.mark.parametrize("side", [0, 1])
def test_whatever_plays_gets_its_certificate(spec: str, side: int, quick: Path, tmp_path: Path) -> None:
    """From a late position: each end is counted once more, by games of the agent one after the other."""
    found = certify(spec, side, Board(), start=LATE)
    agent, waiting = make_agent(spec), [Position.parse(LATE)]
    seen, met, ends = set[int](), 0, {side: 0, 1 - side: 0, None: 0}
    for position in waiting:
        own = position.side == side
        met += own
        for column in [agent.choose(position).column] if own else position.legal:
            after = position.play(column)
            if after.is_over:
                ends[after.winner] += 1
            elif (key := after.canonical_key if found.mirrors else after.key) not in seen:
                seen.add(key)
                waiting.append(after)
    assert met > 50
    assert found.never_loses == (side == 1)
    assert (found.met, found.won, found.drawn, found.lost) == (met, ends[side], ends[None], ends[1 - side])
    found.write(tmp_path / "certificate")
    assert checked(tmp_path / "certificate").returncode == 0
    assert subprocess.run([quick, tmp_path / "certificate"], check=False).returncode == 0


def test_one_that_loses_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "first"
    asked = ["certify", "first", "--board", "4x4", "--side", "second", "--out", str(out), "--workers", "1"]
    assert run(asked) == 0
    assert "it can be beaten" in capsys.readouterr().out
    assert checked(out).stdout.count("never loses") == 0


def test_checked_by_the_solver_a_poor_player_never_loses_from_there_on(tmp_path: Path) -> None:
    """Who takes the first open column is beaten on 4x4, a draw; checked from the start it is not."""
    assert not certify("first", 0, BOARD).never_loses
    found = certify("checked:stones=0,agent=first", 0, BOARD)
    assert found.never_loses
    found.write(tmp_path / "certificate")
    assert checked(tmp_path / "certificate").stdout.endswith("never loses\n")
    assert not certify("checked:stones=10,agent=first", 0, BOARD).never_loses


def test_many_positions_are_checked_as_one_by_one_and_as_their_mirror_images() -> None:
    agent = make_agent("checked:stones=12,agent=ntuple:learned=self")
    labels = make_labels(Wanted("7x6x4", (8, 36)), 300, seed=3)
    mine, mask = labels.words().T.copy()
    columns = columns_of(agent, Board(), mine, mask)
    positions = positions_of(labels.words(), Board())
    assert [agent.choose(position).column for position in positions] == columns.tolist()
    assert [6 - agent.choose(position.mirror()).column for position in positions] == columns.tolist()
    scores = labels.scores.astype(int)
    keeps = np.sign(scores[np.arange(len(columns)), columns]) == np.sign(scores.max(1))
    is_checked = np.bitwise_count(mask) >= 12
    assert keeps[is_checked].all()
    assert not keeps.all()


def test_of_a_player_by_chance_the_columns_that_give_nothing_away_are_left() -> None:
    position = Position.parse("4444")
    choice = make_agent("checked:stones=0,agent=random", 1).choose(position)
    scores = Solver(megabytes=16).analyse(position).scores
    keeping = {column for column, score in scores.items() if score.value > 0}
    assert keeping != set(position.legal)
    assert {column for column, weight in choice.weights.items() if weight > 0} == keeping
    assert sum(choice.weights.values()) == pytest.approx(1)
    assert choice.column in keeping


@pytest.mark.parametrize("change", ["column", "count", "key"])
def test_the_checkers_find_what_was_tampered_with(
    table: str, change: str, tmp_path: Path, quick: Path
) -> None:
    path = tmp_path / "certificate"
    certify(table, 0, BOARD).write(path)
    assert subprocess.run([quick, path], capture_output=True).returncode == 0
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
    assert subprocess.run([quick, path], capture_output=True).returncode == 1
    path.write_bytes(data + bytes(32))
    assert "damaged" in checked(path).stderr


@pytest.mark.parametrize("spec", ["checked:stones=0,agent=first", "first"])
@pytest.mark.parametrize("side", [0, 1])
def test_both_checkers_count_the_same(spec: str, side: int, tmp_path: Path, quick: Path) -> None:
    found = certify(spec, side, BOARD)
    found.write(tmp_path / "certificate")
    assert checked(tmp_path / "certificate").returncode == 0
    told = subprocess.run([quick, tmp_path / "certificate"], capture_output=True, text=True).stdout
    ends = f"{found.met} positions: {found.won} won, {found.drawn} drawn, {found.lost} lost"
    assert told == ends + (", never loses\n" if found.never_loses else "\n")


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


@pytest.mark.parametrize("spec", ["random", "rules", "checked:stones=0,agent=rules"])
def test_chance_is_refused(spec: str) -> None:
    with pytest.raises(InputError, match="leaves its choice to chance"):
        certify(spec, 0, BOARD)
