"""The command line: what it prints, and that every expected error is one line and exit code 2."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
import typer

from claimeven import cli, formats
from claimeven.commands.practise.puzzle import THEMES_HELP
from claimeven.game import Game
from claimeven.position import Board, Position

Capture = pytest.CaptureFixture[str]
CLAIMEVEN = [sys.executable, "-m", "claimeven"]


def answer(capsys: Capture, *arguments: str) -> str:
    """What a command line that works prints."""
    code = cli.run(arguments)
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def complaint(capsys: Capture, *arguments: str) -> str:
    """What a command line that is refused says, without the name in front."""
    code = cli.run(arguments)
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("claimeven: ")
    assert err.count("\n") == 1
    return err.removeprefix("claimeven: ").rstrip()


def test_version(capsys: Capture) -> None:
    assert answer(capsys, "--version") == f"claimeven {version('claimeven')}\n"


def every_command() -> Iterator[str]:
    for name in cli.PLACES:
        command = cli.command_of(name)
        yield name
        for inner in command.registered_commands if isinstance(command, typer.Typer) else ():
            assert inner.callback is not None
            yield f"{name} {inner.name or inner.callback.__name__}"


@pytest.mark.parametrize("command", ["", *every_command()])
def test_help(
    command: str, capsys: Capture, golden: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = answer(capsys, *command.split(), "--help")
    assert max(map(len, text.splitlines())) <= 80
    golden(f"help_{command.replace(' ', '_') or 'claimeven'}.txt", text)
    assert answer(capsys, *command.split(), "-h") == text


def test_perft(capsys: Capture) -> None:
    assert answer(capsys, "perft", "9") == "39394572\n"
    assert answer(capsys, "perft", "8", "--unique") == "184275\n"
    assert answer(capsys, "perft", "16", "--unique", "--board", "4x4") == "7244\n"
    assert answer(capsys, "perft", "17", "--unique", "--board", "4x4") == "0\n"
    assert json.loads(answer(capsys, "perft", "7", "--json")) == {
        "board": "7x6x4",
        "ply": 7,
        "unique": False,
        "total": 823536,
        "won": 13032,
    }
    assert json.loads(answer(capsys, "perft", "8", "--unique", "--json"))["unforced"] == 67557


def test_show(capsys: Capture, golden: Callable[[str, str], None]) -> None:
    golden("show_middle.txt", answer(capsys, "show", "44536221112555372"))
    golden("show_won.txt", answer(capsys, "show", "1122334"))
    assert answer(capsys, "show").endswith("x to move\n")
    assert answer(capsys, "show", "7/7/7/7/7/3x3 o").endswith("o to move\n")
    assert answer(capsys, "show", "12", "--board", "2x1").endswith("a draw: the board is full\n")
    wide = json.loads(answer(capsys, "show", "121", "--board", "35x2x2", "--json"))
    assert (wide["last"], wide["four"]) == ("1/2", ["1/1", "1/2"])


def test_show_json(capsys: Capture) -> None:
    assert json.loads(answer(capsys, "show", "1122334", "--json")) == {
        "board": "7x6x4",
        "position": "7/7/7/7/ooo4/xxxx3 o 7x6x4",
        "moves": "1122334",
        "ply": 7,
        "side": "o",
        "legal": [],
        "last": "d1",
        "is_over": True,
        "winner": "x",
        "four": ["a1", "b1", "c1", "d1"],
    }


def test_show_svg(capsys: Capture, tmp_path: Path) -> None:
    svg = answer(capsys, "show", "4453", "--svg", "-")
    assert svg.startswith("<svg ")
    path = tmp_path / "picture.svg"
    assert answer(capsys, "show", "4453", "--svg", str(path)) == ""
    assert path.read_text() == svg


def test_convert(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position = "7/7/7/7/3o3/2oxx2 x 7x6x4"
    assert answer(capsys, "convert", "4453", "--to", "position") == f"{position}\n"
    assert answer(capsys, "convert", position, "--to", "position") == f"{position}\n"
    assert answer(capsys, "convert", "1", "--to", "position", "--board", "2x2") == "2/x1 o 2x2x4\n"
    path = tmp_path / "game"
    path.write_text("4453\n")
    assert answer(capsys, "convert", str(path), "--to", "position") == f"{position}\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("4453\n"))
    assert answer(capsys, "convert", "-", "--to", "moves", "--from", "moves") == "4453\n"


def test_a_long_record_is_a_text_and_a_folder_is_no_game(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game.parse("4453")
    game.note("a long note " * 40)
    record = game.to_json()
    assert len(record) > 255  # the longest name of a file
    assert answer(capsys, "convert", record, "--to", "moves") == "4453\n"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "4453").mkdir()
    assert complaint(capsys, "convert", "games", "--to", "moves") == "games is a folder, not a file"
    assert answer(capsys, "convert", "4453", "--to", "moves") == "4453\n"  # that is a game all the same


def test_formats(capsys: Capture) -> None:
    listed = answer(capsys, "formats").splitlines()
    assert [line.split()[0] for line in listed] == list(formats.FORMATS)


@pytest.mark.parametrize("name", formats.FORMATS)
def test_convert_reads_what_it_writes(name: str, capsys: Capture) -> None:
    written = answer(capsys, "convert", "4453", "--to", name)
    assert formats.read(written, name).position == Position.parse("4453")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("show", "x to move"),
        ("perft 2", "16"),
        ("solve", "a draw with any column"),
        ("explain", "holds the draw"),
        ("review 12", "Nobody gave anything away"),
    ],
)
def test_a_line_that_nobody_can_complete(command: str, words: str, capsys: Capture) -> None:
    assert words in answer(capsys, *command.split(), "--board", "4x3x999999999")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("show 8", "character 1 of '8': there is no column 8, the columns are 1 to 7"),
        ("show 4444444", "move 7 of '4444444': column 4 is full"),
        ("show 4 --board 0x6", "board 0x6x4: columns must be at least 1"),
        ("show 4 --board 36x1", "board 36x1x4: at most 35 columns"),
        ("show 4 --board huge", "a board is written columns x rows x connect, like 7x6x4, not 'huge'"),
        ("show 4 --svg /nowhere/picture.svg", "/nowhere/picture.svg: no such file or directory"),
        ("show 4 --svg .", ".: is a directory"),
        ("convert 4453 --to smoke", "there is no format 'smoke'"),
        ("convert 4453 --from smoke --to moves", "there is no format 'smoke'"),
        ("convert games.jsonl --to moves", "games.jsonl: no such file"),
        ("convert 4453", "missing option '--to' (see claimeven convert --help)"),
        ("perft", "missing argument 'N' (see claimeven perft --help)"),
        ("perft many", "invalid value for 'N'"),
        ("perft 1.5", "invalid value for 'N'"),
        ("perft 1 2", "got unexpected extra argument(s) (2) (see claimeven perft --help)"),
        ("perft -- -1", "the number of moves must be at least 0, not -1"),
        ("perft -1", "no such option: -1"),
        ("perft --unique -- -1", "the ply must be at least 0, not -1"),
        ("perft 3 --board", "option '--board' requires an argument"),
        ("perft 999999999999999999999999999 --board 12x10", "board 12x10x4 is too large"),
        ("nonsense", "no such command 'nonsense' (see claimeven --help)"),
        ("--nonsense", "no such option: --nonsense (see claimeven --help)"),
        ("play --terminal --board 7", "a board is written"),
        ("play --terminal --load 48", "character 2 of '48'"),
    ],
)
def test_wrong_input_is_one_line(arguments: str, words: str, capsys: Capture) -> None:
    assert words in complaint(capsys, *arguments.split())


def test_themes_are_told_as_the_help_writes_them_and_both_spellings_are_understood(capsys: Capture) -> None:
    told = complaint(capsys, "puzzle", "--theme", "only_moove")
    assert "there is no theme 'only_moove'; there are win, fork, " in told
    assert "only-move, " in told
    assert "only-move, " in THEMES_HELP
    written = [
        answer(capsys, "puzzle", "--json", "--seed", "1", "--theme", theme)
        for theme in ("only-move", "only_move", "Only move")
    ]
    assert "only_move" in json.loads(written[0])["themes"]
    assert len(set(written)) == 1


def test_wrong_files_are_one_line(capsys: Capture, tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"44\xff")
    assert "is not text: invalid start byte at byte 3" in complaint(
        capsys, "convert", str(binary), "--to", "moves"
    )
    closed = tmp_path / "closed"
    closed.write_text("4453")
    closed.chmod(0)
    if os.access(closed, os.R_OK):
        return  # root may read everything
    assert "permission denied" in complaint(capsys, "convert", str(closed), "--to", "moves")


@pytest.mark.parametrize("text", ["", "\0", "é", "\udcff", "4" * 100_000, "x" * 5000, "/" * 300])
def test_odd_arguments_are_refused_or_shown(text: str, capsys: Capture) -> None:
    code = cli.run(["show", "--", text])
    out, err = capsys.readouterr()
    assert (code == 0 and not err) or (code == 2 and not out and err.count("\n") == 1 and len(err) < 500)


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(Board, "parse", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        cli.run(["perft", "1", "--board", "7x6"])


def test_python_m_claimeven() -> None:
    result = subprocess.run([*CLAIMEVEN, "perft", "5"], capture_output=True, text=True, check=True)
    assert (result.stdout, result.stderr) == ("16807\n", "")
    result = subprocess.run([*CLAIMEVEN, "show", "9"], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")


def test_ctrl_c_is_quiet() -> None:
    code = "from claimeven import cli; print('go', flush=True); cli.main(['perft', '16'])"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
    assert (child.returncode, out, err) == (130, b"", b"")


def test_a_closed_pipe_is_quiet() -> None:
    command = f"{sys.executable} -m claimeven show --board 35x2 --svg - | head -c 10"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (result.stdout, result.stderr) == ("<svg xmlns", "")


@pytest.mark.parametrize("target", [">&-", ">/dev/full"])
@pytest.mark.parametrize("arguments", ["show 4", "show 4 --svg -", "show 4 --json", "perft 3"])
def test_an_output_that_cannot_be_written(arguments: str, target: str) -> None:
    command = f"{sys.executable} -m claimeven {arguments} {target}"
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    result = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, env=buffered
    )
    assert result.stderr in ("", "claimeven: no space left on device\n")


def test_help_and_version_load_no_room() -> None:
    """`claimeven --help` stays quick however many rooms there are."""
    code = (
        "import sys; from claimeven import cli; cli.run(['--help']); "
        "print([m for m in sys.modules if m in {'claimeven._core', 'claimeven.formats', 'rich.console'}])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"
