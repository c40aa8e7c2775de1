"""An opponent that plays as people do: it draws lots among the columns, as likely as a person of its rating
plays each (claimeven.people). It errs where people err, and finds what they find."""

import random

from claimeven.agents.agent import NO_LIMIT, open_columns
from claimeven.agents.choice import Choice
from claimeven.agents.kind import Kind
from claimeven.agents.option import whole
from claimeven.limit import Limit
from claimeven.notation import column_digit
from claimeven.people import AVERAGE, STRONGEST, WEAKEST, chances
from claimeven.position import Position


class HumanAgent:
    def __init__(self, name: str = "human", seed: int | None = None, rating: int = AVERAGE) -> None:
        self.name = name
        self._rating = rating
        self._random = random.Random(seed)

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        columns = open_columns(position)
        likely = chances(position, self._rating)
        [column] = self._random.choices(columns, [likely[c] for c in columns])
        share = f"{likely[column]:.0%} of people of rating {self._rating}"
        text = f"{share} play column {column_digit(column)} here, I guess"
        return Choice(column, likely, text=text)


KIND = Kind(
    "human",
    "plays as people of some rating do: learned from their games",
    lambda name, seed, values: HumanAgent(name, seed, values["rating"]),
    (whole("rating", AVERAGE, "on the scale of the levels; 900 is the average", WEAKEST, STRONGEST),),
    variants=(f"rating={WEAKEST}", f"rating={STRONGEST}"),
)
