"""What a client tells of its line, and how patient it is."""

from dataclasses import dataclass
from typing import NamedTuple

from claimeven.server import messages as m


@dataclass(frozen=True)
class Timing:
    """Seconds, as docs/protocol.md recommends them."""

    resend: float = 2.5  # what was not acknowledged
    ping: float = 10.0
    dead: float = 9.0  # without an answer to a ping, or to hello
    first_retry: float = 0.5
    quick_retries: int = 3  # with that pause; then it is doubled with every failure
    last_retry: float = 8.0
    look_again: float = 30.0  # without news: ask for the whole game

    def pause(self, failures: int) -> float:
        """At most, before the next try.

        >>> [Timing().pause(failures) for failures in range(9)]
        [0.5, 0.5, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
        """
        doublings = max(0, failures - self.quick_retries + 1)
        return min(self.last_retry, self.first_retry * 2.0**doublings)


class Connected(NamedTuple):
    """The line is up; the state was told."""


class Lost(NamedTuple):
    """The line is down; the next try comes in so many seconds."""

    reason: str
    seconds: float


class Delayed(NamedTuple):
    """The server cannot do what was asked now; it is asked again until it can."""

    reason: str


Event = m.State | m.Moved | m.Presence | m.Thinking | m.Reaction | m.Notice | Connected | Lost | Delayed
