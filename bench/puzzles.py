"""How hard puzzles are for agents, and how well the rating tells it: python bench/puzzles.py [PUZZLES] [FILE]

Agents of levels 1 to 9 try every puzzle a few times. From how often each level solves it follows a measured
difficulty on the scale of the levels; the weights of claimeven/puzzles/rating.py are the least squares
fit of the features to it.
"""

import json
import math
import random
import sys
from pathlib import Path

from claimeven.agents import make_agent
from claimeven.agents.kinds.level import RATINGS
from claimeven.puzzles import Puzzle, shipped_puzzles
from claimeven.puzzles.rating import HIGHEST, LOWEST, features, rate

TRIES = 4
LEVELS = range(1, 10)
SCALE = 400 / math.log(10)  # of Elo


def solves(puzzle: Puzzle, level: int, seed: int) -> bool:
    agent, position = make_agent(f"level:{level}", seed), puzzle.position
    for place, column in enumerate(puzzle.line):
        if place % 2 == 0 and agent.choose(position).column != column:
            return False
        position = position.play(column)
    return True


def measured(puzzle: Puzzle) -> float:
    """The rating at which half of the tries succeed: the most likely one, within the scale."""
    tries = [(RATINGS[level], solves(puzzle, level, seed)) for level in LEVELS for seed in range(TRIES)]
    low, high = float(LOWEST), float(HIGHEST)
    while high - low > 1:
        middle = (low + high) / 2
        expected = sum(1 / (1 + math.exp((middle - rating) / SCALE)) for rating, _ in tries)
        low, high = (middle, high) if expected > sum(done for _, done in tries) else (low, middle)
    return low


def fit(rows: list[dict[str, float]], targets: list[float]) -> dict[str, float]:
    """Least squares by the normal equations; a little on the diagonal, so that they can be solved."""
    names = list(rows[0])
    matrix = [
        [*(sum(r[a] * r[b] for r in rows) + (a == b) * 1e-6 for b in names),
         sum(r[a] * t for r, t in zip(rows, targets, strict=True))]
        for a in names
    ]  # fmt: skip
    for i in range(len(names)):
        for j in range(len(names)):
            if i != j:
                factor = matrix[j][i] / matrix[i][i]
                matrix[j] = [x - factor * y for x, y in zip(matrix[j], matrix[i], strict=True)]
    return {name: row[-1] / row[i] for i, (name, row) in enumerate(zip(names, matrix, strict=True))}


def correlation(one: list[float], two: list[float]) -> float:
    mean = [sum(values) / len(values) for values in (one, two)]
    pairs = [(x - mean[0], y - mean[1]) for x, y in zip(one, two, strict=True)]
    return sum(x * y for x, y in pairs) / math.sqrt(
        sum(x * x for x, _ in pairs) * sum(y * y for _, y in pairs)
    )


def main(count: int, source: Path | None) -> None:
    if source is None:
        puzzles = list(shipped_puzzles())
    else:
        puzzles = [Puzzle.from_row(json.loads(line)) for line in source.read_text().splitlines()]
    puzzles = [puzzle for puzzle in puzzles if puzzle.goal != "who"]
    random.Random(0).shuffle(puzzles)
    puzzles = puzzles[:count]
    targets = [measured(puzzle) for puzzle in puzzles]
    weights = fit([features(puzzle) for puzzle in puzzles], targets)
    print({name: round(weight) for name, weight in weights.items()})
    told = correlation([float(rate(puzzle)) for puzzle in puzzles], targets)
    print(f"{len(puzzles)} puzzles: correlation of rating and measured difficulty {told:.2f}")
    mean = sum(targets) / len(targets)
    print(f"measured: lowest {min(targets):.0f}, mean {mean:.0f}, highest {max(targets):.0f}")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(int(arguments[0]) if arguments else 300, Path(arguments[1]) if arguments[1:] else None)
