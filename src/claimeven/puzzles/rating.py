"""How hard a puzzle is: measured by how often the levels, and people as they are modelled, solve it.

A rating is on the scale of the levels (`claimeven agents`): who has it solves the puzzle half of the time.
The levels asked are those of the first ladder, which never change: so a puzzle keeps its rating.
"""

import math
from functools import cache

from claimeven.agents import make_agent
from claimeven.agents.agent import Agent
from claimeven.agents.kinds.level import FIRST
from claimeven.people import chances
from claimeven.puzzles.puzzle import Puzzle
from claimeven.puzzles.sitting import Sitting
from claimeven.runner import seed_of
from claimeven.solver import Solver

LOWEST, HIGHEST = 400, 2400
TRIES = 6  # of each level
LEVELS = range(1, 9)
PEOPLE = (600, 740, 870, 1000, 1140)  # ratings; nobody stronger could be learned from
SCALE = 400 / math.log(10)  # of Elo


@cache
def _solver() -> Solver:
    return Solver(megabytes=64)


def measure(row: str, seed: int) -> int:
    """The rating at which half of the tries succeed: the most likely one, rounded to tens. A task."""
    puzzle = Puzzle.from_row(row)
    return rating_from([*levels_tried(puzzle, seed), *people_asked(puzzle)])


def levels_tried(puzzle: Puzzle, seed: int) -> list[tuple[int, float]]:
    """The rating of every level, and in how many of its tries it solves the puzzle."""
    return [
        (
            FIRST[level].rating,
            sum(_solves(puzzle, level, seed_of(seed, 100 * level + number)) for number in range(TRIES)),
        )
        for level in LEVELS
    ]


def people_asked(puzzle: Puzzle) -> list[tuple[int, float]]:
    """Ratings of people, and how many of as many would find every column; nobody, where none is asked for."""
    if not puzzle.has_line:
        return []
    found = [1.0] * len(PEOPLE)
    for place in range(0, len(puzzle.line), 2):
        sitting = Sitting(puzzle, puzzle.line[:place])
        right = sitting.right(_solver())
        for which, rating in enumerate(PEOPLE):
            likely = chances(sitting.position, rating)
            found[which] *= sum(likely[column] for column in right)
    return [(rating, TRIES * chance) for rating, chance in zip(PEOPLE, found, strict=True)]


def rating_from(tried: list[tuple[int, float]]) -> int:
    """The most likely one, when players of these ratings solve it so often of TRIES each."""
    solved = sum(count for _, count in tried)
    low, high = float(LOWEST), float(HIGHEST)
    while high - low > 1:
        middle = (low + high) / 2
        expected = sum(TRIES / (1 + math.exp((middle - rating) / SCALE)) for rating, _ in tried)
        low, high = (middle, high) if expected > solved else (low, middle)
    return 10 * round(low / 10)


def _solves(puzzle: Puzzle, level: int, seed: int) -> bool:
    agent = make_agent(f"level:{level},ladder=first", seed)
    return _finds(puzzle, agent) if puzzle.has_line else _shows(puzzle, agent)


def _finds(puzzle: Puzzle, agent: Agent) -> bool:
    """Whether every column that it plays is right."""
    sitting, solver = Sitting(puzzle), _solver()
    while not sitting.is_solved:
        column = agent.choose(sitting.position).column
        if not sitting.is_right(column, solver):
            return False
        sitting = sitting.advanced(column, solver)[0]
    return True


def _shows(puzzle: Puzzle, agent: Agent) -> bool:
    """Nobody can ask an agent who wins: whether the right one does when it plays both sides."""
    position = puzzle.position
    while not position.is_over:
        position = position.play(agent.choose(position).column)
    return position.winner == puzzle.winner
