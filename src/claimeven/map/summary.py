"""How much there is to learn: the nodes by ply, how few plans close most leaves, and for what reasons."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from claimeven.board import Board
from claimeven.map.argued.argument import How, argued
from claimeven.map.plan import Plan, upright
from claimeven.map.reason import WHYS, Why, reason
from claimeven.map.stones import Stones
from claimeven.map.walk import Map
from claimeven.runner import Progress, run

STEPS = (1, 2, 5)  # times powers of ten: the points of the curve
AT_ONCE = 20  # leaves whose reasons are found by one task


@dataclass(frozen=True)
class Summary:
    nodes: int
    leaves: int
    plans: int  # different ones, mirror images counted once
    columns: int  # that inner nodes name: to be known by heart
    by_ply: dict[int, tuple[int, int]]  # inner nodes and leaves
    by_rules: dict[int, int]  # leaves by the rules of their plans
    curve: dict[int, int]  # so many of the most frequent plans close so many leaves

    def to_json(self) -> dict[str, object]:
        return asdict(self)

    def lines(self) -> list[str]:
        """For people."""
        rules = sum(count * number for count, number in self.by_rules.items())
        return [
            f"{self.nodes} nodes: {self.nodes - self.leaves} inner ones that name {self.columns} columns, "
            f"{self.leaves} leaves",
            f"{self.plans} different plans, {rules / max(1, self.leaves):.1f} rules in the plan of a leaf",
            "leaves by rules: " + _listed(self.by_rules),
            "inner nodes and leaves by discs: "
            + ", ".join(f"{ply}: {inner}+{leaves}" for ply, (inner, leaves) in self.by_ply.items()),
            "the most frequent plans close: "
            + ", ".join(f"{plans}: {_percent(closed, self.leaves)}" for plans, closed in self.curve.items()),
        ]


def summary(found: Map) -> Summary:
    board, leaves = found.board, found.leaves
    often = Counter(upright(board, plan) for plan in leaves.values())
    inner = {stones: node for stones, node in found.nodes.items() if not isinstance(node, Plan)}
    plies = Counter(stones.mask.bit_count() for stones in inner)
    ends = Counter(stones.mask.bit_count() for stones in leaves)
    return Summary(
        nodes=len(found.nodes),
        leaves=len(leaves),
        plans=len(often),
        columns=sum(len(node) for node in inner.values()),
        by_ply={ply: (plies[ply], ends[ply]) for ply in sorted(plies | ends)},
        by_rules=dict(sorted(Counter(len(plan) for plan in leaves.values()).items())),
        curve=_curve([count for _, count in often.most_common()]),
    )


def _curve(counts: list[int]) -> dict[int, int]:
    points = {step * 10**power for power in range(7) for step in STEPS}
    return {k: sum(counts[:k]) for k in sorted({*(k for k in points if k < len(counts)), len(counts)})}


def _listed(counts: dict[int, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in counts.items())


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / max(1, whole):.0f} %"


# Reasons -----------------------------------------------------------------------------------------------


Kinds = dict[Stones, tuple[Why, How | None]]


def kinds_of(found: Map, workers: int = 1, progress: Progress | None = None) -> Kinds:
    """By leaf, in the order of the file, the kinds of its reason and of its argument, if it has one.

    It takes a while."""
    leaves = [(stones, node) for stones, node in found.walk() if isinstance(node, Plan)]
    items = [(str(found.board), stones, plan) for stones, plan in leaves]
    results = run(_kind, items, workers=workers, per_shard=AT_ONCE, progress=progress)
    return dict(zip((stones for stones, _ in leaves), results, strict=True))


def _kind(item: tuple[str, Stones, Plan], _seed: int) -> tuple[Why, How | None]:
    board, stones, plan = Board.parse(item[0]), item[1], item[2]
    seen = reason(board, stones, plan)
    argument = argued(board, stones, plan, seen)
    return seen.why, None if argument is None else argument.how


def written_whys(kinds: Kinds) -> str:
    """A digit for each leaf: its reason."""
    return "".join(str(WHYS.index(why)) for why, _ in kinds.values()) + "\n"


def read_whys(found: Map, text: str) -> dict[Stones, Why]:
    """The same again."""
    leaves: Iterator[Stones] = (stones for stones, node in found.walk() if isinstance(node, Plan))
    return dict(zip(leaves, (WHYS[int(digit)] for digit in text.strip()), strict=True))
