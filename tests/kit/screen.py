"""A command in a terminal of its own, and the screen as a person sees it."""

import fcntl
import os
import pty
import select
import struct
import sys
import tempfile
import termios
import time

import pyte

from kit.forked import Forked


class Screen:
    """`claimeven …`, or any other command line, behind a pseudoterminal that `pyte` draws."""

    def __init__(
        self,
        *arguments: str,
        command: tuple[str, ...] = (sys.executable, "-m", "claimeven"),
        columns: int = 100,
        rows: int = 32,
        **variables: str,
    ) -> None:
        self.home = tempfile.TemporaryDirectory()  # games are saved below it
        known = {"XDG_STATE_HOME": self.home.name, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.fd, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.child = Forked(
            [*command, *arguments],
            stdin=other,
            stdout=other,
            stderr=other,
            terminal=True,
            env=environment | known | variables,
        )
        os.close(other)
        self.text = ""  # what was written and not waited for yet
        self.all = ""  # everything that was written
        self._screen = pyte.HistoryScreen(columns, rows, history=1000, ratio=1)
        self._stream = pyte.Stream(self._screen)

    def until(self, words: str, seconds: float = 60) -> None:
        """Wait until these characters are written."""
        end = time.monotonic() + seconds
        while words not in self.text:
            assert time.monotonic() < end, f"{words!r} was not written; the screen:\n{self.seen()}"
            self._read(1)
        self.text = self.text[self.text.index(words) + len(words) :]

    def _read(self, seconds: float) -> bool:
        """Whether there may be more."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536).decode(errors="replace")
        except OSError:  # the other end is closed
            data = ""
        self.text += data
        self.all += data
        self._stream.feed(data)
        assert data or self.child.wait(timeout=20) is not None
        return bool(data)

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def seen(self) -> str:
        """All lines, those that have gone out at the top too."""
        above = [
            "".join(line[column].data for column in range(self._screen.columns)).rstrip()
            for line in self._screen.history.top
        ]
        return "\n".join([*above, *(line.rstrip() for line in self._screen.display)]).rstrip()

    def end(self) -> str:
        """Let it come to its end; what is seen then."""
        while self._read(60):
            pass
        assert self.leave() == 0, self.seen()
        return self.seen()

    def leave(self) -> int:
        try:
            return self.child.wait(timeout=20)
        finally:
            self.child.kill()
            self.child.wait()
            os.close(self.fd)
            self.home.cleanup()
