"""Solves that take long: they can be stopped, or killed, and go on another day from a file."""

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.solver.exact import Analysis, Bounds, Progress, Solver

SLICE = 2.0  # seconds after which what is proved is told; a search that goes on finds its place in no time
BETWEEN_SAVES = 40.0  # seconds, with the time that a save takes: whatever happens, less than a minute is lost
LEAST_SHARE = 0.25  # of them: so much is searched between saves that take longer

# What is proved so far of a position, or of what follows its column.
Told = Callable[[int | None, Bounds], None]


class SavingSolver(Solver):
    """A solver of one board whose work outlives it. A context manager: what was learned is saved at its end,
    however that comes, and now and then before.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with SavingSolver(Path(folder) / "6x4", Board(6, 4), book=False) as solver:
    ...         first = solver.score(Position(Board(6, 4)))
    ...     with SavingSolver(Path(folder) / "6x4", Board(6, 4), book=False) as solver:
    ...         again = solver.solve(Position(Board(6, 4)))
    >>> str(first), again.low, again.nodes
    ('loses in 12 moves', -1, 2)
    """

    def __init__(
        self, path: Path, board: Board, threads: int = 1, megabytes: int = 256, book: bool = True
    ) -> None:
        super().__init__(threads, megabytes, book)
        self.board = board
        self.told: Told | None = None
        self._column: int | None = None
        self.turn_to(path)
        self.write()  # hours may pass until there is much to write: better to know now if it cannot be

    def turn_to(self, path: Path) -> None:
        """Save there from now on. What is there already takes the place of what was learned."""
        self.path = path
        # Of all sittings.
        self.nodes, self.seconds = self.load(path, self.board) if path.exists() else (0, 0.0)
        self._saved, self._pause = time.monotonic(), BETWEEN_SAVES

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.write()

    def write(self) -> None:
        begun = time.monotonic()
        self.save(self.path, self.board, nodes=self.nodes, seconds=self.seconds)
        self._saved = time.monotonic()
        # A kill during the next save loses what was searched since this one, and the time that it takes.
        self._pause = max(BETWEEN_SAVES - (self._saved - begun), LEAST_SHARE * BETWEEN_SAVES)

    def solve(
        self,
        position: Position,
        limit: Limit | None = None,
        progress: Progress | None = None,
        *,
        only_outcome: bool = False,
    ) -> Bounds:
        """As any solver does, in slices. Of limits only seconds and stop are heard."""
        if position.board != self.board:
            raise InputError("solver.saved_board", path=self.path, board=self.board)
        limit = limit or Limit()
        end = None if limit.seconds is None else time.monotonic() + limit.seconds
        searched = 0
        while True:
            start = time.monotonic()
            seconds = SLICE if end is None else max(min(SLICE, end - start), 0.001)
            found = super().solve(
                position, Limit(seconds=seconds, stop=limit.stop), progress, only_outcome=only_outcome
            )
            now = time.monotonic()
            searched += found.nodes
            self.nodes += found.nodes
            self.seconds += now - start
            bounds = Bounds(found.low, found.high, searched)
            if self.told is not None:
                self.told(self._column, bounds)
            is_known = found.low == found.high or (only_outcome and (found.low > 0 or found.high < 0))
            is_stopped = limit.stop is not None and limit.stop.is_set()
            if is_known or is_stopped or (end is not None and now >= end):
                return bounds
            if now - self._saved >= self._pause:
                self.write()

    def analyse(
        self, position: Position, limit: Limit | None = None, progress: Progress | None = None
    ) -> Analysis:
        """Column after column. When a limit comes first, `bounds` are those of what was reached."""
        limit = limit or Limit()
        end = None if limit.seconds is None else time.monotonic() + limit.seconds
        for column in () if position.is_over else position.legal:
            left = None if end is None else max(end - time.monotonic(), 0.001)
            self._column = column
            self.solve(position.play(column), Limit(seconds=left, stop=limit.stop), progress)
        self._column = None
        left = None if end is None else max(end - time.monotonic(), 1.0)  # the table knows what was reached
        return super().analyse(position, Limit(seconds=left, stop=limit.stop), progress)
