"""The bottom row of a terminal: written over itself, while all that is printed stands whole above it."""

import os
import sys
import threading
from collections.abc import Callable
from typing import Any, TextIO

PATIENCE = 0.4  # seconds before anything is shown: what is quick needs no word
PAUSE = 0.1  # seconds between two looks

_WIPE = "\r\x1b[K"


class BottomRow:
    """Shows `text()` again and again, in a thread of its own, until it is stopped.

    Meanwhile standard output and error, where they are terminals, wipe this row before they write: what
    is printed never shares its place with it, whoever prints it.
    """

    def __init__(self, stream: TextIO) -> None:
        self.text: Callable[[], str] = str  # nothing yet
        self._stream = stream
        self._lock = threading.RLock()
        self._is_shown = False
        self._is_over = threading.Event()
        self._unfinished: set[int] = set()  # streams that stand in the middle of a line
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._streams = sys.stdout, sys.stderr

    def start(self) -> None:
        self._streams = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = (
            _Above(stream, self) if stream.isatty() else stream for stream in self._streams
        )
        self._thread.start()

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join()
        self._wipe()
        sys.stdout, sys.stderr = self._streams

    def write_above(self, stream: TextIO, text: str) -> int:
        with self._lock:
            self._wipe()
            if text:
                (self._unfinished.discard if text.endswith("\n") else self._unfinished.add)(id(stream))
            return stream.write(text)

    def _watch(self) -> None:
        pause = PATIENCE
        while not self._is_over.wait(pause):
            pause = PAUSE
            with self._lock:
                if not self._unfinished:
                    self._show(self.text())

    def _show(self, text: str) -> None:
        if text:
            # Never wider than the terminal: what it breaks into two lines could not be wiped.
            self._stream.write(f"\r{text[: columns_of(self._stream) - 1]}\x1b[K")
            self._stream.flush()
            self._is_shown = True

    def _wipe(self) -> None:
        with self._lock:
            if self._is_shown:
                self._stream.write(_WIPE)
                self._stream.flush()
                self._is_shown = False


class _Above:
    """A stream whose text goes above the row."""

    def __init__(self, stream: TextIO, row: BottomRow) -> None:
        self._stream, self._row = stream, row

    def write(self, text: str) -> int:
        return self._row.write_above(self._stream, text)

    def writelines(self, texts: Any) -> None:
        self.write("".join(texts))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def can_overwrite(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def columns_of(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
