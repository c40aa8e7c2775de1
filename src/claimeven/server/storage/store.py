"""Games on disk: SQLite in WAL mode with full synchronisation, or PostgreSQL."""

import secrets
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from claimeven.server.game.events import Event, MoveMade
from claimeven.server.game.session import Session
from claimeven.server.storage.club import sittings, terms
from claimeven.server.storage.database import is_large, is_sqlite, look_for_damage, open_engine, read_url
from claimeven.server.storage.rating import rate, rated_before
from claimeven.server.storage.rows import Deed, Kind, Row, Rows, Values, as_json, move_row, revived, rows_of
from claimeven.server.storage.schema import games, moves, reigns, replaced, requests, seats, takes

Value = TypeVar("Value")


class SeatTakenError(RuntimeError):
    """Somebody else sits there according to the database."""


class FencedError(RuntimeError):
    """Another server took the database: nothing of ours is written any more."""


class Lease(NamedTuple):
    """That a game is a server's, where several share a database (cluster.py); or a tournament, to direct."""

    game: str
    server: int  # one run of a server: never the same again
    epoch: int  # never the same again with this server: above 0 for who takes a game, else for who begins it


DIRECTING = "event:"  # before the id of a tournament, where that of a game stands else: no game is called so


_REIGN = sa.select(reigns.c.epoch).with_for_update(read=True)  # made once: every transaction asks it
_CHAIR = seats.c.game == sa.bindparam("of"), seats.c.side == sa.bindparam("at_side")
STATEMENTS: dict[Kind, sa.Executable] = {
    "new": sa.insert(games),
    "game": sa.update(games).where(games.c.id == sa.bindparam("of")),
    "new_seat": sa.insert(seats),
    "seat": sa.update(seats).where(*_CHAIR),
    "replaced": sa.insert(replaced),
    "rename": sa.update(seats).where(*_CHAIR),
    "join": sa.update(seats).where(*_CHAIR, seats.c.kind == "free"),
    "take": sa.insert(takes),
    "move": sa.insert(moves),
    "request": sa.insert(requests),
    "forget": sa.delete(requests).where(
        requests.c.game == sa.bindparam("of"),
        requests.c.who == sa.bindparam("asker"),
        requests.c.number == sa.bindparam("old"),
    ),
    "remove": sa.delete(games).where(games.c.id == sa.bindparam("of")),
    "terms": sa.insert(terms),
    "unrated": sa.update(terms)
    .where(terms.c.game == sa.bindparam("of"))
    .values(rated=0, unrated=sa.bindparam("why")),
    "sitting": sa.insert(sittings),
    "stand_up": sa.delete(sittings).where(
        sittings.c.game == sa.bindparam("of"), sittings.c.side == sa.bindparam("at_side")
    ),
}
# Many moves at once, where each row of a list would take the thread's lock again and keep the loop waiting.
# They are written only if the database is still ours, so that this may be a whole transaction.
MOVES_OF_SQLITE = f"""
INSERT INTO moves ({", ".join(f'"{column.name}"' for column in moves.columns)})
SELECT {", ".join(f"json_extract(value, '$.{column.name}')" for column in moves.columns)}
FROM json_each(?) WHERE ? IS NULL OR (SELECT epoch FROM reigns) IN (?, ?)
"""
# Neighbours of one kind are written together. So that there are more of them the rows of a transaction are
# sorted, as far as no row rests on one that comes after it then.
ORDER: dict[Kind, int] = {"new": 0, "new_seat": 1, "game": 3, "move": 4, "rate": 5}
BETWEEN = 2


class Store:
    """The database of a server."""

    def __init__(self, url: str) -> None:
        self.url = read_url(url)
        self.engine = open_engine(self.url)
        self._epoch: int | None = None  # of our reign; None: nobody else is kept from writing
        self.is_ending = False
        self._checking: Any = None  # the connection that looks through a large SQLite file
        self._wished: int | None = None  # one that we may have without having heard of it

    def close(self) -> None:
        self.engine.dispose()

    def check(self) -> None:
        """Look through a file that was too large for it at the start; InputError if it is damaged."""
        if is_large(self.url):
            with self.engine.connect() as connection:
                self._checking = connection.connection.driver_connection
                try:
                    look_for_damage(self.url, connection)
                finally:
                    self._checking = None

    def hurry(self) -> None:
        """The server ends: what takes long, and nobody waits for, is given up."""
        self.is_ending = True
        checking: sqlite3.Connection | None = self._checking
        if checking is not None:
            checking.interrupt()

    # Writing -----------------------------------------------------------------------------------------

    def claim(self) -> None:
        """From now on only we write. A transaction under way, ours or another's, ends before this does."""
        with self._writing() as connection:
            last = connection.execute(sa.select(reigns.c.epoch).with_for_update()).scalar_one()
            self._wished = self._next_reign(last)
            connection.execute(sa.update(reigns).values(epoch=self._wished))
        self._epoch = self._wished

    def _next_reign(self, last: int) -> int:
        """Nobody else's number: where the answer to the commit is lost, it tells whether it was ours."""
        return abs(last) + 1 + secrets.randbelow(2**32)

    def reclaim(self) -> None:
        """After trouble: what was sent before and not answered is on disk now, or never will be."""
        if self._epoch is not None:
            self.claim()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction, if the database is still ours: nobody takes it before it ends."""
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            if self._epoch is not None:
                reign = connection.execute(_REIGN).scalar_one()
                if reign not in (self._epoch, self._wished):
                    raise FencedError("another server uses the database")
            yield connection

    def write(self, events: Sequence[Event], leases: Collection[Lease] = ()) -> None:
        """All of them or none. Alone with its database a server needs no leases."""
        if is_sqlite(self.url) and all(type(event) is MoveMade for event in events):
            self._write_moves([move_row(event) for event in events if isinstance(event, MoveMade)])
            return
        with self._writing() as connection:
            self._write_rows(connection, events)

    def _write_rows(self, connection: Connection, events: Sequence[Event]) -> None:
        deeds = [event for event in events if isinstance(event, Deed)]
        of_games = [event for event in events if not isinstance(event, Deed)] if deeds else events
        for kind, group in groupby(_sorted(list(rows_of(of_games))), attrgetter("kind")):
            values = [row.values for row in group]
            if kind in ONE_BY_ONE:
                for value in values:
                    ONE_BY_ONE[kind](connection, value)
            elif kind == "move" and is_sqlite(self.url):
                self._insert_moves(connection, values, None)
            else:
                connection.execute(STATEMENTS[kind], values)
        for deed in deeds:
            deed.do(connection)

    def _write_moves(self, values: list[Values]) -> None:
        """What is written nearly always, in one statement that is a transaction of its own."""
        with self.engine.connect().execution_options(is_one_statement=True) as connection:
            if self._insert_moves(connection, values, self._epoch) != len(values):
                raise FencedError("another server uses the database")

    def _insert_moves(self, connection: Connection, values: list[Values], epoch: int | None) -> int:
        parameters = (as_json(values), epoch, epoch, self._wished)
        return connection.exec_driver_sql(MOVES_OF_SQLITE, parameters).rowcount

    def do(self, deed: Callable[[Connection], object]) -> None:
        """In a transaction of its own, if the database is still ours."""
        with self._writing() as connection:
            deed(connection)

    def remove(self, ids: Sequence[str], is_due: sa.ColumnElement[bool]) -> int:
        """Delete those of the games that are still due; how many.

        In two statements: PostgreSQL looks whether a game is due before it waits for who just changes it, and
        not again. One that somebody is at stays; of those that are locked here it is asked what is so now.
        """
        free = sa.select(games.c.id).where(games.c.id.in_(ids)).with_for_update(skip_locked=True)
        with self._writing() as connection:
            kept = connection.execute(free).scalars().all()
            return connection.execute(sa.delete(games).where(games.c.id.in_(kept), is_due)).rowcount

    # Reading -----------------------------------------------------------------------------------------

    def read(self, look: Callable[[Connection], Value]) -> Value:
        with self.engine.connect() as connection:
            return look(connection)

    def load(self, game: str) -> Session | None:
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(games).where(games.c.id == game)).mappings().first()
            if row is None:
                return None
            chairs = sa.select(seats).where(seats.c.game == game).order_by(seats.c.side)
            cuts = sa.select(takes.c.take, takes.c.ply).where(takes.c.game == game)
            played = sa.select(moves).where(moves.c.game == game).order_by(moves.c.take, moves.c.ply)
            left = sa.select(replaced).where(replaced.c.game == game).order_by(replaced.c.seq)
            players = sa.select(sittings).where(sittings.c.game == game)
            counts = sa.select(terms).where(terms.c.game == game)
            granted = sa.select(requests).where(requests.c.game == game).order_by(requests.c.number)
            counted = connection.execute(counts).mappings().first()
            seated = connection.execute(players).mappings().all()
            rows = Rows(
                row,
                connection.execute(chairs).mappings().all(),
                dict(tuple(cut) for cut in connection.execute(cuts)),
                connection.execute(played).mappings().all(),
                connection.execute(granted).mappings().all(),
                connection.execute(left).mappings().all(),
                seated,
                counted,
                rated_before(connection, game, [one["player"] for one in seated], row["created"])
                if counted is not None and counted["rated"]
                else 0,
            )
        return revived(rows)

    def counts(self) -> dict[str, int]:
        with self.engine.connect() as connection:
            return {
                "games": connection.execute(sa.select(sa.func.count()).select_from(games)).scalar_one(),
                "moves": connection.execute(sa.select(sa.func.count()).select_from(moves)).scalar_one(),
            }


def _sorted(rows: list[Row]) -> list[Row]:
    if any(row.kind == "remove" for row in rows):
        return rows
    return sorted(rows, key=lambda row: ORDER.get(row.kind, BETWEEN))


def _join(connection: Connection, seat: Values) -> None:
    """Take a free seat, or fail: the database decides who was first."""
    if connection.execute(STATEMENTS["join"], seat).rowcount != 1:
        raise SeatTakenError(seat["of"])


ONE_BY_ONE: dict[Kind, Callable[[Connection, Values], None]] = {"join": _join, "rate": rate}
