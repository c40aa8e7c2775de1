"""Games that are forgotten: those that nobody began, old ones, those that the operator deletes."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from claimeven.position import Position
from claimeven.server.game.events import Event, MoveMade
from claimeven.server.game.session import Seat, Session, Who
from claimeven.server.house.upkeep import Upkeep
from claimeven.server.settings import Settings
from claimeven.server.storage import cleaning, database
from claimeven.server.storage.cleaning import Cleaner
from claimeven.server.storage.club import players, sittings, terms
from claimeven.server.storage.store import Store
from kit.databases import another, postgres

DAY = 86_400_000


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "sqlite":
        opened = Store(f"sqlite:///{tmp_path}/games.db")
        yield opened
        opened.close()
        return
    opened = Store(another(request.getfixturevalue("server")))
    yield opened
    opened.close()


def keep(store: Store, id: str, created: int, *moved: int) -> None:
    """A game in which somebody moved at these moments."""
    seats = Seat("human", "Lan", None, "one"), Seat("human", "Ada", None, "two")
    session = Session(id, Position(), seats, created, 1000, owner="one")
    events: list[Event] = [session.begun()]
    for ply, at in enumerate(moved):
        (move,) = session.move(Who((ply % 2,)), 0, ply, 3, at).events
        assert isinstance(move, MoveMade)
        events.append(move)
    store.write(events)


def left(store: Store) -> set[str]:
    with store.engine.connect() as connection:
        return set(connection.execute(sa.text("SELECT id FROM games")).scalars())


def test_games_that_nobody_began_are_forgotten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaning, "LOOKED_AT", 3)
    monkeypatch.setattr(cleaning, "REMOVED", 2)
    for number in range(8):
        keep(store, f"empty{number}", 1000)
    keep(store, "here", 1000)
    keep(store, "played", 1000, 1000)
    keep(store, "new", 2000)
    here = {"here"}
    cleaner = Cleaner(store, here.__contains__, 2000)
    assert cleaner.forget_unstarted(1000) == 0
    assert cleaner.forget_unstarted(1001) == 8
    assert left(store) == {"here", "played", "new"}
    here.clear()  # who was there has left: it is not overlooked the next time
    assert cleaner.forget_unstarted(2000) == 1
    assert cleaner.forget_unstarted(2001) == 1
    assert left(store) == {"played"}


def test_old_games_are_forgotten_by_their_last_move(store: Store) -> None:
    keep(store, "old", 1000, 1000, 2000)
    keep(store, "long", 1000, 1000, 9000)
    keep(store, "empty", 1000)
    assert Cleaner(store, {"x"}.__contains__, 9000).forget_old(9000) == 2
    assert left(store) == {"long"}


def test_old_games_of_players_and_tournaments_stay(store: Store) -> None:
    """What is shown of them is theirs; they go with the players."""
    for id in ("strangers", "ada", "evening"):
        keep(store, id, 1000, 1000)
    ada = {"id": "a", "name": "Ada", "looks": "ada", "created": 0, "seen": 0}
    rating = {"rating": 900.0, "deviation": 350.0, "volatility": 0.06}

    def seat(connection: sa.Connection) -> None:
        connection.execute(sa.insert(players).values(**ada, **rating))
        connection.execute(sa.insert(sittings).values(game="ada", side=1, player="a", rating=900))
        connection.execute(sa.insert(terms).values(game="evening", rated=0, event="e"))

    store.do(seat)
    cleaner = Cleaner(store, {"x"}.__contains__, 9000)
    assert cleaner.forget_old(9000) == 1
    assert left(store) == {"ada", "evening"}
    store.do(lambda connection: cleaning.forget_player(connection, "a"))
    assert cleaner.forget_old(9000) == 1
    assert left(store) == {"evening"}


def test_a_clock_that_is_set_ahead_forgets_nothing(store: Store) -> None:
    keep(store, "today", 50 * DAY)
    cleaner = Cleaner(store, {"x"}.__contains__, 52 * DAY)  # after two days in which nobody came, or a jump
    assert cleaner.time(52 * DAY, 52 * DAY) == 50 * DAY
    assert cleaner.time(53 * DAY - 1, 53 * DAY - 1) == 51 * DAY - 1  # this day it was there itself
    assert cleaner.time(53 * DAY, 51 * DAY) == 51 * DAY  # somebody set it right: it was a jump
    assert cleaner.time(53 * DAY, 99 * DAY) == 53 * DAY  # a jump while the server runs
    assert Cleaner(store, {"x"}.__contains__, 40 * DAY).time(41 * DAY, 41 * DAY) == 41 * DAY


async def nobody(player: str, since: int) -> bool:
    return False


def test_a_server_that_finds_only_old_games_forgets_them_without_a_restart(store: Store) -> None:
    """It trusts its clock when it has said the same for a day."""
    keep(store, "unstarted", 50 * DAY)
    keep(store, "old", 50 * DAY, 50 * DAY)
    clock = 90 * DAY
    settings = Settings(keep_days=30)
    upkeep = Upkeep(store, settings, lambda: clock, {"x"}.__contains__, nobody)
    asyncio.run(upkeep.look())
    clock += DAY - 1
    asyncio.run(upkeep.look())
    assert left(store) == {"unstarted", "old"}
    clock += settings.cleaning
    asyncio.run(upkeep.look())
    assert left(store) == set()


def steps_of_a_start(file: Path) -> int:
    """What SQLite does, in steps of its machine, until a server has its database and knows what to clean."""
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    def watch(connection: Any, _: object) -> None:
        connection.set_progress_handler(step, 1)

    sa.event.listen(sa.Engine, "connect", watch)
    try:
        opened = Store(f"sqlite:///{file}")
        opened.claim()
        Cleaner(opened, lambda game: False, 0)
        opened.close()
    finally:
        sa.event.remove(sa.Engine, "connect", watch)
    return count


def test_a_start_does_not_depend_on_the_number_of_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of 64 MiB is looked through when the server serves already."""
    monkeypatch.setattr(database, "LARGE", 0)
    file = tmp_path / "games.db"
    Store(f"sqlite:///{file}").close()
    empty = steps_of_a_start(file)
    with closing(Store(f"sqlite:///{file}")) as opened:
        opened.write(
            [
                Session(f"{number}", Position(), (Seat("free"), Seat("free")), number, 1).begun()
                for number in range(2_000)
            ]
        )
    assert steps_of_a_start(file) < empty + 50
