"""The servers of a cluster: their signs of life, and what becomes of the games of one that gives none."""

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from claimeven.server.storage.database import make_engine, read_url

DEAD_SECONDS = 3.0  # without a sign of life, by the database's clock
SURE_SECONDS = 2.5  # that a server knows a sign of its own to count: less, so it is never the last to know
BEAT_SECONDS = 0.5  # between two
PATIENCE = 2  # seconds for an answer
IDLE_MS = 1_000  # a server that stands still must not keep its own row from being buried
LOCK_MS = 300  # that is waited for who still writes; then the next time

ENTER = (
    "INSERT INTO cluster_servers (id, address, wired, beat)"
    " VALUES (nextval('cluster_numbers'), %s, 0, clock_timestamp()) RETURNING id"
)
BEAT = "UPDATE cluster_servers SET beat = clock_timestamp(), wired = %s WHERE id = %s"
ALIVE = f"beat > clock_timestamp() - interval '{DEAD_SECONDS} seconds'"
PEERS = f"SELECT id, wired, address FROM cluster_servers WHERE {ALIVE} ORDER BY id"
DEAD = f"SELECT id FROM cluster_servers WHERE NOT {ALIVE} AND id <> %s FOR UPDATE SKIP LOCKED"
INHERIT = (
    "UPDATE cluster_leases SET server = %s, epoch = nextval('cluster_numbers') FROM games"
    " WHERE games.id = game AND server = ANY(%s) AND clock_initial IS NOT NULL AND score IS NULL"
    " RETURNING game, cluster_leases.epoch"
)
BURY = "DELETE FROM cluster_servers WHERE id = ANY(%s)"  # and with them their leases
LEAVE = "DELETE FROM cluster_servers WHERE id = %s"


class Peer(NamedTuple):
    """A server that lives, this one among them."""

    id: int
    wired: int  # counts its lines to NATS; 0: it has none
    address: str


class Buried(NamedTuple):
    servers: tuple[int, ...]
    inherited: tuple[tuple[str, int], ...]  # games in which somebody's time may run, and their epochs


class Members:
    """Made and asked in any thread, but one at a time."""

    def __init__(self, url: str) -> None:
        options = f"-c lock_timeout={LOCK_MS}"
        options += f" -c idle_in_transaction_session_timeout={IDLE_MS}"
        self._engine = make_engine(
            read_url(url), PATIENCE, poolclass=NullPool, connect_args={"options": options}
        )
        self._connection: sa.Connection | None = None

    def enter(self, address: str) -> int:
        """A number for a new member."""
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
            return tuple(Peer(*row) for row in connection.exec_driver_sql(PEERS))

    def bury(self, id: int) -> Buried:
        """Those that give no sign: their games are nobody's, but for those with a clock, which are ours."""
        connection = self._open()
        with connection.begin():
            dead = [int(row[0]) for row in connection.exec_driver_sql(DEAD, (id,))]
            if not dead:
                return Buried((), ())
            inherited = connection.exec_driver_sql(INHERIT, (id, dead)).all()
            connection.exec_driver_sql(BURY, (dead,))
        return Buried(tuple(dead), tuple((game, int(epoch)) for game, epoch in inherited))

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
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.invalidate()
            finally:
                connection.close()
