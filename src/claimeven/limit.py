"""What a thinker may use up: time, nodes, depth, or until someone says stop; the first to come ends it."""

import math
import threading
from dataclasses import dataclass
from decimal import Decimal

from claimeven.errors import NotationError
from claimeven.notation import quote

_UNITS = {"ms": "seconds", "s": "seconds", "n": "nodes", "d": "depth"}


@dataclass(frozen=True)
class Limit:
    """None means: no limit of this kind.

    >>> Limit.parse("100ms")
    Limit(seconds=0.1, nodes=None, depth=None, stop=None)
    >>> str(Limit(seconds=2, nodes=5000))
    '2s,5000n'
    """

    seconds: float | None = None
    nodes: int | None = None  # simulations for MCTS
    depth: int | None = None  # in plies
    stop: threading.Event | None = None  # set by another thread; cannot be written as text

    def __post_init__(self) -> None:
        seconds = self.seconds
        if seconds is not None and not (_is_number(seconds) and 0 < seconds < math.inf):
            raise NotationError("limit.seconds", seconds=repr(seconds))
        for name in ("nodes", "depth"):
            number = getattr(self, name)
            if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
                raise NotationError("limit.whole", name=name, number=repr(number))

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """Read what `str` writes; "" is no limit."""
        found: dict[str, float] = {}
        for part in text.split(",") if text else []:
            number = part.rstrip("abcdefghijklmnopqrstuvwxyz")
            unit = part[len(number) :]
            name = _UNITS.get(unit)
            if name is None or not _is_decimal(number):
                raise NotationError("limit.form", text=quote(text))
            if name in found:
                raise NotationError("limit.twice", text=quote(text), name=name)
            if name == "seconds":
                found[name] = float(number) / (1000 if unit == "ms" else 1)
            elif number.isdigit():
                found[name] = int(number)
            else:
                raise NotationError("limit.not_whole", text=quote(text), name=name, number=number)
        return cls(**found)  # type: ignore[arg-type]

    def __str__(self) -> str:
        parts = []
        if self.seconds is not None:
            milliseconds = round(self.seconds * 1000)
            is_short = self.seconds < 1 and milliseconds / 1000 == self.seconds
            parts.append(f"{milliseconds}ms" if is_short else f"{_decimal(self.seconds)}s")
        if self.nodes is not None:
            parts.append(f"{self.nodes}n")
        if self.depth is not None:
            parts.append(f"{self.depth}d")
        return ",".join(parts)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_decimal(text: str) -> bool:
    whole, _, fraction = text.partition(".")
    return len(text) <= 400 and text.isascii() and whole.isdigit() and (fraction.isdigit() or "." not in text)


def _decimal(number: float) -> str:
    """The shortest text that reads back as the same number, without an exponent."""
    return format(Decimal(repr(float(number))), "f").removesuffix(".0")
