"""Sitting a puzzle: how far somebody is, and what an answer comes to. The doors only ask and show."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from claimeven.errors import InputError, MoveError
from claimeven.notation import column_named, parse_cell
from claimeven.position import Cell, Position
from claimeven.puzzles.find import hardest
from claimeven.puzzles.hints import Hint, hints, wrong_cell
from claimeven.puzzles.puzzle import Puzzle
from claimeven.reasons import WhyNot, met, refutation
from claimeven.reasons.words import Words
from claimeven.solver import Analysis, Solver


@dataclass(frozen=True)
class Wrong:
    """What is wrong with a column: in the words of a lesson, and in the solver's."""

    text: str  # what they answer, and the idea that was missed; or else the solver's words
    line: tuple[int, ...]  # the column and that answer; () where only the solver can tell
    numbers: WhyNot
    lesson: str | None = None  # the idea that it teaches, as `Met` has it


@dataclass(frozen=True)
class Judged:
    """What an answer without columns comes to: who wins, or a cell."""

    is_right: bool
    is_last: bool  # who wins is asked once; another cell may be tried
    text: str = ""  # what is wrong with a cell
    is_meant: bool = True  # a disc cannot be meant: it costs nothing


def wrong(position: Position, column: int, better: int, solver: Solver, language: str = "en") -> Wrong:
    """What is wrong with a column, when another one is better: for puzzles, cards and second tries."""
    numbers = refutation(position, column, better, solver, language)
    found = met(position, column, solver, language)
    if found is None:
        return Wrong(numbers.text, (), numbers)
    return Wrong(found.text, found.line, numbers, found.lesson)


@dataclass(frozen=True)
class Sitting:
    """A puzzle and the columns played since, replies included: those of its line, or others as good."""

    puzzle: Puzzle
    played: tuple[int, ...] = ()

    @classmethod
    def after(cls, puzzle: Puzzle, played: Sequence[int], solver: Solver) -> "Sitting":
        """With these columns played: each of them right, and each reply ours."""
        sitting = cls(puzzle)
        for place in range(0, len(played), 2):
            column = played[place]
            if sitting.is_solved or column not in sitting.position.legal:
                raise InputError("puzzle.beginning")
            if not sitting.is_right(column, solver):
                raise InputError("puzzle.beginning")
            sitting, reply = sitting.advanced(column, solver)
            if reply is None or tuple(played[place + 1 : place + 2]) != (reply,):
                raise InputError("puzzle.beginning")
        return sitting

    @cached_property
    def position(self) -> Position:
        position = self.puzzle.position
        for column in self.played:
            position = position.play(column)
        return position

    @property
    def is_on_line(self) -> bool:
        return self.puzzle.line[: len(self.played)] == self.played

    @property
    def is_solved(self) -> bool:
        """With four on the board, where it is to be won; else with the last column of the line."""
        if self.puzzle.goal == "win":
            return self.position.is_over
        return len(self.played) >= len(self.puzzle.line)

    def right(self, solver: Solver) -> tuple[int, ...]:
        """Every column that keeps what the puzzle asks for."""
        if self.is_on_line and not self.played:
            return self.puzzle.line[:1]  # proved when it was made
        return kept(solver.analyse(self.position))

    def best(self, solver: Solver) -> int:
        """The column to name: that of the line, or the quickest."""
        if self.is_on_line:
            return self.puzzle.line[len(self.played)]
        return self.position.board.central(solver.analyse(self.position).best)

    def is_right(self, column: int, solver: Solver) -> bool:
        """Whether this is a column to find; MoveError when it cannot be played at all."""
        if column not in self.position.legal:
            raise MoveError("not_playable", column=column_named(column, self.position.board.columns))
        return column in self.right(solver)

    def judge(self, given: str, language: str = "en") -> Judged:
        """An answer to a question without columns: x, o or =, or the name of a cell."""
        puzzle = self.puzzle
        if puzzle.goal == "who":
            return Judged(given == puzzle.answer, is_last=True)
        cell = Cell(*parse_cell(given))
        if cell == puzzle.cell:
            return Judged(is_right=True, is_last=True)
        is_meant = puzzle.position.stone(*cell) is None
        return Judged(
            is_right=False, is_last=False, text=wrong_cell(puzzle, cell, language), is_meant=is_meant
        )

    def refuted(self, column: int, solver: Solver, language: str = "en") -> Wrong:
        """What is wrong with another column."""
        found = wrong(self.position, column, self.best(solver), solver, language)
        assert found.line, "what is wrong gives something away"
        text = found.text
        if found.lesson:
            text += f" {Hint('idea', found.lesson).text(self.puzzle, language)}"
        elif found.lesson is not None and not self.played:
            idea = hints(self.puzzle)[1].text(self.puzzle, language)
            text += f" {Words(language).say('met.idea', idea=idea[:1].lower() + idea[1:])}"
        return replace(found, text=text)

    def advanced(self, column: int, solver: Solver) -> "tuple[Sitting, int | None]":
        """After a right column, and the best defence against it; None when there is no more to find."""
        after = Sitting(self.puzzle, (*self.played, column))
        if after.is_solved:
            return after, None
        line, place = self.puzzle.line, len(after.played)
        reply = line[place] if after.is_on_line and place < len(line) else hardest(after.position, solver)
        return Sitting(self.puzzle, (*after.played, reply)), reply


def kept(analysis: Analysis) -> tuple[int, ...]:
    """The columns with the best outcome, sooner or later."""
    assert analysis.score is not None
    outcome = analysis.score.outcome
    return tuple(column for column, score in analysis.scores.items() if score.outcome == outcome)
