"""A small match between two agents while somebody waits: the arena of the command line, within bounds."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from claimeven.agents import Agent, Choice
from claimeven.agents.agent import NO_LIMIT
from claimeven.arena.play.schedule import Plan
from claimeven.arena.play.tournament import Standing, play
from claimeven.arena.standings import result
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.server.doors.documented import answers
from claimeven.server.messages import MAX_SPEC
from claimeven.server.study.answers import FailedLine, Matched, MatchedLine, ProgressLine
from claimeven.server.study.desk import LateError, Work, answer, desk_of
from claimeven.server.thinking import Thinkers

router = APIRouter()
MOST_PAIRS = 10
MOVE_SECONDS = 0.1  # a pair of games lasts eight seconds at most,
BEGIN_SECONDS = 10.0  # so after these no more are begun: the desk has twenty for everything
OPENINGS = "balanced"


class MatchWish(BaseModel):
    """`seed`: the same one gives the same openings, and the same games as far as time plays no part."""

    model_config = ConfigDict(extra="forbid", strict=True)
    agents: Annotated[list[Annotated[str, Field(max_length=MAX_SPEC)]], Field(min_length=2, max_length=2)]
    pairs: Annotated[int, Field(ge=1, le=MOST_PAIRS)] = 5
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    stream: bool = False


class Hurried:
    """An agent that has a moment for every move, and is told when nobody waits any more."""

    def __init__(self, name: str, agent: Agent, stop: threading.Event) -> None:
        self.name = name
        self._agent = agent
        self._limit = Limit(seconds=MOVE_SECONDS, stop=stop)

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        return self._agent.choose(position, self._limit)


@router.post("/match", responses=answers(Matched, lines=MatchedLine | ProgressLine | FailedLine))
async def match(request: Request, wish: MatchWish) -> Response:
    """Two agents play pairs of games from balanced openings, both colours, a tenth of a second a move."""
    thinkers = desk_of(request).thinkers
    specs = [thinkers.check(spec) for spec in wish.agents]
    key = ("match", *specs, wish.pairs, wish.seed)
    return await answer(request, key, lambda work: _match(thinkers, specs, wish, work), streams=wish.stream)


def _match(thinkers: Thinkers, specs: list[str], wish: MatchWish, work: Work) -> Matched:
    began = time.monotonic()

    def entrant(spec: str) -> Callable[[int], Agent]:
        return lambda seed: Hurried(spec, thinkers.fresh(spec, seed), work.stop)

    entrants = tuple(entrant(spec) for spec in specs)
    plan = Plan(entrants, games=2 * wish.pairs, openings=OPENINGS, seed=wish.seed)
    counted = 0
    work.news = ProgressLine(done=0, of=2 * wish.pairs)

    def watch(standing: Standing) -> None:
        nonlocal counted
        if not work.stop.is_set():  # who is told to stop does not choose well: those games do not count
            counted = standing.games
            work.news = ProgressLine(done=counted, of=2 * wish.pairs)

    def is_enough() -> bool:
        return work.stop.is_set() or time.monotonic() - began > BEGIN_SECONDS

    # How long a move took depends on who else was here: it is not told.
    played = [replace(game, ms=()) for game in play(plan, watch=watch, is_enough=is_enough)[:counted]]
    if not played:
        raise LateError
    found = result(replace(plan, games=len(played)), played)
    settings = replace(found.plan, limit=str(Limit(seconds=MOVE_SECONDS)))
    return Matched(replace(found, plan=settings), tuple(one.game.to_json() for one in played))
