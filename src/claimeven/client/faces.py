"""Two ways to sit at a terminal: line by line, or with a picture that stays where it is."""

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console

from claimeven import notation
from claimeven.position import Position
from claimeven.terminal import disc_text, draw, paints
from claimeven.terminal.keyboard import KEYS, can_pick, single_keys


class Face(Protocol):
    """What a visit needs of a terminal."""

    waits: bool  # words are read only when they can be of use: somebody has written them all in advance
    is_picture: bool

    def say(self, text: str) -> None:
        """A line that stays."""

    def show(self, position: Position, lines: list[str], prompt: str, is_turn: bool) -> None:
        """The board as it is now, what there is to know, and what may be typed."""

    def ask(self, prompt: str) -> None:
        """Show what may be typed."""

    async def typed(self) -> str:
        """The next word; EOFError when there is none."""


class Lines:
    """Plain text, read and written line by line."""

    is_picture = False

    def __init__(self, console: Console, fd: int | None = None) -> None:
        self.console = console
        self._fd = sys.stdin.fileno() if fd is None else fd
        self.waits = not os.isatty(self._fd)
        self._at_prompt = False
        self._words: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()

    def say(self, text: str) -> None:
        if self._at_prompt:
            self.console.out("")
            self._at_prompt = False
        self.console.out(text, highlight=False)

    def show(self, position: Position, lines: list[str], prompt: str, is_turn: bool) -> None:
        self.say("")
        draw(position, self.console)
        for line in lines:
            self.say(line)

    def ask(self, prompt: str) -> None:
        if not self._at_prompt and not self.waits:
            self.console.out(prompt, end="", highlight=False)
            self.console.file.flush()
            self._at_prompt = True

    async def typed(self) -> str:
        word = await self._words.get()
        if word is None:
            self._words.put_nowait(None)
            raise EOFError
        self._at_prompt = False
        return word.strip().lower()

    def _read(self) -> None:
        """In a thread of its own, past Python's buffers: they would be locked when the process ends."""
        rest = b""
        while data := _some(self._fd):
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                self._put(line)
        if rest:
            self._put(rest)
        self._put(None)

    def _put(self, line: bytes | None) -> None:
        word = None if line is None else line.decode(errors="replace")
        try:
            self._loop.call_soon_threadsafe(self._words.put_nowait, word)
        except RuntimeError:  # the visit is over
            return


def _some(fd: int) -> bytes:
    try:
        return os.read(fd, 4096)
    except OSError:
        return b""


class Keys:
    """One key at a time; the board is drawn again in its place."""

    waits = False
    is_picture = True

    def __init__(self, console: Console) -> None:
        self.console = console
        self.hover: int | None = None
        self._shown = 0
        self._view: tuple[Position, list[str], str, bool] | None = None
        self._keys: asyncio.Queue[str] = asyncio.Queue()

    @contextmanager
    def open(self) -> Iterator[None]:
        loop, fd = asyncio.get_running_loop(), sys.stdin.fileno()
        with single_keys():
            loop.add_reader(fd, self._read, fd)
            try:
                yield
            finally:
                loop.remove_reader(fd)
                if self._shown:
                    self.console.out("")

    def say(self, text: str) -> None:
        self._erase()
        self.console.out(text, highlight=False)
        self._draw()

    def show(self, position: Position, lines: list[str], prompt: str, is_turn: bool) -> None:
        self._view = position, lines, prompt, is_turn
        self._erase()
        self._draw()

    def ask(self, prompt: str) -> None:
        if self._view is not None:
            self.show(*self._view[:2], prompt, self._view[3])

    async def typed(self) -> str:
        """A command, or the column over which Enter was pressed."""
        while True:
            key = await self._keys.get()
            if key == "end":
                raise EOFError
            position, is_turn = (None, False) if self._view is None else (self._view[0], self._view[3])
            if position is None or not is_turn:
                if len(key) == 1:
                    return key
                continue
            digits = [notation.column_digit(column) for column in range(position.board.columns)]
            hover = self._hover(position)
            if key in ("drop", "enter"):
                return digits[hover]
            legal = position.legal
            if key in ("left", "right"):
                step = 1 if key == "right" else -1
                self.hover = legal[(legal.index(hover) + step) % len(legal)]
            elif key in digits:
                if digits.index(key) not in legal:
                    return key  # the server's words say why not
                self.hover = digits.index(key)
            elif len(key) == 1:
                return key
            self._erase()
            self._draw()

    def _hover(self, position: Position) -> int:
        middle = position.board.columns // 2 if self.hover is None else self.hover
        return min(position.legal, key=lambda column: abs(column - middle))

    def _read(self, fd: int) -> None:
        text = os.read(fd, 64).decode(errors="replace") or "\x04"
        while text:
            size = 3 if text[0] == "\x1b" else 1
            key, text = text[:size], text[size:]
            self._keys.put_nowait(KEYS.get(key, key.lower()))

    def _draw(self) -> None:
        if self._view is None:
            return
        position, lines, prompt, is_turn = self._view
        hover = self._hover(position) if is_turn else None
        board = disc_text(position, hover, colours=paints(self.console))  # it fits: see can_pick
        self.console.file.write("\n".join(["", board, *lines, prompt]))
        self.console.file.flush()
        rows = [1 + max(0, len(row) - 1) // self.console.width for row in (*lines, prompt)]
        self._shown = board.count("\n") + 1 + sum(rows)

    def _erase(self) -> None:
        if self._shown:
            self.console.file.write(f"\r\x1b[{self._shown}A\x1b[J")
            self.console.file.flush()
            self._shown = 0


def has_keys(console: Console, position: Position) -> bool:
    return can_pick(console, position) and console.height > position.board.rows + 10
