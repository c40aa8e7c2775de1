"""Agents of other packages, stalling ones, deadly ones, clocks: they end only their own games, as data."""

import os
import threading
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from claimeven.agents import AgentError, AgentNonsenseError, AgentTimeoutError, close
from claimeven.agents.agent import NO_LIMIT, sure
from claimeven.agents.apart import isolated
from claimeven.agents.apart.isolated import IsolatedAgent
from claimeven.agents.choice import Choice
from claimeven.arena import standings, store
from claimeven.arena.play import tournament
from claimeven.arena.play.clock import Clocks, Control
from claimeven.arena.play.match import play_match
from claimeven.arena.play.schedule import Plan
from claimeven.errors import NotationError
from claimeven.limit import Limit
from claimeven.position import Board, Position

# A package with agents that live inside the process that asks them.
VILLAINS = """
import os, signal, sys, time
from claimeven.agents import Choice, Kind
from claimeven.agents.agent import sure

class Villain:
    def __init__(self, name, seed, action):
        self.name, self.action = name, action
    def choose(self, position, limit=None):
        self.action(position)
        return sure(position.legal[-1], position)

def kind(name, action):
    return Kind(name, name, lambda spec, seed, values: Villain(spec, seed, action))

def hog(position):
    while True:
        pass

def lie(position):
    raise SystemExit("I have won")

good = kind("good", lambda position: None)
sleeper = kind("sleeper", lambda position: time.sleep(600))
hogger = kind("hogger", hog)
leaver = kind("leaver", lambda position: os._exit(0))
killer = kind("killer", lambda position: os.kill(os.getpid(), signal.SIGKILL))
flooder = kind("flooder", lambda position: (print("0\\n" * 100_000), os.write(1, b"1\\n" * 1000)))
liar = kind("liar", lie)
"""
PATIENCE = 2.0  # seconds: enough for an honest agent on a busy machine
NAMES = ("good", "sleeper", "hogger", "leaver", "killer", "flooder", "liar")


@pytest.fixture
def villains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed, as far as anybody can tell, here and in processes started from here."""
    folder = tmp_path / "packages"
    about = folder / "villains-1.0.dist-info"
    about.mkdir(parents=True)
    (folder / "villains.py").write_text(VILLAINS)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: villains\nVersion: 1.0\n")
    entries = "".join(f"{name} = villains:{name}\n" for name in NAMES)
    (about / "entry_points.txt").write_text(f"[claimeven.agents]\n{entries}")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(IsolatedAgent.__init__, "__kwdefaults__", {"patience": PATIENCE})


@pytest.mark.usefixtures("villains")
def test_villains_inside_the_process_lose_only_their_own_games() -> None:
    names = [name for name in NAMES if name != "sleeper"]  # who hogs the processor is the worse one
    plan = Plan(("rules", *names), games=2, format="gauntlet", limit=Limit(nodes=100), openings="2-ply")
    before = os.getpid()
    result = standings.result(plan, tournament.play(plan))
    assert os.getpid() == before
    faults = {agent.name: asdict(agent.faults) for agent in result.agents}
    none = {"illegal": 0, "crash": 0, "time": 0}
    assert faults == {
        "rules": none,
        "good": none,
        "flooder": none,
        "hogger": none | {"time": 2},
        "leaver": none | {"crash": 2},
        "killer": none | {"crash": 2},
        "liar": none | {"crash": 2},
    }
    assert result.games == 12


@pytest.mark.usefixtures("villains")
def test_an_isolated_agent_answers_like_the_agent_itself() -> None:
    plan = Plan(("mcts:simulations=50", "minimax:depth=2"), games=4, seed=3)
    item = plan.items()[1]
    plain, careful = (task(item, 5) for task in (tournament.play_pair, tournament.play_pair_carefully))
    assert [game["record"] for game in plain] == [game["record"] for game in careful]


@pytest.mark.usefixtures("villains")
def test_what_an_isolated_agent_does_wrong_is_told() -> None:
    agent = IsolatedAgent("good", 1)
    assert agent.name == "good"
    assert agent.choose(Position()).column == 6
    close(agent)
    with pytest.raises(AgentError, match="has ended"):
        agent.choose(Position())
    with pytest.raises(AgentError, match="there is no agent 'nobody'"):
        IsolatedAgent("nobody", 1)
    for name, error, words in (
        ("leaver", AgentError, "exit code 0"),
        ("sleeper", AgentTimeoutError, "no answer within 2 s"),
        ("liar", AgentError, "SystemExit: I have won"),
    ):
        agent = IsolatedAgent(name, 1)
        with pytest.raises(error, match=words):
            agent.choose(Position())
        close(agent)
    assert issubclass(isolated.ERRORS["illegal"], AgentNonsenseError)


def test_an_agent_that_kills_its_workers_loses_its_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent of ours, so it lives in the worker; two workers die of it, then it is found out."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal\n"
        "from claimeven.agents.kinds import simple\n"
        "def choose(self, position, limit=None):\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "simple.FirstAgent.choose = choose\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    plan = Plan(("random", "first", "rules"), games=2, seed=1)
    games = tournament.play(plan, workers=2)
    result = standings.result(plan, games)
    assert [agent.faults.crash for agent in result.agents] == [0, 4, 0]
    assert {game.reason for game in games if 1 not in game.players} <= {"connect", "full"}
    assert "killed" in games[0].record.tags["Error"] or "exit code -9" in games[0].record.tags["Error"]
    store.write(tmp_path / "out", games, result, "")


class Stalling:
    name = "stalling"

    def __init__(self) -> None:
        self.is_asked = threading.Event()

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        self.is_asked.set()
        (limit.stop or threading.Event()).wait(30)
        return sure(position.legal[0], position)


def test_patience_ends_a_stalling_agent_under_a_node_limit() -> None:
    match = play_match(Stalling(), "first", 2, limit=Limit(nodes=10), patience=0.2)
    assert match.losses == 2
    assert match.faults(0) == {"time": 2}
    assert "no answer within 0.2 s" in match.games[0].error


# Clocks


@pytest.mark.parametrize("text", ["60s", "60s+1s", "500ms+20ms", "1.5s+1ms"])
def test_clocks_are_read_and_written(text: str) -> None:
    assert str(Control.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "60", "60s+", "+1s", "60s+1s+1s", "5000n", "60s,5n", "-1s", "0s", "60s+5d"]
)
def test_bad_clocks_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match="clock"):
        Control.parse(text)


def test_shares_never_exceed_the_clock() -> None:
    clocks, position = Clocks(Control(12.0)), Position()
    assert clocks.share(position) == pytest.approx(1.0)
    while not position.is_over:
        share = clocks.share(position)
        assert 0 <= share <= clocks.left[position.side]
        clocks.spend(position.side, share)
        position = position.play(position.legal[(position.ply // 2) % 2 - 1])
    assert min(clocks.left) >= 0
    increment = Clocks(Control(1.0, 0.5))
    assert increment.share(Position()) == pytest.approx(1 / 12 + 0.5)
    increment.spend(0, 0.2)
    assert increment.left == [pytest.approx(1.3), 1.0]


class Slow:
    """Thinks as long as it likes, and remembers what it was allowed."""

    name = "slow"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.allowed: list[float] = []

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        assert limit.seconds is not None
        self.allowed.append(limit.seconds)
        time.sleep(self.seconds)
        return sure(position.legal[0], position)


def test_who_uses_up_the_clock_loses_and_who_keeps_to_it_does_not() -> None:
    slow = Slow(0.15)
    match = play_match(slow, "rules", 2, openings=[""], clock=Control(0.2), grace=0.05)
    assert match.faults(0) == {"time": 2}
    assert slow.allowed[0] == pytest.approx(0.2 / 12)
    quick = Slow(0.0)
    match = play_match(quick, "first", 2, openings=[""], clock=Control(5.0, 0.5), seed=1)
    assert match.faults(0) == match.faults(1) == {}
    assert max(quick.allowed) < 5.0
    least = play_match(Slow(0.0), "first", 2, openings=[""], clock=Control(50.0), limit=Limit(seconds=0.5))
    assert least.faults(0) == {}


def test_who_has_nothing_left_but_the_grace_plays_on() -> None:
    late = Slow(0.25)
    match = play_match(late, "first", 2, openings=[""], clock=Control(0.2), grace=60.0)
    assert match.faults(0) == match.faults(1) == {}
    assert late.allowed[1] == 0.001


def test_a_tournament_with_clocks() -> None:
    plan = Plan(("mcts", "random"), games=2, clock=Control(1.5), board=Board(5, 4, 4))
    assert plan.settings().clock == "1.5s"
    games = tournament.play(plan)
    assert {game.fault for game in games} == {""}
    for game in games:
        thought = sum(ms for ply, ms in enumerate(game.ms) if game.players[ply % 2] == 0)
        assert thought < 2_000
