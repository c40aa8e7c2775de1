"""The native core of claimeven."""

from collections.abc import Sequence

def close() -> None:
    """Called once, when the interpreter is about to end."""

def threats(columns: int, rows: int, connect: int, mine: int, mask: int, discs: int) -> list[int]:
    """
    The shortest win by threats alone with so many discs of the side to move (native/plan/threats.hpp).
    """

class Moves:
    """The moves of one board."""

    def __init__(self, columns: int, rows: int, connect: int, digits: str, open_columns: object) -> None: ...
    def is_four(self, stones: object) -> bool:
        """Whether these stones hold a complete four."""

    def winning_cells(self, stones: int, mask: int) -> int:
        """
        The empty cells that complete a four of `stones`, reachable or not; stones may float.
        """

    def play(self, position: object, column: object | None) -> object:
        """The position after a disc in this column; None if that is no move."""

def perft(columns: int, rows: int, connect: int, mine: int, mask: int, depth: int) -> tuple[int, int]:
    """
    Move sequences of exactly `depth` moves: (all, those whose last move wins).
    """

def count_positions(columns: int, rows: int, connect: int, last_ply: int) -> list[tuple[int, int, int, int]]:
    """
    For every ply: distinct positions (all, won, up to mirror, up to mirror with no win at hand).
    """

class Book:
    """An opening book of one board, mapped from a file."""

    def __init__(self, path: str) -> None: ...
    @property
    def version(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def connect(self) -> int: ...
    @property
    def plies(self) -> int: ...
    @property
    def positions(self) -> int: ...
    @property
    def size(self) -> int: ...
    def is_intact(self) -> bool: ...
    def scores(self, keys: bytes) -> bytes:
        """
        One signed byte per canonical key of the book; 127 where the book leaves the score out.
        """

def book_layer(columns: int, rows: int, connect: int, ply: int) -> bytes:
    """
    Canonical keys, 8 bytes each, of the positions of this ply that a book holds.
    """

def stones_of_keys(columns: int, rows: int, connect: int, keys: bytes) -> tuple[bytes, bytes]:
    """(mine, mask) of positions, as arrays of 8-byte words."""

def back_up(columns: int, rows: int, connect: int, keys: bytes, next: bytes, next_scores: bytes) -> bytes:
    """The scores of positions from those of book_layer of the next ply."""

def make_book(columns: int, rows: int, connect: int, plies: int, scores: bytes) -> bytes:
    """
    The bytes of a book, from the scores of the book_layer of its deepest ply.
    """

def plan_holds(
    columns: int,
    rows: int,
    connect: int,
    mine: int,
    mask: int,
    plan: tuple[Sequence[int], Sequence[tuple[int, int]], Sequence[int]],
    *,
    draw_is_enough: bool,
    budget: int,
) -> bool:
    """Whether a plan wins, or does not lose, against every reply."""

def shorter_plan(
    columns: int,
    rows: int,
    connect: int,
    mine: bytes,
    mask: bytes,
    plan: tuple[Sequence[int], Sequence[tuple[int, int]], Sequence[int]],
    *,
    draw_is_enough: bool,
) -> tuple[list[int], list[tuple[int, int]], list[int]]:
    """
    The same plan in fewer words, for all these positions; they are arrays of words.
    """

def first_plans(
    columns: int,
    rows: int,
    connect: int,
    mine: bytes,
    mask: bytes,
    plans: Sequence[tuple[Sequence[int], Sequence[tuple[int, int]], Sequence[int]]],
    *,
    draw_is_enough: bool,
    budget: int,
) -> list[int]:
    """Of each position the number of the first plan that holds there, or -1."""

class Guide:
    """Follows a map of 7x6x4 in many positions (native/plan/guide.hpp)."""

    def __init__(
        self,
        roots: Sequence[tuple[int, int]],
        nodes: Sequence[tuple[int, int, int, Sequence[tuple[int, int]]]],
        plans: Sequence[tuple[Sequence[int], Sequence[tuple[int, int]], Sequence[int]]],
    ) -> None: ...
    def columns(self, mine: bytes, mask: bytes) -> bytes:
        """
        The holder's column in each position, -1 off the map; positions are arrays of 64-bit words.
        """

class Solver:
    """Exact scores on any board; keeps what it has learned between calls."""

    def __init__(self, *, threads: int, megabytes: int, book: Book | None) -> None: ...
    def add_book(self, book: Book) -> None:
        """Use one more book, of any board."""

    def clear(self) -> None:
        """Forget what was learned."""

    def score(self, columns: int, rows: int, connect: int, mine: int, mask: int, reached: bool) -> int:
        """The exact score, without limits."""

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
        progress: object | None,
    ) -> tuple[int, int, int]:
        """(lower, upper, nodes): sound bounds, equal when the score is exact."""

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
        progress: object | None,
    ) -> tuple[list[tuple[int, int, int]], list[int], int]:
        """([(column, lower, upper)], line, nodes)."""

    def line(
        self, columns: int, rows: int, connect: int, mine: int, mask: int, reached: bool, score: int
    ) -> list[int]:
        """Best play of both sides; the score must be the exact one."""

    def plan(
        self,
        columns: int,
        rows: int,
        connect: int,
        mine: int,
        mask: int,
        *,
        draw_is_enough: bool,
        budget: int,
        tries: int,
    ) -> tuple[list[int], list[tuple[int, int]], list[int]] | None:
        """
        (urgent, exceptions, spare) of a plan of the side not to move (plan.hpp), cells as numbers of bits.
        """

    def joined_plan(
        self,
        columns: int,
        rows: int,
        connect: int,
        mine: bytes,
        mask: bytes,
        plan: tuple[Sequence[int], Sequence[tuple[int, int]], Sequence[int]],
        *,
        most: int,
        draw_is_enough: bool,
        budget: int,
        tries: int,
    ) -> tuple[list[int], list[tuple[int, int]], list[int]] | None:
        """
        A plan of at most so many rules for all these positions, near to one for all but the last.
        """

    def save(self, columns: int, rows: int, connect: int, path: str, nodes: int, seconds: float) -> None:
        """Write what was learned on this board to a file, with what it has cost."""

    def load(self, columns: int, rows: int, connect: int, path: str) -> tuple[int, float]:
        """
        Know what a file knows, and nothing else; (nodes, seconds) that it has cost.
        """

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
        """One signed byte per position; positions are arrays of words."""

class Weights:
    """Weights of the evaluator; pairs are (own, opponent's)."""

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
        """
        `windows` and `runs` list the weight of 1, 2, … stones, aligned so that the last is of connect - 1.
        """

class Column:
    """What minimax found of one column."""

    @property
    def column(self) -> int: ...
    @property
    def value(self) -> int: ...
    @property
    def is_exact(self) -> bool: ...

class MinimaxResult:
    """The columns, the best first, and what the search used."""

    @property
    def columns(self) -> list[Column]: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def hits(self) -> int: ...
    @property
    def seconds(self) -> float: ...

WIN: int = 2000000000

MAX_VALUE: int = 1000000000

def evaluate(
    columns: int, rows: int, connect: int, mine: int, mask: int, for_mover: bool, weights: Weights
) -> int:
    """The static value for the side to move, or for the other side."""

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
    """Alpha-beta to a depth, or as far as the limits allow."""

class MctsColumn:
    """Statistics of one column, for the side to move."""

    @property
    def column(self) -> int: ...
    @property
    def visits(self) -> int: ...
    @property
    def mean(self) -> float: ...
    @property
    def proven(self) -> int | None:
        """1 win, 0 draw, -1 loss, None unknown."""

class MctsResult:
    """The columns, and what the search used."""

    @property
    def columns(self) -> list[MctsColumn]: ...
    @property
    def simulations(self) -> int: ...
    @property
    def reused(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def is_full(self) -> bool: ...
    @property
    def lookups(self) -> int: ...
    @property
    def hits(self) -> int: ...
    @property
    def replaced(self) -> int: ...
    @property
    def replies(self) -> list[list[int]]:
        """
        By length of the context: how often a reply was asked for, and how often one was played.
        """

    @property
    def seconds(self) -> float: ...

class Mcts:
    """
    A Monte Carlo tree search on one board; not for several threads at once.
    """

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
    ) -> None: ...
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
    ) -> MctsResult: ...

class QRule:
    """How a Q-table learns (native/agents/learn.hpp)."""

    def __init__(
        self,
        *,
        negamax: bool,
        alpha: float,
        gamma: float,
        initial: float,
        win: float,
        draw: float,
        loss: float,
        epsilon: float,
        epsilon_end: float,
        half_life: float,
        openings: int,
    ) -> None: ...
    def epsilon_at(self, game: int) -> float:
        """The share of random moves in a game."""

class QTable:
    """
    A value for every column of every position met. Many may read it while nobody changes it.
    """

    def __init__(self, columns: int, rows: int, connect: int, *, mirrors: bool, most: int) -> None: ...
    @property
    def states(self) -> int: ...
    @property
    def is_full(self) -> bool: ...
    def values(self, mine: int, mask: int) -> list[float | None]:
        """The value of every column; None when it was never tried."""

    def pick(self, mine: int, mask: int, *, rule: QRule, epsilon: float, seed: int) -> int:
        """The column that a learner plays."""

    def learn(self, columns: Sequence[int], side: int, rule: QRule) -> None:
        """
        Learn from a finished game; `side` is whose moves teach, unless by negamax.
        """

    def train(
        self, *, rule: QRule, first_game: int, games: int, seed: int, other: QTable | None = None
    ) -> None:
        """
        Play games and learn from them. A game depends on its number and the seed.
        """

    def save(self) -> bytes: ...
    def load(self, bytes: bytes) -> None: ...

class PuctResult:
    """The columns, and what the search used."""

    @property
    def columns(self) -> list[MctsColumn]: ...
    @property
    def best(self) -> int: ...
    @property
    def simulations(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def seconds(self) -> float: ...

class NetworkFound:
    """What every column is worth, and what the search used."""

    @property
    def values(self) -> list[float]: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...

class Network:
    """
    A trained network on 7x6x4 (native/agents/network/network.hpp). Positions are arrays of words.
    """

    def __init__(self, *, slope: float) -> None: ...
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
        """
        Layers for positions of so many stones and more; the first from 0, before anything is asked.
        """

    def outputs(self, mine: bytes, mask: bytes) -> bytes:
        """
        What the last layer says, as 32-bit floats: [position][column][output].
        """

    def views(self, mine: bytes, mask: bytes) -> bytes:
        """
        [position][column] of five floats: how much it is wanted, chances of win, draw and loss, score.
        """

    def wishes(self, mine: bytes, mask: bytes) -> bytes:
        """
        [position][column] floats: how much the network alone wants each column.
        """

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
        """
        What each column is worth after so many plies, or as many as the limits allow, at least one.
        """

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
        """
        A tree search guided by the network, of so many simulations or as far as the limits allow.
        """

    def choices(self, mine: bytes, mask: bytes, depth: int, simulations: int, exploration: float) -> bytes:
        """
        The column that it plays in every position, a byte each; without depth and simulations: alone.
        """

class Forest:
    """
    Tree searches side by side, for self-play; not for several threads at once.
    """

    def __init__(
        self,
        columns: int,
        rows: int,
        connect: int,
        *,
        exploration: float,
        slope: float,
        simulations: int,
        threads: int,
    ) -> None: ...
    def start(self, mine: bytes, mask: bytes) -> None:
        """A tree for every position: arrays of 64-bit words."""

    def leaves(self) -> tuple[bytes, bytes]:
        """
        Positions to evaluate, mine and mask: at most one of every tree; none when all have ended.
        """

    def learn(self, wishes: bytes, values: bytes) -> None:
        """
        What is thought of the leaves: [leaf][column] 32-bit floats, logits and values from -1 to 1.
        """

    def stir(self, noise: bytes, share: float) -> None:
        """
        [tree][column]: so large a share of what is wanted at the roots becomes noise.
        """

    def found(self) -> tuple[bytes, bytes]:
        """
        [tree][column] of two floats, share of the moves and mean; the best columns, a byte each.
        """

def random_tuples(count: int, length: int, seed: int) -> list[list[int]]:
    """Walks over the board, as bits of cells."""

def random_threats(count: int, seed: int) -> list[list[int]]:
    """Tuples that see threats: 64 more than the bits of their cells."""

class NTuple:
    """
    Tables that each see a few cells of 7x6x4 (native/agents/ntuple.hpp), and learn.
    """

    def __init__(self, tuples: Sequence[Sequence[int]], stages: Sequence[int] = []) -> None: ...
    @property
    def size(self) -> int:
        """How many weights there are."""

    def weights(self) -> bytes:
        """As 32-bit floats."""

    def set_weights(self, data: bytes) -> None: ...
    def steps(self, step: float) -> bytes:
        """Rounded to multiples of that, 16 bits each."""

    def set_steps(self, data: bytes, step: float) -> None: ...
    def memory(self) -> bytes:
        """What learning goes on from, beside the weights."""

    def set_memory(self, data: bytes) -> None: ...
    def play(
        self,
        *,
        first_game: int,
        games: int,
        seed: int,
        alpha: float,
        lambda_: float,
        epsilon: float,
        openings: int,
    ) -> None:
        """Play games against itself and learn from them."""

    def learn(self, mine: bytes, mask: bytes, scores: bytes, rate: float) -> None:
        """Learn from exact scores: seven signed bytes a position, -128 for none."""

    def values(self, mine: bytes, mask: bytes, depth: int = 0) -> bytes:
        """
        [position][column] floats: what each is worth, from -1 to 1; -2 a full column.
        """

    def choices(self, mine: bytes, mask: bytes, depth: int = 0) -> bytes:
        """The column that it plays in every position, one byte each."""
