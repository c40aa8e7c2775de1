"""Tournaments: pairs of games on many cores. The result depends on the plan, not on who played what when."""

import random
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

from claimeven.agents import Agent, AgentError, Choice, close, make_agent
from claimeven.agents.agent import NO_LIMIT
from claimeven.agents.apart.isolated import IsolatedAgent, is_apart, is_foreign
from claimeven.arena.clock import Control
from claimeven.arena.match import play_game
from claimeven.arena.schedule import PairItem, Plan
from claimeven.game import Game, Player, Record
from claimeven.game.record import json_text
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.runner import Execute, run

ERROR_LENGTH = 500
FAULTS = ("illegal", "crash", "time")  # endings that are the loser's own fault


class GameAnswer(TypedDict):
    record: str  # JSON, without what differs from run to run:
    began: str
    ms: list[float]  # thinking time of every move


@dataclass(frozen=True)
class Played:
    """One game of a tournament."""

    number: int  # 2i and 2i + 1 are pair i
    players: tuple[int, int]  # by their numbers in the plan; the first one moves first
    record: Record
    began: str = ""
    ms: tuple[float, ...] = ()  # thinking time of every move

    @property
    def winner(self) -> int | None:
        """The number of the agent that won."""
        assert self.record.result is not None
        side = self.record.result.winner
        return None if side is None else self.players[side]

    @property
    def reason(self) -> str:
        assert self.record.result is not None
        return self.record.result.reason

    def points(self, agent: int) -> float:
        return 0.5 if self.winner is None else float(self.winner == agent)

    @property
    def fault(self) -> str:
        """Why the loser lost, if by its own fault."""
        return self.reason if self.reason in FAULTS else ""


@dataclass
class Standing:
    """How far a tournament has come; what is shown while it runs."""

    plan: Plan
    games: int = 0
    resumed: int = 0  # of these, played before this run
    tallies: dict[tuple[int, int], list[int]] = field(default_factory=dict)  # by pairing, as in elo.py

    @property
    def total(self) -> int:
        return 2 * self.plan.pairs


Watch = Callable[[Standing], None]


def play(
    plan: Plan,
    *,
    workers: int = 1,
    folder: Path | None = None,
    watch: Watch | None = None,
    execute: Execute | None = None,
) -> list[Played]:
    """Play the tournament, or what is left of it in the folder; the games in order.

    A sequential test looks at the pairs in order too, and forgets what was played beyond its end. `execute`
    is where the work is done, if not on processes of this machine: `on_ray("auto")`.
    """
    standing = Standing(plan, tallies={pairing: [0] * 5 for pairing in plan.pairings})

    is_begun = False

    def progress(done: int, total: int) -> None:
        """The first call, before anything is played, says what was there already."""
        nonlocal is_begun
        if not is_begun:
            is_begun, standing.resumed = True, 2 * done

    answers = run(
        play_pair,
        plan.items(),
        workers=workers,
        seed=plan.seed,
        folder=folder,
        name="tournament",
        parameters=plan.parameters(),
        progress=progress,
        execute=execute,
        careful=play_pair_carefully,
    )
    played: list[Played] = []
    with closing(answers):
        for pair, answer in enumerate(answers):
            one, other = plan.pairing_of(pair)
            for index, game in enumerate(answer):
                players = (one, other) if index == 0 else (other, one)
                record = Game.from_json(game["record"]).record()  # replayed: nothing is believed
                played.append(Played(2 * pair + index, players, record, game["began"], tuple(game["ms"])))
            tally = standing.tallies[one, other]
            tally[pair_points(played[-2:], one)] += 1
            standing.games += 2
            if watch is not None:
                watch(standing)
            if plan.sprt is not None and plan.sprt.verdict(tally):
                break
    return played


def pair_points(pair: list[Played], agent: int) -> int:
    """Half points of an agent in the two games of a pair: where it stands in a tally of five."""
    return int(2 * sum(game.points(agent) for game in pair))


# In a worker ----------------------------------------------------------------------------------------


def play_pair(item: PairItem, seed: int) -> list[GameAnswer]:
    """The task: both games of a pair."""
    return [_play_one(item, seed, index, is_careful=False) for index in range(2)]


def play_pair_carefully(item: PairItem, seed: int) -> list[GameAnswer]:
    """The same, when two workers have died of it: every agent in a process of its own. So it is seen which
    of them it was, and that one loses."""
    return [_play_one(item, seed, index, is_careful=True) for index in range(2)]


def _play_one(item: PairItem, seed: int, index: int, *, is_careful: bool) -> GameAnswer:
    start = Position.parse(item["start"], Board.parse(item["board"]))
    limit = Limit.parse(item["limit"])
    clock = Control.parse(item["clock"]) if item["clock"] else None
    began = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    order = (0, 1) if index == 0 else (1, 0)
    agents, players = [], []
    for entrant in order:
        # A seed for every game and agent; records hold 63 bits.
        own = random.Random(f"{seed}/{index}/{entrant}").getrandbits(63)
        agents.append(_Timed(_made(item["agents"][entrant], own, is_careful)))
        players.append(Player(item["names"][entrant], "agent", item["agents"][entrant], own))
    try:
        game, error = play_game((agents[0], agents[1]), start, limit, clock=clock)
    finally:
        for agent in agents:
            close(agent.inner)
    clocks = [iter(list(agent.ms)) for agent in agents]
    ms = [next(clocks[ply % 2]) for ply in range(start.ply, game.ply)]
    game.times.clear()  # whole milliseconds, and different every time
    game.players = (players[0], players[1])
    if error:
        game.tags["Error"] = _one_line(error)
    return {"record": json_text(game.record()), "began": began, "ms": ms}


def _one_line(text: str) -> str:
    """What an agent said, as a record can hold it."""
    text = " ".join(text.split())[:ERROR_LENGTH]
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def _made(spec: str, seed: int, is_careful: bool) -> Agent:
    try:
        if is_foreign(spec) or (is_careful and not is_apart(spec)):
            return IsolatedAgent(spec, seed)
        return make_agent(spec, seed)
    except Exception as error:  # its file has gone, its module is broken: it loses, the others play on
        return _Broken(spec, error)


class _Timed:
    """An agent and how long it thought, in milliseconds, for every answer."""

    def __init__(self, inner: Agent) -> None:
        self.name = inner.name
        self.inner = inner
        self.ms: list[float] = []

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        start = time.perf_counter()
        choice = self.inner.choose(position, limit)
        self.ms.append(round((time.perf_counter() - start) * 1000, 3))
        return choice


class _Broken:
    """An agent that could not be made."""

    def __init__(self, name: str, error: Exception) -> None:
        self.name = name[:200]
        self._error = error

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        raise AgentError(f"{type(self._error).__name__}: {self._error}")
