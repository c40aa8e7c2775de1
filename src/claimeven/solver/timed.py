"""A solver under one limit for all that is asked of it, not for every question anew."""

import time

from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.solver.exact import Analysis, Bounds, Progress, Solver
from claimeven.solver.score import Score, score_of


class OutOfTimeError(Exception):
    """The limit came before the answer; whoever asked says less then."""


class TimedSolver(Solver):
    """Exact answers, or `late` is raised. Seconds count from now on; nodes and depth are for each question.

    Who asks with a limit of his own can live with less than everything; he gets no more time than is left.
    """

    def __init__(
        self, solver: Solver, limit: Limit | None = None, late: type[Exception] = OutOfTimeError
    ) -> None:
        self.threads, self.megabytes, self.book = solver.threads, solver.megabytes, solver.book
        self._native = solver._native
        self._board, self._looked = solver._board, solver._looked
        self._solver, self._limit, self._late = solver, limit or Limit(), late
        seconds = self._limit.seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self.calls = 0
        self.watch: Progress | None = None  # told before every analysis how many there were

    def check(self) -> None:
        """To be called now and then by whoever works without the solver."""
        if self._end is not None and time.monotonic() >= self._end:
            raise self._late
        self._check_stop()

    def left(self, within: float | None = None) -> Limit:
        """What is left of the limit, or less: so many seconds."""
        limit, seconds = self._limit, within
        if self._end is not None:
            left = max(self._end - time.monotonic(), 0.001)
            seconds = left if within is None else min(left, within)
        return Limit(seconds, limit.nodes, limit.depth, limit.stop)

    def analyse(
        self, position: Position, limit: Limit | None = None, progress: Progress | None = None
    ) -> Analysis:
        if self.watch is not None:
            self.watch(self.calls)
        self.calls += 1
        if limit is None:
            self.check()
        analysis = self._solver.analyse(
            position, self.left(None if limit is None else limit.seconds), progress
        )
        self._check_stop()
        if limit is None and not analysis.is_complete:
            raise self._late
        return analysis

    def solve(
        self,
        position: Position,
        limit: Limit | None = None,
        progress: Progress | None = None,
        *,
        only_outcome: bool = False,
    ) -> Bounds:
        self._check_stop()
        within = self.left(None if limit is None else limit.seconds)
        return self._solver.solve(position, within, progress, only_outcome=only_outcome)

    def score(self, position: Position) -> Score:
        self.check()
        low, high, _ = self.solve(position)
        if low != high:
            raise self._late
        return score_of(low, position.board.cells, position.ply)

    def _check_stop(self) -> None:
        if self._limit.stop is not None and self._limit.stop.is_set():
            raise self._late
