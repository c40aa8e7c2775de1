"""How hard a puzzle is: measured by how often players of the levels solve it.

A rating is on the scale of the levels (`claimeven agents`): who has it solves the puzzle half of the time.
"""

import math
from functools import cache

from claimeven.agents import make_agent
from claimeven.agents.agent import Agent
from claimeven.agents.kinds.level import RATINGS
from claimeven.puzzles.puzzle import Puzzle
from claimeven.puzzles.sitting import Sitting
from claimeven.runner import seed_of
from claimeven.solver import Solver

LOWEST, HIGHEST = 400, 2400
TRIES = 6  # of each level
LEVELS = range(1, 9)
SCALE = 400 / math.log(10)  # of Elo


@cache
def _solver() -> Solver:
    return Solver(megabytes=64)


def measure(row: str, seed: int) -> int:
    """The rating at which half of the tries succeed: the most likely one, rounded to tens. A task."""
    puzzle = Puzzle.from_row(row)
    tries = [
        (RATINGS[level], _solves(puzzle, level, seed_of(seed, 100 * level + number)))
        for level in LEVELS
        for number in range(TRIES)
    ]
    solved = sum(done for _, done in tries)
    low, high = float(LOWEST), float(HIGHEST)
    while high - low > 1:
        middle = (low + high) / 2
        expected = sum(1 / (1 + math.exp((middle - rating) / SCALE)) for rating, _ in tries)
        low, high = (middle, high) if expected > solved else (low, middle)
    return 10 * round(low / 10)


def _solves(puzzle: Puzzle, level: int, seed: int) -> bool:
    agent = make_agent(f"level:{level}", seed)
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
