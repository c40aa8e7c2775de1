"""Training on the command line: what it says and refuses, and that no game is lost by an interruption."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from claimeven import cli
from claimeven.agents.kinds.qcurve import Point
from claimeven.agents.kinds.qtable import Table, preset
from claimeven.learn import Curve, train
from claimeven.learn.curve import decisive_positions
from claimeven.learn.training import undisturbed
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.solver import Analysis, Solver
from kit.forked import Forked

Capture = pytest.CaptureFixture[str]
FOUR = Board(4, 4, 4)


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    code = cli.run(["train", "q-learning", *arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_the_command_trains_plays_a_match_and_goes_on(tmp_path: Path, capsys: Capture) -> None:
    out, other = str(tmp_path / "new" / "t.q"), str(tmp_path / "o.q")
    options = ["--board", "4x3", "--checkpoint", "400", "--against", "random", "--seed", "4"]
    code, text, _ = run(capsys, "--out", out, "--games", "800", *options, "--match", "first")
    assert code == 0
    assert text.startswith("800 games on 4x3x4; ")
    assert "as second player against every reply: outcome kept in" in text
    assert "match against first: " in text
    code, text, _ = run(capsys, "--out", out, "--games", "1200", "--resume", "--json")
    found = json.loads(text)
    assert (code, found["games"], found["seed"], found["alpha"]) == (0, 1200, 4, 1.0)
    assert run(capsys, "--out", other, "--games", "1200", *options)[0] == 0
    assert Path(out).read_bytes() == Path(other).read_bytes()
    curve = json.loads(Path(f"{out}.curve.json").read_text())["curve"]
    assert [point["games"] for point in curve] == [0, 400, 800, 1200]
    ElementTree.parse(f"{out}.curve.svg")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--board", "9x"], "board '9x'"),
        (["--alpha", "2"], "alpha must be from 0 to 1"),
        (["--preset", "b"], "a preset is claimeven or a, not 'b'"),
        (["--against", "nobody"], "there is no agent 'nobody'"),
        (["--opponent", "mcts:x"], "mcts has no option 'x'"),
        (["--match", "nobody"], "there is no agent 'nobody'"),
        (["--resume"], "t.q to go on with: without --resume, it is begun"),
        (["--games", "0"], "invalid value for '--games'"),
        (["--games", "10000000000000"], "at most 1,000,000,000,000 games"),
    ],
)
def test_bad_commands_get_one_sentence(
    arguments: list[str], words: str, tmp_path: Path, capsys: Capture
) -> None:
    code, out, err = run(capsys, "--out", str(tmp_path / "t.q"), *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert not list(tmp_path.iterdir())


def test_a_training_goes_on_only_as_it_was_begun(tmp_path: Path, capsys: Capture) -> None:
    out = str(tmp_path / "t.q")
    begin = ["--out", out, "--games", "100", "--board", "4x3", "--against", "first"]
    assert run(capsys, *begin)[0] == 0
    assert "--resume goes on with it" in run(capsys, *begin)[2]
    fewer = run(capsys, "--out", out, "--resume", "--games", "50")
    assert "the table has 100 games already, more than 50" in fewer[2]
    other = ["--out", out, "--resume", "--alpha", "0.5"]
    assert "was begun with alpha 1.0, not 0.5" in run(capsys, *other)[2]
    assert (
        "was begun with board 4x3x4, not 4x4x4" in run(capsys, "--out", out, "--resume", "--board", "4x4")[2]
    )
    assert run(capsys, *begin, "--resume")[0] == 0, "already there"


@pytest.mark.parametrize("opponent", ["self", "random"])
def test_an_interrupted_training_keeps_every_game(opponent: str, tmp_path: Path) -> None:
    """After Ctrl-C, at a game or while the curve is drawn, and --resume: the same bytes."""
    whole, part = tmp_path / "whole.q", tmp_path / "part.q"
    games, step = (9000, 4500) if opponent == "self" else (60, 30)

    def begun() -> Table:
        return Table(FOUR, preset("claimeven", FOUR), opponent, checkpoint=step, seed=3)

    curve = Curve(FOUR, ("random",), games=2, positions=5)
    train(begun(), games, out=whole, curve=curve)

    class Impatient(Curve):
        def point(self, table: Table) -> Point:
            if table.games == step:
                raise KeyboardInterrupt
            return super().point(table)

    def stop_early(done: int, total: int) -> None:
        if done > step // 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(begun(), games, out=part, curve=curve, progress=stop_early)
    kept = Table.read(part).games
    assert step // 3 < kept < step
    with pytest.raises(KeyboardInterrupt):
        train(Table.read(part), games, out=part, curve=Impatient(FOUR, ("random",), games=2, positions=5))
    assert Table.read(part).games == step
    train(Table.read(part), games, out=part, curve=curve)
    assert part.read_bytes() == whole.read_bytes()


def test_ctrl_c_waits_for_the_end_of_a_step() -> None:
    steps = []

    def work() -> None:
        with undisturbed():
            signal.raise_signal(signal.SIGINT)
            steps.append("done")
        steps.append("never")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert steps == ["done"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)  # afterwards it is heard at once, as before


def test_ctrl_c_on_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "t.q"
    command = [sys.executable, "-m", "claimeven", "train", "q-learning", "--out", str(out)]
    command += ["--games", "1000000000", "--against", "random"]
    with Forked(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("0 games · "):
                break
        process.send_signal(signal.SIGINT)
        last = process.stderr.read().splitlines()[-1]
    assert process.returncode == 130
    if out.exists():  # else it was heard before the first games had been played
        words = (
            f"after {Table.read(out).games:,} games, kept in {out}; the same command with --resume goes on"
        )
    else:
        words = "before the first game: nothing is kept"
    assert last == f"claimeven: stopped {words}"


def test_the_search_for_positions_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """On large boards nearly everything is out of reach; that must not take for ever."""
    monkeypatch.setattr("claimeven.learn.curve.WIDE_REACH", Limit(nodes=20))
    monkeypatch.setattr("claimeven.learn.curve.OUT_OF_REACH", 3)
    reports: list[tuple[int, int]] = []
    found = decisive_positions(Board(35, 2, 4), 300, progress=lambda *now: reports.append(now))
    assert len(found) < 300
    assert reports[0] == (0, 300)
    assert reports[-1] == (len(found), 300)
    missed: list[Position] = []
    analyse = Solver.analyse

    def count(self: Solver, position: Position, limit: Limit | None = None) -> Analysis:
        analysis = analyse(self, position, limit)
        if len(analysis.scores) < len(position.legal):
            missed.append(position)
        return analysis

    monkeypatch.setattr(Solver, "analyse", count)
    decisive_positions(Board(35, 2, 4), 300)
    assert len(missed) == 3


def test_a_killed_training_goes_on_from_its_last_checkpoint(tmp_path: Path, capsys: Capture) -> None:
    out, other = tmp_path / "t.q", tmp_path / "other.q"
    options = ["--board", "4x4", "--games", "20000", "--checkpoint", "1000", "--against", "random"]
    command = [sys.executable, "-m", "claimeven", "train", "q-learning", "--out", str(out), *options]
    process = Forked(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not out.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert 0 < Table.read(out).games < 20_000
    assert run(capsys, "--out", str(out), "--resume", "--games", "20000")[0] == 0
    assert run(capsys, "--out", str(other), *options)[0] == 0
    assert out.read_bytes() == other.read_bytes()


def test_nothing_is_told_of_good_moves_where_no_move_is_bad(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "t.q")
    assert cli.run(["train", "q-learning", "--out", out, "--games", "20", "--board", "1x1x1"]) == 0
    told = capsys.readouterr()
    assert "\n1 game · 1 position · random" in told.err
    assert "20 games · 1 position · random" in told.err
    assert "as second player against every reply: no decisive position was met; lost 1 way from" in told.out
    assert "good moves" not in told.err
