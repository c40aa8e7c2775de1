"""`claimeven._core` in a browser: the same names, answered by the engine beside it (web/engine/engine.js).

Python calls it and waits. What only training and the making of books need is not here.
"""

import weakref
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any

engine: Any = None  # what rooms.js hands over to house.start

WIN = 2_000_000_000
MAX_VALUE = 1_000_000_000
NOTHING_PROVED = 2
LOW_HALF = (1 << 64) - 1


def close() -> None:
    """Called once, when the interpreter is about to end."""


def _ask(name: str, *values: object) -> list[float]:
    """The numbers that the engine answers; what it refuses is a ValueError."""
    told = engine.ask(name, *values)
    if isinstance(told, str):
        raise ValueError(told)
    return told.to_py().tolist()  # type: ignore[no-any-return]


def _make(name: str, *values: object) -> int:
    made = engine.make(name, *values)
    if isinstance(made, str):
        raise ValueError(made)
    return int(made)


def _whole(high: float, low: float) -> int:
    return int(high) << 32 | int(low)


def _limits(nodes: int | None, seconds: float | None) -> tuple[float, float]:
    if seconds is not None and not seconds > 0:
        raise ValueError("seconds must be more than 0")
    return float(nodes or 0), seconds or 0.0


class _watched:  # noqa: N801 - used like a function
    """Lets the engine tell its progress and ask whether to stop, as long as it works."""

    def __init__(self, stop: Any, progress: Callable[[int], object] | None = None) -> None:
        self._stop, self._progress = stop, progress

    def __enter__(self) -> None:
        if self._stop is not None or self._progress is not None:
            engine.watch(self._beat)

    def __exit__(self, *_: object) -> None:
        engine.watch(None)

    def _beat(self, nodes: float) -> bool:
        if self._progress is not None:
            self._progress(int(nodes))
        return self._stop is not None and bool(self._stop.is_set())


class Moves:
    """The moves of one board. In Python: to ask the engine would take longer."""

    def __init__(self, columns: int, rows: int, connect: int, digits: str, open_columns: Any) -> None:
        self._columns, self._height, self._digits, self._open = columns, rows + 1, digits, open_columns
        self._masks = [((1 << rows) - 1) << (column * (rows + 1)) for column in range(columns)]
        self._bottom = sum(1 << (column * (rows + 1)) for column in range(columns))
        self._top, self._full = self._bottom << (rows - 1), sum(self._masks)
        self._connect, self._distances = connect, (1, rows, rows + 1, rows + 2)
        steps = []
        fits = ((1, connect <= rows), (rows, connect <= min(columns, rows)), (rows + 1, connect <= columns))
        for distance, is_possible in (*fits, (rows + 2, connect <= min(columns, rows))):
            if is_possible:
                steps.append(tuple(_doubled(distance, connect)))
        self._steps = tuple(steps)
        self._kind: type | None = None
        self._owner: Any = None
        self._puts: tuple[Callable[[Any, Any], None], ...] = ()

    def is_four(self, stones: int) -> bool:
        for shifts in self._steps:
            run = stones
            for shift in shifts:
                run &= run >> shift
            if run:
                return True
        return False

    def winning_cells(self, stones: int, mask: int) -> int:
        cells = 0
        if self._connect == 4:  # nearly always
            for one in self._distances:
                up, down, two, three = stones << one, stones >> one, 2 * one, 3 * one
                below, above = up & stones << two, down & stones >> two
                cells |= below & (stones << three | down) | above & (stones >> three | up)
            return cells & self._full & ~mask
        for distance in self._distances:  # before[i]: the i cells before this one are stones
            before, after = [-1], -1
            for _ in range(self._connect - 1):
                before.append((stones & before[-1]) << distance)
            for stretch in reversed(before):
                cells |= stretch & after
                after = (stones & after) >> distance
        return cells & self._full & ~mask

    def play(self, position: Any, column: Any) -> Any:
        legal = position.legal
        if not isinstance(column, int):
            try:
                column = column.__index__()
            except AttributeError:
                return None
        if not legal or not 0 <= column < self._columns:
            return None
        mask, mine = position.mask, position.mine
        cell = (mask + self._bottom) & self._masks[column]
        if not cell:
            return None
        if type(position) is not self._kind:
            self._learn(type(position))
        moved = mine | cell
        is_won = self.is_four(moved)
        if is_won:
            legal = ()
        elif cell & self._top:
            legal = self._open[(mask | cell) & self._top]
        moves = position.moves
        after = object.__new__(self._owner)
        told = None if moves is None else moves + self._digits[column]
        winner = mask.bit_count() % 2 if is_won else None
        values = (position.board, mine ^ mask, mask | cell, told, winner, not legal, legal)
        for put, value in zip(self._puts, values, strict=True):
            put(after, value)
        return after

    def _learn(self, kind: Any) -> None:
        """Position is frozen: its slots are written as the native core does."""
        self._kind, self._owner = kind, kind.mine.__objclass__
        names = ("board", "mine", "mask", "moves", "winner", "is_over", "legal")
        self._puts = tuple(getattr(kind, name).__set__ for name in names)


def _doubled(distance: int, connect: int) -> Iterator[int]:
    """Shifts that find a run of `connect` stones."""
    length = 1
    while length < connect:
        step = min(length, connect - length)
        yield step * distance
        length += step


def perft(columns: int, rows: int, connect: int, mine: int, mask: int, depth: int) -> tuple[int, int]:
    told = _ask("perft", columns, rows, connect, *_words(mine, mask), depth)
    return _whole(*told[:2]), _whole(*told[2:])


def threats(columns: int, rows: int, connect: int, mine: int, mask: int, discs: int) -> list[int]:
    """As native/plan/threats.hpp has it."""
    from claimeven.board import Board  # it asks this module, too

    board = Board(columns, rows, connect)
    lines = (_by_threats(board, mine, mine ^ mask, few) for few in range(1, discs + 1))
    return next(filter(None, lines), [])


def _by_threats(board: Any, ours: int, theirs: int, discs: int) -> list[int]:
    """With at most so many discs of the side to move; nothing if there is no such line."""
    mask = ours | theirs
    free = board.landings(mask)
    if now := board.winning_cells(ours, mask) & free:
        return [now & -now]
    blocks = board.winning_cells(theirs, mask) & free
    if discs <= 1 or blocks.bit_count() > 1:
        return []
    left = blocks or free
    while left:
        cell = left & -left
        left ^= cell
        free = board.landings(mask | cell)
        made = board.winning_cells(ours | cell, mask | cell) & free
        if made and not board.winning_cells(theirs, mask | cell) & free:
            block = made & -made
            if rest := _by_threats(board, ours | cell, theirs | block, discs - 1):
                return [cell, block, *rest]
    return []


def _words(mine: int, mask: int) -> tuple[int, int, int, int]:
    return mine & LOW_HALF, mine >> 64, mask & LOW_HALF, mask >> 64


class Book:
    """An opening book of one board, from a file."""

    def __init__(self, path: str) -> None:
        told = engine.book(path)
        if isinstance(told, str):
            raise ValueError(told)
        self.at, self.version, self.plies, self.positions, self.size, is_intact = map(int, told)
        self._is_intact = bool(is_intact)

    def is_intact(self) -> bool:
        return self._is_intact


class Solver:
    """Exact scores on any board; keeps what it has learned between calls."""

    def __init__(self, *, threads: int, megabytes: int, book: Book | None) -> None:
        if threads < 1:
            raise ValueError("threads must be at least 1")
        self._books = [] if book is None else [book]
        self._at = _make("solver_new", min(megabytes, 64), 0 if book is None else book.at)
        weakref.finalize(self, engine.call, "solver_delete", self._at)

    def add_book(self, book: Book) -> None:
        self._books.append(book)
        engine.call("solver_add_book", self._at, book.at)

    def clear(self) -> None:
        engine.call("solver_clear", self._at)

    def score(self, columns: int, rows: int, connect: int, mine: int, mask: int, reached: bool) -> int:
        sizes, words = (columns, rows, connect), _words(mine, mask)
        return int(_ask("solver_solve", self._at, *sizes, *words, int(reached), 0, 0.0, 0.0, -1)[1])

    def solve(
        self,
        columns: int,
        rows: int,
        connect: int,
        mine: int,
        mask: int,
        reached: bool,
        *,
        only_outcome: bool,
        nodes: int | None,
        seconds: float | None,
        depth: int | None,
        stop: object | None,
        progress: Callable[[int], object] | None,
    ) -> tuple[int, int, int]:
        place = (columns, rows, connect, *_words(mine, mask), int(reached), int(only_outcome))
        with _watched(stop, progress):
            used, low, high = _ask("solver_solve", self._at, *place, *_limits(nodes, seconds), _depth(depth))
        return int(low), int(high), int(used)

    def analyse(
        self,
        columns: int,
        rows: int,
        connect: int,
        mine: int,
        mask: int,
        reached: bool,
        *,
        nodes: int | None,
        seconds: float | None,
        depth: int | None,
        stop: object | None,
        progress: Callable[[int], object] | None,
    ) -> tuple[list[tuple[int, int, int]], list[int], int]:
        place = (columns, rows, connect, *_words(mine, mask), int(reached))
        with _watched(stop, progress):
            told = _ask("solver_analyse", self._at, *place, *_limits(nodes, seconds), _depth(depth), 1)
        used, count, *rest = map(int, told)
        bounds = [(rest[i], rest[i + 1], rest[i + 2]) for i in range(0, 3 * count, 3)]
        return bounds, rest[3 * count :], used

    def scores(
        self,
        columns: int,
        rows: int,
        connect: int,
        mine: bytes,
        mask: bytes,
        *,
        only_outcome: bool,
        reached: bool,
        progress: object | None,
    ) -> bytes:
        width = 8 if columns * (rows + 1) <= 64 else 16
        if len(mine) != len(mask) or len(mine) % width:
            raise ValueError("mine and mask must be arrays of the same length")
        found = bytearray()
        for at in range(0, len(mine), width):
            one, all_ = (int.from_bytes(words[at : at + width], "little") for words in (mine, mask))
            place = (columns, rows, connect, *_words(one, all_), int(reached), int(only_outcome))
            _, low, high = _ask("solver_solve", self._at, *place, 0.0, 0.0, -1)
            found.append(int(low if low > 0 or low == high else high) & 0xFF)
        return bytes(found)


def _depth(depth: int | None) -> int:
    if depth is not None and depth < 0:
        raise ValueError("depth must be at least 0")
    return -1 if depth is None else depth


class Weights:
    """Weights of the evaluator as a row of numbers (native/engine/numbers.hpp)."""

    def __init__(
        self,
        *,
        windows: Sequence[Sequence[int]],
        runs: Sequence[Sequence[int]],
        threats: str,
        vertical: str,
        center: Sequence[int],
        height: Sequence[int],
        drop: Sequence[int],
        drop_windows: str,
        parity: Sequence[int],
        zugzwang: Sequence[int],
        noise: float,
        miss: Sequence[float],
        seed: int,
    ) -> None:
        row: list[float] = []
        for side in (*windows, *runs):
            row += [len(side), *side]
        row += [("all", "level", "playable").index(threats), ("windows", "top").index(vertical)]
        row += [*center, *height, *drop, ("through", "start").index(drop_windows)]
        numbers = array("d", (*row, *parity, *zugzwang, noise, *miss))
        self.row = engine.row(numbers)
        self.seed = seed


class Column:
    """What minimax found of one column."""

    def __init__(self, column: float, value: float, is_exact: float) -> None:
        self.column, self.value, self.is_exact = int(column), int(value), bool(is_exact)


class MinimaxResult:
    """The columns, the best first, and what the search used."""

    def __init__(self, told: Sequence[float]) -> None:
        self.depth, self.nodes, self.hits = (int(number) for number in told[:3])
        self.seconds = told[3]
        self.columns = [Column(*told[i : i + 3]) for i in range(4, len(told), 3)]


def evaluate(
    columns: int, rows: int, connect: int, mine: int, mask: int, for_mover: bool, weights: Weights
) -> int:
    place = (columns, rows, connect, *_words(mine, mask), int(for_mover))
    return int(_ask("evaluate", *place, weights.row, weights.seed)[0])


def minimax(
    columns: int,
    rows: int,
    connect: int,
    mine: int,
    mask: int,
    *,
    weights: Weights,
    depth: int,
    all_exact: bool,
    megabytes: float,
    nodes: int | None,
    seconds: float | None,
    stop: object | None,
) -> MinimaxResult:
    place = (columns, rows, connect, *_words(mine, mask))
    how = (depth, int(all_exact), megabytes, *_limits(nodes, seconds))
    with _watched(stop):
        return MinimaxResult(_ask("minimax", *place, weights.row, weights.seed, *how))


class MctsColumn:
    """Statistics of one column, for the side to move."""

    def __init__(self, column: float, visits: float, mean: float, proven: float) -> None:
        self.column, self.visits, self.mean = int(column), int(visits), mean
        self.proven = None if proven == NOTHING_PROVED else int(proven)


class MctsResult:
    """The columns, and what the search used."""

    def __init__(self, told: Sequence[float]) -> None:
        self.simulations, self.reused, self.nodes, self.depth = (int(number) for number in told[:4])
        self.is_full = bool(told[4])
        self.lookups, self.hits, self.replaced = (int(number) for number in told[5:8])
        self.seconds = told[8]
        self.replies = [[int(told[i]), int(told[i + 1])] for i in range(9, 17, 2)]
        self.columns = [MctsColumn(*told[i : i + 4]) for i in range(17, len(told), 4)]


class Mcts:
    """A Monte Carlo tree search on one board."""

    def __init__(
        self,
        columns: int,
        rows: int,
        connect: int,
        *,
        exploration: float,
        replies: int,
        forgets: bool,
        solver: bool,
        decisive: bool,
        reuses: bool,
        tree_megabytes: float,
        table_entries: int,
    ) -> None:
        switches = (int(forgets), int(solver), int(decisive), int(reuses))
        sizes = (min(tree_megabytes, 64.0), float(min(table_entries, 1 << 20)))
        self._at = _make("mcts_new", columns, rows, connect, exploration, replies, *switches, *sizes)
        weakref.finalize(self, engine.call, "mcts_delete", self._at)

    def run(
        self,
        mine: int,
        mask: int,
        *,
        seed: int,
        depth: int,
        simulations: int | None,
        seconds: float | None,
        stop: object | None,
    ) -> MctsResult:
        limits = (seed, depth, *_limits(simulations, seconds))
        with _watched(stop):
            return MctsResult(_ask("mcts_run", self._at, *_words(mine, mask), *limits))


class PuctResult:
    """The columns, and what the search used."""

    def __init__(self, told: Sequence[float]) -> None:
        self.best, self.simulations, self.nodes, self.depth = (int(number) for number in told[:4])
        self.seconds = told[4]
        self.columns = [MctsColumn(*told[i : i + 4]) for i in range(5, len(told), 4)]


class NetworkFound:
    """What every column is worth, and what the search used."""

    def __init__(self, told: Sequence[float]) -> None:
        self.depth, self.nodes = int(told[0]), int(told[1])
        self.seconds = told[2]
        self.values = list(told[3:])


class Network:
    """A trained network on 7x6x4; what only many positions at once need is not here."""

    def __init__(self, *, slope: float) -> None:
        self._at = _make("network_new", slope)
        weakref.finalize(self, engine.call, "network_delete", self._at)

    def add(
        self,
        stones: int,
        channels: int,
        groups: int,
        blocks: int,
        is_rounded: bool,
        *,
        weigh: float,
        weights: bytes,
        ahead: float = 0.0,
    ) -> None:
        size = (channels, groups, blocks, int(is_rounded))
        _ask("network_add", self._at, stones, *size, weigh, ahead, engine.bytes(weights))

    def views(self, mine: bytes, mask: bytes) -> bytes:
        return self._of_one("network_views", mine, mask)

    def wishes(self, mine: bytes, mask: bytes) -> bytes:
        return self._of_one("network_wishes", mine, mask)

    def _of_one(self, name: str, mine: bytes, mask: bytes) -> bytes:
        words = (int.from_bytes(word, "little") for word in (mine, mask))
        return array("f", _ask(name, self._at, *words)).tobytes()

    def search(
        self,
        mine: int,
        mask: int,
        *,
        depth: int,
        nodes: int | None,
        seconds: float | None,
        stop: object | None,
    ) -> NetworkFound:
        with _watched(stop):
            limits = _limits(nodes, seconds)
            return NetworkFound(_ask("network_search", self._at, mine, mask, depth, *limits))

    def puct(
        self,
        mine: int,
        mask: int,
        *,
        exploration: float,
        simulations: int,
        seconds: float | None,
        stop: object | None,
    ) -> PuctResult:
        limits = _limits(simulations, seconds)
        with _watched(stop):
            return PuctResult(_ask("network_puct", self._at, mine, mask, exploration, *limits))


class _Absent:
    """What is trained is run elsewhere: Q-tables and n-tuples are not there in a browser."""

    def __init__(self, *_: object, **__: object) -> None:
        raise ValueError("what was trained cannot be used in a browser")


QRule = QTable = Forest = NTuple = _Absent
