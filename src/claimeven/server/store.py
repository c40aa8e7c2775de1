"""Games on disk: SQLite in WAL mode with full synchronisation, or PostgreSQL.

Opening a store brings the tables up to date and checks that the database keeps what it promises.
"""

import contextlib
import fcntl
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.engine import URL, Connection, Engine, make_url

from claimeven import notation
from claimeven.errors import InputError
from claimeven.game import Result
from claimeven.position import Board, Position
from claimeven.server.clock import GameClock
from claimeven.server.live import Live, Seat, Write
from claimeven.server.schema import games, moves, seats, takes

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_MS = 5_000  # how long a write waits for another process


class DatabaseInUseError(InputError):
    """Another server has the games of this file in its memory."""

    def __init__(self, file: str, address: str) -> None:
        super().__init__(f"database {file}: the server at {address} uses it already")
        self.address = address


class SeatTakenError(RuntimeError):
    """Somebody else sits there according to the database."""


STATEMENTS: dict[str, sa.Executable] = {
    "new": sa.insert(games),
    "game": sa.update(games).where(games.c.id == sa.bindparam("game")),
    "new_seat": sa.insert(seats),
    "seat": sa.update(seats).where(
        seats.c.game == sa.bindparam("of"), seats.c.side == sa.bindparam("at_side")
    ),
    "take": sa.insert(takes),
    "move": sa.insert(moves),
}


class Store:
    """The database of a server."""

    def __init__(self, url: str) -> None:
        self.url = _read_url(url)
        self.engine = _engine(self.url)
        try:
            with self.engine.connect() as connection:
                _migrate(connection)
                self.check(connection)
        except CommandError:
            self.engine.dispose()
            raise InputError(
                f"database {self.url.render_as_string()} was made by a newer claimeven"
            ) from None
        except sa.exc.DBAPIError as error:
            self.engine.dispose()
            reason = str(error.orig).strip().splitlines()[0]
            raise InputError(f"database {self.url.render_as_string()}: {reason}") from None

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    def close(self) -> None:
        self.engine.dispose()

    @contextlib.contextmanager
    def held(self, address: str) -> Iterator[None]:
        """Keep other servers away from a SQLite file until this process ends, however it ends; a second one
        is told the address of the first."""
        if not self.is_sqlite:
            yield
            return
        with Path(f"{self.url.database}-server").open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                raise DatabaseInUseError(str(self.url.database), file.read().strip()) from None
            file.truncate(0)
            file.write(address)
            file.flush()
            yield

    def check(self, connection: Connection) -> None:
        """Read back what durability rests on, and look for damage."""
        if not self.is_sqlite:
            value = connection.exec_driver_sql("SHOW synchronous_commit").scalar()
            if value not in ("on", "remote_write", "remote_apply"):
                raise InputError(
                    f"database: synchronous_commit is {value}, so moves could be lost; set it on"
                )
            connection.rollback()
            return
        wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
        for pragma, value in wanted.items():
            found = connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()
            if found != value:
                raise InputError(f"database {self.url.database}: {pragma} is {found}, not {value}")
        damage = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if damage != "ok":
            raise InputError(f"database {self.url.database} is damaged: {damage}")
        if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
            raise InputError(f"database {self.url.database} is damaged: a move belongs to no game")
        connection.rollback()

    # Writing -----------------------------------------------------------------------------------------

    def write(self, connection: Connection, writes: Iterable[Write]) -> None:
        """Execute in order; neighbours of one kind together."""
        batch: list[dict[str, Any]] = []
        last = ""
        for kind, row in writes:
            if kind == "join":
                self._flush(connection, last, batch)
                batch, last = [], ""
                _join(connection, row)
                continue
            if kind != last:
                self._flush(connection, last, batch)
                batch, last = [], kind
            batch.append(_seat_row(row) if kind == "seat" else row)
        self._flush(connection, last, batch)

    def _flush(self, connection: Connection, kind: str, rows: list[dict[str, Any]]) -> None:
        if rows:
            connection.execute(STATEMENTS[kind], rows)

    # Reading -----------------------------------------------------------------------------------------

    def load(self, game: str) -> Live | None:
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(games).where(games.c.id == game)).mappings().first()
            if row is None:
                return None
            chairs = connection.execute(
                sa.select(seats).where(seats.c.game == game).order_by(seats.c.side)
            ).mappings()
            cuts = connection.execute(sa.select(takes.c.take, takes.c.ply).where(takes.c.game == game))
            played = connection.execute(
                sa.select(moves).where(moves.c.game == game).order_by(moves.c.take, moves.c.ply)
            ).mappings()
            return _live(row, chairs.all(), dict(tuple(cut) for cut in cuts), played.all())

    def forget_unstarted(self, before: int, but: Collection[str] = ()) -> int:
        """Delete games older than `before` in which nobody ever moved, but those; how many."""
        unstarted = sa.select(games.c.id).where(
            games.c.created < before, ~sa.exists().where(moves.c.game == games.c.id)
        )
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            found = set(connection.execute(unstarted).scalars()) - set(but)
            if found:
                rows = [{"game": game} for game in sorted(found)]
                connection.execute(sa.delete(games).where(games.c.id == sa.bindparam("game")), rows)
        return len(found)

    def counts(self) -> dict[str, int]:
        with self.engine.connect() as connection:
            return {
                "games": connection.execute(sa.select(sa.func.count()).select_from(games)).scalar_one(),
                "moves": connection.execute(sa.select(sa.func.count()).select_from(moves)).scalar_one(),
            }


def backup(url: str, target: Path) -> None:
    """Copy a SQLite database whole, while it is used or not."""
    source = _read_url(url)
    if source.get_backend_name() != "sqlite":
        raise InputError("PostgreSQL has its own backup: pg_dump")
    assert source.database is not None
    if not Path(source.database).is_file():
        raise InputError(f"{source.database}: there is no such database")
    if target.exists():
        raise InputError(f"{target}: there is a file already")
    try:
        with (
            contextlib.closing(sqlite3.connect(source.database)) as used,
            contextlib.closing(sqlite3.connect(target)) as copy,
        ):
            used.backup(copy, pages=1024)
    except sqlite3.Error as error:
        raise InputError(f"{source.database} cannot be copied to {target}: {error}") from None


def new_game(live: Live) -> list[Write]:
    """The rows of a game that just began."""
    row = live.row()[1]
    row["id"] = row.pop("game")
    clock = live.clock
    row |= {
        "created": live.created,
        "board": str(live.start.board),
        "start": start_text(live.start),
        "think": live.think,
        "clock_initial": None if clock is None else clock.initial,
        "clock_increment": None if clock is None else clock.increment,
        "owner": live.owner,
        "invite": live.invite,
    }
    return [("new", row), *(("new_seat", live.seat_row(side)[1]) for side in (0, 1))]


def start_text(start: Position) -> str:
    return start.moves if start.moves is not None else str(start)


def _live(row: Any, chairs: Sequence[Any], cuts: dict[int, int], played: Sequence[Any]) -> Live:
    columns: list[int] = []
    times: list[int | None] = []
    known: dict[tuple[int, int], tuple[int, int]] = {}
    seq, left = row["seq"], [row["left_first"], row["left_second"]]
    is_newer = False  # than the row of the game: its offers and redo are of before
    by_take: dict[int, list[Any]] = {}
    for move in played:
        by_take.setdefault(move["take"], []).append(move)
    for take in range(row["take"] + 1):
        if take:
            del columns[cuts[take] :], times[cuts[take] :]
        for move in by_take.get(take, ()):
            columns.append(move["column"] - 1)
            times.append(move["ms"])
            known[take, move["ply"]] = move["column"] - 1, move["seq"]
            if move["seq"] > row["seq"]:
                is_newer = True
                seq = max(seq, move["seq"])
                left[move["side"] - 1] = move["left_ms"]
    board = Board.parse(row["board"])
    clock = None
    if row["clock_initial"] is not None:
        clock = GameClock(row["clock_initial"], row["clock_increment"] or 0, left)
    first, second = (Seat(c["kind"], c["name"], c["agent"], c["owner"]) for c in chairs)
    live = Live(
        id=row["id"],
        start=Position.parse(row["start"], board),
        seats=(first, second),
        created=row["created"],
        think=row["think"],
        clock=clock,
        owner=row["owner"],
        invite=row["invite"],
        seq=seq,
        take=row["take"],
        columns=columns,
        times=times,
        known=known,
        rematch=row["rematch"],
    )
    if not is_newer:
        live.redo = list(reversed(notation.parse_moves(row["redo"], board.columns)))
        offers = (part.split(":") for part in row["offers"].split(",") if part)
        live.offers = {kind: int(side) - 1 for kind, side in offers}
    live.result = Result.shown(live.position)
    if live.result is None and row["score"] is not None and not is_newer:
        live.result = Result(row["score"], row["reason"])
    return live


def _seat_row(row: dict[str, Any]) -> dict[str, Any]:
    row = dict(row)
    row["of"], row["at_side"] = row.pop("game"), row.pop("side")
    return row


def _join(connection: Connection, row: dict[str, Any]) -> None:
    """Take a free seat, or fail: the database decides who was first."""
    taken = connection.execute(
        sa.update(seats)
        .where(seats.c.game == row["game"], seats.c.side == row["side"], seats.c.kind == "free")
        .values(kind="human", name=row["name"], owner=row["owner"])
    )
    if taken.rowcount != 1:
        raise SeatTakenError(row["game"])


# Opening -------------------------------------------------------------------------------------------


def _read_url(text: str) -> URL:
    try:
        url = make_url(text)
    except sa.exc.ArgumentError:
        raise InputError(
            f"database {notation.quote(text)}: write sqlite:///FILE or postgresql://HOST/NAME"
        ) from None
    backend = url.get_backend_name()
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise InputError(f"database: {backend} is not supported, sqlite and postgresql are")
    if not url.database or url.database == ":memory:":
        raise InputError("database: games are kept on disk; write sqlite:///FILE")
    return url.set(drivername="sqlite")


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "postgresql":
        try:
            return sa.create_engine(url, pool_pre_ping=True)
        except ModuleNotFoundError:
            raise InputError("PostgreSQL needs psycopg: pip install 'claimeven[postgres]'") from None
    assert url.database is not None
    Path(url.database).absolute().parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_MS / 1000, "check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # this module says BEGIN itself
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}"):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        is_writer = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writer else "BEGIN")

    return engine


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    connection.commit()
