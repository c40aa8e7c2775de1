"""An explanation as the routes that teach send it. These types *are* the format."""

from msgspec import Struct

from claimeven.reasons.seen.fact import FactJson
from claimeven.reasons.told.line import LineEnd
from claimeven.reasons.told.reason import ToldInstead, ToldReason
from claimeven.reasons.told.trickiest import ToldTrickiest
from claimeven.server.study.shapes import Shapes, Value


class ToldFact(FactJson):
    """A fact with its sentence. What a kind does not use is left out."""

    text: str | None


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
