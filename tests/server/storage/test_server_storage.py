"""A disk that is full or broken, a server that is killed, two servers on one database: real ones of each."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection
from websockets.sync.client import connect

from claimeven import cli
from claimeven.server.storage.hold import DatabaseInUseError, held
from faults.process import ServerProcess
from faults.trouble import failing_disk
from kit.databases import postgres
from kit.serving import NO_TLS, PATIENCE, Served, Talker, serving, wait_until


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Every test leaves it running."""
    with ServerProcess(tmp_path_factory.mktemp("server")) as running:
        yield running


def sit(process: ServerProcess, game: str, token: str | None = None) -> Talker:
    return Talker(connect(f"{process.address.replace('http', 'ws')}/ws/{game}").__enter__(), token)


def new_pair(process: ServerProcess, **wishes: Any) -> tuple[str, str, str]:
    wish = {"seats": [{"kind": "me"}, {"kind": "friend"}], **wishes}
    made = httpx.post(f"{process.address}/api/games", json=wish, timeout=PATIENCE, verify=NO_TLS).json()
    place = f"{process.address}/api/games/{made['game']}/join"
    joined = httpx.post(place, json={"invite": made["invite"]}, timeout=PATIENCE, verify=NO_TLS).json()
    return made["game"], made["token"], joined["token"]


def readiness(address: str) -> int:
    return httpx.get(f"{address}/api/ready", timeout=PATIENCE, verify=NO_TLS).status_code


def answer_to(talker: Talker, **request: Any) -> dict[str, Any]:
    """Say something under an id of one's own."""
    talker.say(**request)
    while True:
        heard = talker.next()
        if heard.get("id") == request["id"]:
            return heard


# Requests that are sent again ------------------------------------------------------------------------


def test_a_request_sent_again_after_a_crash_acts_once(process: ServerProcess) -> None:
    game, one, two = new_pair(process, clock={"initial": 60_000, "increment": 0})
    with sit(process, game, one) as lan, sit(process, game, two) as ada:
        gift = answer_to(lan, t="more_time", id="gift")
        assert gift == {"t": "ack", "id": "gift", "seq": 2}
        asked = answer_to(lan, t="offer", id="ask", kind="draw")
        declined = answer_to(ada, t="answer", id="no", kind="draw", yes=False)
        process.kill()
    process.start()
    with sit(process, game, one) as lan, sit(process, game, two) as ada:
        before = lan.first
        assert before["clock"]["left"] == [60_000, 75_000]
        assert answer_to(lan, t="more_time", id="gift") == gift
        assert answer_to(lan, t="offer", id="ask", kind="draw") == asked
        assert answer_to(ada, t="answer", id="no", kind="draw", yes=False) == declined
        lan.say(t="sync")
        after = lan.hear("state")
        assert (after["seq"], after["clock"]["left"], after["offers"]) == (
            before["seq"],
            [60_000, 75_000],
            dict.fromkeys(("draw", "undo", "rematch", "seat", "successor")),
        )
        assert answer_to(ada, t="more_time", id="gift")["t"] == "ack"  # an id is one's own
        assert answer_to(lan, t="resign", id="gift")["code"] == "bad_message"  # and means one thing
        assert answer_to(lan, t="resign", id="gift")["code"] == "bad_message"
        assert answer_to(lan, t="more_time", id="gift-2")["t"] == "ack"


def test_a_rematch_agreed_twice_is_one_game(process: ServerProcess) -> None:
    game, one, two = new_pair(process)
    with sit(process, game, one) as lan, sit(process, game, two) as ada:
        for talker, request in (
            (lan, {"t": "resign", "id": "1"}),
            (lan, {"t": "offer", "id": "2", "kind": "rematch"}),
            (ada, {"t": "answer", "id": "3", "kind": "rematch", "yes": True}),
        ):
            assert answer_to(talker, **request)["t"] == "ack"
        next_game = ada.hear("state")["rematch"]
        process.kill()
    process.start()
    with sit(process, game, one) as lan, sit(process, game, two) as ada:
        assert answer_to(ada, t="answer", id="3", kind="rematch", yes=True)["t"] == "ack"
        assert answer_to(lan, t="offer", id="2", kind="rematch")["t"] == "ack"
        ada.say(t="sync")
        assert ada.hear("state")["rematch"] == next_game
    with sit(process, next_game, one) as lan:
        assert lan.first["you"] == [2]


def test_what_was_refused_stays_refused(tmp_path: Path) -> None:
    """A copy that comes later, when it would be right, changes nothing: its sender was told no."""
    with serving(tmp_path) as server:
        game, one, two = server.pair()
        with server.sit(game, one) as lan, server.sit(game, two) as ada:
            early = {"t": "move", "id": "early", "take": 0, "ply": 1, "column": 4}
            assert answer_to(ada, **early)["code"] == "gap"
            assert lan.move(0, 4)["t"] == "ack"
            assert answer_to(ada, **early)["code"] == "gap"
            assert server.state(game)["moves"] == "4"
            assert answer_to(ada, **early | {"column": 5})["t"] == "ack"  # another move, whatever its id


# Disks -----------------------------------------------------------------------------------------------


@contextmanager
def full_disk(server: Served) -> Iterator[None]:
    """The database of a server may not grow any more."""
    engine, limit = server.hub.store.engine, [0]

    def set_limit(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={limit[0]}")

    with engine.connect() as connection:
        limit[0] = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    sa.event.listen(engine, "begin", set_limit)
    try:
        yield
    finally:
        limit[0] = 2**30
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA page_count")  # somebody begins: the limit is lifted


def test_a_full_disk(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is acknowledged, everybody is told, nobody is sent away, and it goes on when there is room."""
    wish = {"seats": [{"kind": "me"}, {"kind": "friend"}]}
    with serving(tmp_path) as server:
        game, one, two = server.pair(clock={"initial": 60_000, "increment": 0})
        waiting = server.new("first", "me")
        with server.sit(game, one) as lan, server.sit(game, two) as ada:
            assert lan.move(0, 4)["t"] == ada.move(1, 4)["t"] == "ack"
            with full_disk(server):
                wait_until(lambda: server.http.post("/api/games", json=wish).status_code == 503)
                assert server.http.post("/api/games", json=wish).json()["error"]["code"] == "not_stored"
                assert readiness(server.url) == 503
                assert server.http.get("/api/health").status_code == 200
                assert "claimeven_storing 0" in server.http.get("/metrics").text
                move = {"t": "move", "id": "m", "take": 0, "ply": 2, "column": 4}
                assert answer_to(lan, **move)["code"] == "not_stored"
                assert answer_to(lan, t="resign", id="r")["code"] == "not_stored"
                assert server.state(game)["moves"] == "44"  # it can be looked at,
                with server.sit(game) as watcher:
                    assert watcher.first["clock"]["running"] is None  # and nobody's time runs
                with server.sit(waiting["game"], waiting["token"]) as me:
                    assert me.first["moves"] == ""
                    assert me.is_silent(0.2)  # the agent rests
            wait_until(lambda: readiness(server.url) == 200)
            assert answer_to(lan, **move)["t"] == "ack"
            assert ada.hear("move", ply=2)["clock"]["running"] == 2
            with server.sit(waiting["game"], waiting["token"]) as me:
                wait_until(lambda: server.state(waiting["game"])["moves"] == "1")
            assert me.first["status"] == "playing"
        assert "claimeven_storing 1" in server.http.get("/metrics").text
    said = [record.message for record in caplog.records]
    assert said.count("nothing can be stored") == said.count("storing again") == 1


def test_a_disk_that_fails_during_a_move(process: ServerProcess) -> None:
    """The move of that moment gets an answer too; its player comes back and asks again."""
    game, one, _ = new_pair(process)
    move = {"t": "move", "id": "m", "take": 0, "ply": 0, "column": 4}
    with sit(process, game, one) as lan:
        with failing_disk(process.pid):
            assert answer_to(lan, **move)["code"] == "not_stored"
            assert lan.closing() == 1011  # what is in memory is thrown away
            assert readiness(process.address) == 503
            with sit(process, game, one) as again:
                assert again.first["moves"] == ""
                assert answer_to(again, **move)["code"] == "not_stored"
        wait_until(lambda: readiness(process.address) == 200)
    with sit(process, game, one) as lan:
        assert answer_to(lan, **move)["t"] == "ack"
    process.kill()
    process.start()
    with sit(process, game, one) as lan:
        assert lan.first["moves"] == "4"
        assert answer_to(lan, **move)["t"] == "ack"


def test_killed_while_the_disk_fails(process: ServerProcess) -> None:
    game, one, _ = new_pair(process)
    with sit(process, game, one) as lan, failing_disk(process.pid):
        assert lan.move(0, 4)["code"] == "not_stored"
        process.kill()
    process.start()
    with sit(process, game, one) as lan:
        assert lan.first["moves"] in ("", "4")  # unknown to both sides,
        assert lan.move(0, 4)["t"] == "ack"  # until it is asked for again


def test_started_on_a_disk_that_fails(tmp_path: Path) -> None:
    """One sentence; and a start on a good disk does not mind what was left."""
    database = f"sqlite:///{tmp_path}/games.db"
    command = [sys.executable, "-m", "claimeven", "serve", "--port", "0", "--database", database]
    said = subprocess.run(
        ["prlimit", "--fsize=1", *command],  # no file may be longer than a byte
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert (said.returncode, said.stdout, said.stderr.count("\n")) == (2, "", 1)
    assert said.stderr.startswith("claimeven: database ")
    with serving(tmp_path) as server:
        assert readiness(server.url) == 200


# Two servers -----------------------------------------------------------------------------------------


def second_server(database: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a second server says."""
    assert cli.run(["serve", "--port", "0", "--tcp-port", "0", "--database", database]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_a_second_server_on_sqlite(process: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    said = second_server(process.database, capsys)
    assert said == f"claimeven: database {process.file}: the server at {process.address} uses it already\n"
    process.kill()
    process.start()  # the lock ended with the process


def test_a_second_server_on_postgresql(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    often = {"CLAIMEVEN_SWEEP": "300"}  # it looks whether the database is its own
    with postgres() as url, ServerProcess(tmp_path, database=url, variables=often) as first:
        assert f"the server at {first.address} uses it already" in second_server(url, capsys)
        first.kill()
        first.start()
        assert f"the server at {first.address} uses it already" in second_server(url, capsys)
        # A database that restarts forgets whose it is: a server that finds another there stops.
        with taken_over(url):
            wait_until(lambda: not first.is_alive, patience=120)
        with held(url, "the next"):
            pass


@contextmanager
def taken_over(url: str) -> Iterator[None]:
    """Another server was quicker after the sessions of the first were ended."""
    with psycopg.connect(url, autocommit=True) as session, contextlib.ExitStack() as stack:
        while True:
            session.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
            with contextlib.suppress(DatabaseInUseError):
                stack.enter_context(held(url, "http://other"))
                break
        yield


def test_a_hold_that_is_lost(tmp_path: Path) -> None:
    with postgres() as url, held(url, "http://one") as first:
        assert first.is_still_ours()
        with taken_over(url):
            assert not first.is_still_ours()
        wait_until(first.is_still_ours)


def test_a_place_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert "its folder cannot be made: file exists" in second_server(
        f"sqlite:///{tmp_path}/file/games.db", capsys
    )
