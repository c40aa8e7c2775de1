"""Whole games: reviewed, read and written in every format; and positions that somebody set up."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from claimeven import formats
from claimeven.board import MAX_BITS, MAX_COLUMNS, STANDARD
from claimeven.errors import PositionError
from claimeven.game import Game
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.reasons import review
from claimeven.reasons.reviewed.chosen import given, lost
from claimeven.reasons.reviewed.moments import Moment, ReviewedMove, TurningPoint, wanted
from claimeven.reasons.reviewed.story import won
from claimeven.reasons.reviewed.voice import Voice
from claimeven.reasons.words import SPOKEN, Words
from claimeven.server.doors.documented import answers
from claimeven.server.doors.while_connected import while_connected
from claimeven.server.errors import RefusedError, detail_of, readable
from claimeven.server.game.names import clean_name
from claimeven.server.messages import MAX_NAME
from claimeven.server.reading import texts
from claimeven.server.reading.talk import Answer
from claimeven.server.reading.texts import Converted, Text
from claimeven.server.study import view
from claimeven.server.study.analysis import Language, Line, explained
from claimeven.server.study.answers import (
    Accuracy,
    Checked,
    DecidedBy,
    FailedLine,
    Formats,
    ProgressLine,
    Reviewed,
    ReviewedLine,
    ToldMoment,
    ToldMove,
    ToldTurn,
)
from claimeven.server.study.desk import Work, answer_apart, desk_of, json_answer, visitor_of
from claimeven.solver import Analysis, Score

router = APIRouter()
MAX_TEXT = 200_000
QUICK_TEXT = 1_000  # characters that are read at once; more would make games wait
PER_POSITION = 5.0  # seconds of a review for one position


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Written(_Body):
    """A game as text, in any format; without `format` it is guessed.

    `start`: a position from which the moves of `text` were played.
    """

    text: Annotated[str, Field(max_length=MAX_TEXT)]
    format: Annotated[str, Field(max_length=40)] | None = None
    board: Annotated[str, Field(max_length=32)] | None = None
    start: Annotated[str, Field(max_length=400)] | None = None


class ReviewWish(Written):
    """`side`: the one that reads it, 1 or 2; its moves are told as "yours", those of the other by a name."""

    language: Annotated[str, Field(pattern=f"^({'|'.join(SPOKEN)})$")] = "en"
    side: Annotated[int, Field(ge=1, le=2)] | None = None
    opponent: Annotated[str, Field(min_length=1, max_length=MAX_NAME)] | None = None
    stream: bool = False


class ConvertWish(Written):
    to: Annotated[str, Field(max_length=40)] = "moves"


class Setting(_Body):
    """Stones of a board being set up: rows from the top, `.` for an empty cell."""

    rows: Annotated[
        list[Annotated[str, Field(max_length=MAX_COLUMNS, pattern="^[.xo]*$")]], Field(max_length=MAX_BITS)
    ]
    board: Annotated[str, Field(max_length=32)] = str(STANDARD)


def _text(wish: Written, to: str | None = None) -> Text:
    return Text(wish.text, wish.format, wish.board, wish.start, to)


async def read_game(request: Request, wish: Written) -> Game:
    """Beside this process, unless it is short."""
    if len(wish.text) <= QUICK_TEXT:
        return texts.read(_text(wish))
    read = await _read_aside(request, _text(wish))
    assert read.played is not None
    return read.played.game()


async def _read_aside(request: Request, text: Text) -> Answer:
    found: Answer = await while_connected(request, desk_of(request).read(text, visitor_of(request)))
    return found


# Review ---------------------------------------------------------------------------------------------


@router.post("/review", responses=answers(Reviewed, lines=ReviewedLine | ProgressLine | FailedLine))
async def review_game(request: Request, wish: ReviewWish) -> Response:
    """How a game went: its story, moments to learn from, a class for every move, accuracy, turning points."""
    game = await read_game(request, wish)
    if not game.columns:
        raise RefusedError("bad_message.no_moves")
    told = (wish.language, wish.side, wish.opponent)
    key = ("review", game.board, str(game.start), game.moves, game.pie, *told)
    return await answer_apart(request, key, lambda work: _review(game, wish, work), streams=wish.stream)


def _review(game: Game, wish: ReviewWish, work: Work) -> Reviewed:
    total = len(game.columns) + 1

    def tell(done: int) -> None:
        work.news = ProgressLine(done=min(done, total), of=total)

    work.solver.watch = tell
    voice = _voice(wish.language, wish.side, wish.opponent)
    limit, words = Limit(seconds=PER_POSITION), voice.words
    found = review(game, work.solver, wish.language, limit, voice.reader, voice.names)
    game = found.game  # by the pie rule it may begin with its second disc
    start = "" if game.start.moves == "" else game.start.moves
    return Reviewed(
        exact=None not in found.values,
        size=str(game.board),
        start=str(game.start) if start is None else start,
        moves=game.moves,
        states=tuple(
            view.state(position, game.positions[: ply + 1]) for ply, position in enumerate(game.positions)
        ),
        story=found.story,
        moments=tuple(_moment(moment, game.start.ply) for moment in found.moments),
        later=found.later,
        tip=found.tip,
        values=tuple(found.values),
        accuracy=tuple(
            Accuracy(side.kept, side.asked, side.percent, side.unknown) for side in found.accuracy
        ),
        classes=tuple(_move(move, words) for move in found.moves),
        turning_points=tuple(
            _turning_point(point, found.moves.index(point.move)) for point in found.turning_points
        ),
    )


def _voice(language: str, side: int | None, opponent: str | None) -> Voice:
    words = Words(language)
    first, second = words.say("side.1"), words.say("side.2")
    if side is not None and opponent is not None and (name := clean_name(opponent)):
        first, second = (first, name) if side == 1 else (name, second)
    return Voice(words, None if side is None else side - 1, (first, second))


@router.get("/decided", responses=answers(DecidedBy))
async def decided(
    request: Request,
    line: Line,
    language: Language = "en",
    side: Annotated[int | None, Query(ge=1, le=2, description="who reads it")] = None,
    opponent: Annotated[str | None, Query(min_length=1, max_length=MAX_NAME)] = None,
    since: Annotated[int, Query(ge=0, le=MAX_BITS, description="discs that were given")] = 0,
) -> Response:
    """How a game was lost, in one sentence: the mistake that decided it. Its winner reads how it was won.

    Of a game that began with given discs (`since`) only what came after them is told, and whether it was
    lost already.
    """
    key = ("decided", line, line[0].moves, language, side, opponent, since)
    return await answer_apart(
        request, key, lambda work: _decided(line, _voice(language, side, opponent), work, since)
    )


def _decided(line: tuple[Position, ...], voice: Voice, work: Work, since: int = 0) -> DecidedBy:
    limit = Limit(seconds=PER_POSITION)
    winner = line[-1].winner
    if winner is None or len(line) < 2:
        return DecidedBy("", "", None)

    def analyse(position: Position) -> Analysis:
        return work.solver.analyse(position, limit)

    played = tuple(position for position in line if position.ply >= since)
    played = played if len(played) > 1 else line
    before = given(played, voice, analyse) if since else ""
    if winner == voice.reader:
        told = f"{won(line, voice)} {before}".strip()
        return DecidedBy(told, told, None)
    found = lost(played, voice, analyse)
    moment, again = (
        None if one is None else _moment(one, line[0].ply) for one in (found.moment, found.again)
    )
    return DecidedBy(
        f"{found.sentence} {before}".strip(),
        f"{found.reason} {before}".strip(),
        moment,
        " ".join(found.ended),
        again,
        found.is_lost,
    )


def _move(move: ReviewedMove, words: Words) -> ToldMove:
    return ToldMove(
        ply=move.position.ply + 1,
        side=move.position.side + 1,
        column=move.column + 1,
        kind=move.name,
        value=view.maybe(move.score),
        best=tuple(column + 1 for column in move.best),
        best_value=view.maybe(move.best_score),
        why=words.say(move.why),
        deep=move.is_deep,
    )


def _moment(moment: Moment, first: int) -> ToldMoment:
    found = moment.mistake
    return ToldMoment(
        index=found.position.ply - first,
        ply=moment.ply,
        also=moment.also,
        side=found.position.side + 1,
        column=found.column + 1,
        kind=found.kind,
        depth=found.depth,
        better=tuple(column + 1 for column in found.better),
        wanted=wanted(found),
        cells=view.spots(found.cells),
        fours=tuple(view.spots(four) for four in found.fours),
        line=tuple(column + 1 for column in found.line),
        state=view.state(found.position),
        question=moment.question,
        heading=moment.heading,
        sentences=moment.sentences,
        text=" ".join(moment.sentences),
    )


def _turning_point(point: TurningPoint, index: int) -> ToldTurn:
    move = point.move
    return ToldTurn(
        index=index,
        ply=move.position.ply + 1,
        side=move.position.side + 1,
        column=move.column + 1,
        kind=move.name,
        state=view.state(move.position),
        keeping=tuple(
            column + 1
            for column, score in _scores(point).items()
            if move.best_score is not None and score.outcome == move.best_score.outcome
        ),
        played=explained(point.played),
        better=explained(point.better),
    )


def _scores(point: TurningPoint) -> dict[int, Score]:
    found = {other.column: other.score for other in point.better.why_not}
    if point.better.score is not None:
        found[point.better.column] = point.better.score
    return dict(sorted(found.items()))


# Formats ----------------------------------------------------------------------------------------------


@router.get("/formats", responses=answers(Formats))
async def list_formats() -> Response:
    """The names of the formats."""
    return json_answer(Formats(tuple(formats.FORMATS)))


@router.post("/convert", responses=answers(Converted))
async def convert(request: Request, wish: ConvertWish) -> Response:
    """Read a game in any format and write it in another."""
    text = _text(wish, wish.to)
    if len(text.text) <= QUICK_TEXT:
        return json_answer(texts.converted(text))
    read = await _read_aside(request, text)
    assert read.converted is not None
    return json_answer(read.converted)


# Setting up a position --------------------------------------------------------------------------------


@router.post("/position", responses=answers(Checked))
async def check_position(setting: Setting) -> Response:
    """Whether stones that somebody placed are a position, and why not."""
    with readable():
        board = Board.parse(setting.board)
    if len(setting.rows) != board.rows or any(len(row) != board.columns for row in setting.rows):
        raise RefusedError("bad_message.rows", rows=board.rows, columns=board.columns)
    stones = {"x": 0, "o": 0, ".": 0}
    for row, cells in enumerate(reversed(setting.rows)):
        for column, stone in enumerate(cells):
            stones[stone] |= board.bit(column, row)
    try:
        position = Position.from_stones(board, stones["x"], stones["o"])
    except PositionError as error:
        detail = detail_of(error)
        return json_answer(Checked(False, message=str(error), code=detail.code, params=detail.params))
    return json_answer(Checked(True, view.state(position)))
