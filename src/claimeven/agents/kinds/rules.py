"""A player by rules of thumb, the ones taught to beginners, that can say which rule it followed.

The rules are those that system C's text describes: win; block; keep the opponent from an open three on
the bottom row; the centre column up to height 5; then three next to each other on rows of the own parity
(odd for the first player, even for the second); and never hand over a win with the cell above.
"""

import random
from collections.abc import Callable, Iterable

from claimeven.agents.agent import NO_LIMIT, open_columns
from claimeven.agents.choice import Choice
from claimeven.agents.kind import Kind
from claimeven.limit import Limit
from claimeven.position import Position

CENTER_HEIGHT = 5  # the centre column is played until it has so many stones
SENTENCES = {
    "win": "this completes a line",
    "block": "this stops a line",
    "open three": "this keeps the bottom row from becoming an open three",
    "centre": "the centre column takes part in most lines",
    "own rows": "this builds on a row of my parity",
    "safe": "this does not hand over a win",
    "any": "every move hands over a win",
}


class RulesAgent:
    def __init__(self, name: str = "rules", seed: int | None = None) -> None:
        self.name = name
        self._random = random.Random(seed)

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        legal = open_columns(position)
        rule, columns = _first_rule(position, legal)
        weights = {column: (column in columns) / len(columns) for column in legal}
        return Choice(self._random.choice(columns), weights, rule=rule, text=SENTENCES[rule])


def _first_rule(position: Position, legal: tuple[int, ...]) -> tuple[str, list[int]]:
    """The first rule that finds a column, and all the columns it finds equally good."""
    safe = [column for column in legal if _is_safe(position, column)]
    rules: tuple[tuple[str, Callable[[], list[int]]], ...] = (
        ("win", lambda: wins(position, legal)),
        ("block", lambda: blocks(position, legal)),
        ("open three", lambda: _against_open_three(position, safe)),
        ("centre", lambda: _centre(position, safe)),
        ("own rows", lambda: _own_rows(position, safe)),
        ("safe", lambda: safe),
        ("any", lambda: list(legal)),
    )
    return next((name, columns) for name, rule in rules if (columns := rule()))


def wins(position: Position, columns: Iterable[int]) -> list[int]:
    """The columns that complete a line."""
    return [column for column in columns if _completes(position, position.mine, column)]


def blocks(position: Position, columns: Iterable[int]) -> list[int]:
    """The columns where the opponent would complete a line."""
    return [column for column in columns if _completes(position, position.theirs, column)]


def _completes(position: Position, stones: int, column: int) -> bool:
    return position.board.has_four(stones | position.board.landing(position.mask, column))


def _is_safe(position: Position, column: int) -> bool:
    """After this move the opponent has no win at hand (or the game is over, not by him)."""
    after = position.play(column)
    return not any(_completes(after, after.mine, reply) for reply in after.legal)


def _against_open_three(position: Position, columns: Iterable[int]) -> list[int]:
    """Where the opponent's next stone would make connect - 1 in a row on the bottom with both ends free."""
    board = position.board
    step = board.rows + 1
    found = []
    for column in columns:
        landing = position.board.landing(position.mask, column)
        if not landing & board.bottom:
            continue
        theirs = position.theirs | landing
        free = board.bottom & ~position.mask & ~landing
        for start in range(column - board.reach + 2, column + 1):
            if start < 1 or start + board.reach - 1 >= board.columns:
                continue  # there is no room for both ends
            run = sum(1 << (c * step) for c in range(start, start + board.reach - 1))
            ends = 1 << ((start - 1) * step) | 1 << ((start + board.reach - 1) * step)
            if theirs & run == run and free & ends == ends:
                found.append(column)
                break
    return found


def _centre(position: Position, columns: list[int]) -> list[int]:
    board = position.board
    middle = {(board.columns - 1) // 2, board.columns // 2}  # two columns when the number is even
    return [c for c in columns if c in middle and position.height(c) < min(CENTER_HEIGHT, board.rows)]


def _own_rows(position: Position, columns: list[int]) -> list[int]:
    """Cells on rows of the own parity, those with the longest row of own stones beside them first."""
    own = [c for c in columns if position.height(c) % 2 == position.side]
    lengths = {column: _neighbours(position, column) for column in own}
    return [column for column in own if lengths[column] == max(lengths.values())]


def _neighbours(position: Position, column: int) -> int:
    """Own stones that touch the landing cell of a column, left and right of it in its row."""
    board, row = position.board, position.height(column)
    count = 0
    for step in (-1, 1):
        c = column + step
        while 0 <= c < board.columns and position.mine & board.bit(c, row):
            count, c = count + 1, c + step
    return count


KIND = Kind(
    "rules", "rules of thumb: win, block, centre, own rows", lambda name, seed, _: RulesAgent(name, seed)
)
