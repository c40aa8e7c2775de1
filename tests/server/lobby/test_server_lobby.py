"""Strangers meet: who waits is seen, who sits down plays, and two who come at once do not both wait."""

import secrets
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from claimeven.server.lobby import pairing
from claimeven.server.lobby.waiting import Lobby
from claimeven.server.storage.club import players
from kit.club.somebody import CLOCK, Somebody
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


def announce(
    server: Served, made: dict[str, Any], mine: tuple[str, ...] = (), number: int = 0
) -> dict[str, Any]:
    body = {"game": made["game"], "invite": made["invite"], "mine": list(mine), "number": number}
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
    about = {"board": "7x6x4", "name": "Ada", "side": 2, "clock": clock, "is_fresh": True}
    nobody = {"rated": False, "player": None, "rating": None, "has_pie": False}
    assert listed(server) == [{"game": made["game"], **about, **nobody}]
    told = server.http.get("/metrics").text.splitlines()
    assert "claimeven_lobby_waiting 1" in told
    assert 'claimeven_queue_waiting{rank="opponent"} 0' in told
    guest = token()
    for _ in range(2):  # an answer may be lost
        answer = server.http.post(f"/api/lobby/{made['game']}/join", json={"name": "Bo", "token": guest})
        assert (answer.status_code, answer.json()["sides"]) == (200, [2])
        assert answer.json()["state"]["status"] == "playing"
    assert listed(server) == []
    host.hear("state", status="playing")
    other = server.http.post(f"/api/lobby/{made['game']}/join", json={"token": token()})
    assert (other.status_code, other.json()["error"]["code"]) == (409, "seat_taken")


def test_a_rude_name_is_none(server: Served) -> None:
    """Of who waits, sits down there or changes it: strangers see it. They play all the same."""
    made, host = waits(server, "Sh1t Ada")
    (found,) = listed(server)
    assert (found["game"], found["name"]) == (made["game"], "")
    body = {"name": "F u c k", "token": token()}
    seats = server.http.post(f"/api/lobby/{made['game']}/join", json=body).json()["state"]["seats"]
    assert [seat["name"] for seat in seats] == ["", ""]
    host.ask(t="name", name="Ada")
    assert server.state(made["game"])["seats"][0]["name"] == "Ada"
    assert host.ask(t="name", name="kurwa")["t"] == "ack"
    assert server.state(made["game"])["seats"][0]["name"] == ""


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


def test_what_comes_late_neither_opens_a_game_nor_takes_a_seat(server: Served) -> None:
    first, host = waits(server)
    second = server.new("me", "friend")
    server.sit(second["game"], second["token"])
    assert announce(server, second, number=2) == {"take": first["game"]}
    assert announce(server, second, number=1) == {"take": None}
    assert [game["game"] for game in listed(server)] == [first["game"]]
    host.socket.close()
    while listed(server):
        pass
    guest = {"token": token()}
    assert server.http.post(f"/api/lobby/{first['game']}/join", json=guest).status_code == 409
    server.sit(first["game"], first["token"])
    assert [game["game"] for game in listed(server)] == [first["game"]]
    assert server.http.post(f"/api/lobby/{first['game']}/join", json=guest).status_code == 409
    guest = {"token": token()}
    assert server.http.post(f"/api/lobby/{first['game']}/join", json=guest).status_code == 200


def test_a_stranger_opens_no_game_of_others(server: Served) -> None:
    made = server.new("me", "friend")
    answer = server.http.post("/api/lobby", json={"game": made["game"], "invite": "guessed"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_your_seat")
    missing = server.http.post("/api/lobby", json={"game": "nothing", "invite": "guessed"})
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "no_such_game")
    game, _, _ = server.pair()
    assert server.http.post(f"/api/lobby/{game}/join", json={"token": token()}).status_code == 409


def test_nobody_fills_the_lobby(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "MOST_OF_ONE", 2)
    monkeypatch.setattr(pairing, "MOST", 3)
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


def wait_rated(one: Somebody) -> tuple[dict[str, Any], str | None]:
    """Somebody waits for a rated game, or is sent to one."""
    made = one.begin("me", "friend", clock=CLOCK, rated=True).json()
    one.server.sit(made["game"], made["token"])
    answer = one.post("/api/lobby", game=made["game"], invite=made["invite"])
    take: str | None = answer.json()["take"]
    return made, take


def rate(server: Served, one: Somebody, rating: float) -> None:
    with server.hub.store.engine.connect().execution_options(writes=True) as connection, connection.begin():
        connection.execute(sa.update(players).where(players.c.id == one.id).values(rating=rating))


def test_rated_games_pair_those_who_are_near(server: Served) -> None:
    ada, boris, cy, dan = (Somebody(server, name) for name in ("Ada", "Boris", "Cyril", "Dan"))
    rate(server, boris, 1500)
    rate(server, cy, 1400)
    low, take = wait_rated(ada)
    assert take is None
    high, take = wait_rated(boris)
    assert take is None, "600 points apart"
    assert wait_rated(cy)[1] == high["game"]
    assert {game["rating"]: game["rated"] for game in listed(server)} == {900: True, 1500: True}
    unrated = dan.begin("me", "friend", clock=CLOCK).json()
    server.sit(unrated["game"], unrated["token"])
    assert announce(server, unrated) == {"take": None}, "another kind of game"
    assert wait_rated(dan)[1] == low["game"]


def test_who_waits_long_meets_everybody(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "FARTHER", 10_000_000)
    ada, boris = Somebody(server, "Ada"), Somebody(server, "Boris")
    rate(server, boris, 2400)
    low, _ = wait_rated(ada)
    assert wait_rated(boris)[1] == low["game"]


def test_who_is_muted_is_not_met(server: Served) -> None:
    ada, boris = Somebody(server, "Ada"), Somebody(server, "Boris")
    assert boris.post(f"/api/players/{ada.id}/mute", on=True).status_code == 200
    low, _ = wait_rated(ada)
    assert wait_rated(boris)[1] is None
    assert boris.post(f"/api/players/{ada.id}/mute", on=False).status_code == 200
    assert wait_rated(boris)[1] == low["game"]
    assert boris.post(f"/api/players/{boris.id}/mute", on=True).json()["error"]["code"] == "not_allowed"
    assert boris.post("/api/players/nobody/mute", on=True).status_code == 404


def test_a_host_to_whom_somebody_came_meanwhile_is_sent_nowhere(server: Served) -> None:
    """While another server is asked who waits, somebody who was sent here before sits down."""
    made = server.new("me", "friend")
    lobby: Lobby = server.server.app.state.lobby

    class Slow:
        async def seek(self, wish: pairing.Wish, mine: Collection[str]) -> str:
            await server.hub.join(wish.game, made["invite"], "Bo", token())
            return "another"

        def drop(self, wish: pairing.Wish) -> None: ...

        async def listed(self) -> tuple[list[pairing.Listed], int]:
            return [], 0

    with server.sit(made["game"], made["token"]) as host:
        lobby.elsewhere = Slow()
        assert announce(server, made) == {"take": None}
        host.hear("state", status="playing")
