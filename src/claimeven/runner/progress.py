"""How far work has come, on the standard error: a line in a terminal, another one now and then elsewhere."""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, TextIO

from claimeven.runner.bottom_row import BottomRow, can_overwrite, columns_of

Progress = Callable[[int, int], None]  # called with the items done so far and the items in all
Count = Callable[[int], None]  # called with what was counted so far

SECONDS_BETWEEN_LINES = 30  # where nobody watches
WIDEST_BAR = 40


class Bar:
    """The only display of progress; a context manager. Whatever is printed meanwhile stays whole.

    with Bar() as bar:
        results = list(run(..., progress=bar.of("solving")))

    `only_watched`: nothing is said where there is no terminal.
    """

    def __init__(self, stream: TextIO | None = None, *, only_watched: bool = False) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._row = BottomRow(self._stream) if can_overwrite(self._stream) else None
        self._is_mute = only_watched and self._row is None
        self._begun = self._last = time.monotonic()

    def __enter__(self) -> Self:
        if self._row is not None:
            self._row.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._row is not None:
            self._row.stop()

    def of(self, what: str) -> Progress:
        """For work of which the end is known."""
        begun: tuple[float, int] | None = None

        def show(done: int, total: int) -> None:
            nonlocal begun
            if begun is None:  # what was done before this run says nothing of its speed
                begun = time.monotonic(), done
                self._last = begun[0]
            start, before = begun

            def left() -> float | None:
                speed = (done - before) / max(time.monotonic() - start, 1e-9)
                return (total - done) / speed if speed and done < total else None

            if self._row is not None:
                self._row.text = lambda: self._drawn(what, done, total, left())
            else:
                self._print(lambda: _line(what, done, total, left()), is_last=done >= total)

        return show

    def count(self, unit: str, before: str = "") -> Count:
        """For work of which nobody knows the end: only where it is watched."""

        def show(number: int) -> None:
            self.watch(lambda seconds: f"{before}{number:,} {unit}, {seconds:.0f} seconds")

        return show

    def watch(self, text: Callable[[float], str]) -> None:
        """Any other text, in a terminal only; it is told the seconds since the beginning."""
        if self._row is not None:
            self._row.text = lambda: text(time.monotonic() - self._begun)

    def tell(self, text: Callable[[float], str]) -> None:
        """The same, now and then elsewhere, too."""
        self.watch(text)
        if self._row is None:
            self._print(lambda: text(time.monotonic() - self._begun))

    def _print(self, text: Callable[[], str], *, is_last: bool = False) -> None:
        now = time.monotonic()
        if not self._is_mute and (is_last or now - self._last >= SECONDS_BETWEEN_LINES):
            self._last = now
            print(text(), file=self._stream, flush=True)

    def _drawn(self, what: str, done: int, total: int, left: float | None) -> str:
        after = f" {done:,} of {total:,}" + (f", {duration(left)} left" if left is not None else "")
        width = min(WIDEST_BAR, columns_of(self._stream) - len(what) - len(after) - 2)
        filled = round(width * done / max(total, 1))
        full, empty = "━─" if (self._stream.encoding or "").lower().startswith("utf") else "#."
        bar = f" {full * filled}{empty * (width - filled)}" if width > 3 else ""
        return f"{what}{bar}{after}"


def _line(what: str, done: int, total: int, left: float | None) -> str:
    return f"{what}: {done} of {total}" + (f", about {duration(left)} left" if left is not None else "")


def duration(seconds: float) -> str:
    """Roughly.

    >>> duration(8), duration(100), duration(7000)
    ('8 s', '2 min', '1.9 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
