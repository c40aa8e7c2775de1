"""Time: one clock of the server that never jumps, and the clock of a game, which is told what time it is."""

import time
from dataclasses import dataclass, field

from claimeven.server.game.events import Reading

LAG_PER_MOVE = 500  # milliseconds that the network may be forgiven for one move,
LAG_AT_FIRST = 1_500  # from an account that starts with this
LAG_GAIN = 100  # and grows by this with every move, so that nobody gains by a slow wire
MORE_TIME = 15_000


class ServerClock:
    """Milliseconds since 1970 as they were at the start, advanced by the monotonic clock: setting the wall
    clock neither gives nor takes anybody's time."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def __call__(self) -> int:
        return (time.monotonic_ns() + self._offset) // 1_000_000


@dataclass
class GameClock:
    """Each side has so much time, and gains an increment with each of its moves.

    It stands still until both sides have moved once, and whenever the server is down.
    """

    initial: int
    increment: int = 0
    left: list[int] = field(default_factory=list)
    running: int | None = None  # the side whose time runs
    since: int = 0
    credit: list[int] = field(default_factory=lambda: [LAG_AT_FIRST, LAG_AT_FIRST])

    def __post_init__(self) -> None:
        self.left = self.left or [self.initial, self.initial]

    def run(self, side: int | None, now: int) -> None:
        """From now on this side's time runs."""
        self.running, self.since = side, now

    def stop(self, now: int) -> None:
        if self.running is not None:
            self.left[self.running] = max(0, self.left[self.running] - (now - self.since))
        self.running = None

    def press(self, now: int, lag: int = 0) -> None:
        """The side whose time runs has moved; of the measured delay of its wire a part is forgiven."""
        side = self.running
        if side is None:
            return
        forgiven = min(lag, LAG_PER_MOVE, self.credit[side])
        self.credit[side] = min(self.credit[side] - forgiven + LAG_GAIN, LAG_AT_FIRST)
        spent = max(0, now - self.since - forgiven)
        self.left[side] = max(0, self.left[side] - spent) + self.increment
        self.running = None

    def falls_at(self) -> int | None:
        """When the running side has lost on time; what its wire may be forgiven is already added."""
        if self.running is None:
            return None
        return self.since + self.left[self.running] + min(LAG_PER_MOVE, self.credit[self.running])

    def reading(self) -> Reading:
        return Reading(
            self.initial,
            self.increment,
            (self.left[0], self.left[1]),
            self.running,
            None if self.running is None else self.since,
        )
