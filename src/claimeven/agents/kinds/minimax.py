"""Alpha-beta to a limited depth, with the evaluator and the presets of weights.py. The search is native."""

import math
import random
import time
from dataclasses import replace

from claimeven import _core
from claimeven.agents.agent import NO_LIMIT, Remade, open_columns
from claimeven.agents.choice import Choice, Effort, Opinion
from claimeven.agents.kind import Kind, Values
from claimeven.agents.kinds.weights import DEFAULT_PRESET, OPTIONS, PRESETS, SCALE, Evaluation, evaluation_of
from claimeven.agents.option import switch, whole, word
from claimeven.limit import Limit
from claimeven.notation import column_digit
from claimeven.position import Board, Position

DEFAULT_DEPTH = 8
MEGABYTES = 64
EVEN = 0.0  # what its evaluators give a position that favours nobody


class MinimaxAgent(Remade):
    """Wins as soon and loses as late as possible; among equal columns it takes the nearest to the centre."""

    def __init__(
        self,
        name: str = "minimax",
        seed: int | None = None,
        *,
        evaluation: Evaluation = PRESETS[DEFAULT_PRESET],
        depth: int | None = None,
        depth_by_width: bool = False,
        ties: str = "center",
        values: bool = False,
        megabytes: int = MEGABYTES,
    ) -> None:
        self.name = name
        self._random = random.Random(seed)
        self.evaluation = evaluation
        self._weights = evaluation.native()
        self._depth = depth
        self._depth_by_width = depth_by_width
        self._ties = ties
        self._values = values
        self._megabytes = megabytes

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        columns = open_columns(position)
        result = search(
            position,
            self._weights,
            self._depth_on(position.board, limit),
            limit,
            all_exact=self._values,
            megabytes=self._megabytes,
        )
        best = result.columns[0]
        ties = [c.column for c in result.columns if c.is_exact and c.value == best.value] or [best.column]
        chances = [1.0] if self._ties == "center" else _chances(position, ties)
        shares = {c: chance / sum(chances) for c, chance in zip(ties, chances, strict=False)}
        column = ties[0] if len(shares) == 1 else self._random.choices(ties, chances)[0]
        opinions, effort, text = seen_by(result, column, position)
        weights = dict.fromkeys(columns, 0.0) | shares
        return Choice(column, weights, opinions, effort, text=text, even=EVEN)

    def expected(self, position: Position, choice: Choice, limit: Limit = NO_LIMIT) -> tuple[int, ...] | None:
        """The line that gave a choice of its own its value; None where the limit is too short to find it.

        The search keeps no line. It is found by searching again, one ply less each time, judged the same way.
        """
        line, after, weights = [choice.column], position.play(choice.column), self.evaluation
        end = None if limit.seconds is None else time.monotonic() + limit.seconds
        for depth in range((choice.effort.depth or 0) - 1, 0, -1):
            if after.is_over:
                break
            weights = weights.swapped()
            left = limit if end is None else replace(limit, seconds=max(end - time.monotonic(), 0.001))
            found = search(after, weights.native(), depth, left, all_exact=False, megabytes=self._megabytes)
            if found.depth < min(depth, after.board.cells - after.ply):
                return None
            line.append(found.columns[0].column)
            after = after.play(line[-1])
        return tuple(line)

    def _depth_on(self, board: Board, limit: Limit) -> int:
        depth = self._depth
        if depth is None and self._depth_by_width:
            depth = depth_by_width(board.columns)
        if depth is None and limit.depth is None:
            # Given time or nodes, it uses them up.
            depth = board.cells if limit.seconds or limit.nodes else DEFAULT_DEPTH
        return min(depth or board.cells, limit.depth or board.cells)


def search(
    position: Position, weights: _core.Weights, depth: int, limit: Limit, *, all_exact: bool, megabytes: float
) -> _core.MinimaxResult:
    board = position.board
    return _core.minimax(
        board.columns,
        board.rows,
        board.reach,
        position.mine,
        position.mask,
        weights=weights,
        depth=depth,
        all_exact=all_exact,
        megabytes=megabytes,
        nodes=limit.nodes,
        seconds=limit.seconds,
        stop=limit.stop,
    )


def depth_by_width(columns: int) -> int:
    """System D's rule: the wider the board, the less deep; 4 at width 7."""
    return int(9 / math.log(columns)) if columns > 1 else 9


def _chances(position: Position, columns: list[int]) -> list[float]:
    """System D's rule for equal columns: by the number of safe replies; none where a reply wins."""
    chances = []
    for column in columns:
        after = position.play(column)
        hands_over = any(after.play(reply).winner is not None for reply in after.legal)
        chances.append(0.0 if hands_over else float(max(len(after.legal), 1)))
    return chances if any(chances) else [1.0] * len(columns)


def plies_to_end(value: int, ply: int) -> int | None:
    """In how many plies a proven value ends the game; None when the value is not proven."""
    return None if abs(value) <= _core.MAX_VALUE else _core.WIN - abs(value) - ply


def seen_by(
    result: _core.MinimaxResult, column: int, position: Position
) -> tuple[tuple[Opinion, ...], Effort, str]:
    """What a search found out about the columns, what it cost, and a sentence about the chosen one."""
    opinions = tuple(
        _opinion(found, position) for found in sorted(result.columns, key=lambda found: found.column)
    )
    effort = Effort(result.depth, result.nodes, seconds=result.seconds, table_hits=result.hits)
    chosen = next(opinion for opinion in opinions if opinion.column == column)
    return opinions, effort, _text(chosen, result.depth)


def _opinion(found: _core.Column, position: Position) -> Opinion:
    """Values are exact at the depth of the search, or bounds: then the column is worse than the best."""
    plies = plies_to_end(found.value, position.ply)
    if plies is not None:
        ends = plies if found.value > 0 else -plies
        return Opinion(found.column, ends=ends if found.is_exact else None)
    value = found.value / SCALE
    return Opinion(found.column, value=value) if found.is_exact else Opinion(found.column, at_most=value)


def _text(chosen: Opinion, depth: int) -> str:
    if chosen.ends is None:
        worth = "" if chosen.value is None else f", worth {chosen.value:g}"
        return f"looking {depth} plies ahead, column {column_digit(chosen.column)} is best{worth}"
    moves = (abs(chosen.ends) + 1) // 2
    count = f"{moves} move{'s' if moves > 1 else ''}"
    return f"I win in {count} at the latest" if chosen.ends > 0 else f"I lose in {count} against best play"


def _make(name: str, seed: int | None, values: Values) -> MinimaxAgent:
    names = ("depth", "depth_by_width", "ties", "values", "megabytes")
    return MinimaxAgent(name, seed, evaluation=evaluation_of(values), **{key: values[key] for key in names})


KIND = Kind(
    "minimax",
    "alpha-beta to a limited depth",
    _make,
    (
        whole("depth", None, f"plies to look ahead; {DEFAULT_DEPTH} when nothing else limits it", 1, 128),
        switch("depth_by_width", "int(9 / ln(columns)) plies"),
        word(
            "ties",
            "center",
            "which of equal columns: nearest to the centre, or by safe replies",
            ("center", "random"),
        ),
        switch("values", "the exact value of every column (slower)"),
        whole("megabytes", MEGABYTES, "of the transposition table", 1, 1 << 14),
        *OPTIONS,
    ),
    variants=tuple(f"preset={name}" for name in PRESETS if name not in (DEFAULT_PRESET, "a-source")),
)
