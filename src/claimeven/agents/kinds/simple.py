"""Two players without a thought: random and first."""

import random

from claimeven.agents.agent import NO_LIMIT, open_columns, sure
from claimeven.agents.choice import Choice
from claimeven.agents.kind import Kind
from claimeven.limit import Limit
from claimeven.position import Position


class RandomAgent:
    """Takes any legal column with the same probability."""

    def __init__(self, name: str = "random", seed: int | None = None) -> None:
        self.name = name
        self._random = random.Random(seed)

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        columns = open_columns(position)
        weights = dict.fromkeys(columns, 1 / len(columns))
        return Choice(self._random.choice(columns), weights)


class FirstAgent:
    """Takes the first open column from the left."""

    name = "first"

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        return sure(open_columns(position)[0], position)


RANDOM = Kind("random", "any legal column", lambda name, seed, _: RandomAgent(name, seed))
FIRST = Kind("first", "the first open column from the left", lambda _name, _seed, _values: FirstAgent())
