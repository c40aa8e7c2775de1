"""One database under several servers: each game is one server's at a time, by a lease in PostgreSQL.

Two tables say what is so now, not what has been: whoever joins first makes them, and nothing is lost with
them. A server has a row with its last sign of life, by the clock of the database: those of the servers may
jump. A game in the memory of a server has a lease with that server's number and an epoch, which nobody else
ever has; so has a tournament that goes on, for the server that directs it. Every transaction looks at the
leases of what it changes, and keeps them from changing until it ends: so a server that was thought dead
writes nothing any more, and who takes a game sees all that was ever acknowledged.
"""

import secrets
from collections.abc import Collection, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection
from sqlalchemy.pool import NullPool

from claimeven.errors import InputError
from claimeven.server.game.events import Event, GameBegun
from claimeven.server.storage.database import make_engine, read_url
from claimeven.server.storage.members import still_living
from claimeven.server.storage.rows import Deed, Trial
from claimeven.server.storage.schema import games
from claimeven.server.storage.store import DIRECTING, Lease, Store
from claimeven.server.storage.version import is_of_the_past

# A server that stands still in the middle of a transaction must not keep others from its games.
IDLE_MS = 2_000
MAKING = 0x636C61696E  # an advisory lock: servers that start at once make all tables one after the other
TABLES = (
    "CREATE SEQUENCE IF NOT EXISTS cluster_numbers",
    "CREATE TABLE IF NOT EXISTS cluster_servers (id bigint PRIMARY KEY, address text NOT NULL,"
    " wired bigint NOT NULL, beat timestamptz NOT NULL)",
    "CREATE TABLE IF NOT EXISTS cluster_leases (game text PRIMARY KEY,"
    " server bigint NOT NULL REFERENCES cluster_servers ON DELETE CASCADE, epoch bigint NOT NULL)",
    "CREATE INDEX IF NOT EXISTS cluster_leases_server ON cluster_leases (server)",
    # Of an earlier version, in which only games were leased. To look first keeps other servers from waiting.
    "DO $$ BEGIN IF EXISTS (SELECT 1 FROM pg_constraint WHERE conname = 'cluster_leases_game_fkey') THEN"
    " ALTER TABLE cluster_leases DROP CONSTRAINT cluster_leases_game_fkey; END IF; END $$",
    # Of a game with a clock whose server died: its new one has not looked at it yet (members.py).
    "DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_attribute"
    " WHERE attrelid = 'cluster_leases'::regclass AND attname = 'is_inherited') THEN"
    " ALTER TABLE cluster_leases ADD COLUMN is_inherited boolean NOT NULL DEFAULT false; END IF; END $$",
    "CREATE INDEX IF NOT EXISTS cluster_leases_inherited ON cluster_leases (server) WHERE is_inherited",
)
LEASED = "SELECT game, epoch FROM cluster_leases WHERE server = %s AND game = ANY(%s) FOR SHARE"
BEGIN = "INSERT INTO cluster_leases (game, server, epoch) SELECT unnest(%s::text[]), %s, unnest(%s::bigint[])"
FOLLOWING = 0  # the epoch of a game that follows another one, under whose lease it begins: its id is new
TAKE = (  # not one that is being deleted
    "INSERT INTO cluster_leases (game, server, epoch) SELECT id, %s, nextval('cluster_numbers') FROM games"
    " WHERE id = %s FOR KEY SHARE ON CONFLICT (game) DO NOTHING RETURNING epoch"
)
DIRECT = TAKE.replace("SELECT id,", f"SELECT '{DIRECTING}' || id,").replace("FROM games", "FROM events")
TAKE_AGAIN = (
    "UPDATE cluster_leases SET epoch = nextval('cluster_numbers'), is_inherited = false"
    " WHERE game = %s AND server = %s RETURNING epoch"
)
TRIES = 5  # to take what others give back
IS_GAME, IS_EVENT = "SELECT 1 FROM games WHERE id = %s", "SELECT 1 FROM events WHERE id = %s"
OWNER = "SELECT server FROM cluster_leases WHERE game = %s"
TIME = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
RELEASE = (
    "DELETE FROM cluster_leases USING unnest(%s::text[], %s::bigint[], %s::bigint[]) AS gone(g, s, e)"
    " WHERE game = g AND server = s AND epoch = e"
)
_leases = sa.table("cluster_leases", sa.column("game", sa.Text), sa.column("server", sa.BigInteger))


IS_CLUSTER = "SELECT to_regclass('cluster_servers') IS NOT NULL"


class LeaseLostError(RuntimeError):
    """The game is another server's, or nobody's: this change of it is not stored."""


def _check_age(connection: Connection, url: URL) -> None:
    """Tables are not changed under servers that know them as they were. Those of a new version that start
    together have no sign of life yet: the first of them changes the tables, and the others find them so."""
    if connection.exec_driver_sql(IS_CLUSTER).scalar() and is_of_the_past(connection):
        address = still_living(connection)
        if address is not None:
            raise InputError("database.old_servers", database=url.render_as_string(), address=address)


class SharedStore(Store):
    """The database of a cluster, as one of its servers has it."""

    def __init__(self, url: str, address: str = "") -> None:
        """`address` is what PostgreSQL shows of this server to who looks at its sessions."""
        read = read_url(url)
        given = str(read.query.get("options", ""))
        options = f"{given} -c idle_in_transaction_session_timeout={IDLE_MS}".strip()
        read = read.update_query_dict({"options": options, "application_name": f"claimeven {address}"[:63]})
        making = make_engine(read_url(url), None, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        with making.connect() as connection:
            connection.exec_driver_sql("SELECT pg_advisory_lock(%s)", (MAKING,))
            _check_age(connection, read_url(url))
            super().__init__(read.render_as_string(hide_password=False))
            for statement in TABLES:
                connection.exec_driver_sql(statement)

    @property
    def cluster(self) -> str:
        """A name that no other cluster has."""
        return str(-(self._epoch or 0))

    def _next_reign(self, last: int) -> int:
        """All servers of a cluster reign together: a number below zero. One alone would take it from them."""
        return last if last < 0 else -(last + 1 + secrets.randbelow(2**32))

    def write(self, events: Sequence[Event], leases: Collection[Lease] = ()) -> None:
        """All of them or none, and only while every game that they change is leased as said."""
        begun = {event.game for event in events if isinstance(event, GameBegun)}
        changed = {event.game for event in events if not isinstance(event, Trial | Deed)} - begun
        if not changed <= {lease.game for lease in leases} or (begun and not leases):
            raise LeaseLostError("a game that is nobody's")
        with self._writing() as connection:
            server = self._check(connection, [lease for lease in leases if lease.game not in begun], leases)
            self._write_rows(connection, events)
            if begun:
                epochs = {lease.game: lease.epoch for lease in leases}
                names = sorted(begun)
                numbers = [epochs.get(game, FOLLOWING) for game in names]
                connection.exec_driver_sql(BEGIN, (names, server, numbers))

    def _check(
        self, connection: Connection, needed: Sequence[Lease], leases: Collection[Lease]
    ) -> int | None:
        """That the leases are as needed, until the transaction ends; the server that has them all."""
        servers = {lease.server for lease in leases}
        if len(servers) > 1:
            raise LeaseLostError("of an earlier run")
        server = next(iter(servers), None)
        if needed:
            # In one order for all: two transactions must not wait for each other.
            names = sorted({lease.game for lease in needed})
            found = dict(tuple(row) for row in connection.exec_driver_sql(LEASED, (server, names)))
            lost = [lease.game for lease in needed if found.get(lease.game) != lease.epoch]
            if lost:
                raise LeaseLostError(f"another server's: {', '.join(lost[:5])}")
        return server

    def remove(self, ids: Sequence[str], is_due: sa.ColumnElement[bool]) -> int:
        """Games in the memory of any server stay."""
        leased = sa.exists().where(_leases.c.game == games.c.id)
        return super().remove(ids, sa.and_(is_due, ~leased))

    # Leases --------------------------------------------------------------------------------------------

    def take(self, game: str, server: int) -> Lease | int | None:
        """The lease of a game that was nobody's; the server whose it is; None if there is no such game.

        What was changed before is stored when this returns: transactions under way keep leases from going.
        """
        for _ in range(TRIES):
            with self._writing() as connection:
                take = DIRECT if game.startswith(DIRECTING) else TAKE
                found = connection.exec_driver_sql(take, (server, game.removeprefix(DIRECTING))).scalar()
                if found is None:  # ours, perhaps, without our having heard of it
                    found = connection.exec_driver_sql(TAKE_AGAIN, (game, server)).scalar()
                if found is not None:
                    return Lease(game, server, int(found))
            owner = self.owner(game)
            if owner is not None or not self._is_known(game):
                return owner  # else it was given back just now: it is nobody's, and not unknown
        raise LeaseLostError("it goes from one to the next")

    def _is_known(self, game: str) -> bool:
        known = IS_EVENT if game.startswith(DIRECTING) else IS_GAME
        with self.engine.connect() as connection:
            return connection.exec_driver_sql(known, (game.removeprefix(DIRECTING),)).first() is not None

    def leased(self, connection: Connection, names: Collection[str], but: int) -> set[str]:
        """Which of these games and tournaments are some server's, that one aside."""
        asked = sa.select(_leases.c.game).where(_leases.c.game.in_(names), _leases.c.server != but)
        return set(connection.execute(asked).scalars())

    def time(self, connection: Connection) -> int:
        """By the database's clock, milliseconds."""
        return int(connection.exec_driver_sql(TIME).scalar_one())

    def owner(self, game: str) -> int | None:
        """Whose a game is."""
        with self.engine.connect() as connection:
            found = connection.exec_driver_sql(OWNER, (game,)).scalar()
        return None if found is None else int(found)

    def release(self, leases: Collection[Lease]) -> None:
        """Nobody's from now on."""
        games_, servers, epochs = (list(values) for values in zip(*leases, strict=True))
        with self.engine.begin() as connection:
            connection.exec_driver_sql(RELEASE, (games_, servers, epochs))
