"""Who waits for a stranger: games whose free seat is open to everybody.

This is in memory only. Whoever waits says so again now and then, so after a restart it is all there within
moments, and nothing that was promised is lost with it: the game itself is on disk like every other.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from claimeven.position import Position
from claimeven.server.errors import RefusedError
from claimeven.server.game.room import Room
from claimeven.server.game.session import Session

MOST = 500  # games that wait
MOST_OF_ONE = 50  # of them of one visitor: a whole class may have one address
# Where it starts, the pie rule, whether it is rated, and the clock.
Terms = tuple[Position, bool, bool, int | None, int | None]
NEAR = 150  # points between two who are paired at once,
FARTHER = 15  # and so many more for each second that one of them has waited


@dataclass(frozen=True, slots=True)
class Waiting:
    invite: str
    visitor: str
    since: int


class Lobby:
    """`rooms` are those of the hub, as they are at any time."""

    def __init__(self, rooms: Mapping[str, Room]) -> None:
        self._rooms = rooms
        self._waiting: dict[str, Waiting] = {}  # by game, those who came first in front

    def open(self) -> Iterator[Room]:
        """The games one can sit down at now: their hosts are there. Others are forgotten once they end."""
        for game in list(self._waiting):
            room = self._rooms.get(game)
            if room is None or room.session.status != "waiting":
                del self._waiting[game]
            elif room.attendance.people:
                yield room

    def announce(
        self,
        room: Room,
        invite: str,
        visitor: str,
        mine: Collection[str],
        now: int,
        avoided: Collection[str] = (),
    ) -> Room | None:
        """Let everybody take the free seat of this game; or tell of a game like it that waits already and is
        none of `mine`: one goes there, this one is open to nobody, lest two who come at once both wait. In
        rated games the nearest rating comes first, and nobody meets who is `avoided`."""
        game = room.session.id
        before: list[Room] = []
        for other in self.open():
            if other is room:
                break  # those behind it came later, and go to this one
            seats = {seat.player for seat in other.session.seats}
            if other.session.id not in mine and seats.isdisjoint(avoided):
                before.append(other)
        alike = [other for other in before if terms(other.session) == terms(room.session)]
        near = [other for other in alike if self._is_near(other, room, now)]
        if near:
            self._waiting.pop(game, None)
            return min(near, key=lambda other: _distance(other.session, room.session))
        if game not in self._waiting:
            self._check_place(visitor)
            self._waiting[game] = Waiting(invite, visitor, now)
        return None

    def _is_near(self, one: Room, two: Room, now: int) -> bool:
        """Whether their ratings are near enough, the nearer the shorter both have waited."""
        since = [
            self._waiting[room.session.id].since for room in (one, two) if room.session.id in self._waiting
        ]
        waited = (now - min(since, default=now)) / 1000
        return _distance(one.session, two.session) <= NEAR + FARTHER * waited

    def _check_place(self, visitor: str) -> None:
        of_one = Counter(waiting.visitor for waiting in self._waiting.values())
        if len(self._waiting) >= MOST or (visitor and of_one[visitor] >= MOST_OF_ONE):
            raise RefusedError("busy.games")

    def invitation(self, game: str) -> str | None:
        """To a game that waits."""
        return next((self._waiting[game].invite for room in self.open() if room.session.id == game), None)


def terms(session: Session) -> Terms:
    """What two people who want to play must agree on."""
    clock = session.clock
    return (
        session.start,
        session.has_pie,
        session.is_rated,
        *((None, None) if clock is None else (clock.initial, clock.increment)),
    )


def _distance(one: Session, two: Session) -> int:
    """Between the ratings of two hosts; nothing where it does not matter."""
    ratings = [
        next((seat.rating for seat in game.seats if seat.rating is not None), None) for game in (one, two)
    ]
    first, second = ratings
    return abs(first - second) if one.is_rated and first is not None and second is not None else 0
