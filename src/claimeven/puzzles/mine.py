"""Puzzles out of games: agents play, and the solver looks where one column was right and hard to find."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count as count_from

from claimeven import runner
from claimeven.agents import make_agent
from claimeven.arena.play.game import play_game
from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.puzzles.find import MAX_WIN, MIN_WIN, find
from claimeven.puzzles.puzzle import Puzzle
from claimeven.puzzles.quiz import quiz, worthless
from claimeven.puzzles.rating import measure
from claimeven.puzzles.store import check_themes
from claimeven.puzzles.thumbs import is_quiet
from claimeven.reasons.seen.move import Move
from claimeven.reasons.told.line import DECIDED, decision
from claimeven.solver import Analysis, Solver

LEVELS = (1, 1, 2, 2, 3, 3, 4, 5, 6, 7)  # of the first ladder; weak ones err more, and leave more to find
LONGEST_OPENING = 6  # plies at random, so that no two games are the same
EARLIEST = 8  # plies; before that there is knowledge to recall rather than something to find
EARLY = 16  # plies; before that the solver is asked only where something is there for the taking
RANK = {"loss": 0, "draw": 1, "win": 2}


def generate_puzzles(seed: int, count: int, themes: Sequence[str] | None = None) -> Iterator[Puzzle]:
    """Fresh puzzles, one of a game at most, the same for the same seed; of some themes only, if given.

    >>> [puzzle.theme in ("fork", "stacked") for puzzle in generate_puzzles(7, 2, ["fork", "stacked"])]
    [True, True]
    """
    wanted = set(check_themes(themes))
    if count < 0:
        raise InputError("puzzle.count", count=count)
    return _generated(seed, count, wanted)


def _generated(seed: int, count: int, wanted: set[str]) -> Iterator[Puzzle]:
    for number in count_from():
        if count == 0:
            return
        for row in mine_game(number, runner.seed_of(seed, number)):
            puzzle = Puzzle.from_row(row)
            found = [theme for theme in puzzle.themes if theme in wanted]
            if found:
                themes = dict.fromkeys((*found, *puzzle.themes))
                rating = measure(row, runner.seed_of(seed, number))
                yield replace(puzzle, rating=rating, themes=tuple(themes))
                count -= 1
                break


@cache
def _solver() -> Solver:
    """One for every process; what it remembers does not change its answers."""
    return Solver(megabytes=64)


def mine_game(number: int, seed: int) -> list[str]:
    """The puzzles of one game, as rows without a rating: a task for the runner."""
    chance, solver = random.Random(seed), _solver()
    positions = _game(chance)
    found = [puzzle for ply in sorted(positions) for puzzle in _from(positions[ply], solver)]
    late = [p for ply, p in positions.items() if ply >= EARLY and is_quiet(p)]
    if late:
        position = chance.choice(late)
        asked = quiz(position, solver.analyse(position))
        found += [asked] if asked else []
    for position in late:
        asked = worthless(position, solver.analyse(position))
        if asked:
            found.append(asked)
            break
    return [puzzle.row() for puzzle in found]


def _from(position: Position, solver: Solver) -> Iterator[Puzzle]:
    """Of a position of a game, and of those after a mistake that could have been made in it."""
    is_early = position.ply < EARLY
    analysis = None if is_early else solver.analyse(position)
    if is_quiet(position) and (not is_early or _is_sharp(position) or _is_pressed(position)):
        found = find(position, analysis or solver.analyse(position), False, solver)
        if found is not None:
            yield found
    for column in position.legal:
        after = position.play(column)
        is_worth = not after.is_over and is_quiet(after)
        if is_worth and (_is_sharp(after) if analysis is None else _is_mistake(analysis, column)):
            error = analysis is not None or solver.outcome(position) != "loss"
            found = find(after, solver.analyse(after), error, solver)
            if found is not None:
                yield found


def _is_mistake(analysis: Analysis, column: int) -> bool:
    """It loses within a few moves what was not lost."""
    assert analysis.score is not None
    score = analysis.scores[column]
    return score.value < 0 <= analysis.score.value and MIN_WIN <= (score.moves or 0) <= MAX_WIN


def _is_sharp(position: Position) -> bool:
    """Two threats, or zugzwang, are there for the taking."""
    seen = (decision(position, column) for column in position.legal)
    return any(fact is not None and fact.kind in DECIDED for fact in seen)


def _is_pressed(position: Position) -> bool:
    """They would make two threats at once, if it were their turn."""
    seen = (fact.kind for column in position.legal for fact in Move(position, column).threats())
    return "denies_fork" in seen


def _game(chance: random.Random) -> dict[int, Position]:
    """The positions of a game between two agents, by ply."""
    agents = tuple(
        make_agent(f"level:{chance.choice(LEVELS)},ladder=first", chance.getrandbits(32)) for _ in range(2)
    )
    opening = Position()
    for _ in range(chance.randrange(LONGEST_OPENING + 1)):
        opening = opening.play(chance.choice(opening.legal))  # too early for anyone to win
    game, _error = play_game((agents[0], agents[1]), opening)
    return {p.ply: p for p in game.positions if p.ply >= EARLIEST and not p.is_over}
