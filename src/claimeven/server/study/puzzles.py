"""Puzzles: chosen by theme, rating or day; answers are checked here, and wrong ones refuted with a line."""

from datetime import date
from hashlib import blake2b
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from claimeven import notation
from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.puzzles import THEMES, Puzzle, parse_rating, pick_puzzles, puzzle_by_id, shipped_puzzles
from claimeven.reasons import explain, refutation
from claimeven.reasons.words import LANGUAGES
from claimeven.server.doors.api import FAULTS
from claimeven.server.errors import RefusedError
from claimeven.server.study import view
from claimeven.server.study.analysis import Language, explanation_json
from claimeven.server.study.desk import Work, answer, json_answer

router = APIRouter(prefix="/puzzles")

Id = Annotated[str, Path(pattern="^[0-9a-f]{8}$")]
DAILY_RATINGS = (700, 1500)  # a puzzle for everybody


class Answer(BaseModel):
    """What somebody plays: the columns of the line so far, and the new one (or x, o, = to `who`)."""

    model_config = ConfigDict(extra="forbid", strict=True)
    played: Annotated[str, Field(max_length=42, pattern="^[1-7]*$")] = ""
    answer: Annotated[str, Field(pattern="^([1-7]|x|o|=)$")]
    language: Annotated[str, Field(pattern=f"^({'|'.join(LANGUAGES)})$")] = "en"


@router.get("", responses=FAULTS)
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
        raise RefusedError("bad_message", str(error)) from None
    rows = [{"id": puzzle.id, "theme": puzzle.themes[0], "rating": puzzle.rating} for puzzle in found[:count]]
    body = {"themes": list(THEMES), "total": len(found), "puzzles": rows}
    return json_answer(msgspec.json.encode(body))


@router.get("/daily", responses=FAULTS)
async def daily(
    day: Annotated[date, Query(description="like 2026-11-15")], language: Language = "en"
) -> Response:
    """The puzzle of a day: the same for everybody."""
    low, high = DAILY_RATINGS
    fit = [puzzle for puzzle in shipped_puzzles() if puzzle.steps and low <= puzzle.rating <= high]
    number = int.from_bytes(blake2b(day.isoformat().encode(), digest_size=8).digest(), "big")
    return json_answer(msgspec.json.encode(_question(fit[number % len(fit)], language)))


@router.get("/{name}", responses=FAULTS)
async def one(name: Id, language: Language = "en") -> Response:
    """The question, without its answer."""
    return json_answer(msgspec.json.encode(_question(_puzzle(name), language)))


def _puzzle(name: str) -> Puzzle:
    try:
        return puzzle_by_id(name)
    except InputError as error:
        raise RefusedError("not_found", str(error)) from None


def _question(puzzle: Puzzle, language: str) -> dict[str, Any]:
    told = puzzle.to_json(language)
    return {
        "id": puzzle.id,
        "goal": puzzle.goal,
        "themes": list(puzzle.themes),
        "theme_words": told["theme_words"],
        "rating": puzzle.rating,
        "steps": puzzle.steps,
        "win_in": puzzle.score.moves if puzzle.goal == "win" and "win" in puzzle.themes else None,
        "side": puzzle.side + 1,
        "hints": len(puzzle.hints) - 1,
        "state": view.state(puzzle.position),
    }


@router.get("/{name}/hint", responses=FAULTS)
async def hint(
    name: Id,
    place: Annotated[int, Query(ge=0, le=42, description="how many columns were played")] = 0,
    number: Annotated[int, Query(ge=0, le=9)] = 0,
    language: Language = "en",
) -> Response:
    """One hint after the other; the answer itself is no hint."""
    puzzle = _puzzle(name)
    if place and place >= len(puzzle.line):
        raise RefusedError("bad_message", "the line is not that long")
    hints = puzzle.hints_at(place)[:-1]
    text = hints[number].text(puzzle.position.board, language) if number < len(hints) else None
    cells = view.spots(hints[number].fact.cells) if number < len(hints) else []
    return json_answer(msgspec.json.encode({"text": text, "cells": cells, "left": len(hints) - number - 1}))


@router.post("/{name}/answer", responses=FAULTS)
async def check(request: Request, name: Id, given: Answer) -> Response:
    """Whether a column is right, what is answered to it, or what is wrong with it."""
    puzzle = _puzzle(name)
    if (puzzle.goal == "who") != (given.answer in "xo="):
        raise RefusedError("bad_message", "that is no answer to this question")
    if not notation.moves_text(puzzle.line).startswith(given.played) or len(given.played) % 2:
        raise RefusedError("bad_message", "these columns are not the beginning of the solution")
    if puzzle.goal != "who" and len(given.played) >= len(puzzle.line):
        raise RefusedError("bad_message", "this puzzle is solved")
    key = ("puzzle", puzzle.id, given.played, given.answer, given.language)
    return await answer(request, key, lambda work: _verdict(puzzle, given, work))


def _verdict(puzzle: Puzzle, given: Answer, work: Work) -> dict[str, Any]:
    if puzzle.goal == "who":
        told = explain(puzzle.position, _first(puzzle, work), work.solver, given.language)
        return {
            "right": given.answer == puzzle.answer,
            "done": True,
            "who": puzzle.answer,
            "state": view.state(puzzle.position),
            "explanation": explanation_json(told),
        }
    position = puzzle.position
    for column in notation.parse_moves(given.played, 7):
        position = position.play(column)
    column, place = int(given.answer) - 1, len(given.played)
    if column not in position.legal:
        raise RefusedError("illegal_column", f"column {given.answer} cannot be played here")
    right = puzzle.line[place]
    if column != right:
        found = refutation(position, column, right, work.solver, given.language)
        return {
            "right": False,
            "done": False,
            "text": found.text,
            "state": view.state(position),
            "overlay": view.overlay(position, found.line, column),
        }
    return _next_step(puzzle, position.play(column), place + 1, given.language, work)


def _next_step(puzzle: Puzzle, position: Position, place: int, language: str, work: Work) -> dict[str, Any]:
    """The reply, or the end with the reasons."""
    if place < len(puzzle.line):
        reply = puzzle.line[place]
        return {
            "right": True,
            "done": False,
            "played": notation.moves_text(puzzle.line[: place + 1]),
            "reply": reply + 1,
            "state": view.state(position.play(reply)),
        }
    return {
        "right": True,
        "done": True,
        "played": notation.moves_text(puzzle.line),
        "reply": None,
        "state": view.state(position),
        "explanation": explanation_json(explain(puzzle.position, puzzle.line[0], work.solver, language)),
    }


def _first(puzzle: Puzzle, work: Work) -> int:
    return puzzle.line[0] if puzzle.line else work.solver.analyse(puzzle.position).best[0]


@router.get("/{name}/solution", responses=FAULTS)
async def solution(request: Request, name: Id, language: Language = "en") -> Response:
    """For those who give up: the line and its reasons."""
    puzzle = _puzzle(name)

    def work(mine: Work) -> dict[str, Any]:
        told = explain(puzzle.position, _first(puzzle, mine), mine.solver, language)
        end = puzzle.position
        for column in puzzle.line:
            end = end.play(column)
        return {
            "answer": puzzle.answer,
            "line": notation.moves_text(puzzle.line),
            "discs": view.line(puzzle.position, puzzle.line),
            "state": view.state(end),
            "explanation": explanation_json(told),
        }

    return await answer(request, ("solution", puzzle.id, language), work)
