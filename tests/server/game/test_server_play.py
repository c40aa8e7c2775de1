"""Games over real WebSockets, against agents, between people, watched."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimeven.agents import Choice, registry
from claimeven.agents.agent import NO_LIMIT, AgentError, sure
from claimeven.agents.kind import Kind
from claimeven.game import Game
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.server import messages as m
from claimeven.server.settings import Settings
from claimeven.server.storage.writer import Writer
from claimeven.server.thinking import Thinkers
from kit.places import ROOT
from kit.serving import Served, Talker, serving, wait_until


class Villain:
    """An agent that does what its name says."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        if self.name == "raises":
            raise RuntimeError("no idea")
        if self.name == "fails":
            raise AgentError("lost the thread")
        if self.name == "has no memory" and not REMEMBERED.is_set():
            REMEMBERED.set()
            raise MemoryError
        if self.name == "has no memory":
            return sure(position.legal[0], position)
        if self.name == "cheats":
            return Choice(99, {99: 1.0})
        assert limit.stop is not None
        THINKING.set()
        limit.stop.wait(20)  # stalls
        STALLED.set()
        return sure(position.legal[0], position)


NO_OFFERS = dict.fromkeys(("draw", "undo", "rematch", "seat", "successor"))
THINKING, STALLED, REMEMBERED = threading.Event(), threading.Event(), threading.Event()
VILLAINS = ("raises", "fails", "cheats", "stalls", "has no memory")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    kinds = registry.builtin_kinds()
    for name in VILLAINS:
        kinds[name] = Kind(name, "a villain", lambda name, seed, values: Villain(name))
    settings = Settings(grace=150, grace_after_bye=50, rest_after=100, sweep=50)
    try:
        with serving(tmp_path_factory.mktemp("play"), agents=VILLAINS, settings=settings) as served:
            yield served
    finally:
        for name in VILLAINS:
            del kinds[name]


def test_a_game_against_an_agent(server: Served) -> None:
    made = server.new("me", "first", name=" Lan\u202e ")
    with server.sit(made["game"], made["token"]) as lan:
        assert (lan.first["you"], lan.first["seats"][0]["name"]) == ([1], "Lan")
        assert lan.first["seats"][0]["presence"] == "online"
        for ply, column in ((0, 2), (2, 2), (4, 2)):
            assert lan.move(ply, column)["t"] == "ack"
            reply = lan.hear("move", ply=ply + 1)
            assert (reply["by"], reply["column"], reply["turn"]) == ("agent", 1, 1)
        lan.move(6, 2)
        end = lan.hear("state", status="over")
    assert end["result"] == {"score": "1-0", "winner": 1, "reason": "connect"}
    assert end["four"] == [[2, 1], [2, 2], [2, 3], [2, 4]]
    assert (end["landing"], end["turn"]) == ({}, None)
    numbers = [message["seq"] for message in lan.heard if message["t"] in ("move", "state")]
    assert numbers == list(range(len(numbers)))


def test_two_people_and_a_late_watcher_see_the_same(server: Served) -> None:
    game, one, two = server.pair()
    with server.sit(game, one) as lan, server.sit(game, two) as ada:
        for ply, column in enumerate((4, 4, 5, 3)):
            (lan, ada)[ply % 2].move(ply, column)
        with server.sit(game) as watcher:
            assert (watcher.first["moves"], watcher.first["you"]) == ("4453", [])
            ada.ask(t="resign")
            for talker in (lan, ada, watcher):
                end = talker.hear("state", status="over")
                assert end["result"] == {"score": "1-0", "winner": 1, "reason": "resign"}
            assert watcher.move(4, 1)["code"] == "not_your_seat"
    assert server.state(game)["moves"] == "4453"
    record = Game.from_json(server.http.get(f"/api/games/{game}/record").text)
    assert (record.moves, str(record.result)) == ("4453", str(Game.parse("4453").resign(1)))


def test_a_repeated_message_acts_once(server: Served) -> None:
    game, one, two = server.pair()
    with server.sit(game, one) as lan, server.sit(game, one) as tab, server.sit(game, two) as ada:
        first = lan.move(0, 4)
        again = tab.move(0, 4)  # from the other tab
        assert (first["t"], again["t"], first["seq"], again["seq"]) == ("ack", "ack", 2, 2)
        conflict = tab.move(0, 5)
        assert conflict["code"] == "conflict"
        assert tab.hear("state")["moves"] == "4"
        assert lan.move(3, 5)["code"] == "gap"
        for _ in range(2):
            ada.say(t="offer", id="the same", kind="draw")
            assert ada.hear("ack", id="the same")["seq"] == 3
        lan.ask(t="answer", kind="draw", yes=False)
        ada.say(t="offer", id="the same", kind="draw")  # late: it was done, and is not done again
        assert ada.hear("ack", id="the same")["seq"] == 3
    assert server.state(game)["offers"]["draw"] is None


def test_undo_redo_and_hints(server: Served) -> None:
    made = server.new("me", "me")
    with server.sit(made["game"], made["token"]) as both:
        for ply, column in enumerate((4, 4)):
            both.move(ply, column)
        both.ask(t="undo", take=0, ply=2)
        assert (both.heard[-1]["t"], both.hear("state")["redo"]) == ("ack", "4")
        both.ask(t="redo", take=1, ply=1)
        assert both.hear("state")["moves"] == "44"
        assert both.ask(t="resign")["t"] == "ack"
        both.ask(t="undo", take=1, ply=2)  # also back from the end
        assert both.hear("state", status="playing")["moves"] == "4"
        hint = both.ask(t="hint")
        assert hint["columns"] == ["4"]
        assert "column 4" in hint["text"].lower()
        assert both.ask(t="offer", kind="draw")["t"] == "ack"
        assert both.hear("state", status="over")["result"]["reason"] == "agreement"
    game, one, _ = server.pair()
    with server.sit(game, one) as lan:
        assert lan.ask(t="hint")["code"] == "not_allowed"


def test_a_rematch(server: Served) -> None:
    game, one, two = server.pair(name="Lan")
    with server.sit(game, one) as lan, server.sit(game, two) as ada:
        lan.ask(t="resign")
        lan.ask(t="offer", kind="rematch")
        assert ada.hear("state", offers=NO_OFFERS | {"rematch": 1})
        ada.ask(t="answer", kind="rematch", yes=True)
        new = lan.hear("state", offers=NO_OFFERS, seq=4)["rematch"]
    with server.sit(new, one) as lan, server.sit(new, two) as ada:
        assert (lan.first["you"], ada.first["you"]) == ([2], [1])
        assert lan.first["seats"][1]["name"] == "Lan"
        assert ada.move(0, 4)["t"] == "ack"


def test_seats_change_at_any_time(server: Served) -> None:
    made = server.new("me", "first")
    with server.sit(made["game"], made["token"]) as lan:
        assert lan.ask(t="seat", side=2, agent="process:command=ls")["code"] == "bad_agent"
        lan.ask(t="seat", side=2, agent=None)
        assert lan.hear("state")["you"] == [1, 2]
        lan.move(0, 4)
        assert lan.move(1, 4)["t"] == "ack"
        lan.ask(t="seat", side=1, agent="level:1")
        assert lan.hear("move", ply=2)["by"] == "agent"
        assert lan.ask(t="name", name="Lan")["t"] == "ack"
        assert lan.hear("state")["seats"][1]["name"] == "Lan"


def test_agents_play_each_other_while_somebody_watches(server: Served) -> None:
    made = server.new("random", "first", board="4x4x4")
    assert made["sides"] == []
    listed = server.http.get("/api/games").json()["games"]
    assert made["game"] in [entry["game"] for entry in listed]
    time.sleep(0.2)
    assert server.state(made["game"])["moves"] == ""  # nobody is there
    with server.sit(made["game"]) as watcher:
        watcher.hear("move", ply=1)
    with server.sit(made["game"], made["token"]) as owner:
        owner.ask(t="seat", side=1, agent=None)
        owner.ask(t="seat", side=2, agent=None)  # this is how to pause
        assert owner.hear("state")["you"] in ([1], [1, 2])


def test_any_board_and_start(server: Served) -> None:
    made = server.new("me", "me", board="9x7x5", moves="555")
    with server.sit(made["game"], made["token"]) as both:
        assert (both.first["start"], both.first["turn"], both.first["landing"]["5"]) == ("555", 2, 4)
        assert both.move(0, 9)["t"] == "ack"
        both.ask(t="undo", take=0, ply=1)
        assert both.ask(t="undo", take=1, ply=0)["code"] == "not_allowed"
    wide = server.new("me", "me", board="30x2x3")
    with server.sit(wide["game"], wide["token"]) as both:
        assert list(both.first["landing"])[-1] == "30"
        assert both.move(0, 30)["t"] == "ack"
    assert server.state(wide["game"])["moves"] == "u"


def test_presence_and_claims(server: Served) -> None:
    game, one, two = server.pair(clock={"initial": 60_000, "increment": 0})
    with server.sit(game, two) as ada:
        lan = server.sit(game, one)
        with server.sit(game):
            ada.hear("presence", watchers=1)
        lan.move(0, 4)
        ada.hear("move")
        ada.move(1, 4)
        assert ada.ask(t="claim", result="win")["code"] == "too_early"
        lan.close()
        seat = ada.hear("presence", watchers=0)["seats"][0]
        while seat["presence"] == "online":
            seat = ada.hear("presence")["seats"][0]
        assert seat["gone_at"] is not None
        while seat["presence"] != "gone":
            seat = ada.hear("presence")["seats"][0]
        with server.sit(game, one):  # back again: nobody may claim
            assert ada.ask(t="claim", result="win")["code"] == "too_early"
        while ada.hear("presence")["seats"][0]["presence"] != "gone":
            pass
        assert ada.ask(t="claim", result="win")["t"] == "ack"
        assert ada.hear("state", status="over")["result"] == {
            "score": "0-1",
            "winner": 2,
            "reason": "abandon",
        }


def test_leaving_on_purpose_counts_sooner(server: Served) -> None:
    game, one, two = server.pair(clock={"initial": 60_000, "increment": 0})
    with server.sit(game, one) as lan, server.sit(game, two) as ada:
        ada.hear("presence")
        lan.say(t="bye")
        lan.ask(t="ping")
        left = ada.first["server_time"]
        lan.close()
        seat = ada.hear("presence")["seats"][0]
        while seat["presence"] == "online":
            seat = ada.hear("presence")["seats"][0]
        assert seat["gone_at"] - left < 10_000


def test_time_runs_out_on_the_server(server: Served) -> None:
    game, one, two = server.pair(clock={"initial": 1_000, "increment": 0})
    with server.sit(game, one) as lan, server.sit(game, two) as ada:
        lan.move(0, 4)
        ada.hear("move")
        ada.move(1, 4)
        moved = ada.hear("move")
        assert moved["clock"]["running"] == 1
        assert moved["clock"]["left"] == [1_000, 1_000]
        end = ada.hear("state", status="over")
        assert end["result"] == {"score": "0-1", "winner": 2, "reason": "time"}
        assert end["clock"]["left"][0] == 0


def test_who_never_begins_is_not_waited_for(tmp_path: Path) -> None:
    # A server of its own: on a busy machine the others need more than this for their first move.
    with serving(tmp_path, settings=Settings(first_move=400)) as server:
        game, one, _ = server.pair(clock={"initial": 60_000, "increment": 0})
        lan = server.sit(game, one)
        # On a busy machine the time may be up before they sit.
        over = lan.first if lan.first["status"] == "over" else lan.hear("state", status="over")
        assert over["result"] == {"score": "*", "winner": None, "reason": "abort"}
        lan.close()


@pytest.mark.parametrize(
    ("villain", "reason"), [("raises", "crash"), ("fails", "crash"), ("cheats", "illegal")]
)
def test_villains_lose(server: Served, villain: str, reason: str) -> None:
    made = server.new("me", villain)
    with server.sit(made["game"], made["token"]) as lan:
        lan.move(0, 4)
        assert lan.hear("state", status="over")["result"] == {"score": "1-0", "winner": 1, "reason": reason}


def test_an_agent_does_not_lose_because_the_server_has_no_memory(server: Served) -> None:
    made = server.new("me", "has no memory")
    with server.sit(made["game"], made["token"]) as lan:
        lan.move(0, 4)
        assert lan.hear("move", ply=1)["by"] == "agent"


def test_thinking_stops_when_it_is_no_longer_wanted(server: Served) -> None:
    STALLED.clear()
    made = server.new("me", "stalls", think=20_000)
    with server.sit(made["game"], made["token"]) as lan:
        lan.move(0, 4)
        assert THINKING.wait(5)
        lan.ask(t="undo", take=0, ply=1)
        assert STALLED.wait(5)
        assert lan.move(0, 5, take=1)["t"] == "ack"  # and the server was never blocked
        lan.ask(t="resign")
    assert server.state(made["game"])["moves"] == "5"


def test_nothing_is_told_before_it_is_stored(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    game, one, two = server.pair()
    go_on = threading.Event()
    commit = Writer._commit

    def slowly(self: Writer, jobs: Any) -> Any:
        go_on.wait(10)
        return commit(self, jobs)

    with server.sit(game, one) as lan, server.sit(game, two) as ada:
        lan.hear("presence")
        lan.ask(t="ping")
        monkeypatch.setattr(Writer, "_commit", slowly)
        lan.say(t="move", id="m", take=0, ply=0, column=4)
        lan.say(t="sync")
        lan.say(t="ping", id="p")
        assert lan.hear("pong", id="p")  # the server is not blocked,
        assert [m["t"] for m in lan.heard if m["t"] in ("ack", "move")] == []  # but says nothing of the move
        assert ada.is_silent(0.2)
        go_on.set()
        assert lan.hear("ack", id="m")
        assert ada.hear("move", ply=0)


def test_nothing_is_refused_because_of_what_is_not_stored(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move was refused, the game being over, and the end was never stored: it was not over."""
    game, one, two = server.pair()
    go_on, fails = threading.Event(), OSError("disk full")

    def fail(self: Writer, jobs: Any) -> Any:
        go_on.wait(10)
        return [(job, self._broken(job, fails)) for job in jobs]

    with server.sit(game, one) as lan, server.sit(game, two) as ada, monkeypatch.context() as patch:
        patch.setattr(Writer, "_commit", fail)
        ada.say(t="resign", id="r")
        ada.say(t="ping", id="p")
        assert ada.hear("pong", id="p")  # it is asked
        lan.say(t="move", id="m", take=0, ply=0, column=4)
        lan.say(t="ping", id="p")
        assert lan.hear("pong", id="p")
        go_on.set()
        assert lan.closing() == 1011
        assert "error" not in [message["t"] for message in lan.heard]
    with server.sit(game, one) as lan:
        assert lan.move(0, 4)["t"] == "ack"


def test_what_cannot_be_stored_is_not_acknowledged(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Players are sent away and come back to the game as it is on disk."""
    game, one, two = server.pair()
    with server.sit(game, one) as lan:
        lan.move(0, 4)
    monkeypatch.setattr(Writer, "_try", lambda self, writes, _: OSError("disk full") if writes else None)
    with server.sit(game, two) as ada:
        ada.say(t="move", id="m", take=0, ply=1, column=4)
        assert ada.hear("error", id="m")["code"] == "not_stored"
        assert ada.closing() == 1011
        assert "ack" not in [message["t"] for message in ada.heard]
    monkeypatch.undo()
    with server.sit(game, two) as ada:
        assert ada.first["moves"] == "4"
        assert ada.move(1, 4)["t"] == "ack"


def test_every_message_fits_the_published_schema(server: Served) -> None:
    """The schema in docs is the one of the types, and what the server sends is what it says."""
    import jsonschema

    schema = json.loads((ROOT / "docs" / "protocol.schema.json").read_text())
    assert schema == m.json_schema()
    made = server.new("me", "first", clock={"initial": 60_000, "increment": 1_000})
    with server.sit(made["game"], made["token"]) as lan:
        lan.move(0, 4)
        lan.hear("move", ply=1)
        lan.move(0, 3)
        lan.ask(t="hint")
        lan.ask(t="resign")
        lan.hear("state", status="over")
        check = jsonschema.Draft202012Validator(schema["$defs"]["FromServer"] | {"$defs": schema["$defs"]})
        for message in lan.heard:
            check.validate(message)
        assert {message["t"] for message in lan.heard} >= {
            "state",
            "ack",
            "move",
            "error",
            "hint",
            "thinking",
        }


def test_games_rest_on_disk_when_nobody_is_there(server: Served) -> None:
    game, one, two = server.pair()
    with server.sit(game, one) as lan:
        lan.move(0, 4)
        lan.ask(t="offer", kind="draw")
        time.sleep(0.3)
        assert game in server.hub.rooms  # somebody is there
    wait_until(lambda: game not in server.hub.rooms)
    with server.sit(game, two) as ada:
        assert (ada.first["moves"], ada.first["offers"]["draw"], ada.first["seq"]) == ("4", 1, 3)
        assert ada.move(1, 4)["t"] == "ack"


def test_one_hint_at_a_time(server: Served) -> None:
    made = server.new("me", "me", board="9x8x4")
    with server.sit(made["game"], made["token"]) as both:
        both.say(t="hint", id="one")
        assert both.ask(t="hint")["code"] == "busy"
        assert both.hear("hint", id="one")["columns"]


def test_a_hint_that_fails_is_an_answer_too(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(self: Thinkers, position: Position, language: str) -> None:
        raise ArithmeticError

    monkeypatch.setattr(Thinkers, "hint", fail)
    made = server.new("me", "first")
    with server.sit(made["game"], made["token"]) as lan:
        assert lan.ask(t="hint")["code"] == lan.ask(t="hint")["code"] == "server_error"
        assert lan.move(0, 4)["t"] == "ack"


def test_bad_first_messages(server: Served) -> None:
    game = server.new("me", "me")["game"]
    cases: list[tuple[str, dict[str, Any], int]] = [
        (f"/ws/{game}", {"t": "ping", "id": "1"}, 1008),
        (f"/ws/{game}", {"t": "hello", "protocol": 2}, 1008),
        (f"/ws/{game}", {"t": "hello", "protocol": 1, "token": "wrong"}, 4003),
        ("/ws/nothing", {"t": "hello", "protocol": 1}, 4004),
    ]
    for path, message, code in cases:
        talker = Talker(server.knock(path), is_quiet=True)
        talker.say(**message)
        assert talker.closing() == code


def test_a_connection_reset_in_the_middle_of_a_move(server: Served) -> None:
    """A client that sends and vanishes: the move counts, everybody else goes on."""
    game, one, two = server.pair()
    with server.sit(game, two) as ada:
        lan = server.sit(game, one)
        lan.say(t="move", id="m", take=0, ply=0, column=4)
        lan.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        lan.socket.socket.close()
        ada.hear("move", ply=0)
        with server.sit(game, one) as lan:
            assert lan.first["moves"] == "4"
            assert lan.move(0, 4)["t"] == "ack"


# What agents thought ---------------------------------------------------------------------------------


def thought(server: Served, game: str, ply: int, **asked: Any) -> Any:
    return server.http.get(f"/api/games/{game}/thought", params={"ply": ply, **asked})


# What they say of it to a person, where they always do the same.
OF_THE_MIDDLE = {
    "rules": "Every four across needs the middle column.",
    "perfect": "Every four across needs the middle column. With best play from here I win.",
}


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("minimax:depth=4,preset=d", "It looked 4 discs ahead."),
        ("mcts:simulations=300", "It played 300 games to the end."),
        ("level:5", "It looked "),
        ("rules", "Its rule was “centre”."),
        ("perfect", "It knows the exact score. Column 4 wins in 20 moves."),
    ],
)
def test_why_an_agent_moved_in_its_own_terms(server: Served, spec: str, says: str) -> None:
    made = server.new("me", spec, think=300)
    with server.sit(made["game"], made["token"]) as me:
        me.move(0, 1)
        column = me.hear("move", ply=1)["column"]
        (done,) = (said for said in me.heard if said["t"] == "thinking" and not said["on"])
        told = thought(server, made["game"], 1).json()
        assert (told["agent"], told["column"], told["ms"]) == (spec, column, done["ms"])
        assert says in told["saw"]
        assert told["says"] == OF_THE_MIDDLE.get(spec, told["says"])
        assert (told["overlooked"], told["because"]) == ("", "")
        assert [one["column"] for one in told["columns"]] == list(range(1, 8))
        if spec.startswith("minimax"):
            assert told["line"].startswith(f"It expects the columns {column} ")
            assert sum(term["value"] for term in told["terms"]) == pytest.approx(told["value"])
        else:
            assert (told["line"], told["terms"]) == (None, [])
        texts = {thought(server, made["game"], 1, language=lang).json()["saw"] for lang in ("fr", "pl", "vi")}
        assert len(texts) == 3
        assert says not in " ".join(texts)
        assert thought(server, made["game"], 1, language="xx").status_code == 422
        assert thought(server, made["game"], 0).status_code == 404  # a person's move
        me.ask(t="undo", take=0, ply=2)
        assert thought(server, made["game"], 1).status_code == 404


def test_people_react_to_each_other_and_not_too_often(server: Served) -> None:
    game, one, two = server.pair()
    with server.sit(game, one) as lan, server.sit(game, two) as ada, server.sit(game, None) as watcher:
        seq = lan.ask(t="react", what="wow")["seq"]
        for guest in (lan, ada, watcher):
            assert guest.hear("reaction") == {"t": "reaction", "side": 1, "what": "wow"}
        ada.say(t="react", id="a", what="nothing")
        assert ada.hear("error")["code"] == "bad_message"
        assert watcher.ask(t="react", what="wow")["code"] == "not_your_seat"
        answers = [lan.ask(t="react", what="haha") for _ in range(4)]
        assert [answer.get("code") for answer in answers] == [None, None, None, "rate"]
        assert ada.ask(t="react", what="nice")["seq"] == seq  # nothing of it is kept
    made = server.new("me", "first")
    with server.sit(made["game"], made["token"]) as alone:
        assert alone.ask(t="react", what="wow")["code"] == "not_allowed"
