"""Puzzles: chosen by theme, rating or day; answers are checked here, and wrong ones refuted with a line."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from msgspec import UNSET
from pydantic import BaseModel, ConfigDict, Field

from claimeven import notation
from claimeven.errors import InputError, MoveError
from claimeven.puzzles import (
    THEMES,
    Puzzle,
    Sitting,
    daily_puzzle,
    hints,
    parse_rating,
    pick_puzzles,
    puzzle_by_id,
    why,
)
from claimeven.reasons.words import SPOKEN
from claimeven.server.doors.documented import answers
from claimeven.server.errors import RefusedError
from claimeven.server.study import view
from claimeven.server.study.analysis import Language
from claimeven.server.study.answers import PuzzleHint, PuzzleRow, Puzzles, Question, Solution, Verdict
from claimeven.server.study.desk import Work, answer, json_answer

router = APIRouter(prefix="/puzzles")

Id = Annotated[str, Path(pattern="^[0-9a-f]{8}$")]


class Guess(BaseModel):
    """What somebody plays: the columns so far, replies included, and the new one (or x, o, =, or a cell)."""

    model_config = ConfigDict(extra="forbid", strict=True)
    played: Annotated[str, Field(max_length=42, pattern="^[1-7]*$")] = ""
    answer: Annotated[str, Field(pattern="^([1-7]|x|o|=|[a-g][1-6])$")]
    language: Annotated[str, Field(pattern=f"^({'|'.join(SPOKEN)})$")] = "en"


@router.get("", responses=answers(Puzzles))
async def list_puzzles(
    theme: Annotated[str | None, Query(max_length=40)] = None,
    rating: Annotated[str | None, Query(max_length=20, description="1200, or 1000-1400")] = None,
    seed: Annotated[int, Query(ge=0, le=2**31)] = 0,
    count: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """Puzzles of a theme and difficulty, in an order given by the seed."""
    try:
        wanted = parse_rating(rating) if rating else None
        found = pick_puzzles([theme] if theme else None, wanted, seed)
    except InputError as error:
        if error.code == "puzzle.none":
            return json_answer(Puzzles(THEMES, 0, ()))
        raise RefusedError.because(error) from None
    rows = tuple(
        PuzzleRow(puzzle.id, puzzle.themes[0], puzzle.rating, puzzle.steps) for puzzle in found[:count]
    )
    return json_answer(Puzzles(THEMES, len(found), rows))


@router.get("/daily", responses=answers(Question))
async def daily(day: Annotated[date, Query(description="like 2026-11-15")]) -> Response:
    """The puzzle of a day: the same for everybody."""
    return json_answer(_question(daily_puzzle(day)))


@router.get("/{name}", responses=answers(Question))
async def one(name: Id) -> Response:
    """The question, without its answer."""
    return json_answer(_question(_puzzle(name)))


def _puzzle(name: str) -> Puzzle:
    try:
        return puzzle_by_id(name)
    except InputError as error:
        raise RefusedError.because(error, "not_found") from None


def _question(puzzle: Puzzle) -> Question:
    return Question(
        id=puzzle.id,
        goal=puzzle.goal,
        themes=puzzle.themes,
        rating=puzzle.rating,
        steps=puzzle.steps,
        side=puzzle.side + 1,
        owner=None if puzzle.goal != "cell" else (puzzle.winner or 0) + 1,
        state=view.state(puzzle.position),
    )


@router.get("/{name}/hint", responses=answers(PuzzleHint))
async def hint(
    request: Request,
    name: Id,
    played: Annotated[str, Query(max_length=42, pattern="^[1-7]*$")] = "",
    number: Annotated[int, Query(ge=0, le=4)] = 0,
    language: Language = "en",
) -> Response:
    """One hint after the other: the danger, the idea, the area, the cell; the answer itself is no hint."""
    puzzle = _puzzle(name)

    def work(mine: Work) -> PuzzleHint:
        sitting = Sitting.after(puzzle, notation.parse_moves(played, 7), mine.solver)
        if sitting.is_solved and puzzle.has_line:
            raise InputError("puzzle.solved")
        column = sitting.best(mine.solver) if puzzle.has_line else None
        told = hints(puzzle, sitting.position, column)[:-1]
        if number >= len(told):
            return PuzzleHint(None, None, (), 0)
        found = told[number]
        text = found.text(puzzle, language)
        return PuzzleHint(found.stage, text, view.spots(found.cells), len(told) - number - 1)

    return await answer(request, ("hint", puzzle.id, played, number, language), work)


@router.post("/{name}/answer", responses=answers(Verdict))
async def check(request: Request, name: Id, given: Guess) -> Response:
    """Whether a column is right, what is answered to it, or what is wrong with it."""
    puzzle = _puzzle(name)
    kind = "who" if given.answer in "xo=" else "cell" if len(given.answer) == 2 else "line"
    if kind != ("line" if puzzle.has_line else puzzle.goal):
        raise RefusedError("bad_message.question")
    key = ("puzzle", puzzle.id, given.played, given.answer, given.language)
    return await answer(request, key, lambda work: _verdict(puzzle, given, work))


def _verdict(puzzle: Puzzle, given: Guess, work: Work) -> Verdict:
    if not puzzle.has_line:
        return _judged(puzzle, given)
    sitting = Sitting.after(puzzle, notation.parse_moves(given.played, 7), work.solver)
    if sitting.is_solved:
        raise InputError("puzzle.solved")
    column = int(given.answer) - 1
    try:
        is_right = sitting.is_right(column, work.solver)
    except MoveError as error:
        raise RefusedError.because(error, "illegal_column") from None
    if not is_right:
        found = sitting.refuted(column, work.solver, given.language)
        return Verdict(
            right=False,
            done=False,
            state=view.state(sitting.position),
            text=found.text,
            numbers=found.numbers.text,
            overlay=view.shapes(sitting.position, found.line),
        )
    after, reply = sitting.advanced(column, work.solver)
    return Verdict(
        right=True,
        done=after.is_solved,
        state=view.state(after.position),
        played=notation.moves_text(after.played),
        reply=None if reply is None else reply + 1,
        text=why(puzzle, given.language, work.solver) if after.is_solved else UNSET,
    )


def _judged(puzzle: Puzzle, given: Guess) -> Verdict:
    """Of a question without columns."""
    judged = Sitting(puzzle).judge(given.answer, given.language)
    return Verdict(
        right=judged.is_right,
        done=judged.is_last,
        state=view.state(puzzle.position),
        who=puzzle.answer if puzzle.goal == "who" else UNSET,
        text=why(puzzle, given.language) if judged.is_last else judged.text,
    )


@router.get("/{name}/solution", responses=answers(Solution))
async def solution(request: Request, name: Id, language: Language = "en") -> Response:
    """For those who give up: the line and its reason."""
    puzzle = _puzzle(name)

    def work(mine: Work) -> Solution:
        return Solution(
            answer=puzzle.answer,
            cell=view.spot(puzzle.cell) if puzzle.goal == "cell" else None,
            discs=view.line(puzzle.position, puzzle.line),
            state=view.state(Sitting(puzzle, puzzle.line).position),
            text=why(puzzle, language, mine.solver),
        )

    return await answer(request, ("solution", puzzle.id, language), work)
