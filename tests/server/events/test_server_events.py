"""Tournaments run themselves: rounds follow, who does not come loses, and nothing depends on one process."""

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest

from claimeven.arena import store
from claimeven.server.doors.limits import Limits
from claimeven.server.game.events import GameBegun
from claimeven.server.hub import Hub
from claimeven.server.run import Server
from claimeven.server.settings import Settings
from kit.club.evening import CLOCK, club, look, make, names_by_place, run
from kit.club.somebody import Regular, play_round
from kit.databases import Postgres
from kit.forked import Forked
from kit.serving import PATIENCE, Served, serving, wait_until

QUICK = Settings(round_pause=100, event_look=50)


@pytest.fixture
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    """Its parameter: milliseconds until somebody counts as not come."""
    settings = replace(QUICK, no_show=getattr(request, "param", QUICK.no_show))
    with serving(tmp_path, proxies=("127.0.0.1",), settings=settings) as served:
        yield served


def test_a_swiss_evening(server: Served) -> None:
    people = club(server, "Ada", "Boris", "Cyril", "Dana", "Emil")
    event = make(people[0], "swiss", rounds=3)
    for one in people:
        joined = one.post(f"/api/events/{event}/join")
        assert joined.status_code == 200, joined.text
    assert [one["name"] for one in look(people[0], event)["entrants"]] == [one.name for one in people]
    assert people[0].post(f"/api/events/{event}/start").status_code == 200
    page = run(people, event)
    assert (page["round"], page["rounds"]) == (3, 3)
    assert names_by_place(page)[0] == "Ada"
    assert page["places"][0]["points"] == 3
    byes = [table["first"] for table in page["tables"] if table["second"] is None]
    assert (len(byes), len(set(byes))) == (3, 3)
    assert sum(place["points"] for place in page["places"]) == 9, "two games and a bye in each round"
    assert people[0].page()["won"] >= 2, "it is rated"
    game = server.state(page["tables"][0]["game"])
    assert (game["event"], game["rated"]) == (event, True)


def test_who_comes_before_the_director_knows_that_a_game_is_stored_keeps_their_seat(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is on the page as soon as it is on disk: on a busy machine that is sooner."""
    token = secrets.token_urlsafe(32)
    change, is_seated = Hub.change, threading.Event()

    async def change_slowly(self: Hub, do: Any, *happened: Any, **options: Any) -> Any:
        found = await change(self, do, *happened, **options)
        for event in happened:
            if isinstance(event, GameBegun) and (player := event.seats[0].player) is not None:
                await self.sit_again(event.game, player, token)
                is_seated.set()
        return found

    people = club(server, "Ada", "Boris")
    event = make(people[0], "round-robin")
    for one in people:
        assert one.post(f"/api/events/{event}/join").status_code == 200
    monkeypatch.setattr(Hub, "change", change_slowly)
    assert people[0].post(f"/api/events/{event}/start").status_code == 200
    assert is_seated.wait(PATIENCE)
    wait_until(lambda: bool(look(people[0], event)["tables"]))
    game = look(people[0], event)["tables"][0]["game"]
    with server.sit(game, token) as talker:
        assert talker.ask(t="resign")["t"] == "ack"


def test_two_who_meet_again_and_again_are_rated_three_times_a_day(server: Served) -> None:
    """Whoever made both of them could else give themselves any rating."""
    people = club(server, "Ada", "Boris")
    told = []
    for _ in range(2):
        event = make(people[0], "round-robin", rounds=2)
        for one in people:
            assert one.post(f"/api/events/{event}/join").status_code == 200
        assert people[0].post(f"/api/events/{event}/start").status_code == 200
        page = run(people, event)
        states = [server.state(table["game"]) for table in page["tables"]]
        told += [(state["rated"], state["unrated"]) for state in states]
    assert told == [(True, None)] * 3 + [(False, "often")]
    assert people[0].page()["won"] == 3


@pytest.mark.slow
def test_a_club_night_of_thirty(tmp_path: Path) -> None:
    with serving(tmp_path, proxies=("127.0.0.1",), settings=QUICK) as server:
        at_home = [server.at(f"203.0.113.{number}") for number in range(1, 31)]
        letters = [f"{one}{other}" for one in "bdfgkmp" for other in "aeuwz"]
        people = [Regular(door, f"Guest {name}") for door, name in zip(at_home, letters, strict=False)]
        for strength, one in enumerate(people):
            one.strength = -strength
        event = make(people[0], "swiss")
        for one in people:
            assert one.post(f"/api/events/{event}/join").status_code == 200
        people[0].post(f"/api/events/{event}/start")
        page = run(people, event, 300)
        assert (page["round"], page["rounds"], len(page["tables"])) == (6, 6, 90)
        met = [frozenset((one["first"], one["second"])) for one in page["tables"]]
        assert len(set(met)) == 90, "nobody meets twice"
        assert sum(place["points"] for place in page["places"]) == 90
        assert names_by_place(page)[0] == people[0].name
        assert page["places"][0]["points"] == 6
        assert all(one["played"] and one["score"] for one in page["tables"])


def test_everybody_meets_everybody(server: Served) -> None:
    people = club(server, "Ada", "Boris", "Cyril")
    event = make(people[1], "round-robin", rated=False)
    for one in people:
        one.post(f"/api/events/{event}/join")
    people[1].post(f"/api/events/{event}/start")
    page = run(people, event)
    assert names_by_place(page) == ["Ada", "Boris", "Cyril"]
    assert [place["points"] for place in page["places"]] == [2, 1, 0], "a rest brings nothing"
    assert people[0].page()["won"] == 0, "it is not rated"


def test_a_knockout_with_a_level(server: Served) -> None:
    people = club(server, "Ada", "Boris", "Cyril")
    event = make(people[0], "knockout")
    for one in people:
        one.post(f"/api/events/{event}/join")
    assert people[0].post(f"/api/events/{event}/levels", level=1).status_code == 200
    people[0].post(f"/api/events/{event}/start")
    page = run(people, event)
    assert [place["place"] for place in page["places"][:2]] == [1, 2]
    assert names_by_place(page)[0] == "Level 1", "against it everybody gives up"
    assert page["bracket"][-1][0]["winner"] == page["places"][0]["number"]
    assert [len(stage) for stage in page["bracket"]] == [2, 1]


def test_an_arena_ends_when_its_time_is_up(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    people = club(server, "Ada", "Boris", "Cyril", "Dana")
    event = make(people[0], "arena", minutes=1)
    for one in people:
        one.post(f"/api/events/{event}/join")
    people[0].post(f"/api/events/{event}/start")
    wait_until(lambda: bool(look(people[0], event)["tables"]))
    end = time.monotonic() + 50
    while look(people[0], event)["places"][0]["points"] < 4:
        assert time.monotonic() < end
        play_round(people, event)
        time.sleep(0.2)
    assert names_by_place(look(people[0], event))[0] == "Ada"
    late = Regular(server, "Egon")
    assert late.post(f"/api/events/{event}/join").status_code == 200, "an arena takes who comes late"
    ahead = server.hub.now
    monkeypatch.setattr(server.hub, "now", lambda: ahead() + 60_000)
    page = run([*people, late], event)
    assert all(table["score"] is not None for table in page["tables"])


def test_a_clock_that_is_set_back_makes_no_arena_longer_than_it_lasts(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = club(server, "Ada", "Boris")
    event = make(people[0], "arena", minutes=1)
    for one in people:
        one.post(f"/api/events/{event}/join")
    people[0].post(f"/api/events/{event}/start")
    wait_until(lambda: bool(look(people[0], event)["tables"]))
    late = server.hub.now
    monkeypatch.setattr(server.hub, "now", lambda: late() - 3_600_000)
    wait_until(lambda: look(people[0], event)["due"] <= server.hub.now() + 60_000)


@pytest.mark.parametrize("server", [3_000], indirect=True)
def test_who_does_not_come_loses_and_is_not_waited_for_again(server: Served) -> None:
    people = club(server, "Ada", "Boris", "Cyril", "Dana")
    event = make(people[0], "swiss", rounds=2)
    for one in people:
        one.post(f"/api/events/{event}/join")
    people[0].post(f"/api/events/{event}/start")
    wait_until(lambda: bool(look(people[0], event)["tables"]))
    absent = people[3]
    page = run(people[:3], event)
    away = {one["name"] for one in page["entrants"] if one["away"]}
    assert "Dana" in away
    first = [table for table in page["tables"] if table["round"] == 1]
    dana = next(one["number"] for one in page["entrants"] if one["name"] == "Dana")
    (missed,) = [table for table in first if dana in (table["first"], table["second"])]
    assert not missed["played"]
    assert missed["score"] == ("0-1" if missed["first"] == dana else "1-0")
    assert not [t for t in page["tables"] if t["round"] == 2 and dana in (t["first"], t["second"])]
    assert absent.post(f"/api/events/{event}/join").status_code == 200
    assert not next(one for one in look(people[0], event)["entrants"] if one["number"] == dana)["away"]


def test_a_game_of_a_tournament_counts(server: Served) -> None:
    people = club(server, "Ada", "Boris")
    event = make(people[0], "swiss")
    for one in people:
        one.post(f"/api/events/{event}/join")
    people[0].post(f"/api/events/{event}/start")
    wait_until(lambda: bool(look(people[0], event)["tables"]))
    (table,) = look(people[0], event)["tables"]
    sides = [people[number - 1] for number in (table["first"], table["second"])]
    tokens = ["x" * 31 + str(side) for side in (1, 2)]
    for one, token in zip(sides, tokens, strict=True):
        assert one.post(f"/api/games/{table['game']}/seat", token=token).json()["sides"]
    first, second = (server.sit(table["game"], token) for token in tokens)
    state = server.state(table["game"])
    assert state["clock"]["running"] == 1, "its clock runs from the start"
    assert first.move(0, 4)["t"] == "ack"
    assert second.ask(t="undo", take=0, ply=1)["code"] == "not_allowed"
    assert second.ask(t="resign")["t"] == "ack"
    assert first.ask(t="offer", kind="rematch")["code"] == "not_allowed"


def test_only_the_organiser_runs_it(server: Served) -> None:
    ada, boris = club(server, "Ada", "Boris")
    event = make(ada, "round-robin")
    for path, body in (("start", {}), ("stop", {}), ("levels", {"level": 1}), ("remove", {"number": 1})):
        refused = boris.post(f"/api/events/{event}/{path}", **body)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_your_seat")
    assert ada.post(f"/api/events/{event}/start").json()["error"]["code"] == "not_started"
    assert ada.post(f"/api/events/{event}/levels", level=11).status_code == 422
    for level in (1, 2):
        ada.post(f"/api/events/{event}/levels", level=level)
    boris.post(f"/api/events/{event}/join")
    assert ada.post(f"/api/events/{event}/remove", number=1).status_code == 200
    assert [(one["number"], one["name"]) for one in look(ada, event)["entrants"]] == [
        (1, "Level 2"),
        (2, "Boris"),
    ]
    assert boris.post(f"/api/events/{event}/leave").status_code == 200
    boris.post(f"/api/events/{event}/join")
    for _ in range(2):  # asked twice it begins once
        assert ada.post(f"/api/events/{event}/start").json()["state"] == "running"
    late = Regular(server, "Cyril").post(f"/api/events/{event}/join")
    assert late.json()["error"]["code"] == "game_over", "a round robin is laid out from the start"
    assert ada.post(f"/api/events/{event}/stop").json()["state"] == "over"
    assert server.http.post("/api/events", json={}).status_code in (403, 422)
    assert server.http.get("/api/events/nothing").status_code == 404


def test_tournaments_are_listed_and_bounded(server: Served) -> None:
    ada = Regular(server, "Ada")
    event = make(ada, "swiss")
    (line,) = server.http.get("/api/events").json()["events"]
    assert (line["id"], line["name"], line["entrants"]) == (event, "Club night", 0)
    ada.post(f"/api/events/{event}/stop")
    assert server.http.get("/api/events").json()["events"] == []
    server.limits.events_burst = 1
    away = server.at("203.0.113.4")
    wish = {"name": "x", "format": "swiss", "clock": CLOCK}
    made = [away.http.post("/api/events", json=wish, headers=ada.headers).status_code for _ in range(2)]
    assert made == [201, 429]
    assert ada.post("/api/events", **(wish | {"name": " \u200b "})).status_code == 400


@pytest.mark.parametrize("name", ["Fuck this", "Club of the 5h1t", "k u r w a"])
def test_a_tournament_is_called_nothing_rude(server: Served, name: str) -> None:
    """It is shown on a wall."""
    ada = Regular(server, "Ada")
    refused = ada.post("/api/events", name=name, format="swiss", clock=CLOCK)
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "bad_name")
    assert server.http.get("/api/events").json()["events"] == []
    make(ada, "swiss", name="Scunthorpe Open")


def test_a_tournament_survives_the_death_of_its_server(tmp_path: Path) -> None:
    """Killed in the middle of a round, twice: no result is lost, no round is paired anew, and it ends."""
    url = f"sqlite:///{tmp_path / 'games.db'}"
    with Killable(url) as one:
        served = one.start()
        people = club(served, "Ada", "Boris", "Cyril", "Dana", "Emil", "Fritz")
        event = make(people[0], "swiss", rounds=3)
        for person in people:
            person.post(f"/api/events/{event}/join")
        people[0].post(f"/api/events/{event}/start")
        wait_until(lambda: len(look(people[0], event)["tables"]) == 3)
        before = look(people[0], event)
        play_one(people, before)
        wait_until(lambda: sum(t["score"] is not None for t in look(people[0], event)["tables"]) == 1)
        known = look(people[0], event)["tables"]
        one.kill()
        served = one.start()
        for person in people:
            person.server = served
        wait_until(lambda: look(people[0], event)["tables"] == known)
        play_round(people, event)
        one.kill()  # before the next round is paired, or just after
        served = one.start()
        for person in people:
            person.server = served
        page = run(people, event)
        first = [table for table in page["tables"] if table["round"] == 1]
        assert [t["game"] for t in first] == [t["game"] for t in known]
        assert first[next(i for i, t in enumerate(known) if t["score"])]["score"] is not None
        assert sum(place["points"] for place in page["places"]) == 9
        assert {round: sum(t["round"] == round for t in page["tables"]) for round in (1, 2, 3)} == {
            1: 3,
            2: 3,
            3: 3,
        }


def play_one(people: list[Regular], page: dict[str, Any]) -> None:
    table = page["tables"][0]
    people[table["second"] - 1].resign(table["game"])


class Killable:
    """A server of its own process on one database."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._process: Forked | None = None

    def start(self) -> Served:
        command = [sys.executable, "-m", "claimeven", "serve", "--port", "0", "--tcp-port", "0"]
        command += ["--database", self._url, "--log", "error"]
        quick = {"CLAIMEVEN_ROUND_PAUSE": "100", "CLAIMEVEN_EVENT_LOOK": "50"}
        self._process = Forked(command, stdout=subprocess.PIPE, text=True, env=os.environ | quick)
        assert self._process.stdout is not None
        found = re.search(r"http://\S+", self._process.stdout.readline())
        assert found
        # It is another process: only its address is known here.
        self._served = Served(cast(Server, None), found[0], None, Limits())
        return self._served

    def kill(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()
        self._served.close()

    def __enter__(self) -> "Killable":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()


def test_the_files_are_those_of_an_arena(server: Served, tmp_path: Path) -> None:
    """`claimeven report` and the readers of games take them."""
    people = club(server, "Ada", "Boris", "Cyril")
    event = make(people[0], "round-robin")
    for one in people:
        one.post(f"/api/events/{event}/join")
    for level in (1, 1):
        people[0].post(f"/api/events/{event}/levels", level=level)
    people[0].post(f"/api/events/{event}/start")
    page = run(people, event, 120)
    folder = tmp_path / "out"
    folder.mkdir()
    document = server.http.get("/api/openapi.json").json()
    for name in ("games.jsonl", "result.json"):
        answer = server.http.get(f"/api/events/{event}/{name}")
        assert answer.status_code == 200, answer.text
        told = document["paths"][f"/api/events/{{event}}/{name}"]["get"]["responses"]["200"]["content"]
        schema = {**told[answer.headers["content-type"]]["schema"], "components": document["components"]}
        for value in answer.text.splitlines() if name == "games.jsonl" else [answer.text]:
            jsonschema.validate(json.loads(value), schema)
        (folder / name).write_text(answer.text)
    done = subprocess.run(
        [sys.executable, "-m", "claimeven", "report", str(folder)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for name in ("Ada", "Boris", "Cyril", "Level 1", "Level 1 (2)"):
        assert name in done.stdout
    result = store.read_result(folder)
    games = store.read_games(folder, result)
    assert len(games) == result.games == sum(table["played"] for table in page["tables"])
    assert {game.record.tags["Event"] for game in games} == {"Club night"}


def test_fair_play_is_the_organisers_to_see(server: Served) -> None:
    people = club(server, "Ada", "Boris")
    event = make(people[0], "swiss")
    for one in people:
        one.post(f"/api/events/{event}/join")
    people[0].post(f"/api/events/{event}/start")
    wait_until(lambda: bool(look(people[0], event)["tables"]))
    (table,) = look(people[0], event)["tables"]
    tokens = [secrets.token_urlsafe(32) for _ in range(2)]
    sides = [people[number - 1] for number in (table["first"], table["second"])]
    for one, token in zip(sides, tokens, strict=True):
        one.post(f"/api/games/{table['game']}/seat", token=token)
    talkers = [server.sit(table["game"], token) for token in tokens]
    # The second discs of both are hard: 44 needs the middle, and 4 is met by the middle alone.
    for ply, column in enumerate((4, 4, 3, 1, 2, 1, 5)):
        assert talkers[ply % 2].move(ply, column)["t"] == "ack"
    wait_until(lambda: look(people[0], event)["state"] == "over")
    assert people[1].get(f"/api/events/{event}/fair").json()["error"]["code"] == "not_your_seat"
    told = people[0].get(f"/api/events/{event}/fair").json()
    assert told["is_whole"]
    lines = {line["number"]: line for line in told["lines"]}
    for line in lines.values():
        assert line["games"] == 1
        assert 0 <= line["right"] <= line["decisions"]
        assert line["low"] <= line["share"] <= line["high"] or not line["decisions"]
    first = lines[table["first"]]
    assert first["decisions"] >= 1
    assert first["right"] < first["decisions"], "it left the middle, where 44 is won by it alone"
    assert 0 < first["expected"] <= 0.75


def test_fair_play_says_when_it_tells_of_some_only(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Because others waited: the rest is told who asks for it, at least one player each time."""
    people = club(server, "Ada", "Boris", "Cyril")
    event = make(people[0], "swiss")
    for one in people:
        one.post(f"/api/events/{event}/join")
    run_study = server.hub.thinkers.studies.run

    async def hurried(work: Any, asker: Any, stop: Any = None) -> Any:
        stop.set()
        return await run_study(work, asker, stop)

    monkeypatch.setattr(server.hub.thinkers.studies, "run", hurried)
    place, told = f"/api/events/{event}/fair", []
    for after in (0, 1, 2):
        found = people[0].get(f"{place}?after={after}").json()
        told += [line["number"] for line in found["lines"]]
        assert found["is_whole"] is (after == 2)
    assert told == [1, 2, 3]
    monkeypatch.undo()
    found = people[0].get(f"{place}?after=1").json()
    assert ([line["number"] for line in found["lines"]], found["is_whole"]) == ([2, 3], True)


def test_the_same_on_postgresql() -> None:
    with Postgres() as database, serving(database.url, settings=QUICK) as server:
        people = club(server, "Ada", "Boris", "Cyril")
        event = make(people[0], "swiss", rounds=2)
        for one in people:
            assert one.post(f"/api/events/{event}/join").status_code == 200
        people[0].post(f"/api/events/{event}/start")
        page = run(people, event)
        assert names_by_place(page)[0] == "Ada"
        assert sum(one.page()["won"] for one in people) == 2, "ratings count there too"
        assert people[2].post("/api/me/delete", games=True).status_code == 200
        wait_until(  # what many look at is read once a second
            lambda: [one["name"] for one in look(people[0], event)["entrants"]] == ["Ada", "Boris", ""]
        )
