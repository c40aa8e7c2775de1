"""The solver under one limit for a whole explanation, not for every question anew."""

import time

from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.solver import Analysis, Score, Solver, score_of


class OutOfTimeError(Exception):
    """The limit came before the answer; whoever asked says less then."""


class Judge:
    """Exact answers, or OutOfTimeError. Seconds count from now on; nodes and depth are for each question."""

    def __init__(self, solver: Solver, limit: Limit | None = None) -> None:
        self._solver, self._limit = solver, limit
        seconds = None if limit is None else limit.seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds

    def analyse(self, position: Position) -> Analysis:
        """Every column of a position."""
        if self._limit is None:
            return self._solver.analyse(position)
        found = self._solver.analyse(position, self._left())
        if not found.is_complete:
            raise OutOfTimeError
        return found

    def score(self, position: Position) -> Score:
        if self._limit is None:
            return self._solver.score(position)
        low, high, _ = self._solver.solve(position, self._left())
        if low != high:
            raise OutOfTimeError
        return score_of(low, position.board.cells, position.ply)

    def check(self) -> None:
        """To be called now and then by whoever works without the solver."""
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise OutOfTimeError
        if self._limit is not None and self._limit.stop is not None and self._limit.stop.is_set():
            raise OutOfTimeError

    def _left(self) -> Limit:
        self.check()
        assert self._limit is not None
        if self._deadline is None:
            return self._limit
        left = max(self._deadline - time.monotonic(), 0.001)
        return Limit(left, self._limit.nodes, self._limit.depth, self._limit.stop)
