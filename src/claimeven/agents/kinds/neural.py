"""A player from a network that learned exact scores (docs/neural.md): alone, with a little search or PUCT."""

import struct
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from claimeven import _core
from claimeven.agents.agent import NO_LIMIT, Remade, open_columns, sure
from claimeven.agents.choice import Choice, Effort, Opinion, TreeUse
from claimeven.agents.kind import Kind, Values
from claimeven.agents.kinds.mcts import opinion_of
from claimeven.agents.kinds.minimax import MinimaxAgent
from claimeven.agents.kinds.network import SHIPPED, network_of, shipped_path
from claimeven.agents.option import decimal, rest, whole, word
from claimeven.errors import InputError, SpecError
from claimeven.limit import Limit
from claimeven.notation import column_digit
from claimeven.position import Position

MOST_DEPTH = 4
MOST_SIMULATIONS = 1_000_000  # of which each may keep a position, 200 bytes
EXPLORATION = 1.0


class NeuralAgent(Remade):
    """Takes the column that its network wants most; with a depth, the one that is worth most after so many
    plies; with simulations, the one that a tree search guided by the network tried most. On other boards than
    7x6x4 minimax answers for it."""

    is_symmetric = True  # a mirror image gets the mirrored answer, bit by bit

    def __init__(
        self,
        name: str = "neural",
        path: Path | None = None,
        *,
        depth: int = 0,
        simulations: int = 0,
        exploration: float = EXPLORATION,
    ) -> None:
        self.name = name
        path = shipped_path("best") if path is None else path
        about = path.stat()
        self._network = _read(path.resolve(), about.st_size, about.st_mtime_ns)
        self._depth = depth
        self._simulations, self._exploration = simulations, exploration
        self._substitute = MinimaxAgent()

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        legal = open_columns(position)
        if not position.board.is_standard:
            return self._substitute.choose(position, limit)
        if self._simulations:
            return self._searched(position, limit)
        depth = self._depth if limit.depth is None else min(self._depth, limit.depth)
        words = struct.pack("<Q", position.mine), struct.pack("<Q", position.mask)
        views = list(struct.iter_unpack("<5f", self._network.views(*words)))
        values: Sequence[float]
        effort = Effort()
        if depth:
            found = self._network.search(
                position.mine,
                position.mask,
                depth=depth,
                nodes=limit.nodes,
                seconds=limit.seconds,
                stop=limit.stop,
            )
            values, effort = found.values, Effort(depth=found.depth, nodes=found.nodes)
        else:
            values = struct.unpack("<7f", self._network.wishes(*words))
        column = max(legal, key=lambda c: values[c])
        opinions = tuple(Opinion(c, value=round(views[c][1] + views[c][2] / 2, 4)) for c in legal)
        _, win, draw, loss, _ = views[column]
        text = f"column {column_digit(column)}: {win:.1%} win, {draw:.1%} draw, {loss:.1%} loss, I guess"
        return sure(column, position, opinions, effort, text)

    def _searched(self, position: Position, limit: Limit) -> Choice:
        found = self._network.puct(
            position.mine,
            position.mask,
            exploration=self._exploration,
            simulations=min(self._simulations, limit.nodes or self._simulations),
            seconds=limit.seconds,
            stop=limit.stop,
        )
        opinions = tuple(map(opinion_of, found.columns))
        chosen = next(opinion for opinion in opinions if opinion.column == found.best)
        name = f"column {column_digit(found.best)}"
        if chosen.proven is not None:
            text = f"{name} is proven: {chosen.proven}"
        else:
            points = f"{chosen.value or 0.0:.1%} of the points"
            text = f"of {found.simulations} lines {chosen.visits} began with {name}; I expect {points}"
        tree = TreeUse(found.nodes, found.depth, reused=0, is_full=False)
        effort = Effort(playouts=found.simulations, seconds=found.seconds, tree=tree)
        return sure(found.best, position, opinions, effort, text)

    def choices(self, mine: bytes, mask: bytes) -> bytes:
        """Its columns in many positions of 7x6x4: arrays of words in, a byte each out."""
        return self._network.choices(mine, mask, self._depth, self._simulations, self._exploration)


@lru_cache(maxsize=4)
def _read(path: Path, _size: int, _changed: int) -> _core.Network:
    return network_of(path)


def _make(name: str, _seed: int | None, values: Values) -> NeuralAgent:
    if values["depth"] and values["simulations"]:
        raise SpecError("agent.two_searches")
    path = Path(values["file"]) if values["file"] else shipped_path(values["network"])
    try:
        return NeuralAgent(
            name,
            path,
            depth=values["depth"],
            simulations=values["simulations"],
            exploration=values["exploration"],
        )
    except FileNotFoundError:
        raise SpecError("agent.network_file", file=f"{values['file']!r:.200}") from None
    except InputError as error:
        raise SpecError("agent.network", cause=error) from None


KIND = Kind(
    "neural",
    "a network that learned exact scores; off 7x6 minimax",
    _make,
    (
        word("network", "best", "which of the networks of this package", SHIPPED),
        whole("depth", 0, "plies to look ahead; 0 is the network alone", 0, MOST_DEPTH),
        whole("simulations", 0, "lines of a tree search (PUCT); 0 is without", 0, MOST_SIMULATIONS),
        decimal("exploration", EXPLORATION, "constant of PUCT, for values from -1 to 1", 0, 100),
        rest("file", "another network; made by claimeven train network", ""),
    ),
    variants=("network=tiny", "depth=2", "simulations=100"),
)
