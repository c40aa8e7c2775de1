"""The game to watch now."""

from collections.abc import Iterable

from claimeven.server.game.events import Seat
from claimeven.server.game.room import Room
from claimeven.server.players.answers import BestGame
from claimeven.server.storage.rating import level_rating


def best_game(rooms: Iterable[Room]) -> BestGame:
    """The one whose weaker side is strongest, among those that count and so are public."""
    found = [room for room in rooms if room.session.is_strict and room.session.status == "playing"]
    if not found:
        return BestGame(None)
    best = max(found, key=_strength)
    session = best.session
    return BestGame(
        session.id,
        tuple(seat.name for seat in session.seats),
        tuple(rating_at(seat) for seat in session.seats),
        best.attendance.watchers,
    )


def rating_at(seat: Seat) -> int | None:
    level = level_rating(seat.agent)
    return seat.rating if level is None else round(level.rating)


def _strength(room: Room) -> tuple[int, int, int]:
    """Games with people before games of levels; then the weaker side."""
    seats = room.session.seats
    ratings = [rating_at(seat) or 0 for seat in seats]
    return sum(seat.kind == "human" for seat in seats), min(ratings), max(ratings)
