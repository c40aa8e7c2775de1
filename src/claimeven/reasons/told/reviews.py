"""How a game went: a class for every move, accuracy, and the moments where the outcome changed hands.

The truth has three values and a distance: outcome first, distance second. docs/explanations.md publishes
the classes and the formula of accuracy.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from claimeven import notation
from claimeven.errors import InputError
from claimeven.game import Game
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons.told.explanation import explain
from claimeven.reasons.told.moments import (
    ERRORS,
    Accuracy,
    MoveClass,
    ReviewedMove,
    TurningPoint,
    accuracy_text,
    moment_text,
)
from claimeven.reasons.told.page import review_page
from claimeven.reasons.words import Words, catalogue
from claimeven.solver import Analysis, Score, Solver, shared_solver

STEPS = {"loss": 0, "draw": 1, "win": 2}
BOOK_PLIES = 8  # as long as a game follows best play from the start, its first moves are called book


@dataclass(frozen=True)
class Review:
    game: Game
    language: str
    moves: tuple[ReviewedMove, ...]
    values: tuple[int | None, ...]  # the score after every ply from the start on, for the first player
    accuracy: tuple[Accuracy, Accuracy]
    turning_points: tuple[TurningPoint, ...]

    @property
    def text(self) -> str:
        return _text(Words(self.language), self.accuracy, self.turning_points)

    @property
    def lessons(self) -> tuple[TurningPoint, ...]:
        """Positions to find the better move in: everything of them is known, the answer too."""
        return self.turning_points

    def to_json(self) -> dict[str, object]:
        def accuracy(found: Accuracy) -> dict[str, object]:
            return {
                "kept": found.kept,
                "asked": found.asked,
                "percent": found.percent,
                "unknown": found.unknown,
            }

        return {
            "board": str(self.game.board),
            "start": str(self.game.start),
            "moves": self.game.moves,
            "language": self.language,
            "accuracy": dict(zip(notation.STONES, map(accuracy, self.accuracy), strict=True)),
            "values": list(self.values),
            "classes": [move.to_json() for move in self.moves],
            "turning_points": [
                {
                    **point.move.to_json(),
                    "position": str(point.move.position),
                    "played": point.played.to_json(),
                    "better": point.better.to_json(),
                }
                for point in self.turning_points
            ],
            "text": self.text,
        }

    def to_html(self) -> str:
        """One page that needs nothing else."""
        return review_page(self)


def review(
    game: Game, solver: Solver | None = None, language: str = "en", limit: Limit | None = None
) -> Review:
    """Review a game; the solver is the one that the process shares unless one is given.

    `limit` is for every position, and what it leaves open is called unknown.
    """
    if not isinstance(game, Game):
        raise InputError("not_game", game=f"{game!r:.60}")
    solver = solver or shared_solver()
    catalogue(language)  # complains of a language that there is not
    moves: list[ReviewedMove] = []
    values: list[int | None] = []
    follows_best_play = game.start.ply == 0
    for position, column in zip(game.positions, game.columns, strict=False):
        analysis = solver.analyse(position, limit)
        values.append(_value(position, analysis))
        previous = moves[-1].name if moves else None
        move = _judge(position, column, analysis, previous, follows_best_play)
        follows_best_play = follows_best_play and column in analysis.best
        moves.append(move)
    values.append(_value(game.position, solver.analyse(game.position, limit)))
    points = tuple(
        TurningPoint(
            move,
            explain(move.position, move.column, solver, language, limit),
            explain(move.position, game.board.central(move.best), solver, language, limit),
        )
        for move in moves
        if move.name in ERRORS
    )
    accuracy = (_accuracy(moves, 0), _accuracy(moves, 1))
    return Review(game, language, tuple(moves), tuple(values), accuracy, points)


def _value(position: Position, analysis: Analysis) -> int | None:
    if analysis.score is None:
        return None
    return int(analysis.score) if position.side == 0 else -int(analysis.score)


def _judge(
    position: Position, column: int, analysis: Analysis, previous: MoveClass | None, follows_best_play: bool
) -> ReviewedMove:
    scores, top = analysis.scores, analysis.score
    if top is None or column not in scores or len(scores) < len(position.legal):
        return ReviewedMove(position, column, "unknown", None, (), None, False)
    score = scores[column]
    outcomes = {found.outcome for found in scores.values()}
    name = _class(position, column, score, top, scores, previous, follows_best_play)
    return ReviewedMove(position, column, name, score, analysis.best, top, len(outcomes) > 1)


def _class(
    position: Position,
    column: int,
    score: Score,
    top: Score,
    scores: Mapping[int, Score],
    previous: MoveClass | None,
    follows_best_play: bool,
) -> MoveClass:
    drop = STEPS[top.outcome] - STEPS[score.outcome]
    if drop:
        if top.outcome == "win" and previous in ERRORS:
            return "missed_win"
        return "blunder" if drop == 2 else "mistake"
    if is_forced(position, column):
        return "forced"
    others = [found for other, found in scores.items() if other != column]
    if all(found.outcome != score.outcome for found in others):
        return "only"
    if score < top:
        return "slow" if score.value > 0 else "hasty"
    return "book" if follows_best_play and position.ply < BOOK_PLIES else "best"


def is_forced(position: Position, column: int) -> bool:
    """The only column there is, or the only one that does not let them win with the next disc."""
    if len(position.legal) == 1:
        return True
    board, mask = position.board, position.mask
    open_cells = board.landings(mask)
    danger = board.winning_cells(position.theirs, mask) & open_cells
    chance = board.winning_cells(position.mine, mask) & open_cells
    return not chance and danger.bit_count() == 1 and danger == position.board.landing(position.mask, column)


def _accuracy(moves: list[ReviewedMove], side: int) -> Accuracy:
    asked = [move for move in moves if move.position.side == side and move.choices_differ]
    unknown = sum(move.name == "unknown" and move.position.side == side for move in moves)
    return Accuracy(sum(move.keeps_outcome for move in asked), len(asked), unknown)


def _text(words: Words, accuracy: tuple[Accuracy, Accuracy], points: tuple[TurningPoint, ...]) -> str:
    players = zip(notation.STONES, accuracy, strict=True)
    lines = [accuracy_text(words, player, found) for player, found in players]
    if not points and not any(found.unknown for found in accuracy):
        lines.append(words.say("review.clean"))
    for point in points:
        lines += ["", moment_text(words, point.move), point.played.opening, point.better.opening]
    return "\n".join(lines)
