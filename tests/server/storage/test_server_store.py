"""Games on disk: what is stored is read back, and the databases themselves refuse what must not be."""

import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from hypothesis import given, settings
from hypothesis import strategies as st

from claimeven.errors import InputError
from claimeven.position import Board, Position
from claimeven.server.errors import RefusedError
from claimeven.server.game.clock import GameClock
from claimeven.server.game.events import Event, MoveMade, RequestGranted, SeatTaken, Successor
from claimeven.server.game.granted import KEPT
from claimeven.server.game.session import Seat, Session, Who
from claimeven.server.storage.database import check, make_engine, read_url
from claimeven.server.storage.rows import rows_of
from claimeven.server.storage.schema import games, metadata, moves, requests, seats
from claimeven.server.storage.store import STATEMENTS, SeatTakenError, Store
from claimeven.server.storage.version import LATEST, MIGRATIONS, bring_up_to_date, migrate
from claimeven.server.storage.writer import Chain, Job, Writer
from kit.databases import postgres


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('store')}/games.db"
    else:
        url = request.getfixturevalue("postgres_url")
    opened = Store(url)
    yield opened
    opened.close()


_ids = iter(range(10**9))


def game(start: str = "", clock: GameClock | None = None, has_pie: bool = False) -> Session:
    chairs = (Seat("human", "Lan", None, "hash-1"), Seat("human", "Ada", None, "hash-2"))
    position = Position.parse(start, Board(5, 4, 3))
    return Session(
        f"g{next(_ids)}", position, chairs, 1000, 500, clock, "hash-1", turn_since=0, has_pie=has_pie
    )


def put(store: Store, *jobs: Sequence[Event], chains: list[Chain] | None = None) -> list[Exception | None]:
    """Store each job; what became of them."""
    outcomes: list[Exception | None] = []
    writer = Writer(store, lambda action: action())
    for number, events in enumerate(jobs):
        writer.put(Job(chains[number] if chains else Chain(), events, outcomes.append))
    writer.close()
    return outcomes


def move_made(session: Session, **parts: Any) -> MoveMade:
    move = MoveMade(
        session.id,
        seq=1,
        take=0,
        ply=0,
        column=0,
        side=0,
        position=session.position,
        is_last=False,
        ms=None,
        clock=None,
        at=1,
    )
    return replace(move, **parts)


def same(one: Session, other: Session | None) -> None:
    """Equal in all that is kept; a clock that runs here stands still on disk."""
    assert other is not None
    kept = ("start", "seats", "think", "owner", "invite", "seq", "take", "known", "offers", "result")
    for name in (*kept, "rematch", "created", "granted"):
        assert getattr(one, name) == getattr(other, name), name
    assert one.game.undone == other.game.undone
    assert one.record() == other.record()  # moves and their times
    assert (one.clock is None) == (other.clock is None)
    if one.clock is not None and other.clock is not None:
        assert (one.clock.left, one.clock.increment) == (other.clock.left, other.clock.increment)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    wishes=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 4)), max_size=25),
    start=st.sampled_from(["", "123", "1/5/5/5 x 5x4x3".replace("1/", "5/", 1)]),
    is_timed=st.booleans(),
    has_pie=st.booleans(),
)
def test_any_game_is_read_back_as_it_was(
    store: Store, wishes: list[tuple[int, int]], start: str, is_timed: bool, has_pie: bool
) -> None:
    session = game(start, GameClock(60_000, 1_000) if is_timed else None, has_pie and start != "123")
    jobs: list[list[Event]] = [[session.begun()]]
    for now, (what, column) in enumerate(wishes):
        side = session.position.side
        try:
            step = (
                session.offer(Who((column % 2,)), "draw", now)
                if what == 0
                else session.offer(Who((1 - side,)), "undo", now)
                if what == 1
                else session.answer(Who((side,)), "undo", True, now)
                if what == 2
                else session.more_time(Who((side,)))
                if what == 3
                else session.swap(Who((side,)), now)
                if what == 4
                else session.move(Who((side,)), session.take, session.ply, column, now * 10)
            )
        except RefusedError:
            continue
        granted = session.granted.add(session.id, f"hash-{side + 1}", f"r{now}", '{"t":"draw"}', step.seq)
        jobs.append([*step.events, granted])
    assert not any(put(store, *jobs))
    same(session, store.load(session.id))


def test_requests_are_remembered_to_a_bound(store: Store) -> None:
    """The latest of each player, whatever the other does."""
    session = game()
    jobs: list[list[Event]] = [[session.begun()]]
    jobs += [[session.granted.add(session.id, "hash-1", "mine", "name", 1)]]
    jobs += [[session.granted.add(session.id, "hash-2", f"r{n}", "name", n)] for n in range(3 * KEPT)]
    assert not any(put(store, *jobs))
    same(session, store.load(session.id))
    with store.engine.connect() as connection:
        count = sa.select(sa.func.count()).select_from(requests).where(requests.c.game == session.id)
        assert connection.execute(count).scalar() == KEPT + 1
    assert session.granted.seq("hash-1", "mine", "name") == 1
    assert session.granted.seq("hash-2", f"r{3 * KEPT - 1}", "name") == 3 * KEPT - 1
    assert session.granted.seq("hash-2", "r0", "name") is None
    with pytest.raises(RefusedError, match="was used for another one"):
        session.granted.seq("hash-1", "mine", "resign")


def test_one_grant_per_request(store: Store) -> None:
    session = game()
    grant = RequestGranted(session.id, "hash-1", number=0, id="r", asked="", seq=1)
    outcomes = put(store, [session.begun()], [grant], [replace(grant, number=1)])
    assert outcomes[:2] == [None, None]
    assert isinstance(outcomes[2], sa.exc.IntegrityError)


def test_no_such_game(store: Store) -> None:
    assert store.load("nothing") is None


def test_one_move_per_ply(store: Store) -> None:
    """Even if two servers, or a wrong one, wrote at once."""
    session = game()
    outcomes = put(
        store,
        [session.begun()],
        [move_made(session)],
        [move_made(session, column=2)],
        [move_made(session, take=1)],
    )
    assert [type(outcome) for outcome in outcomes] == [
        type(None),
        type(None),
        sa.exc.IntegrityError,
        type(None),
    ]


@pytest.mark.parametrize(
    "parts",
    [
        {"column": -1},
        {"column": 35},
        {"ply": -1},
        {"ply": 128},
        {"side": 2},
        {"game": "nobody's"},
        {"take": -1},
    ],
)
def test_rows_that_make_no_sense_are_refused(store: Store, parts: dict[str, Any]) -> None:
    session = game()
    created, refused = put(store, [session.begun()], [move_made(session, **parts)])
    assert created is None
    assert isinstance(refused, sa.exc.IntegrityError)


def test_one_owner_per_seat(store: Store) -> None:
    session = game()
    session.seats = session.seats[0], Seat("free")
    first, second = (SeatTaken(session.id, 1, Seat("human", "", None, f"hash-{n}")) for n in (2, 3))
    outcomes = put(store, [session.begun()], [first], [second])
    assert outcomes[:2] == [None, None]
    assert isinstance(outcomes[2], SeatTakenError)
    begun = next(row for kind, row in rows_of([session.begun()]) if kind == "new_seat")
    with store.engine.connect() as connection, pytest.raises(sa.exc.IntegrityError):
        connection.execute(STATEMENTS["new_seat"], begun)
    loaded = store.load(session.id)
    assert loaded is not None
    assert loaded.seats[1].owner == "hash-2"


def test_after_a_failure_nothing_that_rests_on_it_is_stored(store: Store) -> None:
    """And other games do not suffer."""
    session, other, chain = game(), game(), Chain()
    jobs: list[list[Event]] = [
        [session.begun(), other.begun()],
        [move_made(session)],
        [move_made(session)],  # fails
        [move_made(session, ply=1)],
        [move_made(other)],
    ]
    outcomes = put(store, *jobs, chains=[Chain(), chain, chain, chain, Chain()])
    assert [outcome is None for outcome in outcomes] == [True, True, False, False, True]
    with store.engine.connect() as connection:
        count = sa.select(sa.func.count()).select_from(moves).where(moves.c.game == session.id)
        assert connection.execute(count).scalar() == 1


def test_many_changes_in_few_transactions(store: Store) -> None:
    session = game()
    writer = Writer(store, lambda action: action())
    outcomes: list[Exception | None] = []
    writer.put(Job(Chain(), [session.begun()], outcomes.append))
    for number in range(1000):
        row = move_made(session, take=number // 100, ply=number % 100)
        writer.put(Job(Chain(), [row], outcomes.append))
    writer.close()
    assert outcomes == [None] * 1001
    assert writer.commits < 200


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_writer_that_cannot_go_on_says_so(store: Store) -> None:
    """It would be waited for in vain for ever."""

    def call(action: object) -> None:
        raise MemoryError

    is_lost = threading.Event()
    writer = Writer(store, call, lost=is_lost.set)
    writer.put(Job(Chain(), [game().begun()], lambda outcome: None))
    assert is_lost.wait(20)
    writer.close()


def are_as_written(connection: sa.Connection) -> None:
    assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    for table in (games, seats, moves, requests):
        wanted = {check.name for check in table.constraints if isinstance(check, sa.CheckConstraint)}
        found = {check["name"] for check in sa.inspect(connection).get_check_constraints(table.name)}
        assert wanted == found


def test_a_start_makes_the_tables(store: Store) -> None:
    with store.engine.connect() as connection:
        are_as_written(connection)


def test_the_migrations_make_the_tables(store: Store, tmp_path: Path) -> None:
    url = read_url(f"sqlite:///{tmp_path}/games.db")
    if store.engine.dialect.name == "postgresql":
        with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("CREATE DATABASE migrated")
        url = store.url.set(database="migrated")
    engine = make_engine(url)
    with engine.connect() as connection:
        migrate(connection)
        are_as_written(connection)
    engine.dispose()


def test_an_empty_database_gets_at_once_what_the_migrations_make(tmp_path: Path) -> None:
    """To the letter, with what stands in it, Alembic's own table too."""
    made = []
    for make in (bring_up_to_date, migrate):
        file = tmp_path / f"{make.__name__}.db"
        engine = make_engine(read_url(f"sqlite:///{file}"))
        with engine.connect() as connection:
            make(connection)
        engine.dispose()
        with closing(sqlite3.connect(file)) as opened:
            made.append({re.sub(r'["\s]+', "", statement) for statement in opened.iterdump()})
    assert made[0] == made[1]
    assert len(made[0]) > 10
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == LATEST


def test_alembic_is_loaded_only_where_tables_are_changed(tmp_path: Path) -> None:
    program = (
        "import sys; from claimeven.server.storage.store import Store; Store(sys.argv[1]).close();"
        "Store(sys.argv[1]).close(); assert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program, f"sqlite:///{tmp_path}/games.db"], check=True)


def test_opening_twice_keeps_everything(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    session = game("12")
    for _ in range(2):
        store = Store(url)
        put(store, [session.begun()])
        same(session, store.load(session.id))
        store.close()


def test_a_database_of_the_past_is_brought_up_to_date(tmp_path: Path) -> None:
    """As the first version left it, with a game in it."""
    url = f"sqlite:///{tmp_path}/games.db"
    session = game("12")
    engine = make_engine(read_url(url))
    with engine.connect() as connection:
        migrate(connection, "0001")
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        for kind, row in rows_of([session.begun()]):
            then = {name: value for name, value in row.items() if name != "pie"}
            connection.execute(STATEMENTS[kind], then)
    engine.dispose()
    opened = Store(url)
    same(session, opened.load(session.id))
    assert put(opened, [session.granted.add(session.id, "hash-1", "r", "", 1)]) == [None]
    same(session, opened.load(session.id))
    opened.close()


def test_sqlite_is_as_durable_as_promised(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/games.db")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        connection.rollback()
        connection.detach()
        assert connection.connection.dbapi_connection is not None
        connection.connection.dbapi_connection.execute("PRAGMA synchronous=NORMAL")
        with pytest.raises(InputError, match="synchronous is 1, not 2"):
            check(store.url, connection)
    store.close()


def test_a_damaged_database_is_not_opened(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    store = Store(f"sqlite:///{file}")
    put(store, *([game().begun()] for _ in range(200)))
    store.close()
    content = bytearray(file.read_bytes())
    content[3 * 4096 : 9 * 4096] = b"\xff" * (6 * 4096)
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"games\.db"):
        Store(f"sqlite:///{file}")
    file.write_bytes(b"this is no database, but it is long enough to look like one" * 100)
    with pytest.raises(InputError, match="not a database"):
        Store(f"sqlite:///{file}")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("games.db", "write sqlite:///FILE or postgresql://"),
        ("mysql://localhost/games", "mysql is not supported"),
        ("sqlite://", "games are kept on disk"),
        ("sqlite:///:memory:", "games are kept on disk"),
        ("postgresql://nobody:secret@127.0.0.1:1/games", "database postgresql"),
    ],
)
def test_bad_databases(url: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as raised:
        Store(url)
    assert "secret" not in str(raised.value)


def test_a_database_of_the_future_is_not_opened(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    store = Store(url)
    with store.engine.connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    store.close()
    with pytest.raises(InputError, match="made by a newer claimeven"):
        Store(url)


def test_a_locked_database_delays_but_loses_nothing(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/games.db")
    session = game()
    other = sqlite3.connect(tmp_path / "games.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    outcomes: list[Exception | None] = []
    writer = Writer(store, lambda action: action())
    writer.put(Job(Chain(), [session.begun()], outcomes.append))
    assert outcomes == []
    other.execute("COMMIT")
    other.close()
    writer.close()
    assert outcomes == [None]
    store.close()


def test_who_was_replaced_is_remembered(store: Store) -> None:
    """In the middle of a game; its record names them, though its players are those of the end."""
    seats = Seat("human", "Lan", None, "one"), Seat("agent", "First", "first", None)
    session = Session(f"r{next(_ids)}", Position(), seats, 1000, 500, None, "one", turn_since=0)
    owner = Who((0,), True)
    steps = [
        session.set_agent(owner, 1, Successor("Level 1", "level:1"), 1),  # nobody has moved
        session.move(Who((0,)), 0, 0, 3, 2),
        session.set_agent(owner, 1, Successor("Level 2", "level:2"), 3),
        session.set_agent(owner, 0, Successor("Perfect", "perfect"), 4),
    ]
    store.write([session.begun()])
    for step in steps:
        store.write(step.events)
    loaded = store.load(session.id)
    assert loaded is not None
    for one in (session, loaded):
        assert one.record().tags["Replaced"] == "2 level:1 until 1; 1 Lan until 1"


def test_who_shall_sit_there_and_who_agreed_are_remembered(store: Store) -> None:
    """Between people it is asked first, also by a server that was killed in between."""
    seats = Seat("human", "Lan", None, "one"), Seat("human", "Ada", None, "two")
    session = Session(f"s{next(_ids)}", Position(), seats, 1000, 500, None, "one", turn_since=0)
    store.write([session.begun()])
    heir = Successor("Đá, one: two", "minimax:depth=2,ties=first")
    for step in (
        session.move(Who((0,)), 0, 0, 3, 2),
        session.offer(Who((1,)), "draw", 3),
        session.set_agent(Who((0,), True), 0, heir, 4),
    ):
        store.write(step.events)
    loaded = store.load(session.id)
    assert loaded is not None
    assert (loaded.offers, loaded.successor) == ({"draw": 1, "seat": 0}, heir)
    store.write(loaded.answer(Who((1,)), "seat", True, 5).events)
    again = store.load(session.id)
    assert again is not None
    assert again.seats[0] == Seat("agent", *heir)
    assert again.record().tags["Replaced"] == "1 Lan until 1 by agreement"
