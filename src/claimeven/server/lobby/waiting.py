"""Who waits for a stranger: games of this server whose free seat is open to everybody.

This is in memory only. Whoever waits says so again now and then, so after a restart it is all there within
moments, and nothing that was promised is lost with it: the game itself is on disk like every other.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from claimeven.server.doors.answers import OpenClock, OpenGame
from claimeven.server.game.room import Room
from claimeven.server.game.session import Session
from claimeven.server.lobby.pairing import Listed, Pairing, Seeker, Wish

MAX_LISTED = 50
LATE = 60_000  # milliseconds by which a word may come late
MAX_REFUSED = 50  # of each game, who are remembered


class Elsewhere(Protocol):
    """Other servers of a cluster."""

    async def seek(self, wish: Wish, mine: Collection[str]) -> str | None:
        """At the server that pairs such wishes, which may be this one."""

    def drop(self, wish: Wish) -> None:
        """It waits no more."""

    async def listed(self) -> tuple[list[Listed], int]:
        """Who waits at the others, and how many they are."""


@dataclass(frozen=True, slots=True)
class Waiting:
    invite: str
    wish: Wish
    since: int
    number: int


class Lobby:
    """`rooms` are those of the hub, as they are at any time."""

    def __init__(self, rooms: Mapping[str, Room], now: Callable[[], int]) -> None:
        self.elsewhere: Elsewhere | None = None  # None: this server is alone
        self.pairing = Pairing(now, self._is_open)
        self._rooms = rooms
        self._now = now
        self._waiting: dict[str, Waiting] = {}  # by game, those who came first in front
        self._sitting: defaultdict[str, list[str]] = defaultdict(list)  # by game, who is just sitting down
        self._said: WeakKeyDictionary[Room, tuple[int, int]] = WeakKeyDictionary()  # a number, and when
        self._refused: WeakKeyDictionary[Room, deque[str]] = WeakKeyDictionary()

    def open(self) -> Iterator[Room]:
        """The games one can sit down at now: their hosts are there. Others are forgotten once they end."""
        for game in list(self._waiting):
            room = self._rooms.get(game)
            if room is None or room.session.status != "waiting":
                self.close(game)
            elif room.attendance.people:
                yield room

    def close(self, game: str) -> None:
        """Nobody sits down there any more."""
        if (waiting := self._waiting.pop(game, None)) is not None:
            self._drop(waiting.wish)

    def missed(self, room: Room, token: str) -> None:
        """Somebody was sent to a game that does not wait here. They go elsewhere: a copy of what they asked
        that comes late must not seat them here."""
        self._refused.setdefault(room, deque(maxlen=MAX_REFUSED)).append(token)
        if room.session.id not in self._waiting:
            self._drop(Wish(room.session.id, terms(room.session), ""))

    def _drop(self, wish: Wish) -> None:
        self.pairing.drop(wish)
        if self.elsewhere is not None:
            self.elsewhere.drop(wish)

    def _is_open(self, game: str) -> bool | None:
        room = self._rooms.get(game)
        if room is None and self.elsewhere is not None:
            return None
        is_waiting = room is not None and game in self._waiting and room.session.status == "waiting"
        return is_waiting and room is not None and room.attendance.people > 0

    def _hears(self, room: Room, number: int) -> bool:
        """Whether this is no copy, and nothing that its host said before what was heard already: by now they
        may sit elsewhere. 0: who says it does not count."""
        last, heard = self._said.get(room, (0, 0))
        if number and number <= last and self._now() - heard < LATE:
            return False
        if number:
            self._said[room] = number, self._now()
        return True

    async def announce(
        self,
        room: Room,
        invite: str,
        visitor: str,
        mine: Collection[str],
        avoided: Collection[str] = (),
        number: int = 0,
    ) -> str | None:
        """Let everybody take the free seat of this game; or tell of a game like it that waits already and is
        none of `mine`: one goes there, this one is open to nobody, lest two who come at once both wait. In
        rated games the nearest rating comes first, and nobody meets who is `avoided`. The `number` grows each
        time that it is said."""
        game = room.session.id
        if not self._hears(room, number) or game in self._sitting:
            return None
        known = self._waiting.get(game)
        since = self._now() if known is None else known.since
        wish = _wish(room.session, visitor, avoided)
        # Already now: somebody may be sent here at once.
        self._waiting[game] = Waiting(invite, wish, since, number)
        try:
            if self.elsewhere is None:
                take = self.pairing.seek(wish, mine)
            else:
                take = await self.elsewhere.seek(replace(wish, waited=self._now() - since), mine)
        except BaseException:
            if known is None:
                self._waiting.pop(game, None)
            raise
        if game not in self._waiting:
            return None  # it went to another server meanwhile, where who waits in it may be met
        if game in self._sitting:
            return None  # who comes must not find that the host goes away
        if take is not None:
            self.close(game)
        # Who sat down here while it was asked elsewhere must not find that the host goes away.
        return take if room.session.status == "waiting" else None

    @contextmanager
    def sitting_down(self, game: str, token: str) -> Iterator[str | None]:
        """With the invitation, if it waits: its host is sent nowhere else meanwhile. `token`: hashed, of who
        comes; asked for twice, it is one who does."""
        room, waiting = self._rooms.get(game), self._waiting.get(game)
        may_come = token in self._sitting.get(game, ()) or self._is_open(game)
        if room is None or waiting is None or not may_come or token in self._refused.get(room, ()):
            yield None
            return
        self._sitting[game].append(token)
        try:
            yield waiting.invite
        finally:
            self._sitting[game].remove(token)
            if not self._sitting[game]:
                del self._sitting[game]

    def leave(self, games: Collection[str]) -> list[Seeker]:
        """Those who wait in these games, which go to another server: they wait on there."""
        found = [self._seeker(one) for one in self.wishes() if one.game in games]
        for seeker in found:
            del self._waiting[seeker.wish.game]
        return found

    def adopt(self, seeker: Seeker) -> None:
        """Who waited at another server waits on here, as soon as they have come."""
        wish = seeker.wish
        room = self._rooms.get(wish.game)
        if room is not None and self._hears(room, seeker.number):  # else they came, and said more
            waiting = Waiting(seeker.invite, wish, self._now() - wish.waited, seeker.number)
            self._waiting.setdefault(wish.game, waiting)

    def _seeker(self, wish: Wish) -> Seeker:
        waiting = self._waiting[wish.game]
        return Seeker(wish, waiting.invite, waiting.number)

    # For other servers -----------------------------------------------------------------------------------

    def wishes(self) -> list[Wish]:
        """Of those who are here."""
        waiting = [self._waiting[room.session.id] for room in self.open()]
        return [replace(one.wish, waited=self._now() - one.since) for one in waiting]

    def listed(self) -> tuple[list[Listed], int]:
        """Games that wait here for anybody, the longest first, and how many they are."""
        rooms = list(self.open())
        return [
            (self._now() - self._waiting[room.session.id].since, _listed(room.session))
            for room in rooms[:MAX_LISTED]
        ], len(rooms)


def terms(session: Session) -> str:
    """What two people who want to play must agree on: where it starts, the pie rule, whether it is rated, and
    the clock."""
    clock = session.clock
    time = "" if clock is None else f"{clock.initial}+{clock.increment}"
    return f"{session.start} {session.has_pie:d}{session.is_rated:d} {time}"


def _wish(session: Session, visitor: str, avoided: Collection[str]) -> Wish:
    host = next(seat for seat in session.seats if seat.kind != "free")
    rating = host.rating if session.is_rated else None
    return Wish(session.id, terms(session), visitor, host.player, rating, tuple(sorted(avoided)))


def _listed(session: Session) -> OpenGame:
    free = next(side for side, seat in enumerate(session.seats) if seat.kind == "free")
    clock = session.clock
    return OpenGame(
        game=session.id,
        board=str(session.start.board),
        name=session.seats[1 - free].name,
        side=free + 1,
        clock=None if clock is None else OpenClock(clock.initial, clock.increment),
        is_fresh=not session.start.ply,
        has_pie=session.has_pie,
        rated=session.is_rated,
        player=session.seats[1 - free].player,
        rating=session.seats[1 - free].rating,
    )
