"""One server per database: a second one would have other games in its memory, and one of both would be wrong.

The hold ends with the process, however it ends: it is a lock on a file beside a SQLite database, and one of a
connection's session in PostgreSQL.
"""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection
from sqlalchemy.pool import NullPool

from claimeven.errors import InputError
from claimeven.runner.lock import lock
from claimeven.server.storage.database import in_words, is_sqlite, make_engine, make_folder, read_url

KEY = 0x636C61696D  # "claim": advisory locks of PostgreSQL have numbers for names, in each database its own
PATIENCE = 2.0  # seconds in which PostgreSQL notices that a server was killed
HOLDER = (
    "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory'"
    " AND granted AND ((classid::bigint << 32) | objid::bigint) = %s AND datname = current_database()"
)


class DatabaseInUseError(InputError):
    """Another server has the games of this database in its memory."""

    @property
    def address(self) -> str:
        """Of that server; "" where it is not known."""
        return str(self.params.get("address", ""))


def _in_use(database: str, address: str) -> DatabaseInUseError:
    if address:
        return DatabaseInUseError("database.in_use_by", database=database, address=address)
    return DatabaseInUseError("database.in_use", database=database)


class Hold:
    """A database that is ours."""

    def is_still_ours(self) -> bool:
        """False when another server took it; only PostgreSQL can lose a hold, by restarting."""
        return True


@contextlib.contextmanager
def held(database: str, address: str, is_shared: bool = False) -> Iterator[Hold]:
    """Keep other servers away; a second one is told the address of the first. Servers of a cluster share it,
    and keep away who would be alone."""
    url = read_url(database)
    if is_sqlite(url):
        with _locked_file(url, address):
            yield Hold()
        return
    hold = _Session(url, address, "pg_try_advisory_lock_shared" if is_shared else "pg_try_advisory_lock")
    try:
        hold.take()
        yield hold
    finally:
        hold.close()


@contextlib.contextmanager
def _locked_file(url: URL, address: str) -> Iterator[None]:
    make_folder(url)
    path = Path(f"{url.database}-server")
    try:
        path.touch()
    except OSError as error:
        raise InputError(
            "database.failed", database=url.database, reason=(error.strerror or "").lower()
        ) from None
    with path.open("a+b", buffering=0) as file:
        try:
            lock(file.fileno())
        except OSError:
            file.seek(0)
            raise _in_use(str(url.database), file.read().decode().strip()) from None
        with contextlib.suppress(OSError):  # on a full disk the lock is good without the address
            file.truncate(0)
            file.write(address.encode())
        yield


class _Session(Hold):
    def __init__(self, url: URL, address: str, take: str) -> None:
        self._url = url
        self._take = take
        name = f"claimeven {address}"[:63]  # PostgreSQL keeps no more of it
        self._engine = make_engine(
            url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args={"application_name": name}
        )
        self._connection: Connection | None = None

    def take(self) -> None:
        try:
            end = time.monotonic() + PATIENCE
            while (other := self._try()) is not None:
                if time.monotonic() > end:
                    raise _in_use(self._url.render_as_string(), other)
                time.sleep(0.1)
        except sa.exc.DBAPIError as error:
            raise in_words(self._url, error) from None

    def is_still_ours(self) -> bool:
        try:
            if self._connection is not None:
                self._connection.exec_driver_sql("SELECT 1")
                return True
        except sa.exc.DBAPIError:
            self.close()
        try:
            return self._try() is None
        except sa.exc.DBAPIError:
            return True  # nobody has it: it does not answer

    def _try(self) -> str | None:
        """Take it, or the address of who has it."""
        connection = self._engine.connect()
        if connection.exec_driver_sql(f"SELECT {self._take}(%s)", (KEY,)).scalar():
            self._connection = connection
            return None
        with connection:
            name = connection.exec_driver_sql(HOLDER, (KEY,)).scalar() or ""
        return str(name).removeprefix("claimeven ")

    def close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sa.exc.DBAPIError):
                self._connection.close()
            self._connection = None
        self._engine.dispose()
