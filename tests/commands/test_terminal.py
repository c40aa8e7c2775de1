"""The terminal game: scripted people at the table, and once a real terminal."""

import io
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from claimeven import cli, terminal
from claimeven.agents import AgentTimeoutError, Choice, make_agent
from claimeven.game import Game
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.terminal.lines import wrapped
from claimeven.terminal.table import Seats, Table
from kit.screen import Screen

Golden = Callable[[str, str], None]


def sit(
    answers: str,
    board: str = "7x6x4",
    load: str = "",
    discs: bool = False,
    seats: Seats | None = None,
    save: Path | None = None,
    pie: bool = False,
) -> str:
    """Let people type these answers, one per word; all that is seen, with the answers in it."""
    out = io.StringIO()
    lines = iter(answers.split())

    def ask(prompt: str) -> str:
        out.write(prompt)
        try:
            line = next(lines)
        except StopIteration:
            raise EOFError from None
        if line == "^C":
            raise KeyboardInterrupt
        out.write(line + "\n")
        return line

    console = Console(file=out, force_terminal=discs, color_system="standard" if discs else None, width=80)
    game = Game(Board.parse(board), pie=True) if pie else Game.parse(load, Board.parse(board))
    Table(game, console, ask, seats, save).sit()
    return out.getvalue()


def test_a_whole_evening(golden: Golden) -> None:
    golden("evening.txt", sit("? m 4 4 zz 8 44 u r r 3 m 5 2 5 1 6 u 7 1 y u q"))


def test_with_discs(golden: Golden) -> None:
    golden("discs.txt", sit("4 ? 3 4 3 4 3 4 n", discs=True))


def test_a_win_is_told_in_words() -> None:
    assert "x wins with d1 e1 f1 g1.\nagain?" in sit("4 4 5 5 6 6 7")
    assert "o wins with a1 b1 c1 d1.\n" in sit("7 1 7 2 7 3 6 4")
    assert "x wins with 1/1 1/2.\n" in sit("1 2 1", board="35x2x2")
    assert "a draw: the board is full.\n" in sit("1 2", board="2x1x3")


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ("8", "'8' is no column: type 1-7, or ? for help"),
        ("44", "'44' is no column"),
        ("hello", "'hello' is no column"),
        ("4 4 4 4 4 4 4", "column 4 is full"),
        ("u", "there is no move to take back"),
        ("r", "there is no move to play again"),
        ("m", "no moves yet"),
        ("4 4 5 5 6 6 7 4", "the game is over"),
    ],
)
def test_wrong_input_gets_one_sentence(answers: str, words: str) -> None:
    said = sit(answers)
    assert [line for line in said.splitlines() if words in line]
    assert "Traceback" not in said


def test_undo_and_redo() -> None:
    said = sit("4 4 undo redo undo u 1 q")
    assert said.endswith("go on with: claimeven play --terminal --board 7x6x4 --load 1\n")


def test_undo_after_the_end_goes_on() -> None:
    said = sit("4 4 5 5 6 6 7 u 1 q")
    assert said.endswith("--load 4455661\n")


def test_again_starts_anew() -> None:
    said = sit("1 2 1 y 2 q", board="2x2x2")
    assert said.endswith("--load 2\n")


def test_the_end_of_input_leaves() -> None:
    assert sit("").endswith(": \n")
    assert sit("4").endswith("go on with: claimeven play --terminal --board 7x6x4 --load 4\n")


def test_ctrl_c_leaves() -> None:
    with pytest.raises(KeyboardInterrupt):
        sit("4 ^C")


def test_letters_are_columns_on_wide_boards() -> None:
    said = sit("m q r u moves quit", board="35x1x4")
    assert "column 1-z (undo, redo, hint, moves, ? help, quit): " in said
    assert "moves: mqru\n" in said
    assert "--load mqru" in said


def test_one_column() -> None:
    assert "x to move, column 1 (u undo" in sit("", board="1x3x3")


def test_a_loaded_game_goes_on() -> None:
    assert sit("3 q", load="445").endswith("--load 4453\n")
    assert "again?" in sit("q", load="1122334")


def test_every_standing_has_a_sentence() -> None:
    assert terminal.sentence(Position()) == "x to move"
    assert terminal.sentence(Position.parse("4")) == "o to move"
    assert terminal.sentence(Position.parse("1122334")) == "x wins with a1 b1 c1 d1"


# Agents ------------------------------------------------------------------------------------------


def against(spec: str, first: bool = False, **settings: Any) -> Seats:
    agent = make_agent(spec, seed=1)
    return Seats((agent, None) if first else (None, agent), **settings)


def test_a_game_against_an_agent(golden: Golden) -> None:
    said = sit("4 h 3? u 4 4 ? 1 q", seats=against("rules", explains=True, shows_values=True))
    golden("against.txt", re.sub(r"in \d+\.\d s", "in 0.0 s", said))


@pytest.mark.parametrize("first", [False, True])
def test_undo_takes_back_the_answer_too(first: bool) -> None:
    moves = "7 u 6 m q" if first else "4 u 3 m q"
    said = sit(moves, seats=against("first", first))
    assert ("moves: 161\n" if first else "moves: 31\n") in said
    said = sit("u q", seats=against("first", first))
    assert "there is no move to take back" in said
    assert ("--agent first --first agent --load 1\n" in said) == first


def test_redo_plays_the_answer_again() -> None:
    assert "moves: 4151\n" in sit("4 5 u u r r m q", seats=against("first"))


def test_two_agents_are_watched() -> None:
    seats = Seats((make_agent("first"), make_agent("random", 1)))
    said = sit("u n", seats=seats)
    assert "x (first) plays 1 in " in said
    assert "o (random) plays " in said
    assert "nobody is here to move instead" in said


def test_an_agent_that_fails_loses() -> None:
    class Sleeper:
        name = "sleeper"

        def choose(self, position: Position, limit: Limit = Limit()) -> Choice:  # noqa: B008
            raise AgentTimeoutError("no answer within 1 s")

    said = sit("4 n", seats=Seats((None, Sleeper())))
    assert "o (sleeper) fails: no answer within 1 s" in said
    assert "x wins: the time of o is up." in said
    assert "again?" in said


def test_another_game_may_swap_sides() -> None:
    begun = set()
    for _ in range(30):
        seats = against("first")
        seats.first = "random"
        sit("2 2 2 2 y q", board="7x6x4", seats=seats)
        begun.add(seats.agents[0] is None)
    assert begun == {True, False}


def test_two_people_play_by_the_pie_rule(tmp_path: Path) -> None:
    said = sit("? s 4 s s 4 u u m q", pie=True, save=tmp_path / "game.c4n")
    assert "  s      right after that disc\n" in said
    assert said.count("sides can be swapped only right after the first disc\n") == 2  # too soon, and again
    assert said.count("(s swap, u undo,") == 3  # after the disc, and twice when it was given back
    assert "o takes the first disc and plays x from now on\n" in said
    assert "moves: 4\n" in said
    assert "--pie --load 4\n" in said
    assert '[Pie "yes"]' in (tmp_path / "game.c4n").read_text()
    assert "this game has no pie rule\n" in sit("4 s q")


def test_agents_play_by_the_pie_rule() -> None:
    seats = against("perfect")
    said = sit("4 4 u u 1 m q", seats=seats, pie=True)
    assert "o (perfect) takes the first disc and plays x from now on\n" in said
    assert "o to move, column" in said  # we are o now
    assert seats.agents[0] is None  # and x again, after both were taken back
    assert "hint: Take this disc: whoever has it wins with best play." in sit("4 h q", pie=True)
    assert "Take this disc" not in sit("1 h 4 h q", pie=True)
    seats = against("first", first=True)
    said = sit("s 4 q", seats=seats, pie=True)
    assert "o takes the first disc and plays x from now on\n" in said
    assert seats.agents[1] is not None  # side 0 is ours
    seats = against("first", first=True)
    said = sit("s 4 4 4 y q", seats=seats, pie=True)
    assert "o wins" in said
    assert seats.agents[0] is not None  # the agent begins again, as it was asked to


@pytest.mark.parametrize("width", [30, 47, 80])
def test_long_lines_end_between_words(width: int) -> None:
    seats = against("mcts:simulations=200", explains=True, shows_values=True)
    whole = sit("4 h q", seats=seats)
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system=None, width=width)
    words = iter("4hq")
    seats = against("mcts:simulations=200", explains=True, shows_values=True)

    def ask(prompt: str) -> str:
        word = next(words)
        out.write(f"{prompt}{word}\n")
        return word

    Table(Game(), console, ask, seats).sit()
    said = out.getvalue()
    assert "proved, as ○ sees it: " in " ".join(said.split())
    assert max(len(line) for line in said.splitlines() if not line.startswith("go on with: ")) <= width
    flat = " ".join(said.split()).replace("●", "x").replace("○", "o")  # as in a pipe
    long = [line for line in whole.splitlines() if len(line) > width]
    assert len(long) >= 3  # the hint, what is proved, the columns
    for line in long:
        assert " ".join(line.split()) in flat


def test_what_is_wrapped_keeps_its_indent_and_its_last_space() -> None:
    assert wrapped("  one two three", 10) == "  one two\n  three"
    assert wrapped("go on? yes: ", 8) == "go on?\nyes: "
    assert wrapped("a-very-long-word in two", 8) == "a-very-long-word\nin two"
    assert wrapped("short\n\nenough", 8) == "short\n\nenough"


def test_every_move_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "game.c4n"
    said = sit("4 5 q", seats=against("first"), save=file)
    assert f"the game is in {file}" in said
    assert Game.from_text(file.read_text()).moves == "4151"
    sit("4 4 5 5 6 6 7 n", save=file)
    result = Game.from_text(file.read_text()).result
    assert result is not None
    assert (result.score, result.reason) == ("1-0", "connect")
    (tmp_path / "file").write_text("")
    said = sit("4 5 q", save=tmp_path / "file" / "game.c4n")
    assert said.count("the game cannot be saved") == 1


def test_a_preview_without_arrows() -> None:
    assert "column 4: the disc would fall on d3" in sit("4 4 4? q")
    assert "column 4 is full" in sit("4 4 4 4 4 4 4? q")


def test_hints_come_in_three_stages() -> None:
    said = sit("h h h q")
    assert "hint: Few open lines run through a1 and g1. Where do the most run?" in said
    assert "hint: Play column 4: it keeps the win." in said
    assert "hint: Column 3 wins in 2 moves." in sit("hint hint hint q", load="4455")


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """What is typed into the standard input of a command line."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_play_command(
    keyboard: Callable[[str], None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    saved = tmp_path / "claimeven" / "saved" / "1.c4n"
    keyboard("4\n4\nq\n")
    assert (
        cli.run(
            [
                "play",
                "--terminal",
                "--agent",
                "level:9",
                "--seed",
                "3",
                "--limit",
                "1000n",
                "--first",
                "agent",
            ]
        )
        == 0
    )
    said = capsys.readouterr().out
    assert "x (level:9) plays 4" in said
    game = Game.from_text(saved.read_text())
    assert [player.spec for player in game.players] == ["level:9", ""]
    keyboard("q\n")
    assert cli.run(["play", "--resume"]) == 0  # the agent sits down again
    assert "saved as game 1: claimeven play --resume 1 goes on\n" in capsys.readouterr().out
    assert [player.spec for player in Game.from_text(saved.read_text()).players] == ["level:9", ""]


def test_a_saved_game_starts_no_programs(
    keyboard: Callable[[str], None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Who loads a game must not run what somebody wrote into it."""
    file = tmp_path / "evil.c4n"
    spec = f"process:command=touch {tmp_path}/owned"
    file.write_text(f'[Second "friend"]\n[SecondKind "agent"]\n[SecondSpec "{spec}"]\n\n1. d1 *\n')
    keyboard("3\nq\n")
    assert cli.run(["play", "--terminal", "--load", str(file)]) == 0
    assert "saved as game 1" in capsys.readouterr().out
    assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--agent", "nobody"], "there is no agent 'nobody'"),
        (["--first", "you"], "--first is me, agent or random, not 'you'"),
        (["--first", "agent"], "--first agent needs --agent"),
        (["--agent", "first", "--agent", "first", "--agent", "first"], "a game has two players"),
        (["--agent", "first", "--limit", "soon"], "a limit is written"),
        (["--pie", "--load", "44"], "at most one disc, not with 2"),
    ],
)
def test_play_refuses(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["play", "--terminal", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "words"),
    [("", "it is no file"), ("file/game.c4n", "file exists"), ("file/deep/game.c4n", "not a directory")],
)
def test_what_cannot_be_saved_is_told_before_the_game(
    path: str, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    assert cli.run(["play", "--terminal", "--save", str(tmp_path / path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"claimeven: the game cannot be saved in {tmp_path / path}: {words}\n")


def test_a_game_is_not_begun_over_an_older_one_before_the_first_move(
    keyboard: Callable[[str], None], tmp_path: Path
) -> None:
    saved = tmp_path / "game.c4n"
    saved.write_text("as it was")
    keyboard("q\n")
    assert cli.run(["play", "--terminal", "--save", str(saved)]) == 0
    assert saved.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [saved]


def test_every_game_has_its_own_place(
    keyboard: Callable[[str], None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert cli.run(["games"]) == 0
    assert capsys.readouterr().out.startswith("no game is saved yet")
    keyboard("1\n2\n1\n2\n1\n2\n1\ny\n4\n4\nq\n")  # a game to its end, and another one
    assert cli.run(["play", "--terminal"]) == 0
    assert "saved as game 2: claimeven play --resume 2 goes on\n" in capsys.readouterr().out
    assert cli.run(["games"]) == 0
    newest, older = capsys.readouterr().out.splitlines()
    assert newest.split()[0] == "2"
    assert newest.endswith("7x6x4  a person – a person, 2 moves, x to move")
    assert older.endswith("7 moves, 1-0")
    assert cli.run(["games", "--json", "--count", "1"]) == 0
    assert '"moves": "44"' in capsys.readouterr().out
    keyboard("5\nq\n")
    assert cli.run(["play", "--resume", "2"]) == 0
    assert Game.from_text((tmp_path / "claimeven" / "saved" / "2.c4n").read_text()).moves == "445"
    assert Game.from_text((tmp_path / "claimeven" / "saved" / "1.c4n").read_text()).moves == "1212121"
    os.utime(tmp_path / "claimeven" / "saved" / "1.c4n", (2e9, 2e9))  # as if it had been played last
    capsys.readouterr()
    assert cli.run(["games"]) == 0
    assert capsys.readouterr().out.split()[0] == "1"
    assert len(list((tmp_path / "claimeven" / "saved").iterdir())) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--resume"], "no saved game is left to go on with: claimeven play --terminal begins one"),
        (["--resume", "7"], "there is no saved game 7: claimeven games lists them"),
        (["--resume", "x"], "a saved game has a number, not 'x': claimeven games lists them"),
        (["7"], "to go on with a saved game: claimeven play --resume 7"),
        (
            ["--resume", "--agent", "level:3"],
            "--resume goes on with the players of the saved game: leave out --agent and --first",
        ),
        (["--terminal", "--load", "/nowhere/at-all"], "/nowhere/at-all: no such file"),
        (["--resume", "--load", "44"], "--resume knows where the game is: leave out --load and --save"),
    ],
)
def test_resume_refuses(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert cli.run(["play", *arguments]) == 2
    assert capsys.readouterr().err == f"claimeven: {words}\n"


# In a real terminal ------------------------------------------------------------------------------


def test_in_a_real_terminal() -> None:
    screen = Screen("play", "--terminal")
    screen.until("● to move, column 1-7")
    screen.type("4\r")
    screen.until("○ to move, column 1-7")
    screen.type("9\r")  # a slip typed as a line drops nothing
    screen.until("'9' is no column")
    screen.type("m\r")
    screen.until("moves: 4\r\n")
    screen.type("q\r")
    screen.until("saved as game 1: claimeven play --resume 1 goes on")
    assert screen.leave() == 0


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_ctrl_c_and_ctrl_d_in_a_real_terminal(key: str, code: int) -> None:
    screen = Screen("play", "--terminal", "--board", "4x4")
    screen.until("quit): ")
    time.sleep(0.3)  # people are slower than the moment between the prompt and the reading
    screen.type(key)
    assert screen.leave() == code


def test_colours_only_in_a_terminal() -> None:
    screen = Screen("show", "4")
    screen.until("\x1b[1;31m●")
    assert screen.leave() == 0
    result = subprocess.run([sys.executable, "-m", "claimeven", "show", "4"], capture_output=True, check=True)
    assert b"\x1b" not in result.stdout


def test_arrows_move_the_disc_and_enter_drops_it() -> None:
    screen = Screen("play", "--terminal", "--agent", "first")
    screen.until("Left and right move the disc")
    screen.until("● to move, column 1-7")
    screen.type("\x1b[C\x1b[C")  # from column 4 to column 6
    screen.until("◌")
    screen.type("\r")
    screen.until("○ (first) plays 1 in ")
    screen.until("● to move")
    screen.type("m")
    screen.until("moves: 61")
    screen.type("h")
    screen.until("hint: ")
    screen.type("q")
    screen.until("saved as game 1: claimeven play --resume 1 goes on")
    assert screen.leave() == 0


def test_a_plain_terminal_types_lines() -> None:
    screen = Screen("play", "--terminal", TERM="dumb")
    screen.until("● to move, column 1-7")
    screen.type("4\n")
    screen.until("○ to move")
    screen.type("q\n")
    assert screen.leave() == 0


def test_keys_at_once_after_the_end_too() -> None:
    screen = Screen("play", "--terminal", "--board", "2x2x2")
    for _ in range(3):
        screen.until("quit): ")
        screen.type("\r")
    screen.until("wins with")
    screen.until("again? ")
    screen.type("n")  # no Enter
    screen.until("saved as game 1")
    assert screen.leave() == 0


def test_keys_at_once_in_puzzles() -> None:
    screen = Screen("puzzle", "--seed", "3", "--theme", "fork")
    screen.until("to move and win in")
    screen.until("): ")
    screen.type("h")
    screen.until("): ")
    screen.type("q")
    assert screen.leave() == 0


def test_somebody_who_waits_sees_who_thinks() -> None:
    arguments = "--agent perfect --board 9x9 --limit 3s --first agent"
    screen = Screen("play", "--terminal", *arguments.split())
    screen.until("● (perfect) is thinking… 1 s")
    assert screen.seen().count("9 · · · · · · · · ·") == 1  # the board, meanwhile
    screen.until("● (perfect) plays ")
    screen.until("○ to move, column 1-9")
    assert "thinking" not in screen.seen()
    screen.type("q")
    assert screen.leave() == 0


def test_the_disc_is_called_as_it_is_drawn() -> None:
    assert Screen("show", "4").end().endswith("\n○ to move")
    assert Screen("show", "4", LANG="C", PYTHONIOENCODING="ascii").end().endswith("\no to move")
