"""The database under a server: opened, brought up to date, and asked whether it keeps what it promises."""

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url

from claimeven import notation
from claimeven.errors import InputError
from claimeven.server.storage.version import NewerError, bring_up_to_date

ANSWER_SECONDS = 5  # how long one is waited for from PostgreSQL
LARGE = 64 * 2**20  # bytes of a SQLite file
BUSY_MS = 5_000  # how long a write waits for another process


def read_url(text: str) -> URL:
    try:
        url = make_url(text)
    except sa.exc.ArgumentError:
        raise InputError("database.form", text=notation.quote(text)) from None
    backend = url.get_backend_name()
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise InputError("database.backend", backend=backend)
    if not url.database or url.database == ":memory:":
        raise InputError("database.memory")
    return url.set(drivername="sqlite")


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def open_engine(url: URL) -> Engine:
    """An engine over tables that are up to date, in a database that is whole and durable."""
    engine = make_engine(url, None)  # to bring much up to date takes long
    try:
        with engine.connect() as connection:
            bring_up_to_date(connection)
            check(url, connection)
    except NewerError:
        engine.dispose()
        raise InputError("database.newer", database=url.render_as_string()) from None
    except sa.exc.DBAPIError as error:
        engine.dispose()
        raise in_words(url, error) from None
    except InputError:
        engine.dispose()
        raise
    if is_sqlite(url):
        return engine
    engine.dispose()
    return make_engine(url)


def in_words(url: URL, error: sa.exc.DBAPIError) -> InputError:
    reason = str(error.orig).strip().splitlines()[0]
    return InputError("database.failed", database=url.render_as_string(), reason=reason)


def make_engine(url: URL, patience: int | None = ANSWER_SECONDS, **options: Any) -> Engine:
    """`patience`: seconds for an answer of PostgreSQL; None: as long as it takes."""
    if not is_sqlite(url):
        try:
            # In a database without an encoding texts are bytes, unless who comes says what they are.
            spoken = url.update_query_dict({"client_encoding": "utf8"})
            engine = sa.create_engine(spoken, pool_pre_ping=True, **options)
        except ModuleNotFoundError:
            raise InputError("needs.psycopg") from None
        if patience is not None:
            _be_impatient(engine, patience)
        return engine
    make_folder(url)
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_MS / 1000, "check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # this module says BEGIN itself
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}"):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get("is_one_statement", False):  # which SQLite does wholly or not at all anyway
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")

    return engine


def _be_impatient(engine: Engine, seconds: int) -> None:
    """Wait no longer for an answer: PostgreSQL's own limits do not help when it hangs or the line is dead."""
    import psycopg

    class Impatient(psycopg.Connection[Any]):
        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = seconds) -> Any:
            try:
                return super().wait(gen, interval, timeout)
            except psycopg.OperationalError as error:
                if type(error).__name__ != "_WaitTimeout":
                    raise
                self.pgconn.finish()  # nobody knows what comes over it now
                raise psycopg.errors.ConnectionTimeout("PostgreSQL does not answer") from None

    @sa.event.listens_for(engine, "do_connect")
    def connect(_dialect: Any, _record: Any, words: Any, options: dict[str, Any]) -> Any:
        limits = {"connect_timeout": seconds, "tcp_user_timeout": seconds * 1000}
        return Impatient.connect(*words, **limits | options)


def is_silent(error: Exception) -> bool:
    """Whether the database did not even answer: to try again at once would take as long again."""
    orig = getattr(error, "orig", None)
    return type(orig).__name__ == "ConnectionTimeout"


def make_folder(url: URL) -> None:
    """Of a SQLite file."""
    assert url.database is not None
    try:
        Path(url.database).absolute().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or "").lower()
        raise InputError("database.folder", database=url.database, reason=reason) from None


def check(url: URL, connection: Connection) -> None:
    """Read back what durability rests on, and look for damage."""
    if not is_sqlite(url):
        value = connection.exec_driver_sql("SHOW synchronous_commit").scalar()
        if value not in ("on", "remote_write", "remote_apply"):
            raise InputError("database.lossy", value=value)
        if connection.exec_driver_sql("SHOW fsync").scalar() != "on":
            raise InputError("database.no_fsync")
        connection.rollback()
        return
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    for pragma, value in wanted.items():
        found = connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()
        if found != value:
            raise InputError(
                "database.pragma", database=url.database, pragma=pragma, found=found, value=value
            )
    if not is_large(url):
        look_for_damage(url, connection)
    connection.rollback()


def is_large(url: URL) -> bool:
    """Whether a file takes too long to be looked through before a start: the server does it meanwhile."""
    return is_sqlite(url) and Path(str(url.database)).stat().st_size > LARGE


def look_for_damage(url: URL, connection: Connection) -> None:
    """InputError if there is some."""
    damage = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if damage != "ok":
        raise InputError("database.damaged", database=url.database, damage=damage)
    if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
        raise InputError("database.orphan", database=url.database)
