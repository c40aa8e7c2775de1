"""Who is at a game: online, away for a moment, or gone."""

from collections.abc import Iterator
from typing import Protocol

from claimeven.server.game.state import GameState
from claimeven.server.messages import Outgoing, PresenceKind
from claimeven.server.settings import Settings


class Guest(Protocol):
    """A connection, as the room sees it."""

    token_hash: str | None
    said_bye: bool
    visitor: str  # their address; "" for this machine itself, which is not counted

    @property
    def lag(self) -> int:
        """Milliseconds to the client and back, as measured by the server."""

    def send(self, told: Outgoing) -> None:
        """In the words of its door."""

    def close(self, code: int) -> None:
        """After what is still to be sent."""


class Attendance:
    """The guests of a game, and since when each side is away."""

    def __init__(self, game: GameState, settings: Settings, now: int) -> None:
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

    def sides_changed(self) -> None:
        """Both players sit at the other side now."""
        self._away.reverse()

    def sides_of(self, guest: Guest) -> tuple[int, ...]:
        return self._game.who(guest.token_hash).sides

    def _is_here(self, side: int) -> bool:
        return any(side in self.sides_of(guest) for guest in self.guests)

    def players(self) -> Iterator[Guest]:
        """Who is here and has a seat, tab by tab."""
        return (guest for guest in self.guests if self.sides_of(guest))

    @property
    def people(self) -> int:
        return sum(1 for _ in self.players())

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

    def presence(self, side: int, now: int, newcomer: Guest | None = None) -> tuple[PresenceKind, int | None]:
        """Of a side, and when it is gone; `newcomer` is about to come, and counts as here."""
        is_coming = newcomer is not None and side in self.sides_of(newcomer)
        gone_at = None if is_coming else self.gone_at(side)
        if gone_at is None:
            return "online", None
        return "reconnecting" if now < gone_at else "gone", gone_at
