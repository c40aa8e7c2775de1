"""How far a run has come, on the standard error: a bar in a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TextIO

Progress = Callable[[int, int], None]  # called with the items done so far and the items in all

SECONDS_BETWEEN_LINES = 30


class Bar:
    """A `Progress` for one thing after the other; a context manager.

    with Bar() as bar:
        results = list(run(..., progress=bar.of("solving")))
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._bars: Any = None  # rich.progress.Progress, in a terminal

    def __enter__(self) -> Self:
        if self._stream.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
            self._bars = Progress(
                *columns,
                TimeRemainingColumn(),
                console=Console(file=self._stream),
                redirect_stdout=False,  # results go where they belong
                redirect_stderr=False,
            )
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def of(self, what: str) -> Progress:
        return self._bar(what) if self._bars is not None else self._lines(what)

    def _bar(self, what: str) -> Progress:
        task: Any = None

        def show(done: int, total: int) -> None:
            nonlocal task
            if task is None:  # what was done before this run says nothing of its speed
                task = self._bars.add_task(what, total=total, completed=done)
            else:
                self._bars.update(task, completed=done)

        return show

    def _lines(self, what: str) -> Progress:
        begun: tuple[float, int] | None = None
        last = 0.0

        def show(done: int, total: int) -> None:
            nonlocal begun, last
            now = time.monotonic()
            if begun is None:
                begun = now, done
                last = now
            if done < total and now - last < SECONDS_BETWEEN_LINES:
                return
            last = now
            seconds, newly = now - begun[0], done - begun[1]
            line = f"{what}: {done} of {total}"
            if newly and done < total:
                line += f", about {_duration(seconds / newly * (total - done))} left"
            print(line, file=self._stream, flush=True)

        return show


def _duration(seconds: float) -> str:
    """In words, roughly.

    >>> _duration(8), _duration(100), _duration(7000)
    ('8 seconds', '2 minutes', '1.9 hours')
    """
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"
