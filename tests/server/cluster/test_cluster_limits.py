"""What an address may begin is counted by all servers together."""

import time
from pathlib import Path

import pytest

from claimeven.server.cluster.words import Spent, read, written
from claimeven.server.doors.limits import Limits
from kit.cluster import house
from kit.serving import wait_until

STRANGER = "203.0.113.7"


def test_what_is_taken_at_one_server_is_gone_at_the_other() -> None:
    assert Limits().take_game(STRANGER), "a server alone tells nobody"
    one, other = Limits(games_burst=3, games_per_second=0.001), Limits(games_burst=3, games_per_second=0.001)
    for here, there in ((one, other), (other, one)):

        def tell(what: str, visitor: str, there: Limits = there) -> None:
            word = read(written(Spent(what, visitor)))  # type: ignore[arg-type]
            assert isinstance(word, Spent)
            there.spend(word.what, word.visitor)

        here.taken = tell
    assert [limits.take_game(STRANGER) for limits in (one, other, one, other, one)] == [True] * 3 + [
        False
    ] * 2
    assert one.take_game("203.0.113.8"), "that is somebody else"
    assert one.take_player(STRANGER), "that is something else"
    assert one.take_game(""), "this machine is not counted"


@pytest.mark.slow
def test_so_it_is_on_two_real_servers(tmp_path: Path) -> None:
    few = {
        "CLAIMEVEN_GAMES_BURST": "4",
        "CLAIMEVEN_GAMES_PER_SECOND": "0.001",
        "CLAIMEVEN_PROXY": "127.0.0.1",
    }
    with house(tmp_path, 2, variables=few) as two:
        wish = {"seats": [{"kind": "me"}, {"kind": "friend"}]}
        for server in two.servers:  # each knows of the other
            wait_until(lambda server=server: two.metric(server, "servers") == 2)  # type: ignore[misc]
        made = []
        for number in range(7):
            address = two.servers[number % 2].address
            headers = {"X-Forwarded-For": STRANGER}
            made.append(two.http.post(f"{address}/api/games", json=wish, headers=headers).status_code)
            time.sleep(0.5)  # the others are told
        assert made == [201] * 4 + [429] * 3
