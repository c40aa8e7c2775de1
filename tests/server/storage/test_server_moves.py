"""Moves on SQLite: what is stored nearly always takes one statement, and nothing of its safety is lost."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from claimeven.position import Position
from claimeven.server.game.events import Event
from claimeven.server.game.session import Seat, Session, Who
from claimeven.server.storage.store import FencedError, Store

ADA = Seat("human", "Ada", None, "hash-2")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{tmp_path}/games.db")) as opened:
        opened.claim()
        yield opened


def session(id: str, second: Seat = ADA) -> Session:
    return Session(id, Position(), (Seat("human", "Lan", None, "hash-1"), second), 1000, 500, None, "hash-1")


def moved(one: Session, column: int = 3, side: int = 0) -> tuple[Event, ...]:
    return one.move(Who((side,)), 0, one.ply, column, 2000).events


@contextmanager
def statements(store: Store) -> Iterator[list[str]]:
    told: list[str] = []

    def tell(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        told.append(statement.split()[0])

    sa.event.listen(store.engine, "before_cursor_execute", tell)
    yield told
    sa.event.remove(store.engine, "before_cursor_execute", tell)


def test_moves_of_many_games_are_one_statement(store: Store) -> None:
    sessions = [session(f"g{number}") for number in range(40)]
    store.write([one.begun() for one in sessions])
    with statements(store) as told:
        store.write([event for number, one in enumerate(sessions) for event in moved(one, number % 7)])
    assert told == ["INSERT"]
    for one in sessions:
        kept = store.load(one.id)
        assert kept is not None
        assert (kept.known, kept.seq, kept.game.times) == (one.known, one.seq, one.game.times)


def test_moves_of_an_overtaken_server_are_not_written(store: Store) -> None:
    one = session("one")
    store.write([one.begun()])
    with closing(Store(store.url.render_as_string())) as second:
        second.claim()
        with pytest.raises(FencedError):
            store.write(moved(one))
        assert second.counts()["moves"] == 0


def test_one_bad_move_spoils_all(store: Store) -> None:
    one, other = session("one"), session("other")
    store.write([one.begun(), other.begun()])
    first = moved(one)
    store.write(first)
    with pytest.raises(sa.exc.IntegrityError):
        store.write([*moved(other), *first])
    assert store.counts()["moves"] == 1
    with pytest.raises(sa.exc.IntegrityError):
        store.write(moved(session("nowhere")))


def test_what_happens_at_many_games_takes_few_statements(store: Store) -> None:
    """However it is mixed; and whoever begins, joins, moves and ends in one transaction does so in order."""
    events: list[Event] = []
    sessions = [session(f"g{number}", Seat("free")) for number in range(10)]
    for one in sessions:
        events.append(one.begun())
        events += one.join("Ada", "hash-2", 1500).events
        events += moved(one) + moved(one, side=1)
        events += one.resign(Who((0,)), 3000).events
    with statements(store) as told:
        store.write(events)
    assert sorted(told) == sorted(["BEGIN", "SELECT", "INSERT", "INSERT", *["UPDATE"] * 11, "INSERT"])
    for one in sessions:
        kept = store.load(one.id)
        assert kept is not None
        assert (kept.result, kept.seats, kept.known) == (one.result, one.seats, one.known)
