"""Three real servers, NATS and PostgreSQL: a game goes on whatever happens to the server that has it."""

import secrets
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from claimeven.client.events import Timing
from claimeven.server.cluster.routes import AFTER_SECONDS
from claimeven.server.cluster.wires import HOLD_SECONDS
from claimeven.server.storage.members import BEAT_SECONDS, DEAD_SECONDS, LOCK_MS
from faults.cluster import audit
from faults.process import ServerProcess
from kit.cluster import House, Match, house
from kit.serving import PATIENCE, Talker, wait_until

TAKEN_SECONDS = 5.0  # what docs/server.md promises
LATE = 10.0


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("cluster")) as servers:
        audit.begin(servers.postgres.url)
        yield servers


def others(servers: House, server: ServerProcess) -> list[ServerProcess]:
    return [one for one in servers.servers if one is not server]


class Play:
    """Two people who play column after column, and remember what was acknowledged."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.acknowledged = ""
        self.players: list[Talker] = []

    def sit(self, *places: list[ServerProcess], patience: float = LATE) -> None:
        tokens = (self.match.first, self.match.second)
        for player in self.players:
            player.close()
        self.players = [
            self.match.sit_patiently(place, token, patience)
            for place, token in zip(places, tokens, strict=True)
        ]
        for player in self.players:
            assert player.first["moves"].startswith(self.acknowledged)

    def move(self, column: int) -> dict[str, Any]:
        ply = len(self.acknowledged)
        answer = self.players[ply % 2].move(ply, column)
        if answer["t"] == "ack":
            self.acknowledged += str(column)
        return answer

    def moves(self, columns: str) -> None:
        for column in columns:
            assert self.move(int(column))["t"] == "ack"

    def check(self) -> None:
        """Every server tells the same game, and everything that was acknowledged is in it."""
        for server in self.match.house.servers:
            if server.is_alive:
                assert self.match.moves(server) == self.acknowledged


def begin(servers: House, owner: ServerProcess, **wishes: Any) -> Play:
    """A game of `owner`, with its players at the two others."""
    one, other = others(servers, owner)
    play = Play(servers.begin(owner, **wishes).join(other))
    assert servers.owner(play.match.game) is owner
    play.sit([one], [other])
    return play


def test_five_seconds_are_enough_for_all_that_has_to_happen() -> None:
    """On a machine that others use, too, clocks tell of those others; what is waited for is here."""
    timing = Timing()
    comes_back = timing.first_retry  # at most: once, since who comes is held
    noticed = DEAD_SECONDS + BEAT_SECONDS + LOCK_MS / 1000  # by the first look of any other server
    at_once = noticed + AFTER_SECONDS  # for who lost the line when the server died, and waits at another one
    sent_on = noticed + BEAT_SECONDS + comes_back  # for who is elsewhere, and hears of it with a sign of life
    assert max(at_once, sent_on) < TAKEN_SECONDS
    assert comes_back + noticed + BEAT_SECONDS < HOLD_SECONDS < timing.dead, "nobody is sent away, or goes"


def test_players_of_different_servers_play_on_when_the_owner_is_killed(whole: House) -> None:
    """The one of these tests that is not slow: it starts the cluster."""
    owner = whole.servers[0]
    one, other = others(whole, owner)
    play = begin(whole, owner)
    play.moves("444433")
    play.check()
    removed = whole.begin(owner)
    answer = whole.http.delete(f"{other.address}/api/operator/games/{removed.game}")
    assert answer.status_code == 204, answer.text
    assert f'"request":"{answer.headers["X-Request-ID"]}"' in owner.log.read_text(), "the same id there"
    assert whole.metric(owner, "lines_far") == 2
    assert whole.metric(one, "lines_near") == 1
    owner.kill()
    killed = time.monotonic()
    # Who comes at once comes once: the line waits until the game is somebody's.
    waiting = play.match.sit(one, play.match.first)
    assert waiting.first["moves"] == play.acknowledged
    waiting.close()
    assert [player.closing() for player in play.players] == [1012, 1012]
    play.sit([one], [other])
    play.moves("3")
    print(f"taken over after {time.monotonic() - killed:.1f} s")
    play.moves("3")
    play.check()
    assert whole.owner(play.match.game) in (one, other)
    assert whole.http.get(f"{one.address}/api/games/nothing").status_code == 404


@pytest.mark.slow
def test_an_owner_that_was_stopped_writes_and_tells_nothing_when_it_goes_on(whole: House) -> None:
    owner = whole.servers[1]
    one, other = others(whole, owner)
    play = begin(whole, owner)
    play.moves("4444")
    local = play.match.sit(owner, play.match.first)  # at the owner itself
    owner.signal(signal.SIGSTOP)
    try:
        # Who asks at once is answered by who takes the game, however long its server says nothing.
        assert play.match.moves(one) == play.acknowledged
        play.sit([one], [other], patience=60)
        play.moves("33")
        # What it finds when it goes on: a move of then, and one that is new.
        local.say(t="move", id="late", take=0, ply=4, column=5)
        local.say(t="move", id="later", take=0, ply=6, column=5)
    finally:
        owner.signal(signal.SIGCONT)
    assert local.closing() == 1012
    assert [heard for heard in local.heard if heard["t"] == "ack"] == []
    whole.wait_ready(owner, 60)
    assert whole.metric(owner, "begun_anew_total") == 1
    play.check()
    play.moves("55")
    play.check()


@pytest.mark.slow
def test_an_owner_that_does_not_look_is_seen(tmp_path: Path) -> None:
    """The same with a server that writes and tells without looking: so the test above can fail."""
    with house(tmp_path, 2, defects=("no_lease", "trusting")) as two:
        audit.begin(two.postgres.url)
        owner, other = two.servers
        play = Play(two.begin(owner).join(owner))
        local = play.match.sit(owner, play.match.first)
        owner.signal(signal.SIGSTOP)
        try:
            play.sit([other], [other], patience=60)
            local.say(t="move", id="late", take=0, ply=0, column=5)
        finally:
            owner.signal(signal.SIGCONT)
        local.hear("ack", id="late")
        assert audit.found(two.postgres.url)
        assert play.match.moves(other) == ""  # acknowledged, and who has the game knows nothing of it


@pytest.mark.slow
def test_a_stop_hands_the_games_over_at_once(whole: House) -> None:
    """A rolling restart: every server in turn, and its games go on. Both players of a game come back at the
    same time, at two servers, and each of them once; a server that starts lets nobody in before it is of use.
    """
    for server in whole.servers:
        plays = [begin(whole, server) for _ in range(5)]
        for play in plays:
            play.moves("45")
        stopped = time.monotonic()
        server.signal(signal.SIGTERM)
        one, other = others(whole, server)
        for play in plays:
            assert [player.closing() for player in play.players] == [1012, 1012]
        with ThreadPoolExecutor() as many:
            coming = [
                (
                    many.submit(play.match.sit, one, play.match.first),
                    many.submit(play.match.sit, other, play.match.second),
                )
                for play in plays
            ]
            for play, pair in zip(plays, coming, strict=True):
                play.players = [each.result() for each in pair]
        for play in plays:
            play.moves("6")
        print(f"played on {time.monotonic() - stopped:.2f} s after SIGTERM")
        assert server.ended(PATIENCE) == 0
        for play in plays:
            play.check()
            assert whole.owner(play.match.game) in (one, other)
        assert not whole.has(server)
        server.start(wait=False)
        while not server.listens():
            time.sleep(0.01)
        assert whole.has(server)
        assert server.answers("/api/ready")
        for play in plays:
            play.check()


@pytest.mark.slow
def test_nats_restarts(whole: House) -> None:
    play = begin(whole, whole.servers[2])
    play.moves("44")
    whole.nats.stop()
    assert [player.closing() for player in play.players] == [1012, 1012]
    for server in whole.servers:
        wait_until(lambda server=server: not server.answers("/api/ready"))  # type: ignore[misc]
    whole.nats.start()
    for server in whole.servers:
        whole.wait_ready(server)
    play.sit(*([server] for server in whole.servers[:2]))
    play.moves("33")
    play.check()


@pytest.mark.slow
def test_postgresql_restarts(whole: House) -> None:
    play = begin(whole, whole.servers[0])
    play.moves("44")
    whole.postgres.restart()
    play.sit(*([server] for server in whole.servers[1:]), patience=60)
    wait_until(lambda: _moves_on(play), patience=60)
    play.check()


def _moves_on(play: Play) -> bool:
    """As people do who are told that nothing can be stored, or whose line is cut."""
    servers = play.match.house.servers
    try:
        if play.move(3)["t"] == "ack":
            return True
    except ConnectionClosed:
        pass
    play.sit(servers, servers, patience=60)
    if any(len(player.first["moves"]) > len(play.acknowledged) for player in play.players):
        play.acknowledged = max((player.first["moves"] for player in play.players), key=len)
        return True
    return False


@pytest.mark.slow
def test_a_clock_runs_on_at_another_server_though_nobody_comes(whole: House) -> None:
    owner = whole.servers[0]
    play = begin(whole, owner, clock={"initial": 4000, "increment": 0})
    play.moves("44")
    for player in play.players:
        player.close()
    owner.kill()
    there = whole.servers[1]

    def is_over() -> bool:
        import psycopg

        with psycopg.connect(whole.postgres.url) as look:
            found = look.execute("SELECT reason FROM games WHERE id = %s", (play.match.game,)).fetchone()
        return found == ("time",)

    wait_until(is_over, patience=40)
    assert play.match.moves(there) == "44"


@pytest.mark.slow
def test_games_of_agents_are_listed_everywhere(whole: House) -> None:
    there = whole.servers[1]
    wish = {"seats": [{"kind": "agent", "agent": "random"}, {"kind": "agent", "agent": "random"}]}
    made = whole.http.post(f"{there.address}/api/games", json=wish).json()
    for server in whole.servers:
        wait_until(
            lambda server=server: (  # type: ignore[misc]
                made["game"]
                in [game["game"] for game in whole.http.get(f"{server.address}/api/games").json()["games"]]
            )
        )


def test_the_best_game_now_is_that_of_all_servers(whole: House) -> None:
    there = whole.servers[2]
    people = []
    for name in ("Ada", "Boris"):
        people.append({"Authorization": f"Bearer {secrets.token_urlsafe(32)}"})
        key = people[-1]["Authorization"].partition(" ")[2]
        made = whole.http.post(f"{there.address}/api/players", json={"name": name, "key": key})
        assert made.status_code == 200, made.text
    wish = {"seats": [{"kind": "me"}, {"kind": "friend"}], "clock": {"initial": 180_000, "increment": 0}}
    games = f"{there.address}/api/games"
    made = whole.http.post(games, json={**wish, "rated": True}, headers=people[0]).json()
    joined = whole.http.post(
        f"{games}/{made['game']}/join", json={"invite": made["invite"]}, headers=people[1]
    )
    assert joined.status_code == 200, joined.text
    for server in whole.servers:
        wait_until(
            lambda server=server: (  # type: ignore[misc]
                whole.http.get(f"{server.address}/api/best").json()["game"] == made["game"]
            )
        )


@pytest.mark.slow
def test_a_game_that_was_asked_for_twice_is_one_at_whatever_server(whole: House) -> None:
    wish = {"seats": [{"kind": "me"}, {"kind": "friend"}], "key": "k" * 40}
    made = [whole.http.post(f"{server.address}/api/games", json=wish) for server in whole.servers]
    assert [answer.status_code for answer in made] == [201, 201, 201]
    assert len({(answer.json()["game"], answer.json()["token"]) for answer in made}) == 1


@pytest.mark.slow
def test_a_server_alone_is_kept_away(whole: House, tmp_path: Path) -> None:
    alone = ServerProcess(tmp_path, database=whole.postgres.url)
    alone.start(wait=False)
    assert alone.ended(PATIENCE) == 2
    assert "uses it already" in alone.log.read_text()
