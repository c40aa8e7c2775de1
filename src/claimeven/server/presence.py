"""Who is at a game: online, away for a moment, or gone."""

from typing import TYPE_CHECKING, Literal, Protocol

from claimeven.server.messages import SeatState
from claimeven.server.state import BOTH, GameState

if TYPE_CHECKING:
    from claimeven.server.hub import Settings


class Guest(Protocol):
    """A connection, as the room sees it."""

    token_hash: str | None
    said_bye: bool

    @property
    def lag(self) -> int:
        """Milliseconds to the client and back, as measured by the server."""

    def send(self, text: str) -> None: ...

    def close(self, code: int) -> None: ...


class Attendance:
    """The guests of a game, and since when each side is away."""

    def __init__(self, game: GameState, settings: "Settings", now: int) -> None:
        self.guests: set[Guest] = set()
        self._game = game
        self._settings = settings
        self._away: list[tuple[int, bool] | None] = [(now, False), (now, False)]  # since when, said goodbye

    def come(self, guest: Guest) -> None:
        self.guests.add(guest)
        for side in self.sides_of(guest):
            self._away[side] = None

    def go(self, guest: Guest, now: int) -> list[int]:
        """The sides that nobody plays any more."""
        self.guests.discard(guest)
        left = [side for side in self.sides_of(guest) if not self._is_here(side)]
        for side in left:
            self._away[side] = now, guest.said_bye
        return left

    def seat_changed(self, side: int, now: int) -> None:
        self._away[side] = None if self._is_here(side) else (now, False)

    def sides_of(self, guest: Guest) -> tuple[int, ...]:
        return self._game.who(guest.token_hash).sides

    def _is_here(self, side: int) -> bool:
        return any(side in self.sides_of(guest) for guest in self.guests)

    @property
    def people(self) -> int:
        """Players who are here, tab by tab."""
        return sum(bool(self.sides_of(guest)) for guest in self.guests)

    @property
    def watchers(self) -> int:
        return len(self.guests) - self.people

    def gone_at(self, side: int) -> int | None:
        """When the other may claim; None for those who are here."""
        away = self._away[side]
        if away is None or self._game.seats[side].kind != "human":
            return None
        since, said_bye = away
        grace = self._settings.grace_after_bye if said_bye else self._settings.grace
        clock = self._game.clock
        is_slow = clock is None or clock.initial >= self._settings.slow_clock
        return since + grace * (3 if is_slow else 1)

    def seats(self, now: int, newcomer: Guest | None = None) -> tuple[SeatState, SeatState]:
        """`newcomer` is about to come, and counts as here."""
        coming = () if newcomer is None else self.sides_of(newcomer)
        first, second = (self._seat(side, now, side in coming) for side in BOTH)
        return first, second

    def _seat(self, side: int, now: int, is_coming: bool) -> SeatState:
        seat = self._game.seats[side]
        gone_at = None if is_coming else self.gone_at(side)
        presence: Literal["online", "reconnecting", "gone"] = "online"
        if gone_at is not None:
            presence = "reconnecting" if now < gone_at else "gone"
        return SeatState(side + 1, seat.kind, seat.name, seat.agent, presence, gone_at)
