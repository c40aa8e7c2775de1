"""An explanation as the routes that teach send it. These types *are* the format."""

from msgspec import UNSET, Struct, UnsetType

from claimeven.reasons.seen.fact import FactKind
from claimeven.reasons.told.line import LineEnd
from claimeven.reasons.told.reason import ReasonKind
from claimeven.server.study.shapes import Shapes, Value


class ToldFact(Struct, frozen=True, forbid_unknown_fields=True):
    """A fact with its sentence. What a kind does not use is left out."""

    kind: FactKind
    column: str
    text: str | None
    cells: tuple[str, ...] | UnsetType = UNSET
    fours: tuple[tuple[str, ...], ...] | UnsetType = UNSET
    line: str | UnsetType = UNSET
    other: str | UnsetType = UNSET
    columns: tuple[str, ...] | UnsetType = UNSET
    count: int | UnsetType = UNSET
    stones: int | UnsetType = UNSET
    value: int | UnsetType = UNSET
    moves: int | UnsetType = UNSET


class ToldReason(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence as `claimeven explain --json` has it. What it does not speak of is left out."""

    kind: ReasonKind
    text: str
    cells: tuple[str, ...] | UnsetType = UNSET
    fours: tuple[tuple[str, ...], ...] | UnsetType = UNSET
    moves: str | UnsetType = UNSET


class ToldInstead(Struct, frozen=True, forbid_unknown_fields=True):
    """Another column, and why."""

    column: str
    reasons: tuple[ToldReason, ...]
    text: str


class ToldProblem(Struct, frozen=True, forbid_unknown_fields=True):
    """What the other side faces after a column."""

    column: str
    answers: int
    right: tuple[str, ...]
    found: int
    tries: int


class ToldTrickiest(ToldProblem, frozen=True, forbid_unknown_fields=True):
    told: ToldProblem
    text: str


class OtherColumn(Value, frozen=True):
    column: int
    text: str
    overlay: Shapes | None


class Explained(Struct, frozen=True):
    """An explanation, with everything that is drawn of it.

    `rank`, `reasons`, `steps`, `simple`, `better` and `trickiest` are those of `claimeven explain --json`.
    """

    column: int
    language: str
    exact: bool
    value: Value | None
    verdict: str
    reason: str
    plan: str | None
    rank: ToldReason | None
    reasons: tuple[ToldReason, ...]
    steps: tuple[ToldReason, ...]
    simple: ToldInstead | None
    better: ToldInstead | None
    trickiest: ToldTrickiest | None
    facts: tuple[ToldFact, ...]
    overlay: Shapes
    end: LineEnd | None
    why_not: tuple[OtherColumn, ...]
    text: str
