"""The player that never errs: exact scores, and among equal moves the one that is hardest to answer."""

import random
import threading
import time
from collections.abc import Mapping
from dataclasses import replace

from claimeven.agents.agent import NO_LIMIT, Remade, open_columns, sure
from claimeven.agents.choice import Choice, Effort, Opinion
from claimeven.agents.kind import Kind
from claimeven.agents.kinds.minimax import EVEN, MinimaxAgent
from claimeven.agents.option import whole
from claimeven.limit import Limit
from claimeven.notation import column_digit
from claimeven.position import Position
from claimeven.solver import Analysis, Score, Solver

MEGABYTES = 64
# Off 7x6 an exact answer may take hours. Without a limit it is given this long before minimax answers.
PATIENCE = Limit(seconds=10)


class PerfectAgent(Remade):
    """Quickest win, slowest loss; then fewest good replies; then by seed. Several threads take turns."""

    def __init__(
        self, name: str = "perfect", seed: int | None = None, *, threads: int = 1, megabytes: int = MEGABYTES
    ) -> None:
        self.name = name
        self._random = random.Random(seed)
        self._solver = Solver(threads=threads, megabytes=megabytes)
        self._substitute = MinimaxAgent()
        self._lock = threading.Lock()

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        legal = open_columns(position)
        with self._lock:
            found, left = self._analyse(position, limit)
            if not found.is_exact:
                return self._unproven(position, found, left)
            columns = self._hardest(position, found, left)
        column = self._random.choice(columns)
        weights = {c: (c in columns) / len(columns) for c in legal}
        assert found.score is not None
        opinions = tuple(Opinion(c, score=score.value) for c, score in sorted(found.scores.items()))
        text = f"column {column_digit(column)}: {_promise(found.score)}"
        effort = Effort(nodes=found.nodes, seconds=found.seconds)
        return Choice(column, weights, opinions, effort, line=found.line, text=text)

    def _analyse(self, position: Position, limit: Limit) -> tuple[Analysis, Limit]:
        """The analysis, and what of the limit is left after it."""
        if not position.board.is_standard and limit.seconds is None and limit.nodes is None:
            limit = Limit(PATIENCE.seconds, depth=limit.depth, stop=limit.stop)
        start = time.monotonic()
        # A part is kept for the substitute, should the analysis not be finished.
        part = Limit(
            seconds=None if limit.seconds is None else limit.seconds * 0.7,
            nodes=None if limit.nodes is None else max(1, limit.nodes // 2),
            depth=limit.depth,
            stop=limit.stop,
        )
        found = self._solver.analyse(position, part)
        spent = time.monotonic() - start
        left = Limit(
            seconds=None if limit.seconds is None else max(limit.seconds - spent, 0.001),
            nodes=None if limit.nodes is None else max(1, limit.nodes - found.nodes),
            depth=limit.depth,
            stop=limit.stop,
        )
        return found, left

    def _hardest(self, position: Position, found: Analysis, left: Limit) -> list[int]:
        """Of the best columns those that leave the opponent the smallest share of good replies."""
        if len(found.best) == 1:
            return list(found.best)
        shares: dict[int, tuple[float, float]] = {}
        end, nodes = time.monotonic() + (left.seconds or 0), left.nodes or 0
        for parts, column in zip(range(len(found.best), 0, -1), found.best, strict=True):
            after = position.play(column)
            part = Limit(  # they share what is left: each would take all of it
                seconds=None if left.seconds is None else max((end - time.monotonic()) / parts, 0.001),
                nodes=None if left.nodes is None else max(1, nodes // parts),
                depth=left.depth,
                stop=left.stop,
            )
            replies = self._solver.analyse(after, part) if not after.is_over else None
            nodes -= replies.nodes if replies is not None else 0
            is_known = replies is not None and replies.is_complete
            # Unknown, or nothing to reply to: as if every reply were good.
            shares[column] = _good_replies(replies.scores) if replies is not None and is_known else (1.0, 1.0)
        return [column for column in found.best if shares[column] == min(shares.values())]

    def _unproven(self, position: Position, found: Analysis, left: Limit) -> Choice:
        """What the solver has ruled out is left out; minimax chooses among the rest."""
        choice = self._substitute.choose(position, left)
        opinions = tuple(replace(choice.opinion(c), bounds=found.bounds.get(c)) for c in position.legal)
        floor = max((low for low, _ in found.bounds.values()), default=0)
        is_ruled_out = found.bounds.get(choice.column, (0, 0))[1] < floor
        if not is_ruled_out:
            return replace(choice, opinions=opinions)
        column = max(found.bounds, key=lambda c: found.bounds[c])
        text = f"column {column_digit(column)} is proven to be no worse than the others"
        return sure(column, position, opinions, choice.effort, text, even=EVEN)


def _good_replies(scores: Mapping[int, Score]) -> tuple[float, float]:
    """The share of replies that keep the outcome, and of those that keep the score."""
    best = max(scores.values())
    keeping = sum(score.outcome == best.outcome for score in scores.values())
    return keeping / len(scores), sum(score == best for score in scores.values()) / len(scores)


def _promise(score: Score) -> str:
    if score.moves is None:
        return "a draw with best play"
    moves = f"{score.moves} move{'s' if score.moves > 1 else ''}"
    return f"I win in {moves}" if score.value > 0 else f"I lose in {moves} against best play"


KIND = Kind(
    "perfect",
    "exact play; off 7x6 as far as the limit allows, then minimax",
    lambda name, seed, values: PerfectAgent(name, seed, **values),
    (
        whole("threads", 1, "of the solver", 1, 64),
        whole("megabytes", MEGABYTES, "of its table", 1, 1 << 16),
    ),
)
