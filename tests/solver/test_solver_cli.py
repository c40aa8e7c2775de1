"""claimeven solve: what it prints, what it refuses, and how it is interrupted."""

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from claimeven import cli
from claimeven.commands.shown.verdict import Judged, Solved
from claimeven.position import Board, Position
from claimeven.solver import Analysis, Bounds, Solver, score_of
from kit.forked import Forked
from kit.screen import Screen

Capture = pytest.CaptureFixture[str]
KEYS = ["moves", "board", "score", "outcome", "winner_moves", "best", "scores", "line", "nodes", "seconds"]


def answer(capsys: Capture, *arguments: str) -> str:
    code = cli.run(["solve", *arguments])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def complaint(capsys: Capture, *arguments: str) -> str:
    code = cli.run(["solve", *arguments])
    _, err = capsys.readouterr()
    assert code == 2
    assert err.startswith("claimeven: ")
    assert err.count("\n") == 1
    return err.removeprefix("claimeven: ").rstrip()


def without_effort(text: str) -> str:
    """The last line tells nodes and seconds: those change."""
    *lines, last = text.splitlines()
    assert last.endswith(" seconds")
    return "\n".join(lines) + "\n"


# JSON ----------------------------------------------------------------------------------------------


def test_json_is_the_contract(capsys: Capture) -> None:
    data = json.loads(answer(capsys, "4453", "--json"))
    assert list(data) == KEYS
    line = data.pop("line")
    assert isinstance(data.pop("nodes"), int)
    assert data.pop("seconds") >= 0
    assert data == {
        "moves": "4453",
        "board": "7x6x4",
        "score": -2,
        "outcome": "loss",
        "winner_moves": 18,
        "best": ["3", "6", "7"],
        "scores": {"1": -5, "2": -5, "3": -2, "4": -3, "5": -4, "6": -2, "7": -2},
    }
    assert Position.parse("4453" + "".join(line)).winner == 1


def test_json_of_the_empty_board(capsys: Capture) -> None:
    data = json.loads(answer(capsys, "--json"))
    assert (data["moves"], data["score"], data["outcome"], data["winner_moves"]) == ("", 1, "win", 21)
    assert data["best"] == ["4"]
    assert list(data["scores"].values()) == [-2, -1, 0, 1, 0, -1, -2]


def test_json_of_finished_games(capsys: Capture) -> None:
    data = json.loads(answer(capsys, "1122334", "--json"))
    assert list(data) == KEYS
    assert (data["score"], data["outcome"], data["winner_moves"]) == (-18, "loss", 0)
    assert (data["best"], data["scores"], data["line"], data["nodes"]) == ([], {}, [], 0)
    data = json.loads(answer(capsys, "12", "--board", "2x1", "--json"))
    assert (data["score"], data["outcome"], data["winner_moves"]) == (0, "draw", None)


def test_json_of_a_position_text(capsys: Capture) -> None:
    data = json.loads(answer(capsys, "7/7/7/7/3o3/2oxx2 x", "--json"))
    assert (data["moves"], data["board"], data["score"]) == (None, "7x6x4", -2)


def test_json_on_a_wide_board(capsys: Capture) -> None:
    data = json.loads(answer(capsys, "12", "--board", "12x2x3", "--json"))
    assert list(data["scores"]) == [*"123456789abc"]
    assert set(data["best"]) <= set(data["scores"])


def test_json_when_a_limit_came_first(capsys: Capture) -> None:
    data = json.loads(answer(capsys, "--no-book", "--seconds", "0.02", "--json"))
    assert list(data) == [*KEYS, "bounds"]
    assert (data["score"], data["outcome"], data["winner_moves"]) == (None, None, None)
    assert (data["best"], data["line"]) == ([], [])
    truth = [-2, -1, 0, 1, 0, -1, -2]
    assert all(
        low <= score <= high for (low, high), score in zip(data["bounds"].values(), truth, strict=True)
    )


def test_json_of_the_outcome(capsys: Capture) -> None:
    data = json.loads(answer(capsys, "44", "--outcome", "--json"))
    assert list(data) == KEYS
    assert (data["outcome"], data["score"], data["winner_moves"]) == ("win", None, None)
    assert (data["best"], data["scores"], data["line"]) == ([], {}, [])


# Words ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("win", ["44"]),
        ("loss", ["4453"]),
        ("draw", ["3"]),
        ("start", [""]),
        ("next", ["414141"]),
        ("won", ["1122334"]),
        ("full", ["12", "--board", "2x1"]),
        ("other_board", ["2", "--board", "5x5x3"]),
    ],
)
def test_words(name: str, arguments: list[str], capsys: Capture, golden: Callable[[str, str], None]) -> None:
    golden(f"solve_{name}.txt", without_effort(answer(capsys, *arguments)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["44"], "first player wins"),
        (["4453"], "second player wins"),
        (["3"], "a draw"),
        (["1122334"], "first player has won with a1 b1 c1 d1"),
    ],
)
def test_words_of_the_outcome(arguments: list[str], words: str, capsys: Capture) -> None:
    assert without_effort(answer(capsys, *arguments, "--outcome")) == f"{words}\n"


def analysis(position: Position, bounds: dict[int, tuple[int, int]]) -> Solved:
    exact = {
        c: score_of(low, position.board.cells, position.ply)
        for c, (low, high) in bounds.items()
        if low == high
    }
    return Solved(Analysis(position, None, exact, bounds, (), (), 7, 0.5))


def test_words_when_a_limit_came_first(golden: Callable[[str, str], None]) -> None:
    board = Board(4, 4)
    start, second = Position(board), Position.parse("1", board)
    cases = [
        (start, {0: (-7, 7), 1: (0, 3), 2: (-5, 0), 3: (-6, -2)}),
        (start, {0: (1, 3), 1: (2, 5), 2: (-8, -8), 3: (-1, 2)}),
        (start, {0: (-3, -1), 1: (-8, -2), 2: (-3, -3), 3: (-4, -2)}),
        (second, {0: (0, 0), 1: (-1, 4), 2: (-2, 0), 3: (-7, -7)}),
        (second, {0: (-5, 0), 1: (-3, 0), 2: (-2, 0), 3: (-7, -7)}),
    ]
    golden(
        "solve_limited.txt",
        "\n\n".join("\n".join(row.text for row in analysis(*case).rows()) for case in cases) + "\n",
    )
    judged = Judged(start, Bounds(-7, 7, 9), 1.0)
    assert judged.outcome is None
    assert judged.verdict().startswith("not solved within the limit: ")


def test_columns_that_are_all_the_same() -> None:
    solver = Solver()

    def said(moves: str, board: str) -> str:
        return Solved(solver.analyse(Position.parse(moves, Board.parse(board)))).verdict()

    assert said("", "2x2x2") == "first player wins in 2 moves with any column"
    assert said("", "1x3x4") == "a draw with any column"
    assert said("12", "3x3x2") == "first player wins in 1 move with column 1 or 2"
    assert said("1", "2x2x2") == "first player wins in 1 move whatever is played"


# Many positions ------------------------------------------------------------------------------------

LINES = "4453\n7/7/7/7/7/3x3 o\n\n1122334\n"


def test_a_file(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "positions"
    path.write_text(LINES)
    assert answer(capsys, "--file", str(path)).splitlines() == [
        "4453: second player wins in 18 moves; columns 3, 6 and 7 hold out longest",
        "7/7/7/7/7/3x3 o: first player wins in 20 moves; column 4 holds out longest",
        "empty board: first player wins in 21 moves with column 4",
        "1122334: first player has won with a1 b1 c1 d1",
    ]
    told = [json.loads(line) for line in answer(capsys, "--file", str(path), "--json").splitlines()]
    assert [data["score"] for data in told] == [-2, -1, 1, -18]
    outcomes = answer(capsys, "--file", str(path), "--outcome").splitlines()
    assert outcomes[0] == "4453: second player wins"


def test_the_standard_input(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("12\n33"))
    assert [line[:4] for line in answer(capsys, "-", "--board", "4x4x3").splitlines()] == ["12: ", "33: "]
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert answer(capsys, "-") == ""


def test_a_conversation() -> None:
    """Each line is answered before the next one is asked."""
    command = [sys.executable, "-m", "claimeven", "solve", "-", "--json"]
    with Forked(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for moves, score in (("4453", -2), ("", 1), ("44", 1)):
            print(moves, file=child.stdin, flush=True)
            assert json.loads(child.stdout.readline())["score"] == score
        child.stdin.close()
    assert child.returncode == 0


def test_a_bad_line_is_named(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "positions"
    path.write_text("4453\n48\n")
    words = "character 2 of '48': there is no column 8, the columns are 1 to 7"
    assert complaint(capsys, "--file", str(path)) == f"line 2 of {path}: {words}"
    monkeypatch.setattr("sys.stdin", io.StringIO("4453\n48\n"))
    assert complaint(capsys, "-") == f"line 2 of the standard input: {words}"
    path.write_bytes(b"44\n\xff\n")
    assert "is not text: invalid start byte" in complaint(capsys, "--file", str(path))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("8", "there is no column 8"),
        ("44 --seconds 0", "limit: seconds must be more than 0"),
        ("44 --seconds nan", "limit: seconds must be more than 0"),
        ("44 --seconds soon", "invalid value for '--seconds'"),
        ("44 --threads 0", "invalid value for '--threads'"),
        ("44 --threads 5000", "invalid value for '--threads'"),
        ("44 --board 9", "a board is written columns x rows x connect"),
        ("--file /nowhere", "/nowhere: no such file or directory"),
        ("44 --file positions", "solve either a position or a file, not both"),
    ],
)
def test_wrong_input(arguments: str, words: str, capsys: Capture) -> None:
    assert words in complaint(capsys, *arguments.split())


# A long search -------------------------------------------------------------------------------------


def test_ctrl_c_is_quiet() -> None:
    code = "from claimeven import cli; print('go', flush=True); cli.main(['solve', '--no-book'])"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(2.0)  # on a busy machine it is still importing after less, which is another story
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
    assert (child.returncode, out, err) == (130, b"", b"")


def test_progress_on_a_terminal() -> None:
    """Nodes and seconds while somebody watches; the line is wiped before the answer."""
    screen = Screen("solve", "--no-book", "--seconds", "1.5")
    screen.until(" nodes, 1 seconds")
    seen = screen.end()
    assert seen.startswith("not solved within the limit: ")
    assert "nodes, 1 seconds" not in seen


def test_a_terminal_sees_the_score_before_the_columns() -> None:
    """And one column before the next; what is known stays, when nobody waits for the rest."""
    screen = Screen("solve", "4444", "--no-book", NO_COLOR="1")
    screen.until("first player wins in 19 moves\r\n")
    screen.until("column 1  ")
    assert "column 7" not in screen.all
    screen.type("\x03")
    assert screen.leave() == 130


@pytest.mark.parametrize("moves", ["4453", "444", "1212", "112233"])
def test_a_terminal_sees_what_a_pipe_gets(moves: str, capsys: Capture) -> None:
    _, *rows = answer(capsys, moves).splitlines()
    seen = Screen("solve", moves, NO_COLOR="1").end().splitlines()
    assert seen[1:-1] == rows[:-1]


def test_colour_only_in_a_terminal_that_wants_it() -> None:
    screen = Screen("solve", "4453")
    words = screen.end()
    assert "\x1b[1msecond player wins in 18 moves" in screen.all
    assert "\x1b[32m  * column 3" in screen.all
    plain = Screen("solve", "4453", NO_COLOR="1")
    assert plain.end().splitlines()[:9] == words.splitlines()[:9]
    assert "\x1b[3" not in plain.all


def test_explain_and_review_show_the_board_in_a_terminal() -> None:
    lines = Screen("explain", "4131").end().splitlines()
    assert lines[:9] == [*Screen("show", "4131").end().splitlines()[:8], "● = x, ○ = o"]
    assert lines[10].startswith("Column 5")
    assert "\n1 " in Screen("review", "4444413322", rows=60).end()


def test_nothing_known_is_said_so(capsys: Capture) -> None:
    words = answer(capsys, "--no-book", "--seconds", "0.001", "--board", "9x9")
    assert words.startswith("not solved within the limit: nothing is known yet\n")
    assert "column 1  nothing is known yet\n" in words


def test_no_progress_elsewhere(capsys: Capture) -> None:
    assert "nodes in" in answer(capsys, "--no-book", "--seconds", "0.8")  # and nothing on the standard error
