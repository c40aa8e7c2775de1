"""Exact values of every column, the reasons, the opening book, and what an agent thinks of it."""

import threading
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Query, Request, Response
from msgspec import structs

from claimeven.board import MAX_COLUMNS
from claimeven.position import Position
from claimeven.puzzles import wrong
from claimeven.reasons import Explanation, Fact, WhyNot, explain
from claimeven.reasons.told.tell import Teller
from claimeven.reasons.told.trickiest import Trickiest, trickiest
from claimeven.reasons.words import SPOKEN
from claimeven.server.doors.answers import Opinion
from claimeven.server.doors.documented import answers
from claimeven.server.doors.while_connected import while_connected
from claimeven.server.errors import RefusedError
from claimeven.server.shares import Asker, Rank
from claimeven.server.study import view
from claimeven.server.study.answers import (
    Analysed,
    AnalysedLine,
    ColumnValue,
    Explored,
    ExplorerRow,
    FailedLine,
    ProgressLine,
    Refuted,
    Values,
)
from claimeven.server.study.desk import (
    LateError,
    Work,
    answer,
    answer_apart,
    desk_of,
    json_answer,
    visitor_of,
)
from claimeven.server.study.opinions import opinion as own_opinion
from claimeven.server.study.told import Explained, OtherColumn, ToldFact
from claimeven.solver import Analysis, book_of

router = APIRouter()

Moves = Annotated[str, Query(max_length=400, description="moves like 4453, or a position")]
Size = Annotated[str | None, Query(max_length=32, description="like 7x6x4")]
Start = Annotated[str | None, Query(max_length=400, description="a position on which the moves follow")]
Column = Annotated[int, Query(ge=1, le=MAX_COLUMNS)]
Language = Annotated[str, Query(pattern=f"^({'|'.join(SPOKEN)})$")]
MAX_OPINION = 5000  # milliseconds


def _line(moves: Moves = "", board: Size = None, start: Start = None) -> tuple[Position, ...]:
    return view.read_line(moves, board, start)


def _end(moves: Moves = "", board: Size = None, start: Start = None) -> Position:
    return view.read_line(moves, board, start)[-1]


Line = Annotated[tuple[Position, ...], Depends(_line)]
Asked = Annotated[Position, Depends(_end)]


@router.get("/analyse", responses=answers(Analysed, lines=AnalysedLine | ProgressLine | FailedLine))
async def analyse(request: Request, line: Line, language: Language = "en", stream: bool = False) -> Response:
    """The exact value of every column. With `stream`, progress comes before."""
    key = ("analyse", line, line[0].moves, language)
    return await answer_apart(request, key, lambda work: _analysis(line, language, work), streams=stream)


def _analysis(line: tuple[Position, ...], language: str, work: Work) -> Analysed:
    found = work.solver.analyse(line[-1], work.solver.left(), work.nodes)
    position, teller = found.position, Teller(found.position.board, language)
    columns = tuple(_column_value(found, column, teller) for column in position.legal)
    return Analysed(
        **structs.asdict(view.state(line[-1], line)),
        exact=found.is_complete,
        value=view.maybe(found.score),
        columns=columns,
        best=tuple(column + 1 for column in found.best),
        keeping=sum(column.keeps for column in columns),
        line=view.columns_text(found.line),
        threats=view.winning_spots(position),
        nodes=found.nodes,
        seconds=round(found.seconds, 4),
        is_book=position.ply < book_plies(position),
    )


def _column_value(found: Analysis, column: int, teller: Teller) -> ColumnValue:
    score, (low, high) = found.scores.get(column), found.bounds[column]
    return ColumnValue(
        column=column + 1,
        row=found.position.height(column) + 1,
        score=None if score is None else score.value,
        outcome=None if score is None else score.outcome,
        moves=None if score is None else score.moves,
        low=low,
        high=high,
        best=column in found.best,
        keeps=found.score is not None and score is not None and score.outcome == found.score.outcome,
        words=teller.verdict(column, score),
    )


@router.get("/values", responses=answers(Values))
async def values(request: Request, line: Line) -> Response:
    """The exact score after every move from the start on, for the first player: the graph of a game."""
    key = ("values", line)
    return await answer_apart(request, key, lambda work: _values(line, work))


def _values(line: tuple[Position, ...], work: Work) -> Values:
    found = []
    for position in line:
        low, high, _ = work.solver.solve(position, work.solver.left())
        found.append((low if position.side == 0 else -low) if low == high else None)
    return Values(None not in found, line[-1].moves, tuple(found))


def book_plies(position: Position) -> int:
    """Positions with at most so many stones are in the book."""
    book = book_of(position.board)
    return 0 if book is None else int(book.plies)


@router.get("/explain", responses=answers(Explained))
async def explain_column(
    request: Request, position: Asked, column: Column = 1, language: Language = "en"
) -> Response:
    """Why a column is good or bad, what the others come to, and the plan behind it."""
    _check_column(position, column)
    key = ("explain", position.board, position.moves, str(position), column, language)
    return await answer_apart(request, key, lambda work: _explanation(position, column - 1, language, work))


def _check_column(position: Position, column: int) -> None:
    """Refuse a column (from 1) that cannot be played."""
    if column - 1 not in position.legal:
        raise RefusedError("illegal_column.here", column=column)


def _explanation(position: Position, column: int, language: str, work: Work) -> Explained:
    try:
        found = explain(position, column, work.solver, language, work.solver.left())
    except LateError:
        if work.stop.is_set():
            raise
        return explained(explain(position, column, None, language))
    return explained(found, _trickiest(found, work))


def _trickiest(found: Explanation, work: Work) -> Trickiest | None:
    """What else to try where nothing wins; nothing when the time is over."""
    try:
        return None if found.score is None else trickiest(found.position, found.column, work.solver)
    except LateError:
        if work.stop.is_set():
            raise
        return None


def explained(found: Explanation, trick: Trickiest | None = None) -> Explained:
    """The explanation, with everything that is drawn of it."""
    position, teller = found.position, Teller(found.position.board, found.language)
    board = position.board
    return Explained(
        column=found.column + 1,
        language=found.language,
        exact=found.score is not None,
        value=view.maybe(found.score),
        verdict=found.verdict,
        reason=found.grounds,
        plan=found.plan_text,
        rank=None if found.rank is None else found.rank.to_json(board),
        reasons=tuple(reason.to_json(board) for reason in found.reasons),
        steps=tuple(step.to_json(board) for step in found.steps),
        simple=None if found.simple is None else found.simple.to_json(board),
        better=None if found.better is None else found.better.to_json(board),
        trickiest=None if trick is None else trick.to_json(found.language),
        facts=tuple(_told(fact, teller) for fact in found.facts),
        overlay=view.overlay(position, found.line, found.column),
        end=None if found.line is None else found.line.end,
        why_not=tuple(_other(other, position) for other in found.why_not),
        text=found.text,
    )


def _told(fact: Fact, teller: Teller) -> ToldFact:
    text = teller.fact(fact).text if teller.has_words(fact) else None
    return {**fact.to_json(teller.board), "text": text}


def _other(found: WhyNot, position: Position) -> OtherColumn:
    return OtherColumn(
        **structs.asdict(view.value(found.score)),
        column=found.column + 1,
        text=found.text,
        overlay=None if found.line is None else view.overlay(position, found.line, found.column),
    )


@router.get("/why-not", responses=answers(Refuted))
async def why_not(
    request: Request, position: Asked, column: Column = 1, language: Language = "en"
) -> Response:
    """What is wrong with one column when another is better: always with what punishes it."""
    _check_column(position, column)
    key = ("why_not", position.board, position.moves, str(position), column, language)
    return await answer_apart(request, key, lambda work: _why_not(position, column - 1, language, work))


def _why_not(position: Position, column: int, language: str, work: Work) -> Refuted:
    analysis = work.solver.analyse(position)
    best = position.board.central(analysis.best)
    numbers, shapes = "", None
    if column in analysis.best:
        told = explain(position, column, work.solver, language)
        text, line = told.opening, told.line
    else:
        told_other = wrong(position, column, best, work.solver, language)
        text, line = told_other.text, told_other.numbers.line
        if told_other.line:  # somebody across the table says it without numbers
            numbers, shapes = told_other.numbers.text, view.shapes(position, told_other.line)
    return Refuted(
        **structs.asdict(view.value(analysis.scores[column])),
        column=column + 1,
        exact=True,
        best=best + 1,
        text=text,
        numbers=numbers,
        overlay=shapes or view.overlay(position, line, column),
    )


@router.get("/explorer", responses=answers(Explored))
async def explorer(request: Request, position: Asked) -> Response:
    """The next moves as the opening book has them: their values, and how hard the answer is to find.

    Beyond the book of its board, or where there is none, `rows` is null.
    """
    key = ("explorer", position.board, position.moves, str(position))
    return await answer(request, key, lambda work: _explorer(position, work))


def _explorer(position: Position, work: Work) -> Explored:
    if position.ply + 2 > book_plies(position):
        return Explored(True, position.moves, None)
    rows, scores = [], work.solver.analyse(position).scores
    for column in position.legal:
        after = position.play(column)
        replies = {reply: -work.solver.score(after.play(reply)) for reply in after.legal}
        top = max(replies.values(), default=None)
        rows.append(
            ExplorerRow(
                **structs.asdict(view.value(scores[column])),
                column=column + 1,
                replies=len(replies),
                keeping=sum(top is not None and found.outcome == top.outcome for found in replies.values()),
                best_replies=tuple(reply + 1 for reply, found in replies.items() if found == top),
            )
        )
    return Explored(True, position.moves, tuple(rows))


@router.get("/opinion", responses=answers(Opinion))
async def opinion(
    request: Request,
    position: Asked,
    agent: Annotated[str, Query(max_length=200)],
    think: Annotated[int, Query(ge=10, le=MAX_OPINION, description="milliseconds")] = 500,
    language: Language = "en",
) -> Response:
    """What an agent would play, what it saw, and how it shares its trust among the columns."""
    if position.is_over:
        raise RefusedError("game_over.here")
    desk, stop = desk_of(request), threading.Event()
    spec = desk.thinkers.check(agent)
    key = ("opinion", position.board, position.moves, str(position), spec, think, language)
    known = desk.known(key)
    if known is not None:
        return json_answer(known)
    try:
        asker = Asker(Rank.ASIDE, visitor_of(request))
        coming = desk.thinkers.choose(spec, position, think / 1000, stop, asker)
        choice = await while_connected(request, coming)
    finally:
        stop.set()
    body = msgspec.json.encode(own_opinion(spec, choice, position, language))
    desk.keep(key, body)
    return json_answer(body)
