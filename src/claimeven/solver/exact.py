"""Exact analysis: the score of any position on any board, and of every column."""

import operator
import time
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex, cast, overload

from claimeven import _core
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Board, Position, all_needed, needed
from claimeven.solver.opening import book_of, open_book
from claimeven.solver.score import Outcome, Score, outcome_of, score_of

if TYPE_CHECKING:
    from claimeven.arrays import Values, Words

Progress = Callable[[int], None]  # called now and then with the nodes searched so far


@dataclass(frozen=True)
class Analysis:
    """What the solver found out about a position. Columns count from 0.

    Everything is exact unless a limit stopped it; then `score` is None, `scores` has the columns that are
    exact, and `bounds` holds for every column.
    """

    position: Position
    score: Score | None
    scores: Mapping[int, Score]  # of playing each column, for the side to move
    bounds: Mapping[int, tuple[int, int]]  # (low, high) values of playing each column
    best: tuple[int, ...]  # the columns that keep the score
    line: tuple[int, ...]  # best play of both sides to the end of the game
    nodes: int
    seconds: float = field(compare=False)

    @property
    def is_exact(self) -> bool:
        return self.score is not None

    @property
    def is_complete(self) -> bool:
        """Every column is exact, not only the score."""
        return self.score is not None and len(self.scores) == len(self.position.legal)

    def _repr_html_(self) -> str:
        return self._repr_svg_()

    def _repr_svg_(self) -> str:
        # For notebooks only: the position with the value of every column.
        from claimeven.overlay import Overlay, overlay_svg

        return overlay_svg(self.position, Overlay(scores=self.scores))


class Bounds(NamedTuple):
    """Two values between which a score lies, and the nodes it took to know."""

    low: int
    high: int
    nodes: int


class Solver:
    """Exact scores. It keeps what it has learned, so related positions come quicker; the answers never
    depend on that.

    >>> solver = Solver()
    >>> solver.score(Position.parse("4453"))
    Score(value=-2, moves=18)
    """

    def __init__(
        self,
        threads: SupportsIndex = 1,
        megabytes: SupportsIndex = 256,
        book: bool | str | Path | None = True,
    ) -> None:
        """`book`: with the books of this package and this user (True), with that of a file, or without."""
        self.threads, self.megabytes = _whole(threads, "threads"), _whole(megabytes, "megabytes")
        self.book = book
        self._board: Board | None = None  # of the last question
        self._looked: set[Board] = set()  # those whose books were looked for
        opened = None
        if isinstance(book, str | Path):
            opened = open_book(Path(book))
        elif book is not None and not isinstance(book, bool):
            raise InputError("book.form", book=f"{book!r:.60}")
        try:
            self._native = _core.Solver(threads=self.threads, megabytes=self.megabytes, book=opened)
        except ValueError as error:
            raise InputError("solver.size", reason=str(error)) from None

    def __reduce__(self) -> tuple[type["Solver"], tuple[int, int, bool | str | Path | None]]:
        # What it has learned stays here: a copy answers the same, and learns anew.
        return Solver, (self.threads, self.megabytes, self.book)

    def _turn_to(self, board: Board) -> None:
        """Have the book of a board at hand."""
        self._board = board
        if self.book is True and board not in self._looked:
            self._looked.add(board)
            found = book_of(board)
            if found is not None:
                self._native.add_book(found)

    def score(self, position: Position) -> Score:
        """The exact score; Ctrl-C interrupts."""
        given = self._given(position)
        board = position.board
        return score_of(self._native.score(*given), board.columns * board.rows, position.mask.bit_count())

    def outcome(self, position: Position) -> Outcome:
        """ "win", "draw" or "loss" for the side to move: cheaper than the score."""
        low, high, _ = self.solve(position, only_outcome=True)
        return outcome_of(low if low > 0 else high)

    def solve(
        self,
        position: Position,
        limit: Limit | None = None,
        progress: Progress | None = None,
        *,
        only_outcome: bool = False,
    ) -> Bounds:
        """What is known of the score: everything, unless the limit came first or only the outcome counts."""
        limit = _within(limit)
        low, high, nodes = self._native.solve(
            *self._given(position),
            only_outcome=only_outcome,
            nodes=limit.nodes,
            seconds=limit.seconds,
            depth=limit.depth,
            stop=limit.stop,
            progress=progress,
        )
        return Bounds(low, high, nodes)

    @overload  # first the array: what it iterates over is Any, so it would pass for positions, too
    def scores(
        self, positions: "Words", progress: Progress | None = None, *, board: Board | None = None
    ) -> "Values": ...
    @overload
    def scores(
        self, positions: Iterable[Position], progress: Progress | None = None, *, board: Board | None = None
    ) -> list[Score]: ...
    def scores(
        self,
        positions: "Iterable[Position] | Words",
        progress: Progress | None = None,
        *,
        board: Board | None = None,
    ) -> "list[Score] | Values":
        """The exact scores of many positions, on all threads.

        An array of words (arrays.py) of positions of one `board` gives an array of values: no Position and no
        Score is made.
        """
        if hasattr(positions, "__array_interface__"):
            return self._word_scores(cast("Words", positions), board or Board(), progress)
        positions = all_needed(positions)
        groups = _groups(positions)
        if len(groups) == 1:
            return self._group_scores(*groups.popitem(), progress)
        scores = {kind: iter(self._group_scores(kind, members, progress)) for kind, members in groups.items()}
        return [next(scores[position.board, position.moves is not None]) for position in positions]

    def _word_scores(self, words: "Words", board: Board, progress: Progress | None) -> "Values":
        import numpy as np

        from claimeven.arrays import halves, positions_of

        mine, mask = halves(words, board)
        self._turn_to(board)
        try:
            values = self._native.scores(
                board.columns,
                board.rows,
                board.reach,
                mine.tobytes(),
                mask.tobytes(),
                only_outcome=False,
                reached=False,
                progress=progress,
            )
        except ValueError:
            positions_of(words, board)  # says which of them is no position
            raise
        return np.frombuffer(values, np.int8)

    def reached_values(
        self, mine: "Words", mask: "Words", board: Board, *, only_outcome: bool = False
    ) -> "Values":
        """The values of positions that play has led to, unchecked for that; with `only_outcome` their signs
        are exact and nothing else. For boards of at most 64 bits, in millions."""
        import numpy as np

        self._turn_to(board)
        values = self._native.scores(
            board.columns,
            board.rows,
            board.reach,
            mine.astype("<u8", copy=False).tobytes(),
            mask.astype("<u8", copy=False).tobytes(),
            only_outcome=only_outcome,
            reached=True,
            progress=None,
        )
        return np.frombuffer(values, np.int8)

    def reached_signs(self, board: Board, mine: list[int], mask: list[int]) -> list[int]:
        """1, 0 or -1 for the side to move of positions that play has led to, unchecked for that."""
        values = self.reached_scores(board, mine, mask, only_outcome=True)
        return [(value > 0) - (value < 0) for value in values]

    def reached_scores(
        self, board: Board, mine: list[int], mask: list[int], *, only_outcome: bool = False
    ) -> list[int]:
        """Scores for the side to move; with `only_outcome` only their signs are exact."""
        self._turn_to(board)
        values = self._native.scores(
            board.columns,
            board.rows,
            board.reach,
            words(board, mine),
            words(board, mask),
            only_outcome=only_outcome,
            reached=True,
            progress=None,
        )
        return list(memoryview(values).cast("b"))

    def reached_plan(
        self, board: Board, mine: int, mask: int, *, draw_is_enough: bool, budget: int, tries: int
    ) -> tuple[list[int], list[tuple[int, int]], list[int]] | None:
        """A plan of the side not to move, in a position that play has led to; `claimeven.map` reads it."""
        self._turn_to(board)
        return self._native.plan(
            board.columns,
            board.rows,
            board.reach,
            mine,
            mask,
            draw_is_enough=draw_is_enough,
            budget=budget,
            tries=tries,
        )

    def joined_plan(
        self,
        board: Board,
        mine: list[int],
        mask: list[int],
        plan: tuple[list[int], list[tuple[int, int]], list[int]],
        *,
        most: int,
        draw_is_enough: bool,
        budget: int,
        tries: int,
    ) -> tuple[list[int], list[tuple[int, int]], list[int]] | None:
        """A plan of at most so many rules for all these positions, near to one for all but the last."""
        self._turn_to(board)
        return self._native.joined_plan(
            board.columns,
            board.rows,
            board.reach,
            words(board, mine),
            words(board, mask),
            plan,
            most=most,
            draw_is_enough=draw_is_enough,
            budget=budget,
            tries=tries,
        )

    def _group_scores(
        self, kind: tuple[Board, bool], positions: list[Position], progress: Progress | None
    ) -> list[Score]:
        board, reached = kind
        self._turn_to(board)
        masks = [position.mask for position in positions]
        values = self._native.scores(
            board.columns,
            board.rows,
            board.reach,
            words(board, [position.mine for position in positions]),
            words(board, masks),
            only_outcome=False,
            reached=reached,
            progress=progress,
        )
        kinds = zip(map(int.bit_count, masks), memoryview(values).cast("b"), strict=True)
        return list(map(_Scores(board.cells).__getitem__, kinds))

    def analyse(
        self, position: Position, limit: Limit | None = None, progress: Progress | None = None
    ) -> Analysis:
        """Every column, the best ones, and a line of best play; sound bounds when a limit comes first."""
        start = time.perf_counter()
        limit = _within(limit)
        columns, line, nodes = self._native.analyse(
            *self._given(position),
            nodes=limit.nodes,
            seconds=limit.seconds,
            depth=limit.depth,
            stop=limit.stop,
            progress=progress,
        )
        cells, ply = position.board.cells, position.ply
        bounds = {column: (lower, upper) for column, lower, upper in columns}
        # A column's value is that of a mover who has this stone still to play: counted from this position.
        scores = {c: score_of(low, cells, ply) for c, (low, high) in bounds.items() if low == high}
        score: Score | None
        if not columns:
            score = self.score(position)
        else:
            low = max(lower for lower, _ in bounds.values())
            high = max(upper for _, upper in bounds.values())
            score = score_of(low, cells, ply) if low == high else None
        best = () if score is None else tuple(c for c, s in scores.items() if s == score)
        seconds = time.perf_counter() - start
        return Analysis(position, score, scores, bounds, best, tuple(line), nodes, seconds)

    def line(self, position: Position, score: Score) -> tuple[int, ...]:
        """Best play of both sides from a position with this score, which must be the exact one."""
        return tuple(self._native.line(*self._given(position), score.value))

    def save(self, path: Path, board: Board, *, nodes: int = 0, seconds: float = 0.0) -> None:
        """Write what was learned on a board to a file, with what it has cost; whole, or not at all."""
        try:
            size = board.columns, board.rows, board.reach
            self._native.save(*size, str(path), nodes=nodes, seconds=seconds)
        except ValueError as error:
            raise InputError("solver.not_saved", path=path, reason=str(error)) from None

    def load(self, path: Path, board: Board) -> tuple[int, float]:
        """Know what a file knows of a board, and nothing else: the nodes and seconds that it has cost."""
        try:
            return self._native.load(board.columns, board.rows, board.reach, str(path))
        except ValueError as error:
            raise InputError("solver.saved", path=path, reason=str(error)) from None

    def _given(self, position: Position) -> tuple[int, int, int, int, int, bool]:
        """A position as the core takes it, the last: whether a game has led to it."""
        try:
            board = position.board
            if board is not self._board:
                self._turn_to(board)
            return (
                board.columns,
                board.rows,
                board.reach,
                position.mine,
                position.mask,
                position.moves is not None,
            )
        except AttributeError:
            needed(position)
            raise

    def clear(self) -> None:
        """Forget what was learned: the next call starts like the first."""
        self._native.clear()


@cache
def shared_solver() -> Solver:
    """The solver of those who do not bring their own: one for the process, so that it learns for all."""
    return Solver()


class _Scores(dict[tuple[int, int], Score]):
    """Scores by ply and value: a batch has millions of positions, and few different scores."""

    def __init__(self, cells: int) -> None:
        super().__init__()
        self._cells = cells

    def __missing__(self, key: tuple[int, int]) -> Score:
        ply, value = key
        score = self[key] = score_of(value, self._cells, ply)
        return score


def _groups(positions: list[Position]) -> dict[tuple[Board, bool], list[Position]]:
    """Positions by board, and by whether a game led to them; mostly there is one group."""
    if positions:
        board, reached = positions[0].board, positions[0].moves is not None
        if not [1 for p in positions if p.board is not board or (p.moves is not None) is not reached]:
            return {(board, reached): positions}  # told by the quickest test there is
    groups: dict[tuple[Board, bool], list[Position]] = {}
    for position in positions:
        groups.setdefault((position.board, position.moves is not None), []).append(position)
    return groups


def _within(limit: Limit | None) -> Limit:
    if limit is not None and not isinstance(limit, Limit):
        raise InputError("not_kind.parsed", kind="Limit", value=f"{limit!r:.60}")
    return limit or Limit()


def _whole(number: object, name: str) -> int:
    try:
        return operator.index(number)  # type: ignore[arg-type]  # or a TypeError
    except TypeError:
        raise InputError("not_number.size", name=name, value=f"{number!r:.60}") from None


def words(board: Board, numbers: list[int]) -> bytes:
    if board.columns * (board.rows + 1) <= 64:
        return array("Q", numbers).tobytes()
    return b"".join(number.to_bytes(16, "little") for number in numbers)


def core_build() -> str:
    """Which build of the core searches: a wheel has several (native/python/_core.py)."""
    _, _, level = _core.__name__.partition("_core_")
    return level or "of this machine"
