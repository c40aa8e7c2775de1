"""The game to watch now."""

from collections.abc import Iterable

from claimeven.server.game.events import Seat
from claimeven.server.game.room import Room
from claimeven.server.players.answers import BestGame
from claimeven.server.storage.rating import level_rating


def best_game(rooms: Iterable[Room], elsewhere: Iterable[BestGame] = ()) -> BestGame:
    """The one whose weaker side is strongest, among those that count and so are public. `elsewhere`: the best
    of each other server."""
    here = [_told(room) for room in rooms if room.session.is_strict and room.session.status == "playing"]
    found = [game for game in (*here, *elsewhere) if game.game is not None]
    return max(found, key=_strength, default=BestGame(None))


def _told(room: Room) -> BestGame:
    seats = room.session.seats
    return BestGame(
        room.session.id,
        tuple(seat.name for seat in seats),
        tuple(rating_at(seat) for seat in seats),
        sum(seat.kind == "human" for seat in seats),
        room.attendance.watchers,
    )


def rating_at(seat: Seat) -> int | None:
    level = level_rating(seat.agent)
    return seat.rating if level is None else round(level.rating)


def _strength(game: BestGame) -> tuple[int, int, int]:
    """Games with people before games of levels; then the weaker side."""
    ratings = [rating or 0 for rating in game.ratings]
    return game.people, min(ratings), max(ratings)
