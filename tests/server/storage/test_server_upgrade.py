"""A database of any version of the past is brought up to date, on SQLite and PostgreSQL, without loss."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from claimeven.errors import InputError
from claimeven.server.storage.cluster import TABLES, SharedStore
from claimeven.server.storage.database import make_engine, read_url
from claimeven.server.storage.members import BEAT_SECONDS, Members
from claimeven.server.storage.store import Store
from claimeven.server.storage.version import LATEST, MIGRATIONS, migrate
from kit.databases import another, postgres
from kit.serving import PATIENCE

VERSIONS = sorted(path.stem[1:5] for path in (MIGRATIONS / "versions").glob("m*.py"))
Rows = list[dict[str, Any]]


# By table, those that others refer to first: columns, and rows. A version takes the columns that it has.
PAST: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "games": (
        "id created board start think clock_initial clock_increment seq take redo left_first left_second"
        " offers score reason pie",
        [
            ("going", 1, "7x6x4", "", 9, 60_000, 500, 3, 1, "5", 59_000, 58_000, "", None, None, "no"),
            ("rated", 2, "7x6x4", "", 9, 60_000, 500, 1, 0, "", 1, 2, "", "1-0", "resign", "no"),
            ("event", 3, "9x7x4", "", 9, None, None, 0, 0, "", None, None, "", "0-1", "resign", "no"),
            ("address", 4, "7x6x4", "", 9, None, None, 0, 0, "", None, None, "", "1-0", "resign", "no"),
        ],
    ),
    "seats": (
        "game side kind name agent owner",
        [
            ("going", 1, "human", "Łucja <b>", None, "a hash"),
            ("going", 2, "agent", "level 3", "level:3", None),
            ("rated", 1, "human", "Ada", None, "a hash"),
            ("rated", 2, "human", "Boris", None, "another"),
            ("event", 1, "human", "Boris", None, "another"),
            ("event", 2, "free", "", None, None),
        ],
    ),
    "takes": ("game take ply", [("going", 1, 1)]),
    "moves": (
        "game take ply column side seq ms left_ms at",
        [
            ("going", 0, 0, 4, 1, 1, 700, 59_300, 7),
            ("going", 0, 1, 5, 2, 2, None, None, 8),
            ("rated", 0, 0, 1, 1, 1, None, None, 2**40),
        ],
    ),
    "requests": ("game who number id asked seq", [("going", "a hash", 1, "r", "{}", 3)]),
    "replaced": ("game seq ply side kind name agent", [("going", 2, 1, 2, "human", "Ada", None)]),
    "players": (
        "id name looks created seen rating deviation volatility",
        [
            ("ada", "Ada", "ada", 5, 9, 1512.25, 61.25, 0.0625),
            ("boris", "Boris", "boris", 5, 9, 1490.5, 61.25, 0.0625),
            ("never", "Never", "never", 5, 2**40, 1500.0, 350.0, 0.0625),
        ],
    ),
    "keys": ("hash player created", [("of ada", "ada", 6)]),
    "codes": ("hash player until", [("a word", "boris", 10)]),
    "sittings": (
        "game side player rating",
        [("rated", 1, "ada", 1500), ("rated", 2, "boris", 1490), ("event", 1, "boris", 1490)],
    ),
    "terms": ("game rated event", [("rated", 1, None), ("event", 0, "cup"), ("address", 0, None)]),
    "ratings": (
        "player game at score before rating deviation opponent_rating",
        [
            ("ada", "rated", 20, 1.0, 1500.5, 1512.25, 61.25, 1490.0),
            ("ada", "gone", 30, 0.5, 1512.25, 1512.25, 61.25, 1490.0),
            ("boris", "rated", 20, 0.0, 1500.5, 1490.5, 61.25, 1500.0),
        ],
    ),
    "mutes": ("player muted", [("ada", "boris")]),
    "reports": ("game reporter reported at reason", [("rated", "ada", "boris", 21, "name")]),
    "events": (
        "id created owner name format rated clock_initial clock_increment rounds minutes state round due",
        [("cup", 3, "ada", "Cup", "swiss", 0, 60_000, 0, 3, 0, "running", 1, None)],
    ),
    "entrants": (
        "event number player agent name rating away",
        [("cup", 1, "boris", None, "Boris", 1490, 1), ("cup", 2, None, "level:3", "level 3", 900, 0)],
    ),
    "pairings": (
        "event round board first second game score played",
        [("cup", 1, 1, 1, 2, "event", "0-1", 1), ("cup", 1, 2, 3, None, None, "+", 0)],
    ),
}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database with nothing in it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    return another(request.getfixturevalue("server"))


def leave(url: str, version: str) -> dict[str, Rows]:
    """As that version left it: what is in each of its tables."""
    engine = make_engine(read_url(url))
    with engine.connect() as connection:
        migrate(connection, version)
    tables = reflected(engine)
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        for name, (columns, rows) in PAST.items():
            if (table := tables.get(name)) is not None:
                past = (dict(zip(columns.split(), row, strict=True)) for row in rows)
                known = [{key: row[key] for key in row if key in table.columns} for row in past]
                connection.execute(table.insert(), known)
    found = read(engine)
    engine.dispose()
    return found


def reflected(engine: sa.Engine) -> dict[str, sa.Table]:
    metadata = sa.MetaData()
    metadata.reflect(engine)
    return {name: table for name, table in metadata.tables.items() if not name.startswith("alembic")}


def read(engine: sa.Engine) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    with engine.connect() as connection:
        for name, table in reflected(engine).items():
            rows = connection.execute(sa.select(table).order_by(*table.primary_key))
            found[name] = [dict(row) for row in rows.mappings()]
    return found


def version_of(engine: sa.Engine) -> str:
    with engine.connect() as connection:
        return str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one())


def test_rows_of_the_past_are_of_every_table_and_column_there_is(tmp_path: Path) -> None:
    """A new table without rows here would be compared with nothing."""
    with closing(Store(f"sqlite:///{tmp_path}/games.db")) as store:
        assert set(reflected(store.engine)) - {"reigns"} == set(PAST)


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_is_lost_from_any_version(empty: str, version: str) -> None:
    before = leave(empty, version)
    for _ in range(2):  # the second time there is nothing to do
        with closing(Store(empty)) as store:
            after = read(store.engine)
            session = store.load("going")
            with store.engine.connect() as connection:
                assert (
                    connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == LATEST
                )
        for name, rows in before.items():
            kept = [{key: row[key] for key in rows[0]} for row in after[name]] if rows else after[name]
            assert kept == rows, name
        assert session is not None
        assert (session.take, session.seats[0].name, session.game.columns) == (1, "Łucja <b>", (3,))
        assert session.clock is not None
        assert {row["pie"] for row in after["games"]} == {"no"}
        assert {row["agreed"] for row in after["replaced"]} <= {0}


@pytest.mark.parametrize("version", [version for version in VERSIONS if version >= "0007"])
def test_what_a_migration_fills_in_is_right(empty: str, version: str) -> None:
    leave(empty, version)
    with closing(Store(empty)) as store:
        after = read(store.engine)
    rated_at = {row["id"]: row["rated_at"] for row in after["players"]}
    unrated = {row["game"]: row["unrated"] for row in after["terms"]}
    assert rated_at == (
        {"ada": 30, "boris": 20, "never": None} if version < "0009" else dict.fromkeys(rated_at)
    )
    assert unrated == {
        "rated": None,
        "event": None,
        "address": "address" if version < "0010" else None,
    }


def test_a_new_server_changes_no_tables_under_old_ones(server: str) -> None:
    """It says what to do, and begins when the old ones have left, or give no sign of life."""
    url = another(server)
    leave(url, VERSIONS[-2])
    with psycopg.connect(url) as session:
        for statement in TABLES:
            session.execute(statement.encode())
    old = Members(url)
    id = old.enter("http://old.example")
    is_over = threading.Event()

    def live() -> None:
        while not is_over.wait(BEAT_SECONDS):
            old.beat(id, 1)

    living = threading.Thread(target=live)
    living.start()
    try:
        words = ["serve", "--port", "0", "--database", url, "--nats", "nats://127.0.0.1:1"]
        done = subprocess.run(
            [sys.executable, "-m", "claimeven", *words], capture_output=True, text=True, timeout=6 * PATIENCE
        )
        assert done.returncode == 2
        words_told = "servers of an older claimeven use it, one at http://old.example; stop them all"
        assert words_told in done.stderr
        assert "Traceback" not in done.stderr
        with pytest.raises(InputError, match=r"one at http://old\.example"):
            SharedStore(url)
    finally:
        is_over.set()
        living.join()
    engine = make_engine(read_url(url))
    assert version_of(engine) == VERSIONS[-2]
    engine.dispose()
    with closing(SharedStore(url)) as store:  # it was killed, and did not leave
        assert version_of(store.engine) == LATEST
    old.hang_up()
