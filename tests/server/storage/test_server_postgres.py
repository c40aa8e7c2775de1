"""PostgreSQL in trouble: taken over by a second server, hanging, careless."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.server.game.session import Seat, Session
from claimeven.server.storage.store import FencedError, Store
from faults.process import ServerProcess
from kit.databases import postgres
from kit.serving import NO_TLS, PATIENCE, Talker, wait_until


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    found: str = request.getfixturevalue("url")
    return found


def session(id: str) -> Session:
    seats = Seat("human", "Lan", None, "one"), Seat("human", "Ada", None, "two")
    return Session(id, Position(), seats, 0, 1000, owner="one")


def test_who_lost_the_database_writes_nothing(database: str) -> None:
    with contextlib.closing(Store(database)) as first, contextlib.closing(Store(database)) as second:
        first.claim()
        first.write([session("before").begun()])
        second.claim()
        with pytest.raises(FencedError):
            first.write([session("late").begun()])
        with pytest.raises(FencedError):
            first.remove(["before"], sa.true())
        with pytest.raises(FencedError):
            first.reclaim()
        second.write([session("after").begun()])
        second.reclaim()
        second.write([session("again").begun()])
        found = [second.load(id) is not None for id in ("before", "late", "after", "again")]
        assert found == [True, False, True, True]
        assert second.remove(["before", "after", "again"], sa.true()) == 3


@pytest.mark.parametrize("is_lost", [False, True], ids=["not committed", "committed, and not heard of it"])
def test_a_claim_that_fails_is_not_a_defeat(
    database: str, is_lost: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that met a failing disk, or a line that broke, took itself for another one and stopped."""
    with contextlib.closing(Store(database)) as store:
        store.claim()
        commit = store.engine.dialect.do_commit

        def fail(connection: Any) -> None:
            if is_lost:
                commit(connection)
            raise OSError("the disk or the line")

        monkeypatch.setattr(store.engine.dialect, "do_commit", fail)
        with pytest.raises(OSError, match="the disk"):
            store.reclaim()
        monkeypatch.undo()
        store.write([session(f"kept {is_lost}").begun()])
        store.reclaim()
        store.write([session(f"kept {is_lost} too").begun()])
        assert store.load(f"kept {is_lost} too") is not None


def test_a_transaction_under_way_ends_before_the_database_is_taken(url: str) -> None:
    """So whoever takes it sees all that was ever acknowledged."""
    with contextlib.closing(Store(url)) as first, contextlib.closing(Store(url)) as second:
        first.claim()
        order: list[str] = []

        def take() -> None:
            second.claim()
            order.append("taken")

        with first._writing():
            taker = threading.Thread(target=take)
            taker.start()
            taker.join(0.5)
            order.append("written")
        taker.join(PATIENCE)
        assert order == ["written", "taken"]


def begin(server: ServerProcess) -> tuple[str, str]:
    wish = {"seats": [{"kind": "me"}, {"kind": "me"}]}
    made = httpx.post(f"{server.address}/api/games", json=wish, timeout=PATIENCE, verify=NO_TLS).json()
    return made["game"], made["token"]


def sit(server: ServerProcess, game: str, token: str) -> Talker:
    return Talker(connect(f"{server.address.replace('http', 'ws')}/ws/{game}").__enter__(), token)


def test_after_a_restart_two_servers_do_not_both_write(url: str, tmp_path: Path) -> None:
    """The first looks for its hold every ten seconds: until then only the fence is between them."""
    with ServerProcess(tmp_path, database=url) as first:
        game, token = begin(first)
        with sit(first, game, token) as player, contextlib.closing(Store(url)) as second:
            assert player.move(0, 4)["t"] == "ack"
            second.claim()  # as a second server does that starts
            with contextlib.suppress(ConnectionClosed):
                assert player.move(1, 4)["t"] == "error"
            wait_until(lambda: not first.is_alive)
            with psycopg.connect(url) as look:
                stored = look.execute("SELECT count(*) FROM moves WHERE game = %s", (game,)).fetchone()
            assert stored == (1,)


@contextlib.contextmanager
def frozen(url: str) -> Iterator[None]:
    """All processes of PostgreSQL, as if the line to it were dead."""
    master = int((Path(url.partition("host=")[2]) / "data" / "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    pids = [master, *map(int, children)]

    def tell(what: signal.Signals) -> None:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):  # one that tidies up now and then may have ended
                os.kill(pid, what)

    tell(signal.SIGSTOP)
    try:
        yield
    finally:
        tell(signal.SIGCONT)


def test_a_database_that_hangs_is_noticed(url: str, tmp_path: Path) -> None:
    """Nothing was answered for as long as it hung, and SIGTERM did not end the server."""
    with ServerProcess(tmp_path, database=url) as server:
        game, token = begin(server)
        with sit(server, game, token) as player:
            assert player.move(0, 4)["t"] == "ack"
            with frozen(url):
                with contextlib.suppress(ConnectionClosed):
                    assert player.move(1, 4)["code"] == "not_stored"
                assert (
                    httpx.get(f"{server.address}/api/ready", timeout=PATIENCE, verify=NO_TLS).status_code
                    == 503
                )
        wait_until(
            lambda: httpx.get(f"{server.address}/api/ready", verify=NO_TLS).status_code == 200, patience=60
        )
        with sit(server, game, token) as player:
            ply = len(player.first["moves"])  # the move of before may be stored or not
            assert player.move(ply, 4)["t"] == "ack"
            with frozen(url):
                begun = time.monotonic()
                server.signal(signal.SIGTERM)
                wait_until(lambda: not server.is_alive, patience=40)
                print(f"ended after {time.monotonic() - begun:.1f} s")


def test_a_careless_database_is_refused() -> None:
    with postgres("fsync=off") as url, pytest.raises(InputError, match="fsync is off"):
        Store(url)


def test_a_database_without_an_encoding_keeps_names(url: str) -> None:
    """As PostgreSQL makes it where no language is set, in containers above all: texts are bytes there."""
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("CREATE DATABASE bytes TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
    with contextlib.closing(Store(url.replace("/games", "/bytes"))) as store:
        store.claim()
        seats = Seat("human", "Zoë", None, "one"), Seat("human", "Łukasz", None, "two")
        store.write([Session("here", Position(), seats, 0, 1000, owner="one").begun()])
        found = store.load("here")
        assert found is not None
        assert [seat.name for seat in found.seats] == ["Zoë", "Łukasz"]
