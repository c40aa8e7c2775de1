"""A copy of a SQLite database that somebody may be using."""

import contextlib
import os
import sqlite3
from pathlib import Path

from claimeven.errors import InputError
from claimeven.server.storage.database import is_sqlite, read_url


def backup(url: str, target: Path) -> None:
    """Copy it whole, as it is at one moment, whatever is written meanwhile; `target` is there when all of
    it is on disk."""
    source = read_url(url)
    if not is_sqlite(source):
        raise InputError("database.pg_dump")
    assert source.database is not None
    if not Path(source.database).is_file():
        raise InputError("database.missing", database=source.database)
    if target.exists():
        raise InputError("file.there", path=target)
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)  # of one that was broken off
        with contextlib.closing(sqlite3.connect(source.database)) as used:
            used.execute("VACUUM INTO ?", (str(part),))
        _sync(part)
        part.rename(target)
        _sync(target.parent)
    except (sqlite3.Error, OSError) as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise InputError(
            "database.not_copied", database=source.database, target=target, reason=str(error)
        ) from None


def _sync(path: Path) -> None:
    """Until the disk has it. Folders cannot be synced everywhere, nor need be."""
    if path.is_dir() and os.name == "nt":
        return
    file = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)
