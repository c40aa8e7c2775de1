"""A house that cannot be filled: what one visitor may take, and what leaves memory when nobody is there."""

import contextlib
import threading
from pathlib import Path

import httpx
import pytest

from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.server.app import Options
from claimeven.server.doors.addresses import Proxies, counted, is_direct
from claimeven.server.doors.limits import Limits
from claimeven.server.errors import RefusedError
from claimeven.server.game.session import MAX_TAKES, Seat, Session, Who
from claimeven.server.house.resting import SPARE, Resting
from claimeven.server.run import Ports, listen, make_server
from claimeven.server.settings import Settings
from claimeven.server.storage.store import Store
from kit.serving import Served, serving, wait_until

PROXY = ("127.0.0.1",)


# Games ---------------------------------------------------------------------------------------------------


def long_game(served: Served, initial: int = 86_400_000) -> tuple[str, str]:
    """Both clocks run for a day, and everybody goes."""
    made = served.new("me", "me", clock={"initial": initial})
    with served.sit(made["game"], made["token"]) as both:
        both.move(0, 1)
        both.move(1, 1)
    return made["game"], made["token"]


def test_a_game_with_a_long_clock_rests_and_its_time_runs_on(tmp_path: Path) -> None:
    with serving(tmp_path, settings=Settings(rest_after=100, sweep=50)) as served:
        game, token = long_game(served)
        wait_until(lambda: game not in served.hub.rooms)
        assert len(served.hub.resting) == 1
        gone = served.hub.now()
        threading.Event().wait(0.5)
        with served.sit(game, token) as back:
            assert back.first["clock"]["running"] == 1
            clock = served.hub.rooms[game].session.clock
            assert clock is not None
            assert clock.since <= gone  # nothing was given by the rest
        assert not len(served.hub.resting)


def test_time_is_up_also_where_nobody_is(tmp_path: Path) -> None:
    with serving(tmp_path, settings=Settings(rest_after=100, sweep=50)) as served:
        game, _ = long_game(served, 2_000)
        wait_until(lambda: game not in served.hub.rooms)
        wait_until(lambda: len(served.hub.resting) == 0)
        wait_until(lambda: game not in served.hub.rooms)  # the flag fell, was written down, and it is over
        result = served.state(game)["result"]
        assert (result["score"], result["reason"]) == ("0-1", "time")


def test_a_full_house_lets_idle_games_go(tmp_path: Path) -> None:
    """Nobody was connected, and new games and those on disk were refused for a day."""
    settings = Settings(max_games_in_memory=5, rest_after=3_600_000, sweep=3_600_000)
    with serving(tmp_path, settings=settings) as served:
        first, *_ = [long_game(served)[0] for _ in range(5)]
        threading.Event().wait(1.2)  # they were just used
        served.new("me", "level:1")
        assert served.state(first)["status"] == "playing"
        assert len(served.hub.rooms) <= 5


def test_whoever_is_there_stays_when_the_house_is_full(tmp_path: Path) -> None:
    with (
        serving(tmp_path, settings=Settings(max_games_in_memory=2)) as served,
        contextlib.ExitStack() as here,
    ):
        for _ in range(2):
            made = served.new("me", "me")
            here.enter_context(served.sit(made["game"], made["token"]))
        threading.Event().wait(1.2)
        answer = served.http.post("/api/games", json={"seats": [{"kind": "me"}, {"kind": "me"}]})
        assert answer.status_code == 503


def test_rest_outlasts_a_pause_and_forgets_what_woke() -> None:
    resting = Resting()
    resting.put("a", 100, 200)
    resting.pause(150)
    assert resting.due(1_000, 10) == []
    resting.go_on(1_150)  # nobody's time ran
    assert resting.due(1_199, 10) == []
    assert resting.due(1_200, 10) == ["a"]
    assert resting.wake("a") == 1_100
    for number in range(3 * SPARE):
        resting.put("b", number, number + 10_000)
        resting.wake("b")
    assert len(resting._falls) <= 2 * SPARE


def test_rematches_count_as_new_games(tmp_path: Path) -> None:
    """With oneself: 392 in ten seconds, instead of 64."""
    limits = Limits(trusts_local=False, games_burst=3, games_per_second=0)
    with serving(tmp_path, limits=limits) as served:
        made, token, begun = served.new("me", "me"), "", 0
        token, game = made["token"], made["game"]
        for _ in range(5):
            with served.sit(game, token) as both:
                both.ask(t="resign")
                answer = both.ask(t="offer", kind="rematch")
                if answer["t"] == "error":
                    assert answer["code"] == "rate"
                    break
                game, begun = served.state(game)["rematch"], begun + 1
        assert begun == 2  # and the first


def test_a_record_does_not_grow_without_end() -> None:
    seats = Seat("human", "Lan", None, "one"), Seat("agent", "First", "first", None)
    session = Session("game", Position(), seats, 0, 1000, owner="one")
    lan = Who((0,), True)
    for _ in range(MAX_TAKES):
        session.move(lan, session.take, 0, 3, 0)
        session.undo(lan, session.take, 1, 0)
    session.move(lan, session.take, 0, 3, 0)
    with pytest.raises(RefusedError, match="taken back"):
        session.undo(lan, session.take, 1, 0)
    assert session.ply == 1  # and it goes on


# Addresses -----------------------------------------------------------------------------------------------


def test_what_counts_as_one_address() -> None:
    assert counted("::ffff:203.0.113.9") == counted("203.0.113.9") == "203.0.113.9"
    assert counted("2001:db8:1:2::1") == counted("2001:db8:1:2:ffff::9") != counted("2001:db8:1:3::1")
    assert counted("fe80::1%eth0") == "fe80::/64"
    assert counted("::1") == "::1"
    assert len(counted("x" * 1000)) == 64


def test_whom_a_proxy_speaks_for() -> None:
    proxies = Proxies(["127.0.0.1", "10.0.0.0/8"])
    said = [(b"x-forwarded-for", b"6.6.6.6, 203.0.113.9"), (b"x-forwarded-for", b"10.1.2.3")]
    assert proxies.behind("::ffff:127.0.0.1", said) == "203.0.113.9"
    assert proxies.behind("203.0.113.77", said) == "203.0.113.77"  # nobody believes it
    assert proxies.behind("127.0.0.1", []) == "127.0.0.1"
    assert proxies.behind("127.0.0.1", [(b"x-forwarded-for", b"[2001:db8::1]:443")]) == "2001:db8::1"
    assert proxies.behind("127.0.0.1", [(b"x-forwarded-for", b"203.0.113.9:1234")]) == "203.0.113.9"
    with pytest.raises(InputError, match="an address or a network"):
        Proxies(["nginx"])


def test_this_machine_itself() -> None:
    host = (b"host", b"localhost:8080")
    assert is_direct("127.0.0.1", [host])
    assert is_direct("::ffff:127.0.0.1", [(b"host", b"[::1]:8080")])
    assert not is_direct("203.0.113.9", [host])
    assert not is_direct("127.0.0.1", [host, (b"x-forwarded-for", b"127.0.0.1")])
    assert not is_direct("127.0.0.1", [(b"host", b"c4.example")])  # a proxy that says nothing


def new_game(served: Served, **headers: str) -> int:
    wish = {"seats": [{"kind": "me"}, {"kind": "me"}]}
    return served.http.post("/api/games", json=wish, headers=headers).status_code


def test_a_proxy_of_this_machine_that_nobody_named_is_one_visitor(tmp_path: Path) -> None:
    """Then 600 of 600 new games were granted, and the operator's view was open."""
    limits = Limits(games_burst=3, games_per_second=0)
    with serving(tmp_path, limits=limits, origins=["https://c4.example"]) as served:
        said = [
            {"X-Forwarded-For": "203.0.113.1"},
            {"X-Forwarded-For": "203.0.113.2"},
            {"Host": "c4.example"},
        ]
        assert [new_game(served, **one) for one in said * 2] == [201] * 3 + [429] * 3
        assert new_game(served) == 201  # whoever sits here
        assert served.http.get("/metrics", headers={"Host": "c4.example"}).status_code == 404


def test_one_network_of_ipv6_is_one_visitor(tmp_path: Path) -> None:
    limits = Limits(games_burst=3, games_per_second=0)
    with serving(tmp_path, limits=limits, proxies=PROXY) as served:
        codes = [new_game(served, **{"X-Forwarded-For": f"2001:db8::{n}"}) for n in range(1, 6)]
        assert codes == [201, 201, 201, 429, 429]
        assert new_game(served, **{"X-Forwarded-For": "2001:db8:0:1::1"}) == 201


def test_connections_behind_a_proxy_count_by_visitor(tmp_path: Path) -> None:
    """The hundred and first visitor of a proxy elsewhere was refused; behind one here nobody ever was."""
    for trusts_local in (True, False):  # as if the proxy were here, and elsewhere
        limits = Limits(trusts_local=trusts_local, connections_per_address=3)
        with (
            serving(tmp_path, limits=limits, proxies=PROXY) as served,
            contextlib.ExitStack() as lines,
        ):
            one = served.at("203.0.113.1")
            made = one.new("me", "me")
            for _ in range(3):
                lines.enter_context(one.sit(made["game"]))
            assert one.http.get("/api/health").status_code == 429
            for number in range(2, 8):
                other = served.at(f"203.0.113.{number}")
                lines.enter_context(other.sit(made["game"]))
                assert other.http.get("/api/health").status_code == 200
            assert limits.addresses["203.0.113.1"] == 3
        assert limits.addresses == {}


def test_on_both_kinds_of_addresses_this_machine_is_this_machine(tmp_path: Path) -> None:
    """`--host ::` sees 127.0.0.1 as ::ffff:127.0.0.1."""
    url = f"sqlite:///{tmp_path}/games.db"
    try:
        taken = listen("::", 0)
    except InputError:
        pytest.skip("no IPv6 here")
    limits = Limits(games_burst=1, games_per_second=0)
    is_up = threading.Event()
    ports = Ports(proxies=PROXY)
    server = make_server(Options(url, limits=limits), Store(url), ports, None, lambda _: is_up.set())
    thread = threading.Thread(target=server.run, args=([taken],))
    thread.start()
    try:
        assert is_up.wait(20)
        with httpx.Client(base_url=f"http://127.0.0.1:{taken.getsockname()[1]}") as http:
            assert http.get("/metrics").status_code == 200
            wish = {"seats": [{"kind": "me"}, {"kind": "me"}]}
            for number in range(3):  # the proxy is believed
                said = {"X-Forwarded-For": f"203.0.113.{number}"}
                assert http.post("/api/games", json=wish, headers=said).status_code == 201
    finally:
        server.should_exit = True
        thread.join(20)
