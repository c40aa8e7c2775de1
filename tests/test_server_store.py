"""Games on disk: what is stored is read back, and the databases themselves refuse what must not be."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import given, settings
from hypothesis import strategies as st

from claimeven.errors import InputError
from claimeven.position import Board, Position
from claimeven.server.clock import GameClock
from claimeven.server.database import backup, check, make_engine, migrate, read_url
from claimeven.server.errors import RefusedError
from claimeven.server.granted import KEPT
from claimeven.server.live import Live, Seat, Who, Write
from claimeven.server.schema import games, metadata, moves, requests, seats
from claimeven.server.store import STATEMENTS, SeatTakenError, Store, new_game
from claimeven.server.writer import Chain, Job, Writer
from databases import postgres


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


def game(start: str = "", clock: GameClock | None = None) -> Live:
    chairs = (Seat("human", "Lan", None, "hash-1"), Seat("human", "Ada", None, "hash-2"))
    position = Position.parse(start, Board(5, 4, 3))
    return Live(f"g{next(_ids)}", position, chairs, 1000, 500, clock, "hash-1", turn_since=0)


def put(store: Store, *jobs: list[Write], chains: list[Chain] | None = None) -> list[Exception | None]:
    """Store each job; what became of them."""
    outcomes: list[Exception | None] = []
    writer = Writer(store, lambda action: action())
    for number, writes in enumerate(jobs):
        writer.put(Job(chains[number] if chains else Chain(), writes, outcomes.append))
    writer.close()
    return outcomes


def move_row(live: Live, **parts: Any) -> Write:
    row = {"game": live.id, "take": 0, "ply": 0, "column": 1, "side": 1, "seq": 1}
    return "move", row | {"ms": None, "left_ms": None, "at": 1} | parts


def same(one: Live, other: Live | None) -> None:
    """Equal in all that is kept; a clock that runs here stands still on disk."""
    assert other is not None
    kept = ("start", "seats", "think", "owner", "invite", "seq", "take", "columns", "times", "redo", "known")
    for name in (*kept, "offers", "result", "rematch", "created", "granted"):
        assert getattr(one, name) == getattr(other, name), name
    assert (one.clock is None) == (other.clock is None)
    if one.clock is not None and other.clock is not None:
        assert (one.clock.left, one.clock.increment) == (other.clock.left, other.clock.increment)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    wishes=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 4)), max_size=25),
    start=st.sampled_from(["", "123", "1/5/5/5 x 5x4x3".replace("1/", "5/", 1)]),
    is_timed=st.booleans(),
)
def test_any_game_is_read_back_as_it_was(
    store: Store, wishes: list[tuple[int, int]], start: str, is_timed: bool
) -> None:
    live = game(start, GameClock(60_000, 1_000) if is_timed else None)
    jobs = [new_game(live)]
    for now, (what, column) in enumerate(wishes):
        side = live.position.side
        try:
            step = (
                live.offer(Who((column % 2,)), "draw", now)
                if what == 0
                else live.offer(Who((1 - side,)), "undo", now)
                if what == 1
                else live.answer(Who((side,)), "undo", True, now)
                if what == 2
                else live.more_time(Who((side,)))
                if what == 3
                else live.move(Who((side,)), live.take, live.ply, column, now * 10)
            )
        except RefusedError:
            continue
        granted = live.granted.add(live.id, f"hash-{side + 1}", f"r{now}", '{"t":"draw"}', step.seq)
        jobs.append([*step.writes, *granted])
    assert not any(put(store, *jobs))
    same(live, store.load(live.id))


def test_requests_are_remembered_to_a_bound(store: Store) -> None:
    """The latest of each player, whatever the other does."""
    live = game()
    jobs = [new_game(live), live.granted.add(live.id, "hash-1", "mine", "name", 1)]
    jobs += [live.granted.add(live.id, "hash-2", f"r{n}", "name", n) for n in range(3 * KEPT)]
    assert not any(put(store, *jobs))
    same(live, store.load(live.id))
    with store.engine.connect() as connection:
        count = sa.select(sa.func.count()).select_from(requests).where(requests.c.game == live.id)
        assert connection.execute(count).scalar() == KEPT + 1
    assert live.granted.seq("hash-1", "mine", "name") == 1
    assert live.granted.seq("hash-2", f"r{3 * KEPT - 1}", "name") == 3 * KEPT - 1
    assert live.granted.seq("hash-2", "r0", "name") is None
    with pytest.raises(RefusedError, match="was used for another one"):
        live.granted.seq("hash-1", "mine", "resign")


def test_one_grant_per_request(store: Store) -> None:
    live = game()
    row = {"game": live.id, "who": "hash-1", "number": 0, "id": "r", "asked": "", "seq": 1}
    again = row | {"number": 1}
    outcomes = put(store, new_game(live), [("request", row)], [("request", again)])
    assert outcomes[:2] == [None, None]
    assert isinstance(outcomes[2], sa.exc.IntegrityError)


def test_no_such_game(store: Store) -> None:
    assert store.load("nothing") is None


def test_one_move_per_ply(store: Store) -> None:
    """Even if two servers, or a wrong one, wrote at once."""
    live = game()
    outcomes = put(
        store, new_game(live), [move_row(live)], [move_row(live, column=2)], [move_row(live, take=1)]
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
        {"column": 0},
        {"column": 36},
        {"ply": -1},
        {"ply": 128},
        {"side": 3},
        {"game": "nobody's"},
        {"take": -1},
    ],
)
def test_rows_that_make_no_sense_are_refused(store: Store, parts: dict[str, Any]) -> None:
    live = game()
    created, refused = put(store, new_game(live), [move_row(live, **parts)])
    assert created is None
    assert isinstance(refused, sa.exc.IntegrityError)


def test_one_owner_per_seat(store: Store) -> None:
    live = game()
    live.seats[1].kind, live.seats[1].owner = "free", None
    row = live.seat_row(1)[1] | {"kind": "human"}
    first, second = row | {"owner": "hash-2"}, row | {"owner": "hash-3"}
    outcomes = put(store, new_game(live), [("join", first)], [("join", second)], [("new_seat", second)])
    assert outcomes[:2] == [None, None]
    assert isinstance(outcomes[2], SeatTakenError)
    assert isinstance(outcomes[3], sa.exc.IntegrityError)
    loaded = store.load(live.id)
    assert loaded is not None
    assert loaded.seats[1].owner == "hash-2"


def test_after_a_failure_nothing_that_rests_on_it_is_stored(store: Store) -> None:
    """And other games do not suffer."""
    live, other, chain = game(), game(), Chain()
    jobs = [
        [*new_game(live), *new_game(other)],
        [move_row(live)],
        [move_row(live)],  # fails
        [move_row(live, ply=1)],
        [move_row(other)],
    ]
    outcomes = put(store, *jobs, chains=[Chain(), chain, chain, chain, Chain()])
    assert [outcome is None for outcome in outcomes] == [True, True, False, False, True]
    with store.engine.connect() as connection:
        count = sa.select(sa.func.count()).select_from(moves).where(moves.c.game == live.id)
        assert connection.execute(count).scalar() == 1


def test_many_changes_in_few_transactions(store: Store) -> None:
    live = game()
    writer = Writer(store, lambda action: action())
    outcomes: list[Exception | None] = []
    writer.put(Job(Chain(), new_game(live), outcomes.append))
    for number in range(1000):
        row = move_row(live, take=number // 100, ply=number % 100)
        writer.put(Job(Chain(), [row], outcomes.append))
    writer.close()
    assert outcomes == [None] * 1001
    assert writer.commits < 200


def test_unstarted_games_are_forgotten(store: Store) -> None:
    old, kept, played = game(), game(), game()
    put(store, new_game(old), new_game(kept), new_game(played), [move_row(played)])
    assert store.forget_unstarted(1000) == 0
    assert store.forget_unstarted(1001, [kept.id]) >= 1
    assert store.load(old.id) is None
    assert store.load(kept.id) is not None
    assert store.load(played.id) is not None


def test_the_migrations_make_the_tables(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        for table in (games, seats, moves, requests):
            wanted = {check.name for check in table.constraints if isinstance(check, sa.CheckConstraint)}
            found = {check["name"] for check in sa.inspect(connection).get_check_constraints(table.name)}
            assert wanted == found


def test_opening_twice_keeps_everything(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    live = game("12")
    for _ in range(2):
        store = Store(url)
        put(store, new_game(live))
        same(live, store.load(live.id))
        store.close()


def test_a_database_of_the_past_is_brought_up_to_date(tmp_path: Path) -> None:
    """As the first version left it, with a game in it."""
    url = f"sqlite:///{tmp_path}/games.db"
    live = game("12")
    engine = make_engine(read_url(url))
    with engine.connect() as connection:
        migrate(connection, "0001")
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        for kind, row in new_game(live):
            connection.execute(STATEMENTS[kind], row)
    engine.dispose()
    opened = Store(url)
    same(live, opened.load(live.id))
    assert put(opened, live.granted.add(live.id, "hash-1", "r", "", 1)) == [None]
    same(live, opened.load(live.id))
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
    put(store, *(new_game(game()) for _ in range(200)))
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
    live = game()
    other = sqlite3.connect(tmp_path / "games.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    outcomes: list[Exception | None] = []
    writer = Writer(store, lambda action: action())
    writer.put(Job(Chain(), new_game(live), outcomes.append))
    assert outcomes == []
    other.execute("COMMIT")
    other.close()
    writer.close()
    assert outcomes == [None]
    store.close()


def test_backup_while_it_is_used(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    store = Store(url)
    live = game("123")
    put(store, new_game(live))
    backup(url, tmp_path / "copy.db")
    store.close()
    copy = Store(f"sqlite:///{tmp_path}/copy.db")
    same(live, copy.load(live.id))
    copy.close()
    with pytest.raises(InputError, match="there is a file already"):
        backup(url, tmp_path / "copy.db")
    with pytest.raises(InputError, match="no such database"):
        backup(f"sqlite:///{tmp_path}/none.db", tmp_path / "other.db")
    with pytest.raises(InputError, match="pg_dump"):
        backup("postgresql://localhost/games", tmp_path / "other.db")
