"""When to see a card again: FSRS-6 with its published default weights, in whole days, no steps within a day.

The same as web/src/lib/practice/fsrs.ts; both are held against the package `fsrs` to 1e-9.
"""

import math
from dataclasses import dataclass
from typing import Literal

Grade = Literal[1, 2, 3, 4]  # again, hard, good, easy

# fmt: off
W = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614,
    0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
)
# fmt: on
RETENTION = 0.9
LONGEST = 36_500  # days
LEAST_STABILITY = 0.001
DECAY = -W[20]
FACTOR = 0.9 ** (1 / DECAY) - 1
DAY = 86_400_000  # milliseconds


@dataclass(frozen=True)
class Memory:
    """What is remembered of a card."""

    stability: float  # days until it is remembered nine times in ten
    difficulty: float  # 1 to 10
    last: int  # milliseconds
    due: int


def review(before: Memory | None, grade: int, at: int) -> Memory:
    """After a card was seen at a time; the first time there was nothing before."""
    if before is None:
        stability, difficulty = W[grade - 1], _clamped(_initial_difficulty(grade))
    else:
        stability, difficulty = _stability(before, grade, at), _difficulty(before.difficulty, grade)
    stability = max(stability, LEAST_STABILITY)
    days = round(stability / FACTOR * (RETENTION ** (1 / DECAY) - 1))
    return Memory(stability, difficulty, at, at + DAY * min(max(days, 1), LONGEST))


def _initial_difficulty(grade: int) -> float:
    return W[4] - math.exp(W[5] * (grade - 1)) + 1


def _clamped(difficulty: float) -> float:
    return min(max(difficulty, 1.0), 10.0)


def _difficulty(difficulty: float, grade: int) -> float:
    moved = difficulty + (10 - difficulty) * -W[6] * (grade - 3) / 9
    return _clamped(W[7] * _initial_difficulty(4) + (1 - W[7]) * moved)


def _stability(before: Memory, grade: int, at: int) -> float:
    days = (at - before.last) // DAY
    if days < 1:
        gain: float = math.exp(W[17] * (grade - 3 + W[18])) * before.stability ** -W[19]
        return before.stability * (max(gain, 1) if grade > 1 else gain)
    recall = (1 + FACTOR * days / before.stability) ** DECAY
    return _forgotten(before, recall) if grade == 1 else _recalled(before, recall, grade)


def _forgotten(before: Memory, recall: float) -> float:
    growth = (before.stability + 1) ** W[13] - 1
    long: float = W[11] * before.difficulty ** -W[12] * growth * math.exp((1 - recall) * W[14])
    return min(long, before.stability / math.exp(W[17] * W[18]))


def _recalled(before: Memory, recall: float, grade: int) -> float:
    gain: float = math.exp(W[8]) * (11 - before.difficulty) * before.stability ** -W[9]
    gain *= (math.exp((1 - recall) * W[10]) - 1) * (W[15] if grade == 2 else 1) * (W[16] if grade == 4 else 1)
    return before.stability * (1 + gain)
