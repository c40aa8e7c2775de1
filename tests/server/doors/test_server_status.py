"""The operator's view: who is connected, from where; and for nobody else."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimeven.errors import InputError
from claimeven.server.doors.operators.key import check_key
from claimeven.server.doors.operators.status import Rates
from kit.serving import Served, serving, wait_until

KEY = "correct horse battery"
PATHS = ("/status", "/api/status", "/metrics")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("status"), text=True) as served:
        yield served


def look(server: Served) -> dict[str, Any]:
    seen: dict[str, Any] = server.http.get("/api/status").json()
    return seen


def test_who_sits_where(server: Served) -> None:
    game, *tokens = server.pair(name="Lan")
    with server.sit(game, tokens[0]) as lan, server.sit(game):
        lan.move(0, 4)
        seen = look(server)
        (table,) = (table for table in seen["tables"] if table["game"] == game)
        assert (table["players"], table["turn"]) == ("Lan (online) – human (reconnecting)", "human")
        assert (table["moves"], table["status"], table["watchers"]) == (1, "playing", 1)
        guests = [guest for guest in seen["guests"] if guest["game"] == game]
        assert sorted(guest["seat"] for guest in guests) == ["1", "watches"]
        assert {(guest["address"], guest["by"]) for guest in guests} == {("127.0.0.1", "WebSocket")}
        (address,) = seen["addresses"]
        assert address["address"] == "127.0.0.1"
        assert address["connections"] == seen["connections"] >= 2
        assert seen["memory_bytes"] > 10_000_000
        page = server.http.get("/status").text
        assert "127.0.0.1" in page
        assert "Lan (online)" in page
        assert "e+0" not in page  # the memory, in figures that people read
    wait_until(lambda: not any(guest["game"] == game for guest in look(server)["guests"]))


def test_agents_that_think(server: Served) -> None:
    made = server.new("me", "mcts", think=5000)
    with server.sit(made["game"], made["token"]) as me:
        me.move(0, 4)
        wait_until(lambda: look(server)["agents_busy"] == 1)
        (table,) = (table for table in look(server)["tables"] if table["game"] == made["game"])
        assert table["turn"] == "MCTS, thinking"


def test_who_waits_at_the_text_door(server: Served) -> None:
    assert server.text_port is not None
    with socket.create_connection(("127.0.0.1", server.text_port)):
        wait_until(lambda: any(guest["by"] == "text" for guest in look(server)["guests"]))
        (guest,) = (guest for guest in look(server)["guests"] if guest["by"] == "text")
        assert (guest["address"], guest["seat"], guest["game"]) == ("127.0.0.1", "waits", "")
    wait_until(lambda: not any(guest["by"] == "text" for guest in look(server)["guests"]))


def test_with_a_key_only_who_brings_it_sees(tmp_path: Path) -> None:
    with serving(tmp_path, operator_key=KEY) as server:
        for path in PATHS:
            asked = server.http.get(path)
            assert (asked.status_code, asked.json()["error"]["code"]) == (401, "not_allowed")
            assert asked.headers["www-authenticate"].startswith("Basic ")
            assert server.http.get(path, auth=("anybody", KEY)).status_code == 200
            forwarded = {"Authorization": f"Bearer {KEY}", "X-Forwarded-For": "8.8.8.8"}
            assert server.http.get(path, headers=forwarded).status_code == 200
            for wrong in (
                "Bearer",
                "Bearer x",
                f"Basic {KEY}",
                "Basic \xff",
                "Basic eA==",
                KEY,
                f"Digest {KEY}",
            ):
                headers = {b"Authorization": wrong.encode("latin-1")}
                assert server.http.get(path, headers=headers).status_code == 401, wrong
        assert server.http.get("/api/health").status_code == 200


def test_keys_that_could_be_guessed_are_refused() -> None:
    assert check_key(None) is None
    assert check_key("") is None
    assert check_key(KEY) == KEY
    for key in ("short", "é" * 20):
        with pytest.raises(InputError, match="at least 16 ASCII characters"):
            check_key(key)


def test_rates_are_those_of_the_last_minute() -> None:
    rates, counts = Rates(), {"moves_total": 10.0, "games_created_total": 1.0, "refused_total": 0.0}
    assert rates.per_second(counts, 100.0)["moves"] == 0
    assert rates.per_second(counts | {"moves_total": 70}, 130.0)["moves"] == 2
    assert rates.per_second(counts | {"moves_total": 70}, 180.0)["moves"] == 0  # since the look at 130
