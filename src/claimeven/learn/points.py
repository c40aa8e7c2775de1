"""A point of the curve of a training: how far it is, and how good; one kind for tuples and networks.

Files and lines of JSON have it flat: the shares of a judge as its name and its name with ", optimal"; those
of the only one as "keeps" and "optimal".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

ONLY = ""  # the name of a judge that needs none


@dataclass(frozen=True)
class Quality:
    """Of exactly solved positions, in percent: where a choice keeps the outcome, and where it is optimal."""

    keeps: float
    optimal: float


@dataclass(frozen=True)
class CurvePoint:
    judged: dict[str, Quality]  # by name of the positions, or of the player
    done: int | None = None  # games, or labelled positions
    seconds: float | None = None
    rounds: int | None = None
    processor: float | None = None  # seconds of it
    games: int | None = None
    positions: int | None = None
    steps: int | None = None
    loss: float | None = None
    labels: int | None = None

    @property
    def only(self) -> Quality:
        """What the only judge says."""
        (quality,) = self.judged.values()
        return quality

    def to_json(self) -> dict[str, float]:
        used = {name: getattr(self, name) for name in USED}
        flat = {name: amount for name, amount in used.items() if amount is not None}
        for judge, quality in self.judged.items():
            keeps, optimal = _names(judge)
            flat |= {keeps: quality.keeps, optimal: quality.optimal}
        return flat

    @classmethod
    def from_json(cls, flat: Mapping[str, float]) -> "CurvePoint":
        judged = {}
        for name in flat:
            judge = ONLY if name == "keeps" else name
            optimal = _names(judge)[1]
            if name not in USED and optimal in flat:
                judged[judge] = Quality(flat[name], flat[optimal])
        used = {name: flat[name] for name in USED if name in flat}
        return cls(judged, **used)  # type: ignore[arg-type]


USED = tuple(part.name for part in fields(CurvePoint) if part.name != "judged")


def _names(judge: str) -> tuple[str, str]:
    return ("keeps", "optimal") if judge == ONLY else (judge, f"{judge}, optimal")


def curve_json(curve: Iterable[CurvePoint]) -> list[dict[str, float]]:
    return [point.to_json() for point in curve]
