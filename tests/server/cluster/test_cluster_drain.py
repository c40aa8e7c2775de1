"""A server that stops gives its games to the others in groups, and serves those that it still has."""

import asyncio
import json
import signal
import time
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from claimeven.server.cluster.drain import STEP_SECONDS, VISITOR_SECONDS, Drain
from claimeven.server.cluster.words import Handed, Word, Yes
from faults.cluster import audit
from faults.process import ServerProcess
from kit.cluster import House, Match, house
from kit.serving import NO_TLS, PATIENCE, Talker, wait_until

LATE = 20.0
GAMES = 30  # two visitors in each: some nine groups


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("drain")) as servers:
        audit.begin(servers.postgres.url)
        yield servers


# Groups, without any server ------------------------------------------------------------------------------


class Bench:
    """A house of games with two visitors each, and another server."""

    def __init__(self, games: int, answers: bool = True) -> None:
        guests = SimpleNamespace(guests={object(), object()})
        session = SimpleNamespace(result=None, clock=None, event=None)
        room = SimpleNamespace(has_guests=True, attendance=guests, session=session)
        self.rooms = {f"game-{number}": room for number in range(games)}
        self.resting = SimpleNamespace(games=tuple)
        self.groups: list[list[str]] = []
        self.told: list[Word] = []
        self.others = [7]
        self.unwilling: set[int] = set()
        self._answers = answers

    def heir(self, game: str) -> int | None:
        return 7

    def leave(self, games: Collection[str]) -> list[Any]:
        return []

    async def give_back(self, games: Collection[str]) -> None:
        self.groups.append(list(games))
        for game in games:
            del self.rooms[game]

    async def ask(self, server: int, word: Word, seconds: float) -> Word:
        self.told.append(word)
        await asyncio.sleep(0 if self._answers else PATIENCE)
        return Yes(1)

    def run(self, seconds: float, hurries_after: int | None = None) -> None:
        async def run() -> None:
            here = cast(Any, self)
            drain = Drain(here, here, cast(Any, SimpleNamespace(sockets=set())), here, here)
            await drain.run(seconds, lambda: hurries_after is not None and len(self.groups) >= hurries_after)

        asyncio.run(run())


def test_games_go_in_groups_of_what_the_others_can_let_in() -> None:
    bench = Bench(20)
    bench.run(PATIENCE)
    assert bench.rooms == {}
    visitors = STEP_SECONDS / VISITOR_SECONDS
    assert all(len(group) * 2 <= visitors + 2 for group in bench.groups)
    assert [word.games for word in bench.told if isinstance(word, Handed)] == [
        tuple(group) for group in bench.groups
    ]


def test_groups_are_larger_where_time_is_short() -> None:
    bench = Bench(400)
    bench.run(0.5)
    assert bench.rooms == {}, "none is left for the end"
    assert len(bench.groups) <= 0.5 / STEP_SECONDS + 1


def test_who_waits_for_an_answer_does_not_wait_beyond_the_end() -> None:
    bench = Bench(20, answers=False)
    bench.run(0.3)
    assert len(bench.groups) == 1
    assert bench.rooms, "what is left is sent on at once, with the goodbye"


def test_who_is_told_twice_to_stop_hurries() -> None:
    bench = Bench(200)
    bench.run(PATIENCE, hurries_after=2)
    assert len(bench.groups) == 2


# Real servers ---------------------------------------------------------------------------------------------


def others(servers: House, server: ServerProcess) -> list[ServerProcess]:
    return [one for one in servers.servers if one is not server]


def begin_all(servers: House, owner: ServerProcess, count: int) -> list[tuple[Match, Talker, Talker]]:
    """Games of `owner`: who begins is there, too, the other one elsewhere."""
    found = []
    for number in range(count):
        match = servers.begin(owner).join(owner)
        place = servers.servers[number % 3]
        found.append((match, match.sit(owner, match.first), match.sit(place, match.second)))
    return found


def drained(server: ServerProcess) -> dict[str, Any]:
    """What the last stop of a server said of itself."""
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if '"drained"' in line]
    last: dict[str, Any] = lines[-1]
    return last


@pytest.mark.slow
def test_games_that_are_not_given_back_yet_are_played_on(whole: House) -> None:
    owner = whole.servers[0]
    games = begin_all(whole, owner, GAMES)
    guest = whole.begin(whole.servers[1]).join(owner)
    watcher = guest.sit(owner, guest.first)  # here, at a game of another server
    with httpx.Client(base_url=owner.address, verify=NO_TLS, timeout=PATIENCE) as visitor:
        assert visitor.get("/api/health").status_code == 200  # on a line that stays open
        owner.signal(signal.SIGTERM)
        wait_until(lambda: not owner.listens())
        begun = visitor.post("/api/games", json={"seats": [{"kind": "me"}, {"kind": "friend"}]})
    assert begun.status_code == 201, begun.text
    assert begun.headers["connection"] == "close"
    assert whole.owner(begun.json()["game"]) in others(whole, owner)

    def play(game: tuple[Match, Talker, Talker]) -> str:
        """As long as the line holds; what was acknowledged."""
        _, *players = game
        acknowledged = ""
        try:
            for ply, column in enumerate("444444333333"):  # nobody wins
                time.sleep(0.05)
                answer = players[ply % 2].move(ply, int(column))
                if answer["t"] != "ack":
                    assert answer["code"] == "busy", answer
                    break
                acknowledged += column
        except ConnectionClosed:
            pass
        for player in players:
            assert player.closing() == 1012
        return acknowledged

    with ThreadPoolExecutor(GAMES) as many:
        acknowledged = list(many.map(play, games))
    assert owner.ended(PATIENCE) == 0
    assert watcher.closing() == 1012
    assert any(acknowledged), "some were played while others were given back"
    assert drained(owner)["groups"] >= GAMES * 2 * VISITOR_SECONDS / STEP_SECONDS / 2
    there = others(whole, owner)
    for (match, *_), moves in zip(games, acknowledged, strict=True):
        assert match.moves(there[0]).startswith(moves)
        assert whole.owner(match.game) in there, "in memory before anybody asked"


@pytest.mark.slow
def test_a_second_signal_ends_it_at_once(whole: House) -> None:
    owner = whole.servers[1]
    games = begin_all(whole, owner, GAMES)
    owner.signal(signal.SIGTERM)
    wait_until(lambda: not owner.listens())
    owner.signal(signal.SIGTERM)
    for _, first, second in games:
        assert [first.closing(), second.closing()] == [1012, 1012]
    assert owner.ended(PATIENCE) == 0
    assert drained(owner)["groups"] < GAMES * 2 * VISITOR_SECONDS / STEP_SECONDS / 2
    place = others(whole, owner)
    for match, *_ in games:
        match.sit_patiently(place, match.first, LATE).close()


@pytest.mark.slow
def test_who_waits_for_a_stranger_waits_on_at_the_next_server(whole: House) -> None:
    """Without saying so again, which pages do every fifteen seconds."""
    owner = whole.servers[2]
    here, there = others(whole, owner)
    first, second = whole.begin(owner), whole.begin(here)
    host = first.sit(there, first.first)

    def announced(server: ServerProcess, match: Match) -> str | None:
        wish = {"game": match.game, "invite": match.invite, "mine": [match.game]}
        answer = whole.http.post(f"{server.address}/api/lobby", json=wish)
        take: str | None = answer.json().get("take")
        return take

    assert announced(there, first) is None
    owner.signal(signal.SIGTERM)
    assert host.closing() == 1012
    with first.sit_patiently([here, there], first.first, LATE), second.sit(here, second.first):
        wait_until(lambda: announced(here, second) == first.game, patience=LATE)
    assert owner.ended(PATIENCE) == 0


@pytest.mark.slow
def test_time_runs_on_at_another_server_though_nobody_comes(whole: House) -> None:
    owner = whole.servers[0]
    match = whole.begin(owner, clock={"initial": 4000, "increment": 0}).join(owner)
    with match.sit(owner, match.first) as first, match.sit(owner, match.second) as second:
        assert first.move(0, 4)["t"] == "ack"
        assert second.move(1, 4)["t"] == "ack"
    assert owner.stop() == 0
    there = whole.servers[1]
    assert whole.owner(match.game) in others(whole, owner)

    def is_over() -> bool:
        result = whole.http.get(f"{there.address}/api/games/{match.game}").json()["result"]
        return result is not None and result["reason"] == "time"

    wait_until(is_over, patience=LATE)
