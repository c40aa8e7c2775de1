"""The servers of a cluster: their signs of life, and what becomes of the games of one that gives none."""

import sys
import time
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from claimeven.server.storage.database import make_engine, read_url

DEAD_SECONDS = 3.0  # without a sign of life, by the clock of who looks
SURE_SECONDS = 2.5  # that a server knows a sign of its own to count: less, so it is never the last to know
BEAT_SECONDS = 0.5  # between two
BLIND_SECONDS = DEAD_SECONDS - 2 * BEAT_SECONDS  # between two looks: who stood still for longer saw nothing
PATIENCE = 2  # seconds for an answer
IDLE_MS = 1_000  # a server that stands still must not keep its own row from being buried
LOCK_MS = 300  # that is waited for who still writes; then the next time
LOCKED = "55P03"  # what PostgreSQL says then

ENTER = (
    "INSERT INTO cluster_servers (id, address, wired, beat)"
    " VALUES (nextval('cluster_numbers'), %s, 0, clock_timestamp()) RETURNING id"
)
BEAT = "UPDATE cluster_servers SET beat = clock_timestamp(), wired = %s WHERE id = %s"
SIGNS = (
    "SELECT id, wired, address, beat, extract(epoch FROM clock_timestamp() - beat)::float8"
    " FROM cluster_servers ORDER BY id"
)
DEAD = (  # unless they gave one since
    "SELECT id FROM cluster_servers JOIN unnest(%s::bigint[], %s::timestamptz[]) AS silent(server, last)"
    " ON id = server AND beat = last FOR UPDATE OF cluster_servers SKIP LOCKED"
)
HEIRS = "SELECT id FROM cluster_servers WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE SKIP LOCKED"
INHERIT = (  # each about as many as the others
    "UPDATE cluster_leases SET epoch = nextval('cluster_numbers'), is_inherited = true,"
    " server = (%(heirs)s::bigint[])[1 + (hashtext(game) & 2147483647) %% cardinality(%(heirs)s::bigint[])]"
    " FROM games WHERE games.id = game AND server = ANY(%(dead)s)"
    " AND clock_initial IS NOT NULL AND score IS NULL"
)
INHERITED = "SELECT game FROM cluster_leases WHERE server = %s AND is_inherited"
BURY = "DELETE FROM cluster_servers WHERE id = ANY(%s)"  # and with them their leases
LEAVE = "DELETE FROM cluster_servers WHERE id = %s"


def now() -> float:
    """Seconds, whatever clocks on walls say; also those in which the machine slept: a lease goes on."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


def still_living(connection: sa.Connection) -> str | None:
    """The address of a server that gives signs of life; who asks waits until it can tell that none does."""
    first = {id: beat for id, _, _, beat, _ in connection.exec_driver_sql(SIGNS)}
    end = now() + DEAD_SECONDS
    while first and now() < end:
        time.sleep(BEAT_SECONDS)
        for id, _, address, beat, _ in connection.exec_driver_sql(SIGNS):
            if first.get(id) != beat:
                return str(address)
    return None


class Peer(NamedTuple):
    """A server that lives, this one among them."""

    id: int
    wired: int  # counts its lines to NATS; 0: it has none
    address: str


class Sign(NamedTuple):
    server: int
    beat: datetime  # of the last one; when it changes, there was another
    age: float  # seconds, by the database's clock, which may have been set since


class Signs:
    """How long each server has been silent, by the clock of who looks.

    The database's clock may be set while they live and die: so its time of a beat says only that there was
    one. How old that is counts where it fits what was seen: it was not there yet at the look before.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last: dict[int, tuple[datetime, float]] = {}  # signs of life, and when they were given
        self._asked: float | None = None
        self._looked = clock()
        self._steady = self._looked  # since when it has looked without a break

    def break_off(self) -> None:
        """Who is not answered cannot tell whether others are silent."""
        self._steady = self._clock()

    def look(self, asked: float, signs: Iterable[Sign]) -> None:
        """What the database says now, to who asked then."""
        looked = self._clock()
        if looked - self._looked > BLIND_SECONDS:
            self._steady = looked
        self._last = {sign.server: (sign.beat, self._given(sign, looked)) for sign in signs}
        self._asked, self._looked = asked, looked

    def _given(self, sign: Sign, looked: float) -> float:
        known = self._last.get(sign.server)
        if known is not None and known[0] == sign.beat:
            return known[1]
        # At the first look there is nothing that it could not fit, and nobody is buried yet.
        is_believed = sign.age >= 0 and (self._asked is None or sign.age <= looked - self._asked)
        return looked - sign.age if is_believed else looked

    def lives(self, server: int) -> bool:
        return server in self._last and self._looked - self._last[server][1] <= DEAD_SECONDS

    def silent(self) -> dict[int, datetime]:
        """Those that are dead for sure, and their last signs of life."""
        if self._looked - self._steady <= DEAD_SECONDS:
            return {}
        return {server: beat for server, (beat, _) in self._last.items() if not self.lives(server)}


class Buried(NamedTuple):
    servers: tuple[int, ...]
    clocks: int  # games in which somebody's time may run: each has another server


NOBODY = Buried((), 0)


class Members:
    """Made and asked in any thread, but one at a time."""

    def __init__(self, url: str, clock: Callable[[], float] = now) -> None:
        options = f"-c lock_timeout={LOCK_MS}"
        options += f" -c idle_in_transaction_session_timeout={IDLE_MS}"
        self._engine = make_engine(
            read_url(url), PATIENCE, poolclass=NullPool, connect_args={"options": options}
        )
        self._connection: sa.Connection | None = None
        self._clock = clock
        self._signs = Signs(clock)

    def enter(self, address: str) -> int:
        """A number for a new member."""
        self._signs.break_off()
        with self._open().begin():
            return int(self._open().exec_driver_sql(ENTER, (address,)).scalar_one())

    def beat(self, id: int, wired: int) -> tuple[Peer, ...] | None:
        """Give a sign of life; who lives, or None if this one was buried."""
        connection = self._open()
        with connection.begin():
            # A sign of life need not survive the database; all else must.
            connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
            if connection.exec_driver_sql(BEAT, (wired, id)).rowcount != 1:
                return None
            asked = self._clock()
            rows = connection.exec_driver_sql(SIGNS).all()
        self._signs.look(asked, [Sign(id, beat, age) for id, _, _, beat, age in rows])
        return tuple(Peer(id, wired, address) for id, wired, address, *_ in rows if self._signs.lives(id))

    def bury(self, id: int, heirs: Collection[int] = ()) -> Buried:
        """Those that gave no sign, as we saw when we gave our last: their games are nobody's, but for those
        with a clock, which this server and the heirs share."""
        silent = self._signs.silent()
        silent.pop(id, None)
        if not silent:
            return NOBODY
        try:
            return self._bury(silent, sorted({id, *heirs} - silent.keys()))
        except sa.exc.OperationalError as error:
            if getattr(error.orig, "sqlstate", None) != LOCKED:
                raise
            return NOBODY  # somebody writes still: the next time

    def _bury(self, silent: dict[int, datetime], heirs: list[int]) -> Buried:
        connection = self._open()
        with connection.begin():
            asked = (list(silent), list(silent.values()))
            dead = [int(row[0]) for row in connection.exec_driver_sql(DEAD, asked)]
            if not dead:
                return NOBODY
            # None of them leaves before it has its share.
            there = [int(row[0]) for row in connection.exec_driver_sql(HEIRS, (heirs,))]
            clocks = 0
            if there:
                shared = {"heirs": there, "dead": dead}
                clocks = connection.exec_driver_sql(INHERIT, shared).rowcount
            connection.exec_driver_sql(BURY, (dead,))
        return Buried(tuple(dead), clocks)

    def inherited(self, id: int) -> list[str]:
        """Games with a clock that are this member's since another one died, and that it has not taken yet."""
        with self._open().begin():
            return list(self._open().exec_driver_sql(INHERITED, (id,)).scalars())

    def leave(self, id: int) -> None:
        """All games of this member are nobody's at once."""
        with self._open().begin():
            self._open().exec_driver_sql(LEAVE, (id,))

    def _open(self) -> sa.Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def hang_up(self) -> None:
        """After trouble, and at the end: the next question is asked over a new line."""
        self._signs.break_off()
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.invalidate()
            finally:
                connection.close()
