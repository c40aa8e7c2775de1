"""How a game went: its story, the moments to learn from, a class for every move, accuracy.

The truth has three values and a distance: outcome first, distance second. docs/explanations.md publishes
the classes and the formula of accuracy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from claimeven import notation
from claimeven.agents import make_agent
from claimeven.errors import InputError
from claimeven.game import Game
from claimeven.game.check import PIE_PLY
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons.reviewed.chosen import chosen_moments, deciding, later, lost, swing
from claimeven.reasons.reviewed.hindsight import in_hindsight
from claimeven.reasons.reviewed.mistake import STEPS, WORTH, Asked, Mistake, mistake
from claimeven.reasons.reviewed.moments import (
    ERRORS,
    Accuracy,
    AccuracyJson,
    Moment,
    MomentJson,
    MoveClass,
    MoveJson,
    ReviewedMove,
    TurningPoint,
    TurnJson,
    accuracy_text,
    tip_of,
)
from claimeven.reasons.reviewed.page import review_page
from claimeven.reasons.reviewed.story import story
from claimeven.reasons.reviewed.voice import Voice
from claimeven.reasons.seen.move import Move
from claimeven.reasons.told.explanation import explain
from claimeven.reasons.words import Words
from claimeven.solver import Analysis, Score, Solver, shared_solver

TRIES = 5  # of level 7, a strong person, to see whether it finds a move
BOOK_PLIES = 8  # as long as a game follows best play from the start, its first moves are called book


class ReviewJson(TypedDict):
    board: str
    start: str
    moves: str
    language: str
    reader: str | None
    story: list[str]
    moments: list[MomentJson]
    later: list[int]
    tip: str
    accuracy: dict[str, AccuracyJson]
    values: list[int | None]
    classes: list[MoveJson]
    turning_points: list[TurnJson]
    text: str


@dataclass(frozen=True)
class Review:
    game: Game
    language: str
    moves: tuple[ReviewedMove, ...]
    values: tuple[int | None, ...]  # the score after every ply from the start on, for the first player
    accuracy: tuple[Accuracy, Accuracy]
    turning_points: tuple[TurningPoint, ...]
    moments: tuple[Moment, ...]  # at most five, the most instructive first
    story: tuple[str, ...]  # how it began, where it turned, how it ended
    voice: Voice

    @property
    def text(self) -> str:
        return "\n\n".join(map("\n".join, self.paragraphs))

    @property
    def paragraphs(self) -> tuple[tuple[str, ...], ...]:
        """The story, the moments, and how often each side chose right: lines each."""
        paragraphs = [" ".join(self.story), *(moment.text for moment in self.moments)]
        if not self.moments and not any(found.unknown for found in self.accuracy):
            paragraphs.append(self.voice.words.say("review.clean"))
        if self.later:
            words, numbers = self.voice.words, list(map(str, self.later))
            paragraphs.append(words.say("review.later", n=len(numbers), numbers=words.listed(numbers)))
        if self.tip:
            paragraphs.append(self.tip)
        players = tuple(accuracy_text(self.voice, side, found) for side, found in enumerate(self.accuracy))
        return (*((paragraph,) for paragraph in paragraphs if paragraph), players)

    @property
    def later(self) -> tuple[int, ...]:
        """The plies of deeper mistakes, which no moment is about."""
        return later((move.mistake for move in self.moves if move.mistake is not None), self.moments)

    @property
    def tip(self) -> str:
        """A rule of thumb: for the first mistake of whoever reads it, or else against that of the other side;
        "" when there is none."""
        reader = self.voice.reader
        own = [one for one in self.moments if reader in (None, one.mistake.position.side)]
        told = next(iter(own or self.moments), None)
        code = None if told is None else tip_of(told.mistake, is_own=bool(own))
        return "" if code is None else self.voice.words.say(f"tip.{code}")

    @property
    def lessons(self) -> tuple[Moment, ...]:
        """Positions to find the better move in: the right columns are known."""
        return self.moments

    def to_json(self) -> ReviewJson:
        accuracies = [found.to_json() for found in self.accuracy]
        return {
            "board": str(self.game.board),
            "start": str(self.game.start),
            "moves": self.game.moves,
            "language": self.language,
            "reader": None if self.voice.reader is None else notation.STONES[self.voice.reader],
            "story": list(self.story),
            "moments": [moment.to_json() for moment in self.moments],
            "later": list(self.later),
            "tip": self.tip,
            "accuracy": dict(zip(notation.STONES, accuracies, strict=True)),
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
    game: Game,
    solver: Solver | None = None,
    language: str = "en",
    limit: Limit | None = None,
    reader: int | None = None,
    names: tuple[str, str] = (notation.FIRST, notation.SECOND),
    *,
    explains: bool = True,
) -> Review:
    """Review a game; the solver is the one that the process shares unless one is given.

    `limit` is for every position, and what it leaves open is called unknown. `reader`: the side that is
    told "you", 0 or 1; the others are told by their `names`. `explains`: whether the turning points are
    there, with their explanations; the text does without, and they take most of the time.
    """
    if not isinstance(game, Game):
        raise InputError("not_kind.parsed", kind="Game", value=f"{game!r:.60}")
    solver = solver or shared_solver()
    if not hasattr(solver, "analyse"):
        raise InputError("not_kind.plain", kind="Solver", value=f"{solver!r:.60}")
    game = _since_the_swap(game)
    voice = Voice(Words(language), reader, names)
    known: dict[Position, Analysis] = {}

    def analyse(position: Position) -> Analysis:
        if position not in known:
            known[position] = solver.analyse(position, limit)
        return known[position]

    moves: list[ReviewedMove] = []
    follows_best_play = game.start.ply == 0
    for position, column in zip(game.positions, game.columns, strict=False):
        previous = moves[-1].name if moves else None
        moves.append(_judge(position, column, analyse, previous, follows_best_play))
        follows_best_play = follows_best_play and column in analyse(position).best
    values = tuple(_value(position, analyse(position)) for position in game.positions)
    points = tuple(
        TurningPoint(
            move,
            explain(move.position, move.column, solver, language, limit),
            explain(move.position, game.board.central(move.best), solver, language, limit),
        )
        for move in moves
        if explains and move.name in ERRORS
    )
    accuracy = (_accuracy(moves, 0), _accuracy(moves, 1))
    wrong = [move.mistake for move in moves if move.mistake is not None]
    found = in_hindsight(wrong, game.positions, analyse)
    winner = None if game.result is None else game.result.winner
    # Who won reads of the end otherwise; a draw, or somebody who gave up, has none.
    ending = None if game.position.winner in (None, reader) else lost(game.positions, voice, analyse).moment
    lead = None if ending is None or ending.mistake.had is None else ending
    moments = chosen_moments(found, game.position, winner, voice, lead)
    decisive = deciding(found, game.position, winner)
    told = story(game, values, None if decisive is None else decisive.position.ply + 1, swing(found), voice)
    return Review(game, language, tuple(moves), values, accuracy, points, moments, told, voice)


def _since_the_swap(game: Game) -> Game:
    """By the pie rule the first disc became the other's: it counts as given, and nobody is judged by it."""
    if game.pie != "swapped" or game.start.ply:
        return game
    found = Game(start=game.positions[PIE_PLY], players=game.players)
    for column in game.columns[PIE_PLY:]:
        found.play(column)
    if game.result is not None and found.result is None:
        found.end(game.result.winner, game.result.reason)
    return found


def _value(position: Position, analysis: Analysis) -> int | None:
    if analysis.score is None:
        return None
    return int(analysis.score) if position.side == 0 else -int(analysis.score)


def _judge(
    position: Position, column: int, analyse: Asked, previous: MoveClass | None, follows_best_play: bool
) -> ReviewedMove:
    analysis, wrong = analyse(position), mistake(position, column, analyse)
    scores, top = analysis.scores, analysis.score
    if top is None or not analysis.is_complete:
        return ReviewedMove(position, column, "unknown", None, (), None, False, wrong)
    score = scores[column]
    outcomes = {found.outcome for found in scores.values()}
    name = _class(position, column, scores, wrong, previous, follows_best_play)
    return ReviewedMove(position, column, name, score, analysis.best, top, len(outcomes) > 1, wrong)


def _class(
    position: Position,
    column: int,
    scores: Mapping[int, Score],
    wrong: Mistake | None,
    previous: MoveClass | None,
    follows_best_play: bool,
) -> MoveClass:
    score, top = scores[column], max(scores.values())
    drop = STEPS[top.outcome] - STEPS[score.outcome]
    if drop:
        if top.outcome == "win" and previous in ERRORS:
            return "missed_win"
        return "blunder" if drop == 2 else "mistake"
    if wrong is not None and wrong.is_one_move:
        return "oversight"
    if is_forced(position, column):
        return "forced"
    others = [found for other, found in scores.items() if other != column]
    if all(found.outcome != score.outcome for found in others):
        return "great" if _is_quiet(position, column) and _is_missed_by_level_7(position, column) else "only"
    if score < top:
        if abs((top.moves or 0) - (score.moves or 0)) >= WORTH:
            return "inaccuracy"
        return "slow" if score.value > 0 else "hasty"
    return "book" if follows_best_play and position.ply < BOOK_PLIES else "best"


def _is_quiet(position: Position, column: int) -> bool:
    """It neither wins nor stops a win, and it threatens nothing with the next disc."""
    move = Move(position, column)
    return not move.is_won and not move.threatened and not move.their_old_wins & move.open_before


def _is_missed_by_level_7(position: Position, column: int) -> bool:
    """More often than not, in a few tries that are the same every time."""
    tries = [make_agent("level:7", seed=seed).choose(position).column for seed in range(TRIES)]
    return 2 * tries.count(column) < TRIES


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
