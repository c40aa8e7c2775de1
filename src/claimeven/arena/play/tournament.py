"""Tournaments: pairs of games on many cores. The result depends on the plan, not on who played what when."""

import random
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

from claimeven.arena.play.entrants import Seated, is_agent, one_line
from claimeven.arena.play.game import play_game
from claimeven.arena.play.played import ERROR, Played, pair_points
from claimeven.arena.play.schedule import PairItem, Plan
from claimeven.game import Game, Player
from claimeven.game.record import json_text
from claimeven.runner import Execute, run

ERROR_LENGTH = 500


class GameAnswer(TypedDict):
    record: str  # JSON, without what differs from run to run:
    began: str
    ms: list[float]  # thinking time of every move


@dataclass
class Standing:
    """How far a tournament has come; what is shown while it runs."""

    plan: Plan
    games: int = 0
    resumed: int = 0  # of these, played before this run
    tallies: dict[tuple[int, int], list[int]] = field(default_factory=dict)  # by pairing, as in elo.py
    latest: Sequence[Played] = ()  # the games of the pair that was played last

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
    is_enough: Callable[[], bool] | None = None,
) -> list[Played]:
    """Play the tournament, or what is left of it in the folder; the games in order.

    A sequential test looks at the pairs in order too, and forgets what was played beyond its end. `execute`
    is where the work is done, if not on processes of this machine: `on_ray("auto")`. `is_enough` is asked
    after every pair whether that was the last one.
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
        parameters=plan.settings().named(),
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
            standing.latest = played[-2:]
            if watch is not None:
                watch(standing)
            if plan.sprt is not None and plan.sprt.verdict(tally):
                break
            if is_enough is not None and is_enough():
                break
    return played


# In a worker ----------------------------------------------------------------------------------------


def play_pair(item: PairItem, seed: int) -> list[GameAnswer]:
    """The task: both games of a pair."""
    return [_play_one(item, seed, index, is_careful=False) for index in range(2)]


def play_pair_carefully(item: PairItem, seed: int) -> list[GameAnswer]:
    """The same, when two workers have died of it: every agent in a process of its own. So it is seen which
    of them it was, and that one loses."""
    return [_play_one(item, seed, index, is_careful=True) for index in range(2)]


def _play_one(item: PairItem, seed: int, index: int, *, is_careful: bool) -> GameAnswer:
    began = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    order = (0, 1) if index == 0 else (1, 0)
    agents, players = [], []
    ms: list[float] = []
    for number in order:
        entrant = item.entrants[number]
        # A seed for every game and agent; records hold 63 bits.
        own = random.Random(f"{seed}/{index}/{number}").getrandbits(63)
        agents.append(Seated(entrant, own, is_careful=is_careful))
        shown = None if is_agent(entrant) else own  # one that plays all games was not made from it
        players.append(Player(item.names[number], "agent", item.specs[number], shown))
    try:
        game, error = play_game(
            (agents[0], agents[1]),
            item.start,
            item.limit,
            clock=item.clock,
            grace=item.grace,
            patience=item.patience,
            pie=item.pie,
            ms=ms,
        )
    finally:
        for agent in agents:
            agent.close()
    game.times.clear()  # whole milliseconds, and different every time
    game.players = (players[1], players[0]) if game.pie == "swapped" else (players[0], players[1])
    if error:
        game.tags[ERROR] = one_line(error)[:ERROR_LENGTH]
    return {"record": json_text(game.record()), "began": began, "ms": ms}
