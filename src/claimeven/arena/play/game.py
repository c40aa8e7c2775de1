"""One game between two agents: every ending is data, whatever an agent does."""

import math
import threading
import time
from dataclasses import replace

from claimeven.agents import Agent, AgentError, AgentTimeoutError, Choice, choose_in_pie, chosen_column
from claimeven.arena.play.clock import Clocks, Control
from claimeven.game import Game, Player
from claimeven.limit import Limit
from claimeven.position import Position

# Seconds that a move may take beyond its limit before it loses: this machine has other things to do.
GRACE = 0.25


def play_game(
    agents: tuple[Agent, Agent],
    start: Position,
    limit: Limit | None = None,
    *,
    clock: Control | None = None,
    grace: float = GRACE,
    patience: float | None = None,
    pie: bool = False,
    ms: list[float] | None = None,
) -> tuple[Game, str]:
    """Play to the end from a position; also what went wrong, if something did. agents[0] has side 0, and by
    the pie rule perhaps side 1 in the end. `ms` gets the time that every move took."""
    players = (
        Player(agents[0].name, "agent", agents[0].name),
        Player(agents[1].name, "agent", agents[1].name),
    )
    game = Game(start=start, players=players, pie=pie)
    limit, clocks = limit or Limit(), None if clock is None else Clocks(clock)
    while game.result is None:
        position, side = game.position, game.position.side
        within, most = limit, limit.seconds
        if clocks is not None:
            within = replace(limit, seconds=min(clocks.share(position), limit.seconds or math.inf))
            most = min(clocks.left[side], limit.seconds or math.inf)
        began = time.perf_counter()
        try:
            choice = _ask(agents[side], position, within, most, grace, patience, is_pie=game.is_pie_open)
            column = chosen_column(choice, position)
        except AgentError as error:
            game.end(1 - side, error.ending)
            return game, f"{agents[side].name}: {error}"
        spent = time.perf_counter() - began
        if clocks is not None:
            clocks.spend(side, spent)
        if game.may_swap and choice.swaps:
            game.swap()
            agents = agents[1], agents[0]
            if clocks is not None:
                clocks.left.reverse()
            continue
        game.play(column, round(spent * 1000))
        if ms is not None:
            ms.append(round(spent * 1000, 3))
    return game, ""


def _ask(
    agent: Agent,
    position: Position,
    limit: Limit,
    most: float | None,
    grace: float,
    patience: float | None,
    *,
    is_pie: bool = False,
) -> Choice:
    """The choice of an agent; whatever it does instead of choosing becomes an AgentError.

    After `most` seconds (and a grace for the machine) it has lost on time.
    """
    seconds = patience if most is None else most + grace
    if seconds is None:
        return _guarded(agent, position, limit, is_pie)
    # In a thread of its own, so that one that never answers loses on time instead of holding up the match.
    stop = limit.stop or threading.Event()
    limit = Limit(limit.seconds, limit.nodes, limit.depth, stop)
    answers: list[Choice | AgentError] = []

    def think() -> None:
        try:
            answers.append(_guarded(agent, position, limit, is_pie))
        except AgentError as error:
            answers.append(error)

    thread = threading.Thread(target=think, daemon=True)
    thread.start()
    try:
        thread.join(seconds)
    except BaseException:
        stop.set()
        raise
    if thread.is_alive():
        stop.set()
        raise AgentTimeoutError(f"no answer within {seconds if most is None else most:.3g} s")
    if isinstance(answers[0], AgentError):
        raise answers[0]
    return answers[0]


def _guarded(agent: Agent, position: Position, limit: Limit, is_pie: bool) -> Choice:
    try:
        return choose_in_pie(agent, position, limit) if is_pie else agent.choose(position, limit)
    except AgentError:
        raise
    except (Exception, SystemExit) as error:  # an agent is anyone's code
        raise AgentError(f"{type(error).__name__}: {error}") from error
