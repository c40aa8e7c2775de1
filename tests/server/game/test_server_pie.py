"""The pie rule on a server: who may take the first disc, and what follows for seats, clocks and storage."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from claimeven.client import Client, Link
from claimeven.game import Game
from claimeven.position import Position
from claimeven.server.errors import RefusedError
from claimeven.server.game.clock import GameClock
from claimeven.server.game.session import Seat, Session, Who
from kit.serving import Served, serving

LAN, ADA = Seat("human", "Lan", None, "one"), Seat("human", "Ada", None, "two")


def session(**parts: Any) -> Session:
    return Session("game", Position(), (LAN, ADA), 0, 1000, owner="one", has_pie=True, **parts)


def refused(code: str) -> Any:
    return pytest.raises(RefusedError, check=lambda error: error.code == code)


def drop(game: Session, owner: str, column: int = 3, now: int = 0) -> None:
    game.move(game.who(owner), game.take, game.ply, column, now)


def test_who_takes_the_disc_sits_at_its_side() -> None:
    game = session()
    drop(game, "one")
    seq = game.seq
    step = game.swap(game.who("two"), 0)
    assert (step.seq, game.seq) == (seq + 1, seq + 1)
    assert (game.seats, game.game.pie, game.ply) == ((ADA, LAN), "swapped", 1)
    with refused("not_your_turn"):
        drop(game, "two")
    drop(game, "one")
    assert [player.name for player in game.record().players] == ["Ada", "Lan"]
    assert Game.from_record(game.record()).pie == "swapped"


def test_only_the_side_to_move_swaps_and_only_at_once() -> None:
    game = session()
    with refused("not_allowed"):
        game.swap(game.who("one"), 0)
    drop(game, "one")
    with refused("not_your_turn"):
        game.swap(game.who("one"), 0)
    with refused("not_your_seat"):
        game.swap(Who(), 0)
    drop(game, "two")
    with refused("not_allowed"):
        game.swap(game.who("one"), 0)
    without = Session("game", Position(), (LAN, ADA), 0, 1000, owner="one")
    drop(without, "one")
    with refused("not_allowed"):
        without.swap(without.who("two"), 0)


def test_both_take_their_time_along() -> None:
    game = session(clock=GameClock(60_000, 1_000))
    assert game.clock is not None
    drop(game, "one")
    game.more_time(game.who("one"))  # for Ada
    assert (game.clock.left, game.waits_for_first_move) == ([60_000, 75_000], True)
    game.swap(game.who("two"), 100)
    assert (game.clock.left, game.clock.running, game.waits_for_first_move) == ([75_000, 60_000], 1, False)
    drop(game, "one", now=2_100)
    assert game.clock.left == [75_000, 59_000]


def test_a_first_disc_that_is_sent_again_is_acknowledged_after_the_swap() -> None:
    game = session()
    first = game.move(game.who("one"), 0, 0, 3, 0)
    game.swap(game.who("two"), 0)
    again = game.move(game.who("one"), 0, 0, 3, 9)
    assert (again.seq, again.events) == (first.seq, ())


@pytest.mark.parametrize(
    ("moves", "asks", "ply", "pie"),
    [
        ("", "two", 1, "yes"),  # who took the disc decides anew
        ("", "one", 0, "yes"),  # who dropped it drops another
        ("1", "one", 1, "swapped"),  # the answer of who lost it
        ("1", "two", 1, "yes"),
        ("12", "two", 2, "swapped"),
        ("123", "two", 2, "swapped"),
        ("123", "one", 3, "swapped"),
    ],
)
def test_taking_back_leads_to_ones_own_last_decision(moves: str, asks: str, ply: int, pie: str) -> None:
    game = session()
    drop(game, "one")
    game.swap(game.who("two"), 0)
    for digit in moves:
        owner = game.seats[game.position.side].owner
        assert owner is not None
        drop(game, owner, int(digit) - 1)
    game.offer(game.who(asks), "undo", 0)
    game.answer(game.who("one" if asks == "two" else "two"), "undo", True, 0)
    assert (game.ply, game.game.pie) == (ply, pie)
    assert game.seats == ((ADA, LAN) if pie == "swapped" else (LAN, ADA))


def test_in_the_next_game_the_other_begins() -> None:
    game = session()
    drop(game, "one")
    game.swap(game.who("two"), 0)
    game.resign(game.who("one"), 0)
    new = game.begin_rematch("next", 0).begun
    assert new is not None
    assert (new.seats, new.has_pie) == ((ADA, LAN), True)


# With a server ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("pie")) as served:
        yield served


def test_two_people_over_the_network(server: Served) -> None:
    game, one, two = server.pair(pie=True)
    with server.sit(game, one) as lan, server.sit(game, two) as ada:
        assert (lan.first["pie"], lan.first["swap"]) == ("yes", False)
        lan.move(0, 4)
        assert ada.hear("move", ply=0)["swap"] is True
        ada.say(t="swap", id="s1")
        ack = ada.hear("ack", id="s1")
        told = lan.hear("state", pie="swapped")
        assert (told["you"], told["turn"], told["moves"]) == ([2], 2, "4")
        assert ada.hear("state", pie="swapped")["you"] == [1]
        ada.say(t="swap", id="s1")  # the same request again
        assert ada.hear("ack", id="s1")["seq"] == ack["seq"]
        ada.say(t="swap", id="s2")
        assert ada.hear("error", id="s2")["code"] == "not_allowed"
        lan.move(1, 4)
        assert ada.hear("move", ply=1)["swap"] is False
    record = server.http.get(f"/api/games/{game}/record").json()
    assert (record["pie"], record["moves"]) == ("swapped", "44")


def test_a_perfect_agent_takes_a_disc_that_wins_and_no_other(server: Served) -> None:
    for column, pie in ((4, "swapped"), (1, "yes")):
        made = server.new("me", "perfect", pie=True, name="Lan")
        with server.sit(made["game"], made["token"]) as lan:
            lan.move(0, column)
            if pie == "swapped":
                told = lan.hear("state", pie="swapped")
                assert (told["you"], [seat["kind"] for seat in told["seats"]]) == ([2], ["agent", "human"])
                assert lan.move(1, 4)["t"] == "ack"
                assert lan.hear("move", ply=2)["by"] == "agent"
            else:
                assert lan.hear("move", ply=1)["by"] == "agent"
        assert server.state(made["game"])["pie"] == pie


@pytest.mark.parametrize(("column", "is_told"), [(4, True), (3, False), (1, False)])
def test_a_hint_tells_to_take_a_disc_that_wins(server: Served, column: int, is_told: bool) -> None:
    made = server.new("me", "me", pie=True)
    with server.sit(made["game"], made["token"]) as both:
        both.move(0, column)
        for stage in (1, 3):
            both.say(t="hint", id=f"h{stage}", language="en", stage=stage)
            hint = both.hear("hint", id=f"h{stage}")
            assert ("Take this disc" in hint["text"]) == is_told
            assert not (is_told and hint["columns"])


def test_agents_alone_play_it(server: Served) -> None:
    made = server.new("first", "perfect", pie=True)  # column 1 loses for who drops it: nobody takes it
    with server.sit(made["game"]) as watcher:
        watcher.hear("move", ply=1)
    assert server.state(made["game"])["pie"] == "yes"


def test_who_sits_there_after_a_restart(server: Served) -> None:
    game, one, two = server.pair(pie=True, clock={"initial": 60_000, "increment": 0})
    with server.sit(game, one) as lan, server.sit(game, two) as ada:
        lan.move(0, 4)
        ada.say(t="swap", id="s1")
        ada.hear("ack", id="s1")
    stored = server.hub.store.load(game)
    assert stored is not None
    assert (stored.game.pie, stored.game.moves) == ("swapped", "4")
    assert [seat.owner for seat in stored.seats] == [
        seat.owner for seat in server.hub.rooms[game].session.seats
    ]


def test_the_rule_is_refused_where_discs_lie_already(server: Served) -> None:
    seats = [{"kind": "me"}, {"kind": "me"}]
    answer = server.http.post("/api/games", json={"seats": seats, "moves": "44", "pie": True})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_message")


def test_strangers_with_and_without_the_rule_do_not_meet(server: Served) -> None:
    with_it, without = server.new("me", "friend", pie=True), server.new("me", "friend")
    with (
        server.sit(with_it["game"], with_it["token"]),
        server.sit(without["game"], without["token"]),
    ):
        for made in (with_it, without):
            body = {"game": made["game"], "invite": made["invite"]}
            assert server.http.post("/api/lobby", json=body).json() == {"take": None}
        listed = server.http.get("/api/lobby").json()["games"]
        assert sorted(one["has_pie"] for one in listed) == [False, True]


def test_a_program_swaps_by_the_client(server: Served) -> None:
    game, one, two = server.pair(pie=True)

    async def play() -> tuple[bool, tuple[int, ...]]:
        link = Link(server.url, game, None)
        async with Client(link, one) as lan, Client(link, two) as ada:
            await lan.until(lambda: lan.is_my_turn)
            await lan.move(3)
            await ada.until(lambda: ada.may_swap)
            await ada.swap()
            await lan.until(lambda: lan.is_my_turn)
            assert lan.state is not None
            return lan.may_swap, lan.state.you

    assert asyncio.run(play()) == (False, (2,))
