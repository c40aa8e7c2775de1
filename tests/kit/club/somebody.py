"""A player at a browser of their own, with a name and a key; and a club of them who play tournaments."""

import secrets
from typing import Any

from kit.serving import Served

CLOCK = {"initial": 180_000, "increment": 2_000}


class Somebody:
    def __init__(self, server: Served, name: str) -> None:
        self.server, self.name, self.key = server, name, secrets.token_urlsafe(32)
        answer = server.http.post("/api/players", json={"name": name, "key": self.key})
        assert answer.status_code == 200, answer.text
        self.id: str = answer.json()["id"]

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def post(self, path: str, **body: Any) -> Any:
        return self.server.http.post(path, json=body, headers=self.headers)

    def get(self, path: str) -> Any:
        return self.server.http.get(path, headers=self.headers)

    def page(self) -> Any:
        return self.server.http.get(f"/api/players/{self.id}").json()

    def begin(self, *kinds: str, **wishes: Any) -> Any:
        """A game: "me", "friend" or the spec of an agent on each side."""
        seats = [
            {"kind": kind} if kind in ("me", "friend") else {"kind": "agent", "agent": kind} for kind in kinds
        ]
        return self.post("/api/games", seats=seats, **wishes)


class Regular(Somebody):
    """Plays every game they find for them; `strength` decides between two of them."""

    strength = 0

    def own_game(self, page: dict[str, Any]) -> dict[str, Any] | None:
        """The table at which they are expected."""
        number = next(one["number"] for one in page["entrants"] if one["player"] == self.id)
        for table in page["tables"]:
            if table["score"] is None and number in (table["first"], table["second"]):
                found: dict[str, Any] = table
                return found
        return None

    def resign(self, game: str) -> None:
        """Come, and give up."""
        token = secrets.token_urlsafe(32)
        joined = self.post(f"/api/games/{game}/seat", token=token)
        assert joined.status_code == 200, joined.text
        with self.server.sit(game, token) as talker:
            answer = talker.ask(t="resign")
            assert answer["t"] == "ack" or answer["code"] == "game_over", answer


def play_round(people: list[Regular], event: str) -> None:
    """Whoever is weaker at a table gives up; against a level everybody does."""
    page = people[0].get(f"/api/events/{event}").json()
    by_id = {one.id: one for one in people}
    owners = {one["number"]: by_id.get(one["player"] or "") for one in page["entrants"]}
    for table in page["tables"]:
        if table["score"] is None and table["game"]:
            here = [one for number in (table["first"], table["second"]) if (one := owners[number])]
            levels = [page["entrants"][number - 1]["agent"] for number in (table["first"], table["second"])]
            if len(here) == 2 or (here and any(levels)):  # nobody gives up against who is not there
                min(here, key=lambda one: one.strength).resign(table["game"])
