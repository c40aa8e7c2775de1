"""A player from a table that was learned (`claimeven train q-learning`)."""

from functools import lru_cache
from pathlib import Path

from claimeven.agents.agent import NO_LIMIT, open_columns, sure
from claimeven.agents.choice import Choice, Opinion
from claimeven.agents.kind import Kind, Values
from claimeven.agents.kinds.qtable import Table
from claimeven.agents.kinds.rules import blocks, wins
from claimeven.agents.option import rest, switch
from claimeven.errors import InputError, SpecError
from claimeven.limit import Limit
from claimeven.notation import column_digit
from claimeven.position import Position


class QLearningAgent:
    """Takes the column of the greatest value. It never looks ahead: what it did not meet, it does not know,
    and there it takes the column nearest to the centre."""

    def __init__(self, name: str, table: Table, *, guard: bool = False) -> None:
        self.name = name
        self.table = table
        self._guard = guard

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        legal = open_columns(position)
        forced = (wins(position, legal) or blocks(position, legal)) if self._guard else []
        if forced:
            return sure(forced[0], position, text="there is nothing to think about")
        if position.board != self.table.board:
            text = f"I have learned {self.table.board} only; this is the column nearest to the centre"
            return sure(position.board.central(legal), position, text=text)
        values, column = self.table.values(position), self.table.best(position)
        opinions = tuple(Opinion(c, value=value) for c, value in sorted(values.items()))
        return sure(column, position, opinions, text=_text(values, column), even=self.table.rule.draw)


def _text(values: dict[int, float], column: int) -> str:
    if not values:
        return "I never met this position"
    name = f"column {column_digit(column)}"
    return f"{name} is worth {values[column]:+.2f}" if column in values else f"I never tried {name} here"


@lru_cache(maxsize=4)
def _read(path: Path, _size: int, _changed: int) -> Table:
    """A match makes an agent for every game: the file is read once, as long as it stays the same."""
    return Table.read(path)


def _make(name: str, _seed: int | None, values: Values) -> QLearningAgent:
    path = Path(values["file"])
    try:
        about = path.stat()
        table = _read(path.resolve(), about.st_size, about.st_mtime_ns)
    except FileNotFoundError:
        raise SpecError("agent.table_file", file=f"{values['file']!r:.200}") from None
    except InputError as error:
        raise SpecError("agent.table", cause=error) from None
    return QLearningAgent(name, table, guard=values["guard"])


KIND = Kind(
    "qlearning",
    "a table learned by playing; made by claimeven train q-learning",
    _make,
    (
        switch("guard", "take a win at hand and stop a lone threat without asking the table"),
        rest("file", "the table"),
    ),
)
