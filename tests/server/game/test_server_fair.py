"""Fair games between people: time that nobody had is nobody's, and nobody is replaced in the middle."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.serving import Served, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as served:
        yield served


def test_a_slow_disk_costs_nobodys_time(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """The move took longer to store than the other had time: when they heard of it they had lost."""
    write, slow = server.hub.store.write, 2.5
    game, first, second = server.pair(clock={"initial": 1_500})
    with server.sit(game, first) as lan, server.sit(game, second) as ada:
        lan.move(0, 1)
        ada.move(1, 1)
        lan.hear("move", ply=1)

        def slowly(events: Any, leases: Any) -> None:
            time.sleep(slow)
            write(events, leases)

        monkeypatch.setattr(server.hub.store, "write", slowly)
        assert lan.move(2, 2)["t"] == "ack"
        monkeypatch.setattr(server.hub.store, "write", write)
        ada.hear("move", ply=2)
        clock = ada.hear("state")["clock"]
        assert clock["running"] == 2
        assert ada.move(3, 2)["t"] == "ack"
        assert server.state(game)["result"] is None
        left = server.hub.rooms[game].session.clock
        assert left is not None
        assert left.left[1] > 500  # of 1,500, on a machine that may be busy


def test_nobody_is_replaced_in_the_middle_without_the_other(server: Served) -> None:
    """The owner could let `perfect` play some moves, and nothing of it remained."""
    game, first, second = server.pair(name="Lan")
    with server.sit(game, first) as lan, server.sit(game, second) as ada:
        lan.move(0, 4)
        ada.move(1, 4)
        assert lan.ask(t="seat", side=1, agent="first")["t"] == "ack"
        offers = ada.hear("state", turn=1)["offers"]
        assert (offers["seat"], offers["successor"]) == (1, {"name": "First", "agent": "first"})
        assert server.state(game)["seats"][0]["agent"] is None
        assert lan.ask(t="answer", kind="seat", yes=True)["code"] == "no_such_offer"  # not one's own
        assert ada.ask(t="answer", kind="seat", yes=False)["t"] == "ack"
        assert server.state(game)["offers"]["seat"] is None
        assert lan.ask(t="seat", side=1, agent="first")["t"] == "ack"
        assert ada.ask(t="answer", kind="seat", yes=True)["t"] == "ack"
        assert ada.hear("move", ply=2)["by"] == "agent"
        assert lan.ask(t="seat", side=1, agent=None)["t"] == "ack"  # to come back is another change
        assert server.state(game)["seats"][0]["agent"] == "first"
        assert ada.ask(t="answer", kind="seat", yes=True)["t"] == "ack"
        assert server.state(game)["seats"][0]["name"] == "Lan"
        record = server.http.get(f"/api/games/{game}/record?format=json").json()
        assert record["tags"]["Replaced"] == "1 Lan until 2 by agreement; 1 first until 3 by agreement"


def test_before_the_first_move_the_owner_may_change_their_seat(server: Served) -> None:
    game, first, _ = server.pair()
    with server.sit(game, first) as lan:
        assert lan.ask(t="seat", side=1, agent="level:1")["t"] == "ack"
