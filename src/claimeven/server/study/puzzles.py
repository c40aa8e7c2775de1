"""Puzzles: chosen by theme, rating or day; answers are checked here, and wrong ones refuted with a line."""

from datetime import date
from hashlib import blake2b
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
    parse_rating,
    pick_puzzles,
    puzzle_by_id,
    shipped_puzzles,
)
from claimeven.reasons.words import LANGUAGES
from claimeven.server.doors.documented import answers
from claimeven.server.errors import RefusedError
from claimeven.server.study import view
from claimeven.server.study.analysis import Language, explained
from claimeven.server.study.answers import PuzzleHint, PuzzleRow, Puzzles, Question, Solution, Verdict
from claimeven.server.study.desk import Work, answer, json_answer

router = APIRouter(prefix="/puzzles")

Id = Annotated[str, Path(pattern="^[0-9a-f]{8}$")]
DAILY_RATINGS = (700, 1500)  # a puzzle for everybody


class Guess(BaseModel):
    """What somebody plays: the columns of the line so far, and the new one (or x, o, = to `who`)."""

    model_config = ConfigDict(extra="forbid", strict=True)
    played: Annotated[str, Field(max_length=42, pattern="^[1-7]*$")] = ""
    answer: Annotated[str, Field(pattern="^([1-7]|x|o|=)$")]
    language: Annotated[str, Field(pattern=f"^({'|'.join(LANGUAGES)})$")] = "en"


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
        raise RefusedError.told("bad_message", str(error)) from None
    rows = tuple(PuzzleRow(puzzle.id, puzzle.themes[0], puzzle.rating) for puzzle in found[:count])
    return json_answer(Puzzles(THEMES, len(found), rows))


@router.get("/daily", responses=answers(Question))
async def daily(day: Annotated[date, Query(description="like 2026-11-15")]) -> Response:
    """The puzzle of a day: the same for everybody."""
    low, high = DAILY_RATINGS
    fit = [puzzle for puzzle in shipped_puzzles() if puzzle.steps and low <= puzzle.rating <= high]
    number = int.from_bytes(blake2b(day.isoformat().encode(), digest_size=8).digest(), "big")
    return json_answer(_question(fit[number % len(fit)]))


@router.get("/{name}", responses=answers(Question))
async def one(name: Id) -> Response:
    """The question, without its answer."""
    return json_answer(_question(_puzzle(name)))


def _puzzle(name: str) -> Puzzle:
    try:
        return puzzle_by_id(name)
    except InputError as error:
        raise RefusedError.told("not_found", str(error)) from None


def _question(puzzle: Puzzle) -> Question:
    return Question(
        id=puzzle.id,
        goal=puzzle.goal,
        themes=puzzle.themes,
        rating=puzzle.rating,
        steps=puzzle.steps,
        win_in=puzzle.score.moves if puzzle.goal == "win" and "win" in puzzle.themes else None,
        side=puzzle.side + 1,
        hints=len(puzzle.hints) - 1,
        state=view.state(puzzle.position),
    )


@router.get("/{name}/hint", responses=answers(PuzzleHint))
async def hint(
    name: Id,
    place: Annotated[int, Query(ge=0, le=42, description="how many columns were played")] = 0,
    number: Annotated[int, Query(ge=0, le=9)] = 0,
    language: Language = "en",
) -> Response:
    """One hint after the other; the answer itself is no hint."""
    puzzle = _puzzle(name)
    if place and place >= len(puzzle.line):
        raise RefusedError("bad_message.line")
    hints = puzzle.hints_at(place)[:-1]
    text = hints[number].text(puzzle.position.board, language) if number < len(hints) else None
    cells = view.spots(hints[number].fact.cells) if number < len(hints) else ()
    return json_answer(PuzzleHint(text, cells, len(hints) - number - 1))


@router.post("/{name}/answer", responses=answers(Verdict))
async def check(request: Request, name: Id, given: Guess) -> Response:
    """Whether a column is right, what is answered to it, or what is wrong with it."""
    puzzle = _puzzle(name)
    if (puzzle.goal == "who") != (given.answer in "xo="):
        raise RefusedError("bad_message.question")
    try:
        sitting = Sitting.after(puzzle, notation.parse_moves(given.played, 7))
    except InputError as error:
        raise RefusedError.told("bad_message", str(error)) from None
    key = ("puzzle", puzzle.id, given.played, given.answer, given.language)
    return await answer(request, key, lambda work: _verdict(sitting, given, work))


def _verdict(sitting: Sitting, given: Guess, work: Work) -> Verdict:
    if sitting.puzzle.goal == "who":
        return Verdict(
            right=given.answer == sitting.puzzle.answer,
            done=True,
            state=view.state(sitting.position),
            who=sitting.puzzle.answer,
            explanation=explained(sitting.explained(work.solver, given.language)),
        )
    column = int(given.answer) - 1
    try:
        is_right = sitting.is_right(column)
    except MoveError as error:
        raise RefusedError.told("illegal_column", str(error)) from None
    if not is_right:
        found = sitting.refuted(column, work.solver, given.language)
        return Verdict(
            right=False,
            done=False,
            state=view.state(sitting.position),
            text=found.text,
            overlay=view.overlay(sitting.position, found.line, column),
        )
    after, reply = sitting.advanced()
    return Verdict(
        right=True,
        done=after.is_solved,
        state=view.state(after.position),
        played=notation.moves_text(after.played),
        reply=None if reply is None else reply + 1,
        explanation=explained(after.explained(work.solver, given.language)) if after.is_solved else UNSET,
    )


@router.get("/{name}/solution", responses=answers(Solution))
async def solution(request: Request, name: Id, language: Language = "en") -> Response:
    """For those who give up: the line and its reasons."""
    puzzle = _puzzle(name)

    def work(mine: Work) -> Solution:
        end = Sitting(puzzle, len(puzzle.line))
        return Solution(
            answer=puzzle.answer,
            line=notation.moves_text(puzzle.line),
            discs=view.line(puzzle.position, puzzle.line),
            state=view.state(end.position),
            explanation=explained(end.explained(mine.solver, language)),
        )

    return await answer(request, ("solution", puzzle.id, language), work)
