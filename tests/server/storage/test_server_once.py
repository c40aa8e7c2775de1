"""A game that is asked for again, because the answer was lost, is the same game."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kit.serving import Served, serving

KEY = "k" * 43
WISH = {"seats": [{"kind": "me"}, {"kind": "friend"}], "name": "Lan", "shuffle": True}
SAME = ("game", "token", "invite", "sides")


def ask(server: Served, **wish: Any) -> dict[str, Any]:
    answer = server.http.post("/api/games", json=WISH | {"key": KEY} | wish)
    assert answer.status_code == 201
    told: dict[str, Any] = answer.json()
    return told


def parts(answer: dict[str, Any]) -> list[Any]:
    return [answer[name] for name in SAME]


def test_the_same_wish_with_the_same_key_is_one_game(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        first = ask(server, shuffle=False)
        assert parts(ask(server, shuffle=False)) == parts(first)
        assert server.hub.store.counts()["games"] == 1
        place, invite = f"/api/games/{first['game']}/join", {"invite": first["invite"]}
        assert server.http.post(place, json=invite).status_code == 200
        with server.sit(first["game"], first["token"]) as lan:
            assert lan.move(0, 4)["t"] == "ack"
        again = ask(server, shuffle=False)
        assert parts(again) == parts(first)
        assert again["state"]["moves"] == "4"  # as it stands now


def test_also_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        first = ask(server)
    with serving(tmp_path) as server:
        assert parts(ask(server)) == parts(first)
        assert server.hub.store.counts()["games"] == 1


def test_also_at_once(tmp_path: Path) -> None:
    with serving(tmp_path) as server, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: parts(ask(server)), range(16)))
        assert answers == [answers[0]] * 16
        assert server.hub.store.counts()["games"] == 1


@pytest.mark.parametrize("other", [{"key": "l" * 43}, {"name": "Ada"}, {"board": "5x5x4"}])
def test_another_wish_or_key_is_another_game(tmp_path: Path, other: dict[str, str]) -> None:
    with serving(tmp_path) as server:
        first, second = ask(server), ask(server, **other)
        assert not set(map(str, parts(first)[:3])) & set(map(str, parts(second)[:3]))


def test_who_may_what_rests_on_the_key_alone(tmp_path: Path) -> None:
    """Neither the link nor the invitation tells the token of the creator."""
    with serving(tmp_path) as server:
        first = ask(server)
        assert KEY not in str(first)
        assert len({first["token"], first["invite"], first["game"]}) == 3
        with server.sit(first["game"]) as watcher:
            assert watcher.ask(t="resign")["code"] == "not_your_seat"
        secrets = b"".join(file.read_bytes() for file in tmp_path.glob("games.db*"))
        for secret in (KEY, first["token"], first["invite"]):
            assert secret.encode() not in secrets


@pytest.mark.parametrize("key", ["", "short", "k" * 129, "k" * 40 + " é"])
def test_bad_keys(tmp_path: Path, key: str) -> None:
    with serving(tmp_path) as server:
        answer = server.http.post("/api/games", json=WISH | {"key": key})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_message")
