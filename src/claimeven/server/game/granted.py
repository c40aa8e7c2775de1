"""Requests that were granted, kept with their game: one that comes again is answered again and does nothing.

Moves need none of this: they are known by their take and ply.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from claimeven.server.errors import RefusedError
from claimeven.server.game.events import RequestGranted

KEPT = 64  # of each player; the database forgets older ones too


@dataclass
class Granted:
    """The ids are the clients': one that meant two things would be acknowledged in vain, so it is refused."""

    _grants: dict[str, dict[str, RequestGranted]] = field(default_factory=dict)  # by player and id

    @classmethod
    def of(cls, grants: Iterable[RequestGranted]) -> "Granted":
        """In the order of their numbers."""
        granted = cls()
        for grant in grants:
            granted._of(grant.who)[grant.id] = grant
        return granted

    def seq(self, who: str, id: str, asked: str) -> int | None:
        """The event of a request that was granted before; None if it is new."""
        grant = self._grants.get(who, {}).get(id)
        if grant is None:
            return None
        if grant.asked != asked:
            raise RefusedError("bad_message.id")
        return grant.seq

    def add(self, game: str, who: str, id: str, asked: str, seq: int) -> RequestGranted:
        """Remember a request, and forget the oldest of too many."""
        grants = self._of(who)
        number = next(reversed(grants.values())).number + 1 if grants else 0
        grant = grants[id] = RequestGranted(game, who, number, id, asked, seq)
        if len(grants) <= KEPT:
            return grant
        return replace(grant, forgotten=grants.pop(next(iter(grants))).number)

    def _of(self, who: str) -> dict[str, RequestGranted]:
        return self._grants.setdefault(who, {})
