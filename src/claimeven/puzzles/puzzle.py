"""A puzzle: a position, a question, and the answer that was proved; one line of text in a file."""

import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Literal, get_args

from claimeven import notation
from claimeven.errors import InputError
from claimeven.position import Cell, Position
from claimeven.reasons.words import Words

# What a puzzle can be about, in the order of the help; docs/puzzles.md defines each.
THEMES = (
    "win",
    "fork",
    "stacked",
    "seven",
    "zugzwang",
    "rows",
    "undercut",
    "tempo",
    "keep",
    "door",
    "deny_fork",
    "only_move",
    "refute",
    "parity",
    "worthless",
)
# What the school teaches from its unit on the count on. Agents that play an ending well are no measure of
# people who never heard of rows and counting: below this rating only who chooses the theme is asked.
THEORY = ("zugzwang", "rows", "undercut", "tempo", "parity", "worthless")
THEORY_FROM = 1000
# Win and show it; keep a far win by the only column; hold a draw by it; say who wins; find a cell.
Goal = Literal["win", "keep", "draw", "who", "cell"]
GOALS: tuple[Goal, ...] = get_args(Goal)
ANSWERS = {"who": "[xo=]", "cell": "[xo][a-g][1-6]"}  # the others: columns in turn


@dataclass(frozen=True)
class Puzzle:
    """Made by `find`, kept in a file; docs/puzzles.md has every field."""

    moves: str  # how the position was reached, on 7x6x4
    goal: Goal
    themes: tuple[str, ...]  # the main one first
    rating: int
    answer: str  # columns, the solver's and the best defence in turn; or x, o, =; or whose cell: xa5

    @cached_property
    def id(self) -> str:
        """Short, and the same for the same question."""
        return blake2b(f"{self.goal} {self.moves}".encode(), digest_size=4).hexdigest()

    @cached_property
    def position(self) -> Position:
        return Position.parse(self.moves)

    @property
    def theme(self) -> str:
        return self.themes[0]

    @property
    def is_for_everybody(self) -> bool:
        """Whether it may be set to somebody who chose no theme."""
        return self.theme not in THEORY or self.rating >= THEORY_FROM

    @property
    def side(self) -> int:
        """Who is to find it."""
        return self.position.side

    @property
    def has_line(self) -> bool:
        """Whether columns are asked for."""
        return self.goal not in ANSWERS

    @cached_property
    def line(self) -> tuple[int, ...]:
        return tuple(notation.parse_moves(self.answer, 7)) if self.has_line else ()

    @property
    def steps(self) -> int:
        """How many columns have to be found."""
        return (len(self.line) + 1) // 2

    @property
    def winner(self) -> int | None:
        """The side that wins with best play, where no column is asked for; None for nobody."""
        return None if self.answer == "=" else notation.STONES.index(self.answer[0])

    @property
    def cell(self) -> Cell:
        """The cell to find."""
        return Cell(*notation.parse_cell(self.answer[1:]))

    def question(self, language: str = "en", player: str | None = None, owner: str | None = None) -> str:
        """`player` is what the side to move is called where it is asked, `owner` who wins; else x or o."""
        player = player or notation.STONES[self.side]
        owner = owner or notation.STONES[self.winner or 0] if self.goal == "cell" else None
        n = self.steps if self.goal == "win" else None
        return Words(language).say(f"puzzle.ask.{self.goal}", n=n, player=player, owner=owner)

    def row(self) -> str:
        return f"{self.moves} {self.goal} {','.join(self.themes)} {self.rating} {self.answer}"

    @classmethod
    def from_row(cls, row: str) -> "Puzzle":
        """Read what `row` wrote, from a file that someone may have edited."""
        parts = row.split(" ")
        goal = next((goal for goal in GOALS if goal == parts[1]), None) if len(parts) == 5 else None
        if goal is None or not parts[3].isdecimal():
            raise InputError("puzzle.row", reason=notation.quote(row))
        themes = tuple(parts[2].split(","))
        is_answer = re.fullmatch(ANSWERS.get(goal, "[1-7]([1-7][1-7])*"), parts[4])
        if not is_answer or not set(themes) <= set(THEMES):
            raise InputError("puzzle.words", moves=notation.quote(parts[0]))
        return cls(parts[0], goal, themes, int(parts[3]), parts[4])
