"""The moves of a reviewed game: their classes, accuracy, and the moments where something was given away."""

from dataclasses import dataclass
from typing import Literal, get_args

from claimeven import notation
from claimeven.position import Position
from claimeven.reasons.told.explanation import Explanation
from claimeven.reasons.words import Words
from claimeven.solver import Score

ErrorClass = Literal["blunder", "mistake", "missed_win"]
MoveClass = ErrorClass | Literal["slow", "hasty", "best", "only", "forced", "book", "unknown"]
ERRORS: tuple[ErrorClass, ...] = get_args(ErrorClass)


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

    @property
    def keeps_outcome(self) -> bool:
        return self.name not in ERRORS

    def to_json(self) -> dict[str, object]:
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
        return 100 * self.kept / self.asked if self.asked else None


@dataclass(frozen=True)
class TurningPoint:
    """A move that gave something away, with the move that keeps it."""

    move: ReviewedMove
    played: Explanation
    better: Explanation


# Words ------------------------------------------------------------------------------------------


def accuracy_text(words: Words, player: str, accuracy: Accuracy) -> str:
    """Of one player; nothing is said about moves that were not worked out, but that they were not."""
    sentences = []
    if accuracy.percent is not None:
        known = {"kept": accuracy.kept, "asked": accuracy.asked, "percent": round(accuracy.percent)}
        sentences.append(words.say("review.accuracy", player=player, **known))
    elif not accuracy.unknown:
        sentences.append(words.say("review.no_choice", player=player))
    if accuracy.unknown:
        sentences.append(words.say("review.unknown", n=accuracy.unknown, player=player))
    return " ".join(sentences)


def moment_text(words: Words, move: ReviewedMove) -> str:
    return words.say(
        "review.moment",
        number=move.position.ply + 1,
        player=notation.STONES[move.position.side],
        column=notation.column_digit(move.column),
        class_name=words.say(f"class.{move.name}"),
    )


def question_text(words: Words, move: ReviewedMove) -> str:
    is_win = move.best_score is not None and move.best_score.value > 0
    code = "review.question" if is_win else "review.question_draw"
    return words.say(code, player=notation.STONES[move.position.side])
