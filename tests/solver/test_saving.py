"""Solves that are stopped, killed and taken up again: the same values as straight ones, and no work twice."""

import json
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from claimeven import cli
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.solver import Bounds, SavingSolver, Solver, saving

Capture = pytest.CaptureFixture[str]
# The three kinds of tables: packed for 7x6, one word, two words; and lines of another length.
STARTS = [("44444", "7x6x4"), ("", "6x5x4"), ("33333333", "10x8x4"), ("", "5x5x3"), ("1", "11x10x3")]


def nodes_of(solver: Solver, position: Position, limit: Limit | None = None) -> tuple[int, int, int]:
    found = solver.solve(position, limit)
    return found.low, found.high, found.nodes


@pytest.mark.parametrize(("moves", "size"), STARTS)
def test_what_was_saved_is_known_to_another_solver(moves: str, size: str, tmp_path: Path) -> None:
    board = Board.parse(size)
    position = Position.parse(moves, board)
    limit = Limit(nodes=200_000)
    first = Solver(megabytes=16, book=False)
    low, high, nodes = nodes_of(first, position, limit)
    first.save(tmp_path / "saved", board, nodes=nodes, seconds=1.5)
    second = Solver(megabytes=8, book=False)  # of another size
    assert second.load(tmp_path / "saved", board) == (nodes, 1.5)
    low_again, high_again, again = nodes_of(second, position, limit)
    assert low_again >= low
    assert high_again <= high
    assert low < high or again <= 3


@pytest.mark.parametrize("size", ["7x6x4", "6x7x4", "10x8x4"])
def test_hardly_anything_is_lost_on_the_way(size: str, tmp_path: Path) -> None:
    """Many entries, in the order of a large table, into a solver whose table is still small."""
    board, paths = Board.parse(size), (tmp_path / "first", tmp_path / "second")
    first, second = Solver(megabytes=64, book=False), Solver(megabytes=64, book=False)
    first.solve(Position(board), Limit(nodes=1_000_000))
    first.save(paths[0], board)
    second.load(paths[0], board)
    second.save(paths[1], board)
    assert paths[1].stat().st_size > 0.98 * paths[0].stat().st_size


@pytest.mark.parametrize("size", ["6x5x4", "5x6x4", "4x5x3"])
def test_in_many_sittings_the_same_as_at_once(
    size: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "SLICE", 0.01)
    monkeypatch.setattr(saving, "BETWEEN_SAVES", 0.02)
    board = Board.parse(size)
    straight = Solver(book=False).analyse(Position(board))
    sittings, found = 0, None
    while found is None or not found.is_complete:
        with SavingSolver(tmp_path / "saved", board, megabytes=4, book=False) as solver:
            found = solver.analyse(Position(board), Limit(seconds=0.05))
        sittings += 1
        assert all(low <= straight.scores[c] <= high for c, (low, high) in found.bounds.items())
    assert (found.scores, found.best) == (straight.scores, straight.best)
    assert sittings >= 1


def test_no_work_is_done_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopping and going on costs next to nothing, however often."""
    monkeypatch.setattr(saving, "SLICE", 0.02)
    start = Position(Board(6, 5))
    straight = Solver(book=False).solve(start)
    with SavingSolver(tmp_path / "saved", start.board, book=False) as solver:
        assert solver.solve(start).low == straight.low
        assert straight.nodes <= solver.nodes < 1.1 * straight.nodes


class Clock:
    """Time passes only in searches and saves."""

    def __init__(self, *, slow: float) -> None:
        self.now, self.slow, self.saves = 0.0, slow, list[tuple[float, float]]()

    def monotonic(self) -> float:
        return self.now

    def save(self, *given: object, **also: object) -> None:
        begun = self.now
        self.now += self.slow
        self.saves.append((begun, self.now))

    def solve(
        self, solver: Solver, position: Position, limit: Limit, *given: object, **also: object
    ) -> Bounds:
        assert limit.seconds is not None
        self.now += limit.seconds
        return Bounds(-1, 1, 1)


@pytest.mark.parametrize("slow", [0.0, 1.5, 20.0, 39.0, 47.0])
def test_a_kill_at_any_moment_loses_less_than_a_minute(
    slow: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long a save takes, up to 47 s: what is searched between two, and the second one."""
    clock = Clock(slow=slow)
    monkeypatch.setattr(saving, "time", clock)
    monkeypatch.setattr(SavingSolver, "save", clock.save)
    monkeypatch.setattr(Solver, "solve", lambda *given, **also: clock.solve(*given, **also))
    with SavingSolver(tmp_path / "saved", Board(8, 7)) as solver:
        solver.solve(Position(Board(8, 7)), Limit(seconds=1000))
    assert len(clock.saves) > 15
    lost = [end - last for (_, last), (_, end) in pairwise(clock.saves)]
    assert max(lost) < 60
    searched = [begun - last for (_, last), (begun, _) in pairwise(clock.saves[:-1])]
    assert min(searched) >= 10  # it is not only saving


def test_other_files_are_refused(tmp_path: Path) -> None:
    board, path = Board(6, 4), tmp_path / "saved"
    solver = Solver(book=False)
    solver.score(Position(board))
    solver.save(path, board)
    whole = path.read_bytes()

    def reason(content: bytes, on: Board = board) -> str:
        path.write_bytes(content)
        with pytest.raises(InputError) as refusal:
            Solver(book=False).load(path, on)
        return str(refusal.value).removeprefix(f"saved search {path}: ")

    assert reason(whole, Board(4, 6)) == "it is of board 6x4x4"
    assert reason(b"") == "this is not a saved search"
    assert reason(b"4" * 100) == "this is not a saved search"
    assert reason(whole[:8] + b"\2" + whole[9:]) == "its format has version 2, which is not known here"
    for at in [*range(24, 56), *range(56, len(whole), 997)]:
        assert reason(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :]) == "the file is damaged", at
    for damaged in (whole[:-1], whole + b"x", whole[:70]):
        assert reason(damaged) == "the file is damaged"
    with pytest.raises(InputError, match="No such file or directory"):
        Solver().load(tmp_path / "none", board)
    with pytest.raises(InputError, match="cannot be written: "):
        solver.save(Path("/nowhere/saved"), board)
    assert [file.name for file in tmp_path.iterdir()] == ["saved"]


def test_a_damaged_file_teaches_nothing(tmp_path: Path) -> None:
    board, path = Board(5, 5), tmp_path / "saved"
    solver = Solver(book=False)
    nodes = solver.solve(Position(board)).nodes
    solver.save(path, board)
    path.write_bytes(path.read_bytes()[:-1] + b"\x55")
    other = Solver(book=False)
    with pytest.raises(InputError):
        other.load(path, board)
    assert other.solve(Position(board)).nodes == nodes


def test_a_position_of_another_board_does_not_forget_this_one(tmp_path: Path) -> None:
    with SavingSolver(tmp_path / "saved", Board(5, 4)) as solver, pytest.raises(InputError, match="5x4x4"):
        solver.solve(Position())


# The command ---------------------------------------------------------------------------------------


def told(capsys: Capture, *arguments: str) -> str:
    assert cli.run(["solve", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_the_command_tells_the_same_and_what_all_sittings_cost(tmp_path: Path, capsys: Capture) -> None:
    path = str(tmp_path / "saved")
    straight = json.loads(told(capsys, "--board", "5x5", "--no-book", "--json"))
    first = json.loads(told(capsys, "--board", "5x5", "--no-book", "--save", path, "--json"))
    again = json.loads(told(capsys, "--board", "5x5", "--no-book", "--save", path, "--json"))
    for key in ("score", "outcome", "winner_moves", "best", "scores"):
        assert straight[key] == first[key] == again[key]
    assert first["nodes"] <= again["nodes"] < first["nodes"] + 100
    assert told(capsys, "2", "--board", "5x5", "--save", path, "--outcome").startswith("a draw\n")


def test_what_is_proved_when_the_time_is_over(tmp_path: Path, capsys: Capture) -> None:
    path = str(tmp_path / "saved")
    unfinished = told(capsys, "--board", "8x7", "--save", path, "--seconds", "0.2")
    assert unfinished.startswith("not finished: ")
    data = json.loads(told(capsys, "--board", "8x7", "--save", path, "--seconds", "0.2", "--json"))
    assert (data["score"], data["outcome"]) == (None, None)
    low, high = data["bounds"]
    assert low <= 2 <= high  # the first player wins with stone 53 of 56


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("- --save FILE", "--save is for one position: leave out the others"),
        ("--file positions --save FILE", "--save is for one position: leave out the others"),
        ("44 --save /nowhere/file", "/nowhere/file cannot be written: No such file or directory"),
        ("44 --save FILE --megabytes 0", "megabytes must be 1 to 1048576"),
    ],
)
def test_wrong_input(arguments: str, words: str, tmp_path: Path, capsys: Capture) -> None:
    given = [str(tmp_path / "saved") if word == "FILE" else word for word in arguments.split()]
    assert cli.run(["solve", *given]) == 2
    assert capsys.readouterr().err == f"claimeven: {words}\n"


def nodes_in(path: Path) -> int:
    return int.from_bytes(path.read_bytes()[32:40], "little") if path.exists() else 0


def begun(path: Path) -> subprocess.Popen[bytes]:
    """A large solve that has been saved with something new in it."""
    before = nodes_in(path)
    code = (
        "from claimeven import cli; from claimeven.solver import saving;"
        "saving.SLICE, saving.BETWEEN_SAVES = 0.05, 0.1;"
        f"cli.main(['solve', '--board', '8x7', '--megabytes', '4', '--save', {str(path)!r}])"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for _ in range(600):
        if nodes_in(path) > before:
            return child
        time.sleep(0.05)
    child.kill()
    raise AssertionError("nothing was saved")


def test_killed_at_any_moment_it_goes_on(tmp_path: Path) -> None:
    path, board = tmp_path / "saved", Board(8, 7)
    before = 0
    for _ in range(2):
        with begun(path) as child:
            time.sleep(0.1)
            child.kill()
        solver = SavingSolver(path, board)
        assert solver.nodes > before
        before = solver.nodes
    assert {file.name for file in tmp_path.iterdir()} <= {"saved", "saved.part"}


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_asked_to_end_it_saves_and_says_what_is_proved(number: int, code: int, tmp_path: Path) -> None:
    with begun(tmp_path / "saved") as child:
        child.send_signal(number)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (code, b"")
    assert err.startswith(b"claimeven: stopped and saved; so far: ")
    assert err.count(b"\n") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["saved"]
    assert SavingSolver(tmp_path / "saved", Board(8, 7)).nodes > 0
