"""Sitting a puzzle: how far somebody is, and what an answer comes to. The doors only ask and show."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from claimeven.errors import InputError, MoveError
from claimeven.notation import column_digit
from claimeven.position import Position
from claimeven.puzzles.hints import Hint
from claimeven.puzzles.puzzle import Puzzle
from claimeven.reasons import Explanation, WhyNot, explain, refutation
from claimeven.solver import Solver


@dataclass(frozen=True)
class Sitting:
    """A puzzle, solved up to a place of its line."""

    puzzle: Puzzle
    place: int = 0

    @classmethod
    def after(cls, puzzle: Puzzle, played: Sequence[int]) -> "Sitting":
        """With these columns of the line played, replies included."""
        if puzzle.line[: len(played)] != tuple(played) or len(played) % 2:
            raise InputError("puzzle.beginning")
        if played and len(played) >= len(puzzle.line):
            raise InputError("puzzle.solved")
        return cls(puzzle, len(played))

    @cached_property
    def position(self) -> Position:
        position = self.puzzle.position
        for column in self.played:
            position = position.play(column)
        return position

    @property
    def played(self) -> tuple[int, ...]:
        return self.puzzle.line[: self.place]

    @property
    def is_solved(self) -> bool:
        return self.place >= len(self.puzzle.line)

    @property
    def hints(self) -> tuple[Hint, ...]:
        """For the column that is asked for now; the last one is the answer itself."""
        return self.puzzle.hints_at(self.place)

    def is_right(self, column: int) -> bool:
        """Whether this is the column to find; MoveError when it cannot be played at all."""
        if column not in self.position.legal:
            raise MoveError("not_playable", column=column_digit(column))
        return column == self.puzzle.line[self.place]

    def refuted(self, column: int, solver: Solver, language: str = "en") -> WhyNot:
        """What is wrong with another column."""
        return refutation(self.position, column, self.puzzle.line[self.place], solver, language)

    def advanced(self) -> "tuple[Sitting, int | None]":
        """After the right column, and the reply that has been played to it; None when it was the last."""
        place = self.place + 1
        if place >= len(self.puzzle.line):
            return Sitting(self.puzzle, place), None
        return Sitting(self.puzzle, place + 1), self.puzzle.line[place]

    def explained(self, solver: Solver, language: str = "en") -> Explanation:
        """Why the answer is right: the first column of the line, or a best one where the winner is asked."""
        puzzle = self.puzzle
        column = puzzle.line[0] if puzzle.line else solver.analyse(puzzle.position).best[0]
        return explain(puzzle.position, column, solver, language)
