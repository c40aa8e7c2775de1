"""The moves of a reviewed game: their classes, accuracy, and moments to learn from."""

from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Literal, TypedDict, get_args

from claimeven import notation
from claimeven.position import Cell, Position
from claimeven.reasons.reviewed.blame import told_mistake
from claimeven.reasons.reviewed.mistake import Mistake, MistakeKind
from claimeven.reasons.reviewed.voice import Voice
from claimeven.reasons.told.explanation import Explanation, ExplanationJson
from claimeven.reasons.words import Words
from claimeven.solver import Outcome, Score

ErrorClass = Literal["blunder", "mistake", "missed_win"]
# The outcome stays: a win with the next disc missed or allowed all the same; or much time was lost.
SlipClass = Literal["oversight", "inaccuracy"]
GoodClass = Literal["great", "slow", "hasty", "best", "only", "forced", "book"]
MoveClass = ErrorClass | SlipClass | GoodClass | Literal["unknown"]
ERRORS: tuple[ErrorClass, ...] = get_args(ErrorClass)
SLIPS: tuple[SlipClass, ...] = get_args(SlipClass)
Wanted = Literal["now", "win", "draw", "stop", "longest"]
ENOUGH = 5  # decisions for a percentage to say something


MoveJson = TypedDict(
    "MoveJson",
    {
        "ply": int,
        "side": str,
        "column": str,
        "class": MoveClass,
        "score": int | None,
        "outcome": Outcome | None,
        "best": list[str],
        "best_score": int | None,
    },
)


class TurnJson(MoveJson):
    position: str
    played: ExplanationJson
    better: ExplanationJson


class MomentJson(TypedDict):
    ply: int
    also: list[int]
    side: str
    column: str
    kind: MistakeKind
    depth: int
    better: list[str]
    cells: list[str]
    fours: list[list[str]]
    line: str
    position: str
    moves: str | None
    question: str
    text: str


class AccuracyJson(TypedDict):
    kept: int
    asked: int
    percent: float | None
    unknown: int


@dataclass(frozen=True)
class ReviewedMove:
    """One move and its class."""

    position: Position  # before the move
    column: int
    name: MoveClass
    score: Score | None  # of the move, for the side that made it
    best: tuple[int, ...]  # the columns that keep everything
    best_score: Score | None
    choices_differ: bool  # some legal columns lead to different outcomes
    mistake: Mistake | None = None

    @property
    def keeps_outcome(self) -> bool:
        return self.name not in ERRORS

    @property
    def is_deep(self) -> bool:
        """It gave something away, but in a way that nobody sees at the board."""
        return self.name in ERRORS and self.mistake is not None and self.mistake.kind == "deep"

    @property
    def why(self) -> str:
        """The sentence of the catalogue that says why it has its class: of two cases the one that holds."""
        if self.is_deep:
            return "why_class.deep"
        if self.name in ("mistake", "inaccuracy") and self.best_score is not None:
            return f"why_class.{self.name}.{self.best_score.outcome}"
        return f"why_class.{self.name}"

    def to_json(self) -> MoveJson:
        return {
            "ply": self.position.ply + 1,
            "side": notation.STONES[self.position.side],
            "column": notation.column_digit(self.column),
            "class": self.name,
            "score": None if self.score is None else int(self.score),
            "outcome": None if self.score is None else self.score.outcome,
            "best": [notation.column_digit(column) for column in self.best],
            "best_score": None if self.best_score is None else int(self.best_score),
        }


@dataclass(frozen=True)
class Accuracy:
    """Moves that kept the outcome, among those where the columns led to different outcomes."""

    kept: int
    asked: int
    unknown: int = 0  # moves that a limit left open

    @property
    def percent(self) -> float | None:
        """Of so few decisions that one more would change everything, nothing is said."""
        return 100 * self.kept / self.asked if self.asked >= ENOUGH else None

    def to_json(self) -> AccuracyJson:
        return {"kept": self.kept, "asked": self.asked, "percent": self.percent, "unknown": self.unknown}


@dataclass(frozen=True)
class TurningPoint:
    """A move that gave something away, with the move that keeps it."""

    move: ReviewedMove
    played: Explanation
    better: Explanation


@dataclass(frozen=True)
class Moment:
    """A mistake to learn from, a position to try again: `mistake.better` has the right columns."""

    mistake: Mistake
    voice: Voice
    also: tuple[int, ...] = ()  # plies, from 1, at which the same side overlooked the same cells again

    @property
    def ply(self) -> int:
        return self.mistake.position.ply + 1

    @property
    def plies(self) -> tuple[int, ...]:
        return (self.ply, *self.also)

    @property
    def heading(self) -> str:
        column = self.voice.words.column(self.mistake.column)
        return self.voice.say("moment", self.mistake.position.side, number=self.ply, column=column)

    @property
    def sentences(self) -> tuple[str, ...]:
        found = told_mistake(self.mistake, self.voice)
        if not self.also:
            return found
        words = self.voice.words
        again = words.say("moment.also", n=len(self.also), numbers=words.listed(list(map(str, self.also))))
        return (*found, again)

    @property
    def text(self) -> str:
        return " ".join((self.heading, *self.sentences))

    @property
    def question(self) -> str:
        return question_text(self.voice, self.mistake)

    def to_json(self) -> MomentJson:
        found, board = self.mistake, self.mistake.position.board
        return {
            "ply": self.ply,
            "also": list(self.also),
            "side": notation.STONES[found.position.side],
            "column": notation.column_digit(found.column),
            "kind": found.kind,
            "depth": found.depth,
            "better": [notation.column_digit(column) for column in found.better],
            "cells": [board.cell_name(cell) for cell in found.cells],
            "fours": [[board.cell_name(cell) for cell in four] for four in found.fours],
            "line": notation.moves_text(found.line),
            "position": str(found.position),
            "moves": found.position.moves,
            "question": self.question,
            "text": self.text,
        }


TIPS: dict[str, str] = {
    "stacked": "stacked",
    "seven": "stacked",
    "pair": "stacked",
    "fork": "fork",
    "line": "line",
    "zugzwang": "count",
    "count": "count",
    "rows": "rows",
}


# What the other side did, as the reader can use it.
THEIRS: dict[MistakeKind, str] = {
    "win_missed": "block_missed",
    "block_missed": "ask",
    "door_opened": "wait",
    "threat_burned": "wait",
    "deep": "wait",
}


def tip_of(found: Mistake, *, is_own: bool = True) -> str | None:
    """Which rule of thumb helps against a mistake, or to use one of the other side; what was hard to see has
    none."""
    kind = found.kind
    if kind == "deep" and not found.cells:
        return None
    if kind.startswith("fork") and _is_one_line(found):
        return "open"
    if not is_own and kind == "block_missed" and not _has_gap(found):
        return None
    if not is_own and kind in THEIRS:
        return THEIRS[kind]
    if kind in ("win_missed", "block_missed", "door_opened", "threat_burned", "deep"):
        return kind
    return TIPS.get(kind.partition("_")[0])


def _has_gap(found: Mistake) -> bool:
    """Whether a line that was left lacks a disc between the others, and not one of its ends."""
    return any(cell in four[1:-1] for four in found.fours for cell in found.cells)


def _is_one_line(found: Mistake) -> bool:
    """Whether the two threats are the ends of one line, three in a row, and not two lines that meet."""
    board, line = found.position.board, found.line
    moves = line[:1] if found.kind == "fork_missed" else (found.column, *line[:1])
    after = reduce(Position.play, moves, found.position)
    for one, two in combinations(found.cells, 2):
        across, up = two.column - one.column, two.row - one.row
        if max(abs(across), abs(up)) != board.connect or {abs(across), abs(up)} - {0, board.connect}:
            continue
        steps = range(1, board.connect)
        between = (
            Cell(one.column + i * across // board.connect, one.row + i * up // board.connect) for i in steps
        )
        if all(board.bit(*cell) & after.theirs for cell in between):
            return True
    return False


# Words ------------------------------------------------------------------------------------------


def accuracy_text(voice: Voice, side: int, accuracy: Accuracy) -> str:
    """Of one player; nothing is said about moves that were not worked out, but that they were not."""
    sentences = []
    if accuracy.asked:
        code = "review.accuracy" if accuracy.percent is not None else "review.choices"
        percent = round(accuracy.percent or 0)
        sentences.append(voice.say(code, side, kept=accuracy.kept, asked=accuracy.asked, percent=percent))
    elif not accuracy.unknown:
        sentences.append(voice.say("review.no_choice", side))
    if accuracy.unknown:
        sentences.append(voice.say("review.unknown", side, n=accuracy.unknown))
    return " ".join(sentences)


def moment_text(words: Words, move: ReviewedMove) -> str:
    return words.say(
        "review.moment",
        number=move.position.ply + 1,
        player=notation.STONES[move.position.side],
        column=words.column(move.column),
        class_name=words.say(f"class.{move.name}"),
    )


def question_text(voice: Voice, found: Mistake) -> str:
    """What to find in the position of a mistake."""
    return voice.say(f"review.question.{wanted(found)}", found.position.side)


def wanted(found: Mistake) -> Wanted:
    """What every better column does."""
    if found.kind == "win_missed":
        return "now"
    if found.had is not None and found.had.value > 0:
        return "win"
    if found.had is not None and found.had.value == 0:
        return "draw"
    return "stop" if found.is_one_move else "longest"
