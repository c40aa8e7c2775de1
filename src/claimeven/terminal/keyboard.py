"""One key at a time: a disc waits above the board, arrows and digits move it, Enter drops it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from claimeven import notation
from claimeven.position import Position
from claimeven.terminal.board import disc_text, has_discs, paints

KEYS = {
    "\x1b[D": "left",
    "\x1bOD": "left",
    "\x1b[C": "right",
    "\x1bOC": "right",
    "\x1b[B": "drop",
    "\x1bOB": "drop",
    "\r": "enter",
    "\n": "enter",
    " ": "drop",
    "\x04": "end",
}


def can_press() -> bool:
    is_terminal = os.name == "posix" and sys.stdin.isatty() and sys.stdout.isatty()
    return is_terminal and os.environ.get("TERM", "dumb") != "dumb"


def press(prompt: str, keys: str) -> str:
    """One of these keys, at once; it is shown like something typed."""
    print(prompt, end="", flush=True)
    with single_keys():
        while True:
            key = read_key()
            if key == "end":
                raise EOFError
            if key == "enter":
                key = "\n"
            if len(key) == 1 and key in keys:
                print(key.strip())
                return key.strip()


def can_pick(console: Console, position: Position) -> bool:
    """Whether keys can be read one by one and the board fits the screen.

    On boards with ten columns and more, letters are columns and commands are words: they are typed as lines.
    """
    return (
        has_discs(console)
        and can_press()
        and position.board.columns <= 9
        and console.width > 2 * position.board.columns + 4
        and console.height > position.board.rows + 6
    )


def pick(
    position: Position, console: Console, prompt: str, commands: str, *, after_word: bool = False
) -> str:
    """Let a person choose: the digit of a column, or one of the command letters.

    Who types lines ends everything with Enter: after a word that was no move (`after_word`) it drops nothing.

    The board and the prompt are drawn again after every key, and taken off the screen in the end.
    """
    legal = position.legal
    column = position.board.central(legal)
    shown = 0
    try:
        with single_keys():
            while True:
                shown = _draw(position, column, console, prompt, shown)
                key = read_key()
                if key == "end":
                    raise EOFError
                if key == "drop" or (key == "enter" and not after_word):
                    return notation.column_digit(column)
                after_word = False
                if key in ("left", "right"):
                    column = _next(legal, column, -1 if key == "left" else 1)
                elif len(key) == 1 and key in commands:
                    return key
                elif len(key) == 1 and key in map(notation.column_digit, range(position.board.columns)):
                    wanted = notation.parse_column(key, position.board.columns)
                    if wanted not in legal:
                        return key  # the table says why not
                    column = wanted
                elif len(key) == 1 and key.isprintable():
                    return key  # here, too
    finally:
        erase(console, shown)


def _next(legal: tuple[int, ...], column: int, step: int) -> int:
    """The next open column, around the edge if need be."""
    return legal[(legal.index(column) + step) % len(legal)]


def _draw(position: Position, column: int, console: Console, prompt: str, shown: int) -> int:
    """Draw over the `shown` lines above; how many there are now."""
    text = f"\n{disc_text(position, column, colours=paints(console))}\n{prompt}"
    erase(console, shown)
    console.file.write(text)
    console.file.flush()
    return text.count("\n") + len(text.rpartition("\n")[2]) // console.width  # the prompt may take several


def erase(console: Console, lines: int) -> None:
    if lines:
        console.file.write(f"\r\x1b[{lines}A\x1b[J")
        console.file.flush()


@contextmanager
def single_keys() -> Iterator[None]:
    """Keys come without waiting for Enter, and are not shown. Ctrl-C stays what it is."""
    import termios
    import tty

    settings = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, settings)


def read_key() -> str:
    """A character in lower case, or the name of a key; unknown keys are ""."""
    key = os.read(sys.stdin.fileno(), 1).decode(errors="replace")
    if key == "":
        raise EOFError
    if key == "\x1b":
        key += os.read(sys.stdin.fileno(), 2).decode(errors="replace")
        return KEYS.get(key, "")
    return KEYS.get(key, key.lower())
