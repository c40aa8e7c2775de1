"""How much there is to learn: the nodes by ply, how few plans close most leaves, and for what reasons."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import NamedTuple

from claimeven.board import Board
from claimeven.map.argued.argument import How
from claimeven.map.argued.sentences import FORMS
from claimeven.map.plan import Plan, upright
from claimeven.map.reason import WHYS, Why, reason
from claimeven.map.stones import Stones, questions
from claimeven.map.told import told
from claimeven.map.walk import Goal, Map
from claimeven.position import Position
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
    apart: tuple[int, int]  # inner nodes and leaves, both sides' turns and mirror images counted apart
    curve: dict[int, int]  # so many of the most frequent plans close so many leaves

    def to_json(self) -> dict[str, object]:
        return asdict(self)

    def lines(self) -> list[str]:
        """For people."""
        rules = sum(count * number for count, number in self.by_rules.items())
        return [
            f"{self.nodes} nodes: {self.nodes - self.leaves} inner ones that name {self.columns} columns, "
            f"{self.leaves} leaves",
            f"both sides' turns and mirror images apart: {self.apart[0]} inner nodes, {self.apart[1]} leaves",
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
        apart=_apart(found, inner),
        by_rules=dict(sorted(Counter(len(plan) for plan in leaves.values()).items())),
        curve=_curve([count for _, count in often.most_common()]),
    )


def _apart(found: Map, inner: Iterable[Stones]) -> tuple[int, int]:
    """As WeakC4 counts: what the holder has to answer is a node, too, and so is every mirror image."""
    board = found.board
    asked = (Stones(now.theirs | x, now.mask | x) for now in inner for x in questions(board, now))
    first = [] if found.column is None else [found.before]  # the holder is to move there
    both = [
        {turned for stones in some for turned in (stones, stones.mirrored(board))}
        for some in (inner, [*asked, *first], found.leaves)
    ]
    return len(both[0]) + len(both[1]), len(both[2])


def _curve(counts: list[int]) -> dict[int, int]:
    return {k: sum(counts[:k]) for k in _points(len(counts))}


def _points(last: int) -> list[int]:
    points = {step * 10**power for power in range(7) for step in STEPS}
    return sorted({*(k for k in points if k < last), last})


def _listed(counts: dict[int, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in counts.items())


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / max(1, whole):.0f} %"


# Reasons -----------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """What a leaf is told by."""

    why: Why
    how: How | None  # its argument, if it has one
    forms: tuple[str, ...]  # of its sentences, as codes of words/
    sentences: tuple[str, ...]


Kinds = dict[Stones, Kind]


def kinds_of(found: Map, workers: int = 1, progress: Progress | None = None) -> Kinds:
    """By leaf, in the order of the file. It takes a while."""
    leaves = [(stones, node) for stones, node in found.walk() if isinstance(node, Plan)]
    items = [(str(found.board), found.side, found.goal, stones, plan) for stones, plan in leaves]
    results = run(_kind, items, workers=workers, per_shard=AT_ONCE, progress=progress)
    return dict(zip((stones for stones, _ in leaves), results, strict=True))


def _kind(item: tuple[str, int, Goal, Stones, Plan], _seed: int) -> Kind:
    board, side, goal, stones, plan = Board.parse(item[0]), *item[1:]
    leaf = Map(board, side, goal, None, {stones: plan})
    said = told(leaf, Position(board, stones.theirs, stones.mask))
    forms, sentences = ((*said.steps(language), *said.plan(language)) for language in (FORMS, "en"))
    how = None if said.argument is None else said.argument.how
    return Kind(reason(board, stones, plan).why, how, forms, sentences)


def learned(leaves: list[tuple[str, ...]]) -> tuple[int, dict[int, int]]:
    """How many different sentences leaves are told by, and how many of the leaves with so many of the most
    frequent ones alone."""
    often = Counter(said for leaf in leaves for said in set(leaf))
    ordered = sorted(often, key=lambda said: (-often[said], said))
    place = {said: number for number, said in enumerate(ordered, start=1)}
    needed = Counter(max((place[said] for said in leaf), default=0) for leaf in leaves)
    points = _points(len(place))
    return len(place), {k: sum(count for most, count in needed.items() if most <= k) for k in points}


def written_whys(kinds: Kinds) -> str:
    """A digit for each leaf: its reason."""
    return "".join(str(WHYS.index(kind.why)) for kind in kinds.values()) + "\n"


def read_whys(found: Map, text: str) -> dict[Stones, Why]:
    """The same again."""
    leaves: Iterator[Stones] = (stones for stones, node in found.walk() if isinstance(node, Plan))
    return dict(zip(leaves, (WHYS[int(digit)] for digit in text.strip()), strict=True))
