"""Whose a game is. A server alone has them all; in a cluster each is one server's (cluster/shared.py)."""

from collections.abc import Collection
from contextvars import ContextVar
from typing import Protocol

from sqlalchemy.engine import Connection

from claimeven.server.storage.store import Lease

# Whether a game that is another server's may be fetched. Not for a visitor who can as well be sent there, and
# not for who directs a tournament: two who come in at two servers would take it from each other.
may_pull: ContextVar[bool] = ContextVar("may_pull", default=True)


class Tenure(Protocol):
    @property
    def is_sure(self) -> bool:
        """Whether what is in memory is still this server's for certain: nothing is told or done else."""

    @property
    def is_ready(self) -> bool:
        """Whether games of all servers can be played here."""

    @property
    def is_first(self) -> bool:
        """Whether this server does what one of all has to do."""

    def begin(self, game: str) -> Lease | None:
        """For a game that begins here now."""

    def begun(self, lease: Lease | None) -> bool:
        """It is stored: whether it is this server's."""

    def drop(self, lease: Lease | None) -> None:
        """It could not be stored."""

    def follow(self, game: str) -> Lease | None:
        """For one that follows another game, and begins with what is stored of that one."""

    async def take(self, game: str) -> Lease | None:
        """Make a game this server's, or a tournament (DIRECTING); RefusedError if that cannot be."""

    def holds(self, lease: Lease | None) -> bool:
        """Whether a game that was taken is still this server's: much may happen while it is read."""

    def elsewhere(self, connection: Connection, names: Collection[str]) -> set[str]:
        """Which of these games and tournaments are another server's, as the database has it."""

    def time(self, connection: Connection, here: int) -> int:
        """Milliseconds, for what several servers look at: their clocks, of which `here` is one, differ."""

    def rest(self, game: str) -> None:
        """It is no longer in memory here: anybody may take it."""

    async def rested(self) -> None:
        """When that is so of all that were given back."""

    async def leave(self) -> None:
        """Give all games back: the server ends."""


class Alone:
    """One server, one database."""

    is_sure = True
    is_ready = True
    is_first = True

    def begin(self, game: str) -> None: ...

    def begun(self, lease: Lease | None) -> bool:
        return True

    def drop(self, lease: Lease | None) -> None: ...

    def follow(self, game: str) -> None: ...

    async def take(self, game: str) -> None: ...

    def holds(self, lease: Lease | None) -> bool:
        return True

    def elsewhere(self, connection: Connection, names: Collection[str]) -> set[str]:
        return set()

    def time(self, connection: Connection, here: int) -> int:
        return here

    def rest(self, game: str) -> None: ...

    async def rested(self) -> None: ...

    async def leave(self) -> None: ...
