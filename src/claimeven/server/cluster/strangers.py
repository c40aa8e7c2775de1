"""The lobby of a cluster: of each kind of game one server knows all who wait, and sends them to each other.

Which server that is follows from the kind of game and from who lives (the highest hash of both wins), so all
agree on it, and when one dies only what it paired goes to others, evenly. The games stay where they began.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Collection
from hashlib import blake2b

from claimeven.server.cluster.bus import Bus, OutOfReachError, Reply
from claimeven.server.cluster.shared import Shared
from claimeven.server.cluster.words import Found, Gone, Seek, Waiters, Waits, WhoWaits
from claimeven.server.errors import RefusedError
from claimeven.server.lobby.pairing import Listed, Wish
from claimeven.server.lobby.waiting import Lobby

SEEK_SECONDS = 3.0
LIST_SECONDS = 1.0  # for the others to tell who waits there, and that an answer counts for


class Strangers:
    """What the lobby of this server knows of others (lobby/waiting.py)."""

    def __init__(self, lobby: Lobby, shared: Shared, bus: Bus) -> None:
        self._lobby = lobby
        self._shared = shared
        self._bus = bus
        self._known: tuple[float, list[Listed], int] = 0.0, [], 0
        self._told: dict[str, Wish] = {}
        lobby.elsewhere = self

    def _pairs(self, terms: str) -> int:
        """The server that pairs those who wait so."""
        wired = [peer.id for peer in self._shared.peers if peer.wired]
        return max(wired, key=lambda server: _weight(terms, server), default=self._shared.id)

    @property
    def wishes(self) -> int:
        """That this server pairs."""
        return len(self._lobby.pairing)

    # For the lobby here ------------------------------------------------------------------------------------

    async def seek(self, wish: Wish, mine: Collection[str]) -> str | None:
        server = self._pairs(wish.terms)
        if server == self._shared.id:
            return self._lobby.pairing.seek(wish, mine)
        try:
            answer = await self._bus.ask(server, Seek(wish, tuple(mine)), SEEK_SECONDS)
        except OutOfReachError:
            return None  # it is told again in a moment, there or elsewhere
        if isinstance(answer, Found) and answer.is_full:
            raise RefusedError("busy.games")
        return answer.game if isinstance(answer, Found) else None

    def drop(self, wish: Wish) -> None:
        server = self._pairs(wish.terms)
        if server != self._shared.id:
            self._bus.tell(server, Gone(wish))

    async def listed(self) -> tuple[list[Listed], int]:
        since, listed, count = self._known
        if time.monotonic() - since < LIST_SECONDS:
            return listed, count
        others = self._shared.others
        asked = (self._bus.ask(other, WhoWaits(), LIST_SECONDS) for other in others)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        heard = [answer for answer in answers if isinstance(answer, Waiters)]
        listed = [one for answer in heard for one in answer.games]
        count = sum(answer.count for answer in heard)
        self._known = time.monotonic(), listed, count
        return listed, count

    # For others ---------------------------------------------------------------------------------------------

    def tell(self) -> None:
        """Again and again, who waits here: who pairs them may be another one by now; and who went away."""
        by_server: defaultdict[int, list[Wish]] = defaultdict(list)
        wishes = {wish.game: wish for wish in self._lobby.wishes()}
        for wish in self._told.values():
            if wish.game not in wishes:
                self.drop(wish)
        self._told = wishes
        for wish in wishes.values():
            by_server[self._pairs(wish.terms)].append(wish)
        for server, told in by_server.items():
            if server == self._shared.id:
                self._lobby.pairing.hear(told)
            else:
                self._bus.tell(server, Waits(tuple(told)))
                for wish in told:  # it may have been this one, before others came
                    self._lobby.pairing.drop(wish)

    def heard(self, word: Seek | Waits | Gone | WhoWaits, reply: Reply) -> None:
        match word:
            case Seek():
                reply(self._found(word))
            case Waits():
                self._lobby.pairing.hear(word.wishes)
            case Gone():
                self._lobby.pairing.drop(word.wish)
            case WhoWaits():
                games, count = self._lobby.listed()
                reply(Waiters(tuple(games), count))

    def _found(self, word: Seek) -> Found:
        try:
            return Found(self._lobby.pairing.seek(word.wish, word.mine))
        except RefusedError:
            return Found(None, is_full=True)


def _weight(terms: str, server: int) -> bytes:
    return blake2b(f"{server} {terms}".encode(), digest_size=8).digest()
