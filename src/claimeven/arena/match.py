"""Two agents play each other: every opening twice with the colours swapped, every ending is data."""

import math
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import cast

from claimeven.agents import (
    Agent,
    AgentError,
    AgentTimeoutError,
    Choice,
    chosen_column,
    close,
    make_agent,
)
from claimeven.arena.clock import Clocks, Control
from claimeven.arena.openings import short_openings
from claimeven.errors import InputError
from claimeven.game import Game, Player
from claimeven.limit import Limit
from claimeven.position import Board, Position

# A spec, an agent (then it plays all games), or what makes one from a seed.
Entrant = str | Agent | Callable[[int], Agent]

GRACE = (
    0.25  # seconds that a move may take beyond its limit before it loses: this machine has other things to do
)


@dataclass(frozen=True)
class MatchGame:
    """One game of a match."""

    game: Game
    opening: Position
    first_is: int  # which entrant, 0 or 1, had side 0
    error: str = ""  # what went wrong, when an agent lost by its own fault

    @property
    def winner(self) -> int | None:
        """Which entrant won."""
        assert self.game.result is not None
        side = self.game.result.winner
        return None if side is None else side ^ self.first_is

    @property
    def points(self) -> float:
        """Of entrant 0."""
        return 0.5 if self.winner is None else float(self.winner == 0)


@dataclass(frozen=True)
class MatchResult:
    """All games of a match; totals are counted from them, from the view of the first entrant."""

    names: tuple[str, str]
    games: tuple[MatchGame, ...]  # 2i and 2i + 1 are a pair: the same opening with the colours swapped

    @property
    def wins(self) -> int:
        return sum(game.winner == 0 for game in self.games)

    @property
    def draws(self) -> int:
        return sum(game.winner is None for game in self.games)

    @property
    def losses(self) -> int:
        return sum(game.winner == 1 for game in self.games)

    @property
    def score(self) -> float:
        """Points per game: 1 for a win, a half for a draw."""
        return sum(game.points for game in self.games) / len(self.games)

    @property
    def pairs(self) -> tuple[int, int, int, int, int]:
        """How many pairs brought 0, 1/2, 1, 3/2 and 2 points."""
        points = Counter(
            int(2 * (a.points + b.points)) for a, b in zip(self.games[::2], self.games[1::2], strict=True)
        )
        none, half, one, three_halves, two = (points[n] for n in range(5))
        return none, half, one, three_halves, two

    def by_seat(self, seat: int) -> tuple[int, int, int]:
        """Wins, draws and losses of the first entrant when it had side 0, or side 1."""
        games = [game for game in self.games if game.first_is == seat]
        winners = Counter(game.winner for game in games)
        return winners[0], winners[None], winners[1]

    @property
    def endings(self) -> dict[str, int]:
        """How often the games ended for each reason."""
        return dict(Counter(game.game.result.reason for game in self.games if game.game.result))

    def faults(self, entrant: int) -> dict[str, int]:
        """How often an entrant lost by its own fault: time, an illegal move, a crash."""
        faults: Counter[str] = Counter(
            game.game.result.reason
            for game in self.games
            if game.error and game.game.result and game.winner == 1 - entrant
        )
        return dict(faults)

    @property
    def distinct(self) -> int:
        """Different games: identical ones are one observation."""
        return len({(str(game.opening), game.game.moves, game.first_is) for game in self.games})


def play_match(
    first: Entrant,
    second: Entrant,
    games: int = 100,
    openings: Sequence[str | Position] | None = None,
    limit: Limit | None = None,
    seed: int = 0,
    *,
    board: Board | None = None,
    clock: Control | None = None,
    grace: float = GRACE,
    patience: float | None = None,
    report: Callable[[MatchGame], None] | None = None,
) -> MatchResult:
    """Play an even number of games. Without openings, different short ones are drawn by the seed.

    Specs make fresh agents for every game. The same seed gives the same games, if the limit is not time.
    With `patience`, an agent that does not answer within so many seconds loses, whatever its limit is.
    """
    if games < 2 or games % 2:
        raise InputError(f"a match has an even number of games, at least 2, not {games}")
    starts = _openings(openings, board or Board(), games // 2, seed)
    played: list[MatchGame] = []
    for index in range(games):
        start, first_is = starts[index // 2], index % 2
        entrants = [_enter(entrant, seed, index, seat) for seat, entrant in enumerate((first, second))]
        agents = [agent for agent, _ in entrants]
        sides = agents if first_is == 0 else agents[::-1]
        game, error = play_game(
            (sides[0], sides[1]), start, limit, clock=clock, grace=grace, patience=patience
        )
        for agent, is_own in entrants:
            if is_own:
                close(agent)
        played.append(MatchGame(game, start, first_is, error))
        if report is not None:
            report(played[-1])
    return MatchResult((agents[0].name, agents[1].name), tuple(played))


def play_game(
    agents: tuple[Agent, Agent],
    start: Position,
    limit: Limit | None = None,
    *,
    clock: Control | None = None,
    grace: float = GRACE,
    patience: float | None = None,
) -> tuple[Game, str]:
    """Play to the end from a position; also what went wrong, if something did. agents[0] has side 0."""
    players = (
        Player(agents[0].name, "agent", agents[0].name),
        Player(agents[1].name, "agent", agents[1].name),
    )
    game = Game(start=start, players=players)
    limit, clocks = limit or Limit(), None if clock is None else Clocks(clock)
    while game.result is None:
        position, side = game.position, game.position.side
        within, most = limit, limit.seconds
        if clocks is not None:
            within = replace(limit, seconds=min(clocks.share(position), limit.seconds or math.inf))
            most = min(clocks.left[side], limit.seconds or math.inf)
        began = time.perf_counter()
        try:
            choice = _ask(agents[side], position, within, most, grace, patience)
            column = chosen_column(choice, position)
        except AgentError as error:
            game.end(1 - side, error.ending)
            return game, f"{agents[side].name}: {error}"
        spent = time.perf_counter() - began
        if clocks is not None:
            clocks.spend(side, spent)
        game.play(column, round(spent * 1000))
    return game, ""


def _ask(
    agent: Agent, position: Position, limit: Limit, most: float | None, grace: float, patience: float | None
) -> Choice:
    """The choice of an agent; whatever it does instead of choosing becomes an AgentError.

    After `most` seconds (and a grace for the machine) it has lost on time.
    """
    seconds = patience if most is None else most + grace
    if seconds is None:
        return _guarded(agent, position, limit)
    # In a thread of its own, so that one that never answers loses on time instead of holding up the match.
    stop = limit.stop or threading.Event()
    limit = Limit(limit.seconds, limit.nodes, limit.depth, stop)
    answers: list[Choice | AgentError] = []

    def think() -> None:
        try:
            answers.append(_guarded(agent, position, limit))
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


def _guarded(agent: Agent, position: Position, limit: Limit) -> Choice:
    try:
        return agent.choose(position, limit)
    except AgentError:
        raise
    except (Exception, SystemExit) as error:  # an agent is anyone's code
        raise AgentError(f"{type(error).__name__}: {error}") from error


def _enter(entrant: Entrant, seed: int, index: int, seat: int) -> tuple[Agent, bool]:
    """The agent for one game, and whether it was made for this game."""
    own_seed = random.Random(f"{seed}/{index}/{seat}").getrandbits(63)
    if isinstance(entrant, str):
        return make_agent(entrant, own_seed), True
    if hasattr(entrant, "choose"):
        return cast(Agent, entrant), False
    return entrant(own_seed), True


def _openings(given: Sequence[str | Position] | None, board: Board, count: int, seed: int) -> list[Position]:
    if given is None:
        found = short_openings(board, count)
        random.Random(seed).shuffle(found)
    else:
        found = [Position.parse(text, board) if isinstance(text, str) else text for text in given]
        if not found:
            raise InputError("a match needs at least one opening")
        if over := next((position for position in found if position.is_over), None):
            raise InputError(f"opening {over.moves or over}: the game is over")
    return list(islice(cycle(found), count))
