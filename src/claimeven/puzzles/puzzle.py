"""A puzzle: a position, a question with exactly one right answer at every step, and the answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal, TypedDict, get_args

from claimeven import notation
from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.puzzles.hints import Hint, hints
from claimeven.reasons.words import Words
from claimeven.solver import Score, score_of

# What a puzzle can be about, in the order of the help.
THEMES = ("win", "fork", "stacked", "zugzwang", "only_move", "refute", "parity")
Goal = Literal["win", "draw", "who"]  # find the only win; the only column that holds; say who wins
GOALS: tuple[Goal, ...] = get_args(Goal)


class Row(TypedDict):
    """What the file keeps of a puzzle: everything else follows."""

    moves: str
    goal: Goal
    themes: list[str]
    rating: int
    value: int
    line: str
    end: str


@dataclass(frozen=True)
class Puzzle:
    """Made by `find`, kept in a file; docs/puzzles.md has every field.

    `line` begins with the side that solves, then best defence and answer in turn. At every turn of that side
    the column of the line is the only one that wins (goal "win") or the only one that does not lose ("draw").
    """

    moves: str  # how the position was reached, on 7x6x4
    goal: Goal
    themes: tuple[str, ...]  # the main one first
    rating: int
    value: int  # the exact score of the position, for its side to move
    line: tuple[int, ...]
    end: str  # what there is after the line: "win", "fork", "stacked", "zugzwang", "plan", "open" or "draw"

    @cached_property
    def id(self) -> str:
        """Short, and the same for the same question."""
        return blake2b(f"{self.goal} {self.moves}".encode(), digest_size=4).hexdigest()

    @cached_property
    def position(self) -> Position:
        return Position.parse(self.moves)

    @property
    def side(self) -> int:
        """Who is to find it."""
        return self.position.side

    @property
    def score(self) -> Score:
        return score_of(self.value, self.position.board.cells, self.position.ply)

    @property
    def answer(self) -> str:
        """What to type first: a column, or who wins."""
        if self.goal != "who":
            return notation.column_digit(self.line[0])
        if self.value == 0:
            return "="
        return notation.STONES[self.side if self.value > 0 else 1 - self.side]

    @property
    def steps(self) -> int:
        """How many columns have to be found."""
        return 0 if self.goal == "who" else (len(self.line) + 1) // 2

    def question(self, language: str = "en", player: str | None = None) -> str:
        """`player` is what the side to move is called where it is asked; else x or o."""
        words, player = Words(language), player or notation.STONES[self.side]
        if self.goal == "win" and "win" in self.themes:
            return words.say("puzzle.ask.win_in", n=self.score.moves, player=player)
        return words.say(f"puzzle.ask.{self.goal}", player=player)

    @cached_property
    def hints(self) -> tuple[Hint, ...]:
        """What may be told, one after the other; the last one is the answer itself."""
        return self.hints_at(0)

    def hints_at(self, place: int) -> tuple[Hint, ...]:
        """The hints for the column at this place of the line."""
        position = self.position
        for column in self.line[:place]:
            position = position.play(column)
        return hints(position, self.goal, self.line[place:], self.end, self.value)

    def row(self) -> Row:
        return {
            "moves": self.moves,
            "goal": self.goal,
            "themes": list(self.themes),
            "rating": self.rating,
            "value": self.value,
            "line": notation.moves_text(self.line),
            "end": self.end,
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Puzzle":
        """Read what `row` wrote, from a file that someone may have edited."""
        try:
            found = cls(
                str(row["moves"]),
                row["goal"],
                tuple(map(str, row["themes"])),
                int(row["rating"]),
                int(row["value"]),
                tuple(notation.parse_moves(str(row["line"]), 7)),
                str(row["end"]),
            )
        except (KeyError, TypeError) as error:
            raise InputError("puzzle.row", reason=repr(error)) from None
        if found.goal not in GOALS or not found.themes or not set(found.themes) <= set(THEMES):
            raise InputError("puzzle.words", moves=found.moves)
        return found

    def to_json(self, language: str = "en") -> dict[str, object]:
        board, score, words = self.position.board, self.score, Words(language)
        return {
            "id": self.id,
            "board": str(board),
            "moves": self.moves,
            "position": str(self.position),
            "side": notation.STONES[self.side],
            "goal": self.goal,
            "themes": list(self.themes),
            "theme_words": [words.say(f"theme.{theme}") for theme in self.themes],
            "rating": self.rating,
            "score": self.value,
            "outcome": score.outcome,
            "winner_moves": score.moves,
            "language": language,
            "question": self.question(language),
            "answer": self.answer,
            "line": notation.moves_text(self.line),
            "end": self.end,
            "steps": self.steps,
            "hints": [
                {"fact": hint.fact.to_json(board), "text": hint.text(board, language)} for hint in self.hints
            ],
        }
