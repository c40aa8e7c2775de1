"""The terminal game: scripted people at the table, and once a real terminal."""

import fcntl
import io
import os
import pty
import subprocess
import sys
import termios
import time
from collections.abc import Callable

import pytest
from rich.console import Console

from claimeven import terminal
from claimeven.game import Game
from claimeven.position import Board, Position

Golden = Callable[[str, str], None]


def sit(answers: str, board: str = "7x6x4", load: str = "", discs: bool = False) -> str:
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

    console = Console(file=out, force_terminal=discs, color_system="standard" if discs else None)
    terminal.Table(Game.parse(load, Board.parse(board)), console, ask).sit()
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
    assert said.endswith("go on with: claimeven play --board 7x6x4 --load 1\n")


def test_undo_after_the_end_goes_on() -> None:
    said = sit("4 4 5 5 6 6 7 u 1 q")
    assert said.endswith("--load 4455661\n")


def test_again_starts_anew() -> None:
    said = sit("1 2 1 y 2 q", board="2x2x2")
    assert said.endswith("--load 2\n")


def test_the_end_of_input_leaves() -> None:
    assert sit("").endswith(": \n")
    assert sit("4").endswith("go on with: claimeven play --board 7x6x4 --load 4\n")


def test_ctrl_c_leaves() -> None:
    with pytest.raises(KeyboardInterrupt):
        sit("4 ^C")


def test_letters_are_columns_on_wide_boards() -> None:
    said = sit("m q r u moves quit", board="35x1x4")
    assert "column 1-z (undo, redo, moves, ? help, quit): " in said
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


class Screen:
    """`claimeven play` in a terminal of its own."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        self.fd, other = pty.openpty()
        self.child = subprocess.Popen(
            [sys.executable, "-m", "claimeven", *arguments],
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env=os.environ | {"TERM": "xterm-256color", "LANG": "C.UTF-8"} | variables,
        )
        os.close(other)
        self.text = ""

    def until(self, words: str) -> None:
        while words not in self.text:
            self.text += os.read(self.fd, 4096).decode()
        self.text = self.text[self.text.index(words) + len(words) :]

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def leave(self) -> int:
        try:
            return self.child.wait(timeout=20)
        finally:
            self.child.kill()
            self.child.wait()
            os.close(self.fd)


def test_in_a_real_terminal() -> None:
    screen = Screen("play")
    screen.until("● x to move, column 1-7")
    screen.type("4\r")
    screen.until("○ o to move, column 1-7")
    screen.type("q\r")
    screen.until("go on with: claimeven play --board 7x6x4 --load 4")
    assert screen.leave() == 0


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_ctrl_c_and_ctrl_d_in_a_real_terminal(key: str, code: int) -> None:
    screen = Screen("play", "--board", "4x4")
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
