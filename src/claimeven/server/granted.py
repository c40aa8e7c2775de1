"""Requests that were granted, kept with their game: one that comes again is answered again and does nothing.

Moves need none of this: they are known by their take and ply.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from claimeven.server.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimeven.server.state import Write

KEPT = 64  # of each player; the database forgets older ones too


class _Grant(NamedTuple):
    number: int  # counts the requests of a player
    asked: str  # the request without its id
    seq: int


@dataclass
class Granted:
    """The ids are the clients': one that meant two things would be acknowledged in vain, so it is refused."""

    _grants: dict[str, dict[str, _Grant]] = field(default_factory=dict)  # by player and id

    @classmethod
    def of(cls, rows: "Iterable[Any]") -> "Granted":
        """From rows of the database, in the order of their numbers."""
        granted = cls()
        for row in rows:
            granted._of(row["who"])[row["id"]] = _Grant(row["number"], row["asked"], row["seq"])
        return granted

    def seq(self, who: str, id: str, asked: str) -> int | None:
        """The event of a request that was granted before; None if it is new."""
        grant = self._grants.get(who, {}).get(id)
        if grant is None:
            return None
        if grant.asked != asked:
            raise RefusedError("bad_message", "the id of this request was used for another one")
        return grant.seq

    def add(self, game: str, who: str, id: str, asked: str, seq: int) -> "list[Write]":
        """Remember a request; what to store for it."""
        grants = self._of(who)
        number = next(reversed(grants.values())).number + 1 if grants else 0
        grants[id] = _Grant(number, asked, seq)
        row = {"game": game, "who": who, "number": number, "id": id, "asked": asked, "seq": seq}
        writes: list[Write] = [("request", row)]
        if len(grants) > KEPT:
            oldest = grants.pop(next(iter(grants)))
            writes.append(("forget", {"of": game, "asker": who, "old": oldest.number}))
        return writes

    def _of(self, who: str) -> dict[str, _Grant]:
        return self._grants.setdefault(who, {})
