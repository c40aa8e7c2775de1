"""A clock for a whole game: so much time at the beginning, and a little more after every move."""

import math
from dataclasses import dataclass

from claimeven.errors import NotationError
from claimeven.limit import Limit
from claimeven.notation import quote
from claimeven.position import Position

SHARES = 12  # at most so many moves are planned for: a game is often over before the board is full
# Seconds of thinking that an agent gets at least: a move within the grace may leave a clock at nothing.
LEAST = 0.001


@dataclass(frozen=True)
class Control:
    """Seconds for the whole game, and for every move.

    >>> Control.parse("60s+500ms")
    Control(initial=60.0, increment=0.5)
    >>> str(Control(60, 0.5)), str(Control(10))
    ('60s+500ms', '10s')
    """

    initial: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        if not (0 < self.initial < math.inf and 0 <= self.increment < math.inf):
            raise NotationError("clock.times")

    @classmethod
    def parse(cls, text: str) -> "Control":
        initial, plus, increment = text.partition("+")
        try:
            parts = [Limit.parse(part) for part in ([initial, increment] if plus else [initial])]
        except NotationError:
            parts = []
        seconds = [part.seconds for part in parts if part.seconds is not None and part == Limit(part.seconds)]
        if not seconds or len(seconds) < 1 + bool(plus):
            raise NotationError("clock.form", text=quote(text))
        return cls(*seconds)

    def __str__(self) -> str:
        parts = [self.initial, self.increment] if self.increment else [self.initial]
        return "+".join(str(Limit(seconds)) for seconds in parts)


class Clocks:
    """What both sides have left. Who thinks longer than that has lost."""

    def __init__(self, control: Control) -> None:
        self._increment = control.increment
        self.left = [control.initial, control.initial]

    def share(self, position: Position) -> float:
        """Seconds that the side to move should use: agents take all that a limit gives them."""
        left = self.left[position.side]
        own = (position.board.cells - position.ply + 1) // 2
        return max(LEAST, min(left, left / min(own, SHARES) + self._increment))

    def spend(self, side: int, seconds: float) -> None:
        self.left[side] = max(0.0, self.left[side] - seconds) + self._increment
