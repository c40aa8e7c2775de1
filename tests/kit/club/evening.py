"""A club that plays a tournament."""

import time
from typing import Any

from kit.club.somebody import Regular, play_round
from kit.serving import Served

CLOCK = {"initial": 60_000, "increment": 1_000}


def club(server: Served, *names: str) -> list[Regular]:
    people = [Regular(server, name) for name in names]
    for strength, one in enumerate(people):
        one.strength = -strength  # the first is the strongest
    return people


def make(organiser: Regular, format: str, **wishes: Any) -> str:
    wish = {"name": "Club night", "format": format, "clock": CLOCK, **wishes}
    answer = organiser.post("/api/events", **wish)
    assert answer.status_code == 201, answer.text
    id: str = answer.json()["id"]
    return id


def look(one: Regular, event: str) -> dict[str, Any]:
    page: dict[str, Any] = one.get(f"/api/events/{event}").json()
    return page


def run(people: list[Regular], event: str, patience: float = 60) -> dict[str, Any]:
    """Play until it is over."""
    end = time.monotonic() + patience
    while look(people[0], event)["state"] != "over":
        assert time.monotonic() < end, look(people[0], event)
        play_round(people, event)
        time.sleep(0.1)
    return look(people[0], event)


def names_by_place(page: dict[str, Any]) -> list[str]:
    names = {one["number"]: one["name"] for one in page["entrants"]}
    return [names[place["number"]] for place in page["places"]]
