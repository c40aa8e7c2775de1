"""A reason: one sentence in a language, with the values that it speaks of."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from claimeven import notation
from claimeven.position import Board, Cell
from claimeven.reasons.seen.fact import Fact, FactKind

# Where best play leads, whose rows a cell lies in, who must give way, and the steps of a plan.
ToldKind = Literal[
    "line",
    "aim",
    "standing",
    "rows",
    "better",
    "worse",
    "fault",
    "simple",
    "count",
    "count_end",
    "plan_now",
    "plan_drop",
    "plan_watch",
    "plan_swap",
    "plan_link",
    "plan_follow",
    "plan_last",
]
ReasonKind = FactKind | ToldKind


class ToldReason(TypedDict):
    """A sentence as plain values. What it does not speak of is left out."""

    kind: ReasonKind
    text: str
    cells: NotRequired[list[str]]
    fours: NotRequired[list[list[str]]]
    moves: NotRequired[str]


class ToldInstead(TypedDict):
    """Another column, and why."""

    column: str
    reasons: list[ToldReason]
    text: str


@dataclass(frozen=True)
class Reason:
    """What is told, and what can be lit or drawn of it.

    No sentence is ever read back: whoever needs to know what it says looks at the other fields.
    """

    kind: ReasonKind
    text: str
    cells: tuple[Cell, ...] = ()
    fours: tuple[tuple[Cell, ...], ...] = ()  # lines of the board
    moves: tuple[int, ...] = ()  # columns in turn

    @classmethod
    def of(cls, fact: Fact, text: str) -> "Reason":
        return cls(fact.kind, text, fact.cells, fact.fours, fact.line)

    def to_json(self, board: Board) -> ToldReason:
        """Plain values; what it does not speak of is left out."""
        shown: ToldReason = {"kind": self.kind, "text": self.text}
        if self.cells:
            shown["cells"] = [board.cell_name(cell) for cell in self.cells]
        if self.fours:
            shown["fours"] = [[board.cell_name(cell) for cell in four] for four in self.fours]
        if self.moves:
            shown["moves"] = notation.moves_text(self.moves)
        return shown


@dataclass(frozen=True)
class Instead:
    """Another column, and why."""

    column: int
    reasons: tuple[Reason, ...]

    @property
    def text(self) -> str:
        return joined(self.reasons)

    def to_json(self, board: Board) -> ToldInstead:
        reasons = [reason.to_json(board) for reason in self.reasons]
        return {"column": notation.column_digit(self.column), "reasons": reasons, "text": self.text}


def joined(reasons: Iterable[Reason]) -> str:
    return " ".join(reason.text for reason in reasons)
