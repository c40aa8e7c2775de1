"""A tournament on three servers: one of them directs it, and it goes on whatever happens to that one."""

import secrets
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest

from claimeven.server.doors.limits import Limits
from claimeven.server.run import Server
from faults.cluster import audit
from faults.disk import Disk, Mode
from faults.process import ServerProcess
from kit.club.evening import club, look, make, names_by_place, run
from kit.club.somebody import Regular
from kit.cluster import House, house
from kit.serving import Served, wait_until

QUICK = {"CLAIMEVEN_ROUND_PAUSE": "100", "CLAIMEVEN_EVENT_LOOK": "50"}
PATIENCE = 60.0


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("cluster"), variables=QUICK) as servers:
        audit.begin(servers.postgres.url)
        yield servers


def at(server: ServerProcess) -> Served:
    """It is another process: only its address is known here."""
    return Served(cast(Server, None), server.address, None, Limits())


class Evening:
    """People who came in at all servers, and go elsewhere when theirs is gone."""

    def __init__(self, servers: House, *names: str, rounds: int) -> None:
        self._house = servers
        self._doors = [at(server) for server in servers.servers]
        self.people = club(self._doors[0], *names)
        self.spread(servers.servers)
        self.event = make(self.people[0], "swiss", rounds=rounds)
        for one in self.people:
            assert one.post(f"/api/events/{self.event}/join").status_code == 200

    def spread(self, servers: list[ServerProcess]) -> None:
        doors = [door for door, one in zip(self._doors, self._house.servers, strict=True) if one in servers]
        for number, one in enumerate(self.people):
            one.server = doors[number % len(doors)]

    def move(self, person: Regular) -> None:
        """To another server."""
        person.server = self._doors[(self._doors.index(person.server) + 1) % len(self._doors)]

    def begin(self) -> ServerProcess:
        """Start it; who directs it then."""
        assert self.people[0].post(f"/api/events/{self.event}/start").status_code == 200
        wait_until(lambda: bool(look(self.people[0], self.event)["tables"]), patience=PATIENCE)
        return self.director()

    def director(self) -> ServerProcess:
        wait_until(lambda: self._house.owner(f"event:{self.event}") is not None, patience=PATIENCE)
        found = self._house.owner(f"event:{self.event}")
        assert found is not None
        return found

    def close(self) -> None:
        for door in self._doors:
            door.close()


Opened = Callable[[Evening], Evening]


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Closes them at the end, however it ends."""
    with ExitStack() as stack:
        yield lambda evening: stack.enter_context(closing(evening))


def resign(person: Regular, game: str) -> None:
    """However often it takes: the game may be on its way to another server."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            person.resign(game)
            return
        except Exception:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def loser(people: list[Regular], table: dict[str, Any]) -> Regular:
    sides: list[Regular] = [people[table[side] - 1] for side in ("first", "second")]
    return min(sides, key=lambda one: one.strength)


def test_a_tournament_goes_on_when_its_director_is_killed_in_a_round(whole: House, opened: Opened) -> None:
    evening = opened(Evening(whole, "Ada", "Boris", "Cyril", "Dana", rounds=3))
    people, event = evening.people, evening.event
    director = evening.begin()
    tables = look(people[0], event)["tables"]
    assert [table["round"] for table in tables] == [1, 1]
    # One game is over before, one after; nobody but its own id gets at the lease of a tournament.
    assert whole.http.get(f"{director.address}/api/games/event:{event}").status_code in (404, 422)
    assert whole.http.get(f"{director.address}/api/games/{event}").status_code == 404
    resign(loser(people, tables[0]), tables[0]["game"])
    director.kill()
    alive = [server for server in whole.servers if server.is_alive]
    evening.spread(alive)
    resign(loser(people, tables[1]), tables[1]["game"])
    wait_until(lambda: look(people[0], event)["round"] == 2, patience=PATIENCE)
    assert evening.director() in alive
    director.start()
    page = run(people, event, PATIENCE)
    assert names_by_place(page) == ["Ada", "Boris", "Cyril", "Dana"]
    assert [place["points"] for place in page["places"]] == [3, 2, 1, 0]
    assert [table["game"] for table in page["tables"][:2]] == [table["game"] for table in tables]
    assert [table["round"] for table in page["tables"]] == [1, 1, 2, 2, 3, 3]
    wait_until(lambda: whole.owner(f"event:{event}") is None)


@pytest.mark.slow
def test_a_director_that_was_stopped_pairs_nothing_when_it_goes_on(whole: House, opened: Opened) -> None:
    """And one that is told to end hands its tournaments over."""
    evening = opened(Evening(whole, "Egon", "Fritz", "Gina", "Hugo", rounds=3))
    people, event = evening.people, evening.event
    director = evening.begin()
    evening.spread([server for server in whole.servers if server is not director])
    director.signal(signal.SIGSTOP)
    try:
        for table in look(people[0], event)["tables"]:
            resign(loser(people, table), table["game"])
        wait_until(lambda: look(people[0], event)["round"] == 2, patience=PATIENCE)
    finally:
        director.signal(signal.SIGCONT)
    second = evening.director()
    assert second is not director
    whole.wait_ready(director, PATIENCE)
    for table in look(people[0], event)["tables"][2:]:
        resign(loser(people, table), table["game"])
    assert second.stop() == 0
    evening.spread([server for server in whole.servers if server is not second])
    page = run(people, event, PATIENCE)
    assert [table["round"] for table in page["tables"]] == [1, 1, 2, 2, 3, 3]
    assert names_by_place(page) == ["Egon", "Fritz", "Gina", "Hugo"]


@pytest.mark.slow
def test_a_director_that_does_not_look_is_seen(tmp_path: Path, opened: Opened) -> None:
    """The same with a server that writes without looking at leases: so the test above can fail."""
    with house(tmp_path, 2, variables=QUICK, defects=("no_lease", "trusting")) as two:
        audit.begin(two.postgres.url)
        evening = opened(Evening(two, "Ada", "Boris", "Cyril", "Dana", rounds=1))
        director = evening.begin()
        tables = look(evening.people[0], evening.event)["tables"]
        with psycopg.connect(two.postgres.url) as session:  # as a burier would, while it lives
            session.execute("DELETE FROM cluster_leases WHERE game = %s", (f"event:{evening.event}",))
            session.execute(
                "INSERT INTO cluster_leases SELECT %s, id, 77 FROM cluster_servers WHERE address <> %s",
                (f"event:{evening.event}", director.address),
            )
        for table in tables:
            resign(loser(evening.people, table), table["game"])
        wait_until(lambda: audit.found(two.postgres.url) != [], patience=PATIENCE)


@pytest.mark.slow
def test_eight_people_and_two_levels_finish_though_they_reload_and_move(whole: House, opened: Opened) -> None:
    """Two play a whole game, while one of them reloads, goes to another server and to another device."""
    names = ("Jan", "Karl", "Mona", "Nils", "Petra", "Rosa", "Sven", "Tara")
    evening = opened(Evening(whole, *names, rounds=3))
    people, event = evening.people, evening.event
    for level in (1, 2):
        assert people[0].post(f"/api/events/{event}/levels", level=level).status_code == 200
    evening.begin()
    page = look(people[0], event)
    assert len(page["tables"]) == 5
    table = next(one for one in page["tables"] if max(one["first"], one["second"]) <= 8)
    game = table["game"]
    first, second = people[table["first"] - 1], people[table["second"] - 1]
    tokens = [secrets.token_urlsafe(32) for _ in range(2)]
    for one, token in zip((first, second), tokens, strict=True):
        assert one.post(f"/api/games/{game}/seat", token=token).status_code == 200
    with closing(second.server.sit(game, tokens[1])) as other:
        with closing(first.server.sit(game, tokens[0])) as talker:
            assert talker.move(0, 4)["t"] == "ack"
        assert other.move(1, 5)["t"] == "ack"
        with closing(first.server.sit(game, tokens[0])) as talker:  # the page again
            assert talker.first["moves"] == "45"
            assert talker.move(2, 4)["t"] == "ack"
        assert other.move(3, 5)["t"] == "ack"
        evening.move(first)
        with closing(first.server.sit(game, tokens[0])) as talker:  # another server
            assert talker.move(4, 4)["t"] == "ack"
        assert other.move(5, 5)["t"] == "ack"
        evening.move(first)
        code = first.post("/api/me/code").json()["code"]
        first.key = secrets.token_urlsafe(32)  # another device
        moved = first.server.http.post("/api/players/move", json={"code": code, "key": first.key})
        assert moved.json()["id"] == first.id, moved.text
        token = secrets.token_urlsafe(32)
        assert first.post(f"/api/games/{game}/seat", token=token).json()["sides"] == [1]
        with closing(first.server.sit(game, token)) as talker:
            assert talker.first["moves"] == "454545"
            assert talker.move(6, 4)["t"] == "ack"
    page = run(people, event, 4 * PATIENCE)
    assert [table["round"] for table in page["tables"]] == [1] * 5 + [2] * 5 + [3] * 5
    assert sum(place["points"] for place in page["places"]) == 15
    assert next(one["score"] for one in page["tables"] if one["game"] == game) == "1-0"
    met = [frozenset((one["first"], one["second"])) for one in page["tables"]]
    assert len(set(met)) == len(met), "nobody meets twice"


@pytest.mark.slow
def test_everybody_joins_at_once_wherever_they_came_in(whole: House) -> None:
    """Numbers are given one after the other, though the servers know nothing of each other."""
    doors = [at(server) for server in whole.servers]
    names = [f"Guest {one}{other}" for one in "adkm" for other in "bestwx"]
    people = [Regular(doors[number % 3], name) for number, name in enumerate(names)]
    event = make(people[0], "swiss")
    with ThreadPoolExecutor(12) as pool:
        joined = list(pool.map(lambda one: one.post(f"/api/events/{event}/join").status_code, people))
    assert joined == [200] * 24
    time.sleep(1.1)  # an answer serves everybody for a second
    page = look(people[0], event)
    assert sorted(one["number"] for one in page["entrants"]) == list(range(1, 25))
    for door in doors:
        door.close()


@pytest.mark.slow
def test_clocks_of_servers_that_differ_change_no_deadline(tmp_path: Path, opened: Opened) -> None:
    """An arena ends, and a code is good, by the clock of the database."""
    clock = Disk(tmp_path)
    clock.behave(Mode.HONEST)
    place = tmp_path / "servers"
    place.mkdir()
    with house(place, 2, variables=clock.variables) as two:
        right, wrong = two.servers
        clock.set_clock(48 * 3600)
        wrong.kill()
        wrong.start()
        two.wait_ready(wrong, 60)
        evening = opened(Evening(two, "Ada", "Boris", rounds=1))
        one = evening.people[0]
        doors = {server.address: door for server, door in zip(two.servers, evening._doors, strict=True)}
        for begun, seen in ((right, wrong), (wrong, right)):
            one.server = doors[begun.address]
            event = make(one, "arena", minutes=1)
            assert one.post(f"/api/events/{event}/join").status_code == 200
            assert evening.people[1].post(f"/api/events/{event}/join").status_code == 200
            assert one.post(f"/api/events/{event}/start").status_code == 200
            code = one.post("/api/me/code").json()["code"]
            one.server = doors[seen.address]
            wait_until(lambda event=event: look(one, event)["state"] != "open")  # type: ignore[misc]
            page = look(one, event)
            assert page["state"] == "running"
            assert 0 < page["due"] - page["server_time"] <= 60_000
            moved = one.server.http.post("/api/players/move", json={"code": code, "key": "k" * 40 + code})
            assert moved.status_code == 200, moved.text
            assert one.post(f"/api/events/{event}/stop").status_code == 200
