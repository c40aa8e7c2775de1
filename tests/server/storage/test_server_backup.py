"""A copy that ends however much is written meanwhile, and a server that goes on from it; large files."""

import contextlib
import sqlite3
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from websockets.sync.client import connect

from claimeven.errors import InputError
from claimeven.server.storage import database
from claimeven.server.storage import store as store_module
from claimeven.server.storage.backup import backup
from claimeven.server.storage.store import Store
from faults.process import ServerProcess
from kit.forked import run
from kit.serving import NO_TLS, PATIENCE, Talker, wait_until

WISH = {"seats": [{"kind": "me"}, {"kind": "me"}]}


def begin(server: ServerProcess) -> tuple[str, str]:
    made = httpx.post(f"{server.address}/api/games", json=WISH, timeout=PATIENCE, verify=NO_TLS).json()
    return made["game"], made["token"]


def sit(server: ServerProcess, game: str, token: str) -> Talker:
    return Talker(connect(f"{server.address.replace('http', 'ws')}/ws/{game}").__enter__(), token)


def fill(file: Path, megabytes: int) -> None:
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE filler(x)")
        rows = ((b"%09d" % number * 400,) for number in range(megabytes * 280))
        connection.executemany("INSERT INTO filler VALUES (?)", rows)


@contextlib.contextmanager
def busy(file: Path) -> Iterator[None]:
    """Somebody commits all the time."""
    is_enough = threading.Event()

    def write() -> None:
        with contextlib.closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as connection:
            while not is_enough.wait(0.001):
                connection.execute("UPDATE filler SET x = x || 'x' WHERE rowid = 1")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        is_enough.set()
        writer.join()


def test_a_copy_ends_while_others_write_and_a_server_goes_on_from_it(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        game, token = begin(server)
        with sit(server, game, token) as player:
            assert player.move(0, 4)["t"] == "ack"
            fill(server.file, 16)
            with busy(server.file):
                command = [sys.executable, "-m", "claimeven", "serve", "--database", server.database]
                said = run([*command, "--backup", str(tmp_path / "copy.db")])
            assert said.returncode == 0, said.stderr
            assert player.move(1, 5)["t"] == "ack"  # after the copy
    assert not list(tmp_path.glob("*.part"))
    restored = ServerProcess(tmp_path, database=f"sqlite:///{tmp_path}/copy.db")
    with restored, sit(restored, game, token) as player:
        assert player.first["moves"] == "4"
        assert player.move(1, 2)["t"] == "ack"


def test_what_cannot_be_copied_is_said(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    Store(url).close()
    backup(url, tmp_path / "copy.db")
    with pytest.raises(InputError, match="there is a file already"):
        backup(url, tmp_path / "copy.db")
    with pytest.raises(InputError, match="no such database"):
        backup(f"sqlite:///{tmp_path}/none.db", tmp_path / "other.db")
    with pytest.raises(InputError, match="pg_dump"):
        backup("postgresql://localhost/games", tmp_path / "other.db")
    (tmp_path / "broken.db").write_bytes(b"nonsense" * 1000)
    with pytest.raises(InputError, match="not a database"):
        backup(f"sqlite:///{tmp_path}/broken.db", tmp_path / "other.db")
    assert not list(tmp_path.glob("other*"))


def test_a_large_file_is_looked_through_after_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    Store(url).close()
    with contextlib.closing(sqlite3.connect(tmp_path / "games.db")) as connection, connection:
        connection.execute("INSERT INTO takes VALUES ('no game', 1, 0)")  # an orphan
    with pytest.raises(InputError, match="belong"):
        Store(url)
    monkeypatch.setattr(database, "LARGE", 0)
    store = Store(url)
    with pytest.raises(InputError, match="belong"):
        store.check()
    store.close()


def test_a_server_ends_while_it_looks_through_a_large_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It did not end before it had seen all."""
    monkeypatch.setattr(database, "LARGE", 0)
    store = Store(f"sqlite:///{tmp_path}/games.db")
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    is_looking = threading.Event()

    def look(url: object, connection: sa.Connection) -> None:
        is_looking.set()
        connection.exec_driver_sql(endless)

    monkeypatch.setattr(store_module, "look_for_damage", look)
    outcomes: list[Exception] = []

    def check() -> None:
        try:
            store.check()
        except sa.exc.OperationalError as error:
            outcomes.append(error)

    looking = threading.Thread(target=check, daemon=True)
    looking.start()
    assert is_looking.wait(PATIENCE)
    while looking.is_alive():  # the statement may be about to begin
        store.hurry()
        looking.join(0.05)
    assert "interrupted" in str(outcomes[0])
    store.close()


def test_a_server_that_finds_damage_stops(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        fill(server.file, 70)
        with contextlib.closing(sqlite3.connect(server.file)) as connection, connection:
            connection.execute("INSERT INTO takes VALUES ('no game', 1, 0)")
    soon = {"CLAIMEVEN_SWEEP": "300", "CLAIMEVEN_CHECK_AFTER": "300"}
    with ServerProcess(tmp_path, variables=soon) as server:
        wait_until(lambda: not server.is_alive, patience=60)
        assert "the database is damaged" in server.log.read_text()
