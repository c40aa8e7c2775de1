"""What an agent answers: a column, what it thinks of every column, and what it used up to find out."""

import math
import operator
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Outcome = Literal["win", "draw", "loss"]
# How an agent may know a column, the most certain kind first: exact score, decided within its search, proven
# by its playouts, a share of the points of its playouts, the value of its heuristic, a bound of that value.
OpinionKind = Literal["scores", "ends", "proven", "visits", "values", "at_most"]


@dataclass(frozen=True)
class Opinion:
    """What an agent thinks of one column; what it does not know is None."""

    column: int
    score: int | None = None  # exact, for the side to move
    ends: int | None = None  # decided within its search: it wins in so many plies, or loses (negative)
    proven: Outcome | None = None  # by its playouts
    value: float | None = None  # share of the points of its playouts, or on a scale of its own
    at_most: float | None = None  # a bound of that value: this column is worse than the best
    visits: int | None = None  # playouts through the column
    bounds: tuple[int, int] | None = None  # of the exact score, when it is not known

    @property
    def kind(self) -> OpinionKind | None:
        """The most certain thing it says; None when that is nothing."""
        if self.score is not None:
            return "scores"
        if self.ends is not None:
            return "ends"
        if self.proven is not None:
            return "proven"
        if self.value is not None:
            return "values" if self.visits is None else "visits"
        return None if self.at_most is None else "at_most"


@dataclass(frozen=True)
class TableUse:
    """Questions to the transposition table of a tree."""

    lookups: int
    hits: int
    replaced: int


@dataclass(frozen=True)
class ReplyUse:
    """Questions for a last good reply: how many, and how many of the replies were played."""

    asked: int
    played: int


@dataclass(frozen=True)
class TreeUse:
    """The tree of a Monte Carlo search."""

    nodes: int
    depth: int
    reused: int  # playouts kept from the move before
    is_full: bool
    table: TableUse | None = None
    replies: Mapping[int, ReplyUse] = field(default_factory=dict)  # by how many moves they answer


@dataclass(frozen=True)
class Effort:
    """What a choice has cost; None where that says nothing about the agent."""

    depth: int | None = None  # plies it looked ahead
    nodes: int | None = None  # positions it searched
    playouts: int | None = None  # games it played to the end
    seconds: float | None = None
    table_hits: int | None = None
    tree: TreeUse | None = None


@dataclass(frozen=True)
class Choice:
    """The answer of an agent."""

    column: int
    # With which probability the agent takes each legal column: they sum to 1. A deterministic agent
    # gives 1.0 to its column.
    weights: Mapping[int, float]
    opinions: tuple[Opinion, ...] = ()  # of the columns that it has an opinion of
    effort: Effort = Effort()
    rule: str | None = None  # that fired, of a player by rules
    line: tuple[int, ...] = ()  # best play as it sees it, from its column on
    text: str = ""  # one sentence of its own, in English
    even: float = 0.5  # the value that an even position has on its scale
    swaps: bool = False  # by the pie rule it takes the first disc, instead of dropping one (pie.py)

    def __post_init__(self) -> None:
        # numpy's integers count, too; what does not count stays, for a match to call it illegal.
        if type(self.column) is not int and not isinstance(self.column, bool):
            with suppress(TypeError):
                object.__setattr__(self, "column", operator.index(self.column))

    def opinion(self, column: int) -> Opinion:
        """What it thinks of a column; an empty opinion where it says nothing."""
        return next((found for found in self.opinions if found.column == column), Opinion(column))

    def outlook(self, column: int) -> float | None:
        """What it expects of a column: above 0 it is good for the side to move, below 0 for the other, the
        farther from 0 the more; None where it does not say."""
        opinion = self.opinion(column)
        if opinion.bounds is not None and opinion.bounds[0] * opinion.bounds[1] > 0:
            return math.copysign(math.inf, opinion.bounds[0])
        match opinion.kind:
            case "scores":
                return opinion.score
            case "ends":
                return math.copysign(math.inf, opinion.ends or 0)
            case "proven":
                return {"win": math.inf, "draw": 0.0, "loss": -math.inf}[opinion.proven or "draw"]
            case "visits" | "values":
                return (opinion.value or 0.0) - self.even
        return None

    @property
    def is_exact(self) -> bool:
        """Whether it knows the exact score of its column."""
        return self.opinion(self.column).score is not None

    @property
    def info(self) -> Mapping[str, object]:
        """All of it but column and weights by name, to be shown or written; what is not known is left out."""
        effort, tree = self.effort, self.effort.tree
        found: dict[str, object] = {
            "is_exact": self.is_exact,
            "score": self.opinion(self.column).score,
            "scores": {o.column: o.score for o in self.opinions if o.score is not None},
            "ends": {o.column: o.ends for o in self.opinions if o.ends is not None},
            "proven": {o.column: o.proven for o in self.opinions if o.proven is not None},
            "values": {o.column: o.value for o in self.opinions if o.value is not None},
            "at_most": {o.column: o.at_most for o in self.opinions if o.at_most is not None},
            "visits": {o.column: o.visits for o in self.opinions if o.visits is not None},
            "bounds": {o.column: o.bounds for o in self.opinions if o.bounds is not None},
            "rule": self.rule,
            "line": self.line,
            "depth": effort.depth,
            "nodes": effort.nodes,
            "simulations": effort.playouts,
            "seconds": effort.seconds,
            "table_hits": effort.table_hits,
            "reused": None if tree is None else tree.reused,
            "tree_nodes": None if tree is None else tree.nodes,
            "tree_depth": None if tree is None else tree.depth,
            "tree_is_full": None if tree is None else tree.is_full,
            "table": None if tree is None or tree.table is None else vars(tree.table),
            "replies": {} if tree is None else {n: vars(use) for n, use in tree.replies.items()},
            "text": self.text,
        }
        return MappingProxyType({k: v for k, v in found.items() if v is not None and v not in ({}, (), "")})
