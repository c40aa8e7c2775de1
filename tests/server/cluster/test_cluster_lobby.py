"""Strangers meet on three real servers, whichever of them dies: one pairs them, their games are others'."""

from collections.abc import Iterator

import psycopg
import pytest

from claimeven.position import Position
from claimeven.server.cluster.strangers import _weight
from faults.process import ServerProcess
from kit.cluster import House, Match, house
from kit.serving import wait_until

LATE = 20.0
TERMS = f"{Position()} 00 "
MEMBERS = "SELECT id, address FROM cluster_servers WHERE beat > clock_timestamp() - interval '3 seconds'"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("lobby")) as servers:
        yield servers


@pytest.fixture
def whole(three: House) -> House:
    three.heal()
    wait_until(lambda: len(members(three)) == len(three.servers))
    return three


def members(whole: House) -> dict[int, str]:
    with psycopg.connect(whole.postgres.url) as look:
        return dict(look.execute(MEMBERS).fetchall())


def pairs(whole: House) -> ServerProcess:
    """The server that pairs those who want the usual board without a clock."""
    living = members(whole)
    address = living[max(living, key=lambda id: _weight(TERMS, id))]
    return next(server for server in whole.servers if server.address == address)


def announce(whole: House, server: ServerProcess, match: Match, *mine: str) -> str | None:
    """None also where nobody answers: pages ask again."""
    wish = {"game": match.game, "invite": match.invite, "mine": mine}
    answer = whole.http.post(f"{server.address}/api/lobby", json=wish)
    assert answer.status_code in (200, 503), answer.text
    take: str | None = answer.json().get("take")
    return take


def meet(whole: House, server: ServerProcess, game: str) -> None:
    met = whole.http.post(f"{server.address}/api/lobby/{game}/join", json={"token": "t" * 32})
    assert met.status_code == 200, met.text
    assert met.json()["sides"] == [2]


def test_who_pairs_is_killed_while_two_wait(whole: House) -> None:
    killed = pairs(whole)
    here, there = (server for server in whole.servers if server is not killed)
    first, second = whole.begin(here), whole.begin(there)
    with first.sit(there, first.first) as host, second.sit(there, second.first):
        assert announce(whole, there, first) is None
        assert announce(whole, there, second, first.game) is None, "as if they did not want to meet"
        wait_until(lambda: [whole.metric(one, "wishes") for one in (killed, here, there)] == [2, 0, 0])
        killed.kill()
        wait_until(lambda: announce(whole, here, second) == first.game, patience=LATE)
        meet(whole, here, first.game)
        host.hear("state", status="playing")  # on the same line: nobody noticed anything
    assert whole.owner(first.game) is here


def test_the_server_of_who_waits_is_killed(whole: House) -> None:
    """Who waited there comes back at another one, and is met."""
    paired = pairs(whole)
    killed, there = (server for server in whole.servers if server is not paired)
    first, second = whole.begin(killed), whole.begin(there)
    with first.sit(there, first.first), second.sit(there, second.first):
        assert announce(whole, there, first) is None
        assert announce(whole, there, second, first.game) is None
        killed.kill()
        with first.sit_patiently([there, paired], first.first, LATE) as host:
            wait_until(lambda: announce(whole, there, first, second.game) is None, patience=LATE)
            wait_until(lambda: announce(whole, paired, second) == first.game, patience=LATE)
            meet(whole, paired, first.game)
            host.hear("state", status="playing")


def test_who_waits_is_listed_everywhere_the_longest_first(whole: House) -> None:
    matches = [whole.begin(server, board=f"{5 + number}x5") for number, server in enumerate(whole.servers)]
    hosts = [
        match.sit(server, match.first) for match, server in zip(matches, reversed(whole.servers), strict=True)
    ]
    for match in matches:
        assert announce(whole, whole.servers[0], match) is None
    wanted = [match.game for match in matches]
    for server in whole.servers:

        def listed(server: ServerProcess = server) -> list[str]:
            return [game["game"] for game in whole.http.get(f"{server.address}/api/lobby").json()["games"]]

        wait_until(lambda listed=listed: listed() == wanted)  # type: ignore[misc]
    hosts[0].close()
    again = whole.begin(whole.servers[0], board="5x5")
    with again.sit(whole.servers[1], again.first):
        wait_until(lambda: announce(whole, whole.servers[2], again) is None)  # who left is nobody's to meet
        assert announce(whole, whole.servers[2], again) is None
    for host in hosts[1:]:
        host.close()
    wait_until(lambda: whole.http.get(f"{whole.servers[1].address}/api/lobby").json()["waiting"] == 0)


def test_many_who_come_all_meet(whole: House) -> None:
    """Each at another server than their game; half of them are sent to the other half."""
    servers = whole.servers
    matches = [whole.begin(servers[number % 3], board="8x8") for number in range(8)]
    hosts = [match.sit(servers[(number + 1) % 3], match.first) for number, match in enumerate(matches)]
    waiting: set[str] = set()
    for number, match in enumerate(matches):
        take = announce(whole, servers[(number + 2) % 3], match)
        if take is None:
            waiting.add(match.game)
        else:
            assert take in waiting
            meet(whole, servers[number % 3], take)
            waiting.remove(take)
    assert waiting == set()
    for host in hosts:
        host.close()
