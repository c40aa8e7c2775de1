"""Strangers meet: who waits is seen, who sits down plays, and two who come at once do not both wait."""

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimeven.server.lobby import waiting
from kit.serving import Served, Talker, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, proxies=("127.0.0.1",)) as served:
        yield served


def token() -> str:
    return secrets.token_urlsafe(32)


def waits(server: Served, name: str = "", **wishes: Any) -> tuple[dict[str, Any], Talker]:
    """Somebody with a game of their own whose seat is open to all."""
    made = server.new("me", "friend", name=name, **wishes)
    talker = server.sit(made["game"], made["token"])
    assert announce(server, made) == {"take": None}
    return made, talker


def announce(server: Served, made: dict[str, Any], mine: tuple[str, ...] = ()) -> dict[str, Any]:
    body = {"game": made["game"], "invite": made["invite"], "mine": list(mine)}
    answer = server.http.post("/api/lobby", json=body)
    assert answer.status_code == 200, answer.text
    answered: dict[str, Any] = answer.json()
    return answered


def listed(server: Served) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.http.get("/api/lobby").json()["games"]
    return found


def test_two_strangers_play(server: Served) -> None:
    made, host = waits(server, "Ada", clock={"initial": 300_000, "increment": 2_000})
    clock = {"initial": 300_000, "increment": 2_000}
    assert listed(server) == [
        {"game": made["game"], "board": "7x6x4", "name": "Ada", "side": 2, "clock": clock}
        | {"is_fresh": True, "has_pie": False}
    ]
    guest = token()
    for _ in range(2):  # an answer may be lost
        answer = server.http.post(f"/api/lobby/{made['game']}/join", json={"name": "Bo", "token": guest})
        assert (answer.status_code, answer.json()["sides"]) == (200, [2])
        assert answer.json()["state"]["status"] == "playing"
    assert listed(server) == []
    host.hear("state", status="playing")
    other = server.http.post(f"/api/lobby/{made['game']}/join", json={"token": token()})
    assert (other.status_code, other.json()["error"]["code"]) == (409, "seat_taken")


def test_only_who_is_there_waits(server: Served) -> None:
    made = server.new("me", "friend")
    assert announce(server, made) == {"take": None}
    assert listed(server) == []
    host = server.sit(made["game"], made["token"])
    assert [game["game"] for game in listed(server)] == [made["game"]]
    host.socket.close()
    while listed(server):
        pass
    answer = server.http.post(f"/api/lobby/{made['game']}/join", json={"token": token()})
    assert answer.json()["error"]["code"] == "seat_taken"
    with_link = {"invite": made["invite"]}
    assert server.http.post(f"/api/games/{made['game']}/join", json=with_link).status_code == 200


def test_who_comes_second_is_sent_to_the_first(server: Served) -> None:
    first, _host = waits(server)
    second = server.new("me", "friend")
    server.sit(second["game"], second["token"])
    assert announce(server, second) == {"take": first["game"]}
    assert [game["game"] for game in listed(server)] == [first["game"]], "the second waits for nobody now"
    assert announce(server, first) == {"take": None}, "said again, it goes nowhere"
    other = server.new("me", "friend", board="8x7")
    server.sit(other["game"], other["token"])
    assert announce(server, other) == {"take": None}, "another board is another game"
    assert announce(server, second, mine=(first["game"],)) == {"take": None}, "nobody plays themselves"
    assert [game["game"] for game in listed(server)] == [first["game"], other["game"], second["game"]]


def test_a_stranger_opens_no_game_of_others(server: Served) -> None:
    made = server.new("me", "friend")
    answer = server.http.post("/api/lobby", json={"game": made["game"], "invite": "guessed"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_your_seat")
    missing = server.http.post("/api/lobby", json={"game": "nothing", "invite": "guessed"})
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "no_such_game")
    game, _, _ = server.pair()
    assert server.http.post(f"/api/lobby/{game}/join", json={"token": token()}).status_code == 409


def test_nobody_fills_the_lobby(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "MOST_OF_ONE", 2)
    monkeypatch.setattr(waiting, "MOST", 3)
    away = server.at("203.0.113.7")
    hosts = [waits(away, board=f"{columns}x6") for columns in (5, 6)]
    third = away.new("me", "friend")
    body = {"game": third["game"], "invite": third["invite"]}
    assert away.http.post("/api/lobby", json=body).status_code == 503
    assert len(hosts) == len(listed(server))
    waits(server.at("203.0.113.8"), board="8x6")
    fourth = server.new("me", "friend")
    body = {"game": fourth["game"], "invite": fourth["invite"]}
    assert server.http.post("/api/lobby", json=body).status_code == 503
