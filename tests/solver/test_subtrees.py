"""A solve in parts: the value of a straight one, whatever the parts and however often it is interrupted."""

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

from claimeven import cli, subtrees
from claimeven.bench.boards import quiet_position
from claimeven.errors import InputError
from claimeven.position import Board, Position
from claimeven.runner import Shard
from claimeven.runner.shard import Answers, Work
from claimeven.solver import Bounds, SavingSolver, Solver, saving
from claimeven.subtrees import Tree, solve_apart
from kit.places import TESTS

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("size", ["4x4", "4x5", "5x4", "6x4", "5x5"])
@pytest.mark.parametrize("plies", [0, 1, 2, 3, 4])
def test_small_boards_have_the_published_value(size: str, plies: int) -> None:
    found = solve_apart(Position(Board.parse(size)), plies, book=False)
    published = {"6x4": -1}  # of the others every one is a draw (J. Tromp)
    assert (found.low, found.high) == (published.get(size, 0),) * 2


@pytest.mark.parametrize("size", ["7x6", "6x5", "5x6x3", "10x8", "4x4x5"])
def test_random_positions_are_worth_what_the_solver_says(size: str) -> None:
    generator, solver = random.Random(20), Solver(book=False)
    board = Board.parse(size)
    for number in range(12):
        ply = board.cells - generator.randrange(8, 17)
        position = quiet_position(board, generator, ply)
        expected = solver.solve(position)
        found = solve_apart(position, number % 5, book=False)
        assert found[:2] == expected[:2], position
        outcome = solve_apart(position, number % 5, book=False, only_outcome=True)
        assert outcome.low <= expected.low <= outcome.high
        assert outcome.low > 0 or outcome.high < 0 or outcome.low == outcome.high == 0


def test_a_position_with_a_win_at_hand_asks_nothing_about_other_moves() -> None:
    tree = Tree(Position.parse("112233"), 3)
    assert tree.asked(only_outcome=True) == tree.asked(only_outcome=False) == []
    assert solve_apart(Position.parse("1121314"), 3)[:2] == solve_apart(Position.parse("1121314"), 0)[:2]


def test_a_game_that_is_over_needs_no_search() -> None:
    over = Position.parse("1212121")
    assert solve_apart(over, 2) == Bounds(-18, -18, 0)


def test_fewer_are_asked_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    ask = subtrees._ask

    def watched(part: subtrees.Part, seed: int) -> list[int]:
        asked.append(part[0])
        return ask(part, seed)

    monkeypatch.setattr(subtrees, "_ask", watched)
    solve_apart(Position(Board(6, 4)), 4, book=False)
    assert len({position.canonical_key for position in asked}) < len(Tree(Position(Board(6, 4)), 4).known) / 2


class PowerCutError(Exception):
    """A power cut."""


def test_what_was_done_before_a_cut_is_not_done_again(tmp_path: Path) -> None:
    done: list[int] = []

    def until_cut(work: Work, shards: list[Shard]) -> Answers:
        for shard in shards:
            if len(done) in (5, 20):
                done.append(-1)
                raise PowerCutError
            done.append(shard.number)
            yield shard.number, work(shard)

    start = Position(Board(6, 4))

    def sitting() -> Bounds:
        return solve_apart(start, 3, book=False, folder=tmp_path / "parts", execute=until_cut)

    for _ in range(2):
        with pytest.raises(PowerCutError):
            sitting()
    found = sitting()
    rounds = list((tmp_path / "parts").iterdir())
    kept = sum(len(list(one.glob("0*.jsonl"))) for one in rounds)
    assert found[:2] == (-1, -1)
    assert len([number for number in done if number >= 0]) == kept
    before = len(done)
    assert sitting() == found  # all of it is there
    assert len(done) == before
    with pytest.raises(InputError, match="holds"):
        solve_apart(start, 2, book=False, folder=tmp_path / "parts")


def test_a_part_that_was_cut_goes_on_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of this machine what is found of a part is saved before the part is done."""
    monkeypatch.setattr(saving, "SLICE", 0.002)
    monkeypatch.setattr(saving, "BETWEEN_SAVES", 0.004)
    start, folder = Position(Board(6, 5)), tmp_path / "parts"
    file = folder / subtrees.IN_WORK / "0001" / "0.saved"
    write, saves = SavingSolver.write, list[int]()

    def until_cut(solver: SavingSolver) -> None:
        write(solver)
        saves.append(solver.nodes)
        if len(saves) == 4:
            raise PowerCutError

    def sitting() -> Bounds:
        subtrees._savers.clear()  # those of a process that is gone
        return solve_apart(start, 0, book=False, folder=folder, only_outcome=True)

    monkeypatch.setattr(SavingSolver, "write", until_cut)
    with pytest.raises(PowerCutError):
        sitting()
    assert file.stat().st_size > 1000
    found = sitting()
    assert found[:2] == (0, 0)
    assert saves[3] > 0
    assert saves[4] == saves[3]  # it began where the other ended
    straight = Solver(book=False).solve(start, only_outcome=True).nodes
    assert straight <= found.nodes < 1.1 * straight
    assert [one.name for one in folder.iterdir()] == ["0001"]  # nothing is left in work
    assert not subtrees._savers


def test_what_is_proved_is_told_before_every_round() -> None:
    told: list[Bounds] = []
    found = solve_apart(Position(Board(6, 4)), 2, book=False, told=told.append)
    assert len(told) >= 2
    for before, after in pairwise([*told, found]):
        assert before.low <= after.low <= found.low == found.high <= after.high <= before.high
        assert before.nodes < after.nodes
    assert told[1].high < 0  # the first rounds ask who wins


def test_processes_of_their_own_find_the_same(capsys: Capture, tmp_path: Path) -> None:
    folder = str(tmp_path / "parts")
    command = ["solve", "--board", "6x4", "--split", "2", "--no-book", "--workers", "2", "--folder", folder]
    assert cli.run([*command, "--json"]) == 0
    out, progress = capsys.readouterr()
    first, *others = progress.splitlines()
    assert first == "nothing is known yet; round 1: 8 of 8"
    assert any(line.startswith("second player wins in ") for line in others)
    told = json.loads(out)
    assert (told["score"], told["outcome"], told["winner_moves"]) == (-1, "loss", 12)
    assert cli.run(command) == 0
    assert capsys.readouterr().out.startswith("second player wins in 12 moves\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--split", "9"], "a solve is split at 0 to 8 stones"),
        (["--split", "2", "--seconds", "3"], "--split and --ray are for one position, without --save"),
        (["--workers", "2"], "--workers and --folder go with --split or --ray"),
    ],
)
def test_what_does_not_go_together_is_told(words: list[str], sentence: str, capsys: Capture) -> None:
    assert cli.run(["solve", "4453", *words]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_on_a_ray_cluster_the_same(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    assert cli.run(["solve", "--board", "6x5", "--no-book", "--ray", "auto", "--workers", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["score"] == 0
