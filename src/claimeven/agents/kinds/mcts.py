"""Monte Carlo tree search: one native UCT with every extra as an option."""

import random
import threading
from functools import partial

from claimeven import _core
from claimeven.agents.agent import NO_LIMIT, Remade, open_columns, sure
from claimeven.agents.choice import Choice, Effort, Opinion, Outcome, ReplyUse, TableUse, TreeUse
from claimeven.agents.kind import Kind
from claimeven.agents.kinds.rules import blocks, wins
from claimeven.agents.option import decimal, switch, whole, word
from claimeven.limit import Limit
from claimeven.notation import column_digit
from claimeven.position import Board, Position

SIMULATIONS = 100_000
OUTCOMES: dict[int, Outcome] = {1: "win", 0: "draw", -1: "loss"}


class MctsAgent(Remade):
    """A win at hand is taken and a lone threat met before anything is searched."""

    def __init__(
        self,
        name: str = "mcts",
        seed: int | None = None,
        *,
        simulations: int | None = None,
        exploration: float = 0.7,
        tt: bool = False,
        table: int = 1 << 20,
        lgr: int = 0,
        forget: bool = False,
        solver: bool = False,
        decisive: bool = False,
        reuse: bool = False,
        final: str = "visits",
        megabytes: int = 256,
    ) -> None:
        self.name = name
        self._random = random.Random(seed)
        self._simulations = simulations
        self._final = final
        self._plant = partial(
            _core.Mcts,
            exploration=exploration,
            replies=lgr,
            forgets=forget,
            solver=solver,
            decisive=decisive,
            reuses=reuse,
            tree_megabytes=megabytes,
            table_entries=table if tt else 0,
        )
        self._reuses = reuse
        self._lock = threading.Lock()  # of the one tree that is kept between moves
        self._kept: tuple[Board, _core.Mcts] | None = None

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        legal = open_columns(position)
        at_hand = wins(position, legal)
        forced = at_hand or blocks(position, legal)
        if forced or len(legal) == 1:
            column = forced[0] if forced else legal[0]
            rule, text = (
                "win" if at_hand else "block" if forced else "only",
                "there is nothing to think about",
            )
            return sure(column, position, effort=Effort(playouts=0), text=text, rule=rule)
        result = self._search(position, limit)
        column = self._best(result.columns, position.board)
        opinions = tuple(map(opinion_of, sorted(result.columns, key=lambda found: found.column)))
        text = _text(opinions, column, result.simulations)
        return sure(column, position, opinions, _effort(result), text)

    def _search(self, position: Position, limit: Limit) -> _core.MctsResult:
        simulations = self._simulations
        if simulations is None and not (limit.seconds or limit.nodes):
            simulations = SIMULATIONS
        if limit.nodes is not None:
            simulations = min(simulations or limit.nodes, limit.nodes)
        seed = self._random.getrandbits(64)
        if not self._reuses:
            return self._run(self._tree(position.board), position, simulations, limit, seed)
        with self._lock:
            if self._kept is None or self._kept[0] != position.board:
                self._kept = position.board, self._tree(position.board)
            return self._run(self._kept[1], position, simulations, limit, seed)

    def _tree(self, board: Board) -> _core.Mcts:
        return self._plant(board.columns, board.rows, board.reach)

    def _run(
        self, tree: _core.Mcts, position: Position, simulations: int | None, limit: Limit, seed: int
    ) -> _core.MctsResult:
        return tree.run(
            position.mine,
            position.mask,
            seed=seed,
            depth=limit.depth or position.board.cells,
            simulations=simulations,
            seconds=limit.seconds,
            stop=limit.stop,
        )

    def _best(self, columns: list[_core.MctsColumn], board: Board) -> int:
        """A proven win; else by visits or by mean, proven losses last, a proven draw if the rest is worse."""

        def rank(found: _core.MctsColumn) -> tuple[float, ...]:
            by = (found.mean, found.visits) if self._final == "mean" else (found.visits, found.mean)
            return (found.proven or 0, found.visits > 0, *by, -board.from_centre.index(found.column))

        draws = [found for found in columns if found.proven == 0]
        others = [found for found in columns if found.proven != 0]
        best = max(others or draws, key=rank)
        if draws and (best.proven == -1 or (best.proven is None and best.mean < 0.5)):
            best = max(draws, key=rank)
        return best.column


def opinion_of(found: _core.MctsColumn) -> Opinion:
    return Opinion(
        found.column,
        proven=None if found.proven is None else OUTCOMES[found.proven],
        value=found.mean if found.visits else None,  # share of points, from 0 to 1
        visits=found.visits,
    )


def _effort(result: _core.MctsResult) -> Effort:
    table = TableUse(result.lookups, result.hits, result.replaced) if result.lookups else None
    replies = {n: ReplyUse(asked, played) for n, (asked, played) in enumerate(result.replies) if asked}
    tree = TreeUse(result.nodes, result.depth, result.reused, result.is_full, table, replies)
    return Effort(playouts=result.simulations, seconds=result.seconds, tree=tree)


def _text(opinions: tuple[Opinion, ...], column: int, playouts: int) -> str:
    chosen = next(opinion for opinion in opinions if opinion.column == column)
    name = f"column {column_digit(column)}"
    if chosen.proven is not None:
        return f"{name} is proven: {chosen.proven}"
    points = f"{chosen.value or 0.0:.0%} of the points"
    return f"of {playouts} playouts, {chosen.visits} went through {name} and brought {points}"


KIND = Kind(
    "mcts",
    "Monte Carlo tree search (UCT)",
    lambda name, seed, values: MctsAgent(name, seed, **values),
    (
        whole("simulations", None, f"playouts; {SIMULATIONS} when nothing else limits it", 1, 2_000_000_000),
        decimal("exploration", 0.7, "constant of UCB1, for values from 0 to 1", 0, 100),
        switch("tt", "share positions that several lines reach"),
        whole("table", 1 << 20, "positions in the transposition table", 1, 1 << 30),
        whole("lgr", 0, "last good replies to the last 1 to 3 moves; 0: none", 0, 3),
        switch("forget", "good replies that lost"),
        switch("solver", "prove wins, draws and losses in the tree"),
        switch("decisive", "playouts complete and stop lines"),
        switch("reuse", "keep the tree between the moves of a game"),
        word(
            "final", "visits", "choose the column with most visits, or with the best mean", ("visits", "mean")
        ),
        whole("megabytes", 256, "the tree stops growing there", 1, 1 << 14),
    ),
    shorthands={"hybrid": {"tt": True, "lgr": 2}},
    variants=("tt", "lgr=1", "lgr=2", "hybrid", "solver,decisive"),
)
