"""Is a submission fit to be sent? It is played as by Kaggle, and held against the agent it came from."""

import importlib.util
import json
import random
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from claimeven.agents import close, make_agent
from claimeven.agents.agent import NO_LIMIT, AgentError
from claimeven.agents.apart.kaggle import ACT_TIMEOUT, KaggleAgent
from claimeven.arena.play.match import MatchResult, play_match
from claimeven.export import environment
from claimeven.export.kaggle import BOOK_PLIES
from claimeven.export.parts.players import Mcts, Minimax, Perfect
from claimeven.export.players import MANY, player_of
from claimeven.limit import Limit
from claimeven.notation import column_digit
from claimeven.position import Board, Position
from claimeven.solver import Solver

# Kaggle has packages that others have not: a submission of ours needs none, so there are none here.
CLEAN = (sys.executable, "-I", "-S")
OPPONENTS = ("random", "minimax:depth=4")  # the second is like Kaggle's negamax, which looks 4 plies ahead
OTHER_BOARDS = (Board(4, 4, 3), Board(9, 7, 5))
POSITIONS = 12  # of each board
SEED = 1
UNHURRIED = Limit(seconds=10.0)  # more than Kaggle gives: depth or simulations should end a search

Right = Callable[[Position], Collection[int]]


class UnfitError(Exception):
    """The submission must not be sent; its text says why."""


def check(path: Path, spec: str, *, pure: bool = False) -> Iterator[str]:
    """Sentences about what was found, one by one; UnfitError ends them."""
    yield from _comparison(path, spec, pure)
    yield from _games(path)
    if importlib.util.find_spec("kaggle_environments"):
        yield from _real_games(path)


# Games --------------------------------------------------------------------------------------------


def _games(path: Path) -> Iterator[str]:
    slowest = 0
    for opponent, board in [
        ("itself", Board()),
        *((name, Board()) for name in OPPONENTS),
        *(("random", board) for board in OTHER_BOARDS),
    ]:
        agent = KaggleAgent("submission", str(path), python=CLEAN)
        other = KaggleAgent("its twin", str(path), python=CLEAN) if opponent == "itself" else opponent
        try:
            result = play_match(agent, other, 2, [Position(board)], seed=SEED)
        finally:
            for each in (agent, other):
                if not isinstance(each, str):
                    close(each)
        if error := next((game.error for game in result.games if game.error), ""):
            raise UnfitError(f"it fails against {opponent} on {board}: {error}")
        slowest = max(slowest, *_times(result, has_both_sides=opponent == "itself"))
        score = (
            "" if opponent == "itself" else f": {result.wins} won, {result.draws} drawn, {result.losses} lost"
        )
        yield f"against {opponent} on {board}, a game with each side{score}"
    yield f"no invalid move; the slowest took {slowest / 1000:.2f} of {ACT_TIMEOUT:g} seconds"


def _times(result: MatchResult, *, has_both_sides: bool) -> Iterator[int]:
    """The milliseconds of the submission's moves; it is entrant 0."""
    for each in result.games:
        for ply, ms in each.game.times.items():
            if has_both_sides or (ply - 1) % 2 == each.first_is:
                yield ms


def _real_games(path: Path) -> Iterator[str]:
    """In kaggle-environments, where it is installed."""
    for opponent in (str(path), "random", "negamax"):
        match = {"agents": [str(path), opponent], "games": 2}
        done = subprocess.run(
            [sys.executable, environment.__file__],
            input=json.dumps([match]),
            capture_output=True,
            text=True,
        )
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:]
            raise UnfitError(f"kaggle-environments could not play it: {' '.join(last)}")
        games: list[environment.Played] = json.loads(done.stdout)
        for game in games:
            if game["statuses"][0] != "DONE":
                raise UnfitError(f"in kaggle-environments its status is {game['statuses'][0]}")
        longest = max(seconds for game in games for seconds in game["durations"])
        name = "itself" if opponent == str(path) else opponent
        yield f"in kaggle-environments against {name}: 2 games, the slowest move {longest:.2f} seconds"


# Against the agent --------------------------------------------------------------------------------


def _comparison(path: Path, spec: str, pure: bool) -> Iterator[str]:
    right, what, positions, limit = _standard(spec, pure)
    for position in positions:
        expected = right(position)
        agent = KaggleAgent("submission", str(path), python=CLEAN, seed=SEED)
        try:
            column = agent.choose(position, limit).column
        except AgentError as error:
            raise UnfitError(f"it fails in {position}: {error}") from None
        finally:
            agent.close()
        if column not in expected:
            columns = " or ".join(column_digit(each) for each in sorted(expected))
            raise UnfitError(
                f"it answers {position} with column {column_digit(column)}, not {what} with {columns}"
            )
    yield f"{len(positions)} sampled positions are answered {what}"


def _standard(spec: str, pure: bool) -> tuple[Right, str, list[Position], Limit]:
    """Which columns are right, what is claimed by that, the positions to ask it in, and how long it has."""
    player = player_of(spec)
    if isinstance(player, Perfect):
        # Of equally good columns the agent draws one. In plain Python only the book is exact.
        solver, longest = Solver(), BOOK_PLIES - 1 if pure else Board().cells
        return (
            lambda position: solver.analyse(position).best,
            "by exact play",
            [position for position in _positions(Board()) if position.ply <= longest],
            NO_LIMIT,
        )
    boards = (Board(), *OTHER_BOARDS)
    positions = [position for board in boards for position in _positions(board)]
    is_timed = isinstance(player, Mcts) and player.simulations == MANY
    is_timed |= isinstance(player, Minimax) and player.depth is None and not player.depth_by_width
    if is_timed:
        forced = [position for position in positions if len(_forced(position)) < len(position.legal)]
        return _forced, "by wins and blocks at hand", forced, NO_LIMIT

    def of_the_agent(position: Position) -> Collection[int]:
        return (make_agent(spec, SEED).choose(position).column,)

    return of_the_agent, f"as by {spec}", positions, UNHURRIED


def _forced(position: Position) -> tuple[int, ...]:
    """The columns that win at once; else the one that stops the opponent from it, if it is one; else all."""
    board = position.board
    cells = {column: board.bit(column, position.height(column)) for column in position.legal}
    wins = tuple(c for c, cell in cells.items() if board.has_four(position.mine | cell))
    threats = tuple(c for c, cell in cells.items() if board.has_four(position.theirs | cell))
    return wins or (threats if len(threats) == 1 else position.legal)


def _positions(board: Board) -> list[Position]:
    """Of random games, from all their stages."""
    chance, found = random.Random(SEED), list[Position]()
    while len(found) < POSITIONS:
        position = Position(board)
        for _ in range(chance.randrange(board.cells)):
            if not position.is_over:
                position = position.play(chance.choice(position.legal))
        if not position.is_over:
            found.append(position)
    return found
