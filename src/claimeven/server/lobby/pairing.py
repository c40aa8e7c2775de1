"""Who is sent to whom: of all who want the same game, whoever comes goes to the nearest who waited before.

In a cluster one server does this for each kind of game (cluster/strangers.py), so that two who come in at two
servers at once do not both wait. It has a list of wishes and no game: those stay where they began, and only
their servers know whether somebody is still there. The list is in memory, and told again every moment.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from msgspec import Struct

from claimeven.server.doors.answers import OpenGame
from claimeven.server.errors import RefusedError

MOST = 500  # games that wait
MOST_OF_ONE = 50  # of them of one visitor: a whole class may have one address
NEAR = 150  # points between two who are paired at once,
FARTHER = 15  # and so many more for each second that one of them has waited
FRESH = 3_000  # milliseconds for which a game of another server waits after it was told to
Listed = tuple[int, OpenGame]  # as it is shown, and the milliseconds that it has waited


class Wish(Struct, frozen=True, array_like=True):
    """Of somebody who waits in a game of their own, as servers tell it each other."""

    game: str
    terms: str  # what two people must agree on
    visitor: str
    player: str | None = None
    rating: int | None = None  # of a rated game
    avoided: tuple[str, ...] = ()  # players whom they do not want to meet, or the other way round
    waited: int = 0  # milliseconds: no two servers have the same clock


class Seeker(Struct, frozen=True, array_like=True):
    """Who waits, for a server that is to have the game."""

    wish: Wish
    invite: str
    number: int = 0  # with which they said so last


@dataclass(slots=True)
class _Entry:
    wish: Wish
    since: int
    told: int


class Pairing:
    def __init__(self, now: Callable[[], int], is_open: Callable[[str], bool | None]) -> None:
        """`is_open` says whether one can sit down at a game now; None: it is another server's."""
        self._now = now
        self._is_open = is_open
        self._entries: dict[str, dict[str, _Entry]] = {}  # by terms and game
        self._newest = 0

    def __len__(self) -> int:
        """Who waits."""
        now = self._now()
        return sum(self._may_wait(entry, now) for entry in self._all())

    def seek(self, wish: Wish, mine: Collection[str]) -> str | None:
        """A game like it that has waited longer and is none of `mine`: one goes there, and this wish is
        forgotten. If there is none it waits from now on. In rated games the nearest rating comes first."""
        now = self._now()
        known = self._entries.get(wish.terms, {}).get(wish.game)
        since = self._arrived(wish, now) if known is None else known.since
        near = [
            entry
            for entry in self._open(wish.terms, now)
            if entry.since < since
            and entry.wish.game not in mine
            and entry.wish.player not in wish.avoided
            and _distance(entry.wish, wish) <= NEAR + FARTHER * (now - entry.since) / 1000
        ]
        if near:
            self.drop(wish)
            return min(near, key=lambda entry: _distance(entry.wish, wish)).wish.game
        if known is None:
            self._check_place(wish.visitor, now)
        self._entries.setdefault(wish.terms, {})[wish.game] = _Entry(wish, since, now)
        return None

    def hear(self, wishes: Iterable[Wish]) -> None:
        """They still wait, at another server."""
        now = self._now()
        for wish in wishes:
            alike = self._entries.setdefault(wish.terms, {})
            if wish.game in alike:
                alike[wish.game].told = now
            else:
                alike[wish.game] = _Entry(wish, self._arrived(wish, now), now)

    def drop(self, wish: Wish) -> None:
        alike = self._entries.get(wish.terms, {})
        alike.pop(wish.game, None)
        if not alike:
            self._entries.pop(wish.terms, None)

    def _arrived(self, wish: Wish, now: int) -> int:
        """No two at the same time, lest neither have come first."""
        if wish.waited:
            return now - wish.waited
        self._newest = max(now, self._newest + 1)
        return self._newest

    def _open(self, terms: str, now: int) -> list[_Entry]:
        """Those one can go to; who was not told of for long is forgotten."""
        alike = self._entries.get(terms, {})
        for entry in [entry for entry in alike.values() if not self._may_wait(entry, now)]:
            self.drop(entry.wish)
        return [entry for entry in alike.values() if self._is_open(entry.wish.game) is not False]

    def _may_wait(self, entry: _Entry, now: int) -> bool:
        """Here who is gone may come back; of others nobody tells."""
        return self._is_open(entry.wish.game) is not None or now - entry.told < FRESH

    def _all(self) -> Iterator[_Entry]:
        for alike in self._entries.values():
            yield from alike.values()

    def _check_place(self, visitor: str, now: int) -> None:
        waiting = [entry.wish for entry in self._all() if self._may_wait(entry, now)]
        of_one = Counter(wish.visitor for wish in waiting)
        if len(waiting) >= MOST or (visitor and of_one[visitor] >= MOST_OF_ONE):
            raise RefusedError("busy.games")


def _distance(one: Wish, two: Wish) -> int:
    """Between two ratings; nothing where they do not matter."""
    return 0 if one.rating is None or two.rating is None else abs(one.rating - two.rating)
