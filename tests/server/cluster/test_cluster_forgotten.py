"""Who is forgotten at one server is so at all of them, also where a game with the name is in memory."""

import secrets
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from faults.cluster import audit
from faults.process import ServerProcess
from kit.cluster import House, Match, house
from kit.serving import wait_until

ME, FRIEND = {"kind": "me"}, {"kind": "friend"}
LEVEL = {"kind": "agent", "agent": "level:1"}
# Those who were not here for a day are forgotten, and it is looked for them all the time.
CLEANING = {"CLAIMEVEN_KEEP_PLAYERS_DAYS": "1", "CLAIMEVEN_CLEANING": "500", "CLAIMEVEN_SWEEP": "500"}
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("forgotten"), count=2, variables=CLEANING) as servers:
        audit.begin(servers.postgres.url)
        yield servers


class Person:
    def __init__(self, whole: House, name: str) -> None:
        self.whole, self.key = whole, secrets.token_urlsafe(32)
        self.id = self.post(whole.servers[0], "/api/players", name=name, key=self.key)["id"]

    def post(self, server: ServerProcess, path: str, **body: Any) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.key}"}
        answer = self.whole.http.post(f"{server.address}{path}", json=body, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        told: dict[str, Any] = answer.json()
        return told

    def begin(self, server: ServerProcess, other: dict[str, str]) -> Match:
        made = self.post(server, "/api/games", seats=[ME, other])
        return Match(self.whole, made["game"], made["token"], made.get("invite") or "")


def names(whole: House, server: ServerProcess, game: str) -> list[tuple[str, str | None]]:
    """While a game goes from one server to the next it may be asked for again."""
    for _ in range(20):
        answer = whole.http.get(f"{server.address}/api/games/{game}")
        if answer.status_code != 503:
            break
    assert answer.status_code == 200, answer.text
    state = answer.json()
    return [(seat["name"], seat["player"]) for seat in state["seats"]]


def test_a_game_in_the_memory_of_another_server_forgets_the_name(two: House) -> None:
    here, there = two.servers
    ada, boris = Person(two, "Ada"), Person(two, "Boris")
    match = ada.begin(there, FRIEND)
    boris.post(there, f"/api/games/{match.game}/join", invite=match.invite, token="b" * 32)
    alone, kept = ada.begin(there, LEVEL), boris.begin(there, LEVEL)
    assert two.owner(match.game) is there
    ada.post(here, "/api/me/delete", games=True)
    for server in two.servers:
        assert names(two, server, match.game) == [("", None), ("Boris", boris.id)]
        assert two.http.get(f"{server.address}/api/games/{alone.game}").status_code == 404
        assert names(two, server, kept.game)[0] == ("Boris", boris.id)
        assert two.http.get(f"{server.address}/api/players/{ada.id}").status_code == 404
    with match.sit(here, "b" * 32) as opponent:  # who stays plays on, and is known
        assert opponent.first["you"] == [2]
    with psycopg.connect(two.postgres.url) as look:
        left = look.execute("SELECT game FROM cluster_leases WHERE game = %s", (alone.game,)).fetchall()
    assert left == []
    assert audit.found(two.postgres.url) == []


def test_who_was_long_away_is_forgotten_in_the_memory_of_every_server(two: House) -> None:
    """Also of those that do not clean themselves."""
    matches = []
    for number, server in enumerate(two.servers):
        ada, boris = Person(two, f"Ada{number}"), Person(two, f"Boris{number}")
        match = ada.begin(server, FRIEND)
        boris.post(server, f"/api/games/{match.game}/join", invite=match.invite, token="b" * 32)
        assert names(two, server, match.game) == [(f"Ada{number}", ada.id), (f"Boris{number}", boris.id)]
        matches.append((match, ada, boris))
    with psycopg.connect(two.postgres.url) as session:
        session.execute(
            "UPDATE players SET seen = 0 WHERE id = ANY(%s)", ([ada.id for _, ada, _ in matches],)
        )
    for match, _, boris in matches:
        for server in two.servers:
            wait_until(
                lambda server=server, match=match: (  # type: ignore[misc]
                    names(two, server, match.game)[0] == ("", None)
                )
            )
            assert names(two, server, match.game)[1][1] == boris.id
    assert audit.found(two.postgres.url) == []
