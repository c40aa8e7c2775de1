"""The school on the page: its units as they are told, and what the teacher says to an answer."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from claimeven.errors import InputError
from claimeven.notation import parse_cell
from claimeven.position import Cell
from claimeven.reasons import certify
from claimeven.reasons.words import SPOKEN
from claimeven.school import Show, Task, Unit, Verdict, Voice, judge, task, unit, units
from claimeven.school.asked import SIDES
from claimeven.school.drop import column_of
from claimeven.school.game import game_position, play_game
from claimeven.school.questions import ON_DISCS
from claimeven.server.doors.documented import answers
from claimeven.server.errors import RefusedError
from claimeven.server.study import view
from claimeven.server.study.answers import (
    School,
    SchoolGame,
    SchoolRow,
    SchoolShow,
    SchoolTask,
    SchoolVerdict,
    ToldUnit,
)
from claimeven.server.study.desk import answer, json_answer

router = APIRouter(prefix="/school")

Name = Annotated[str, Path(pattern="^[a-z]{1,20}$")]
TaskId = Annotated[str, Path(pattern="^[a-z]{1,20}(\\.check)?\\.[0-9]{1,2}$")]
Spoken = Annotated[str, Query(pattern=f"^({'|'.join(SPOKEN)})$")]


class SchoolAnswer(BaseModel):
    """An answer as it is typed: "4", "b3 d4", "7", "x", "5 3 5"; and the columns so far."""

    model_config = ConfigDict(extra="forbid", strict=True)
    answer: Annotated[str, Field(max_length=200)]
    played: Annotated[str, Field(max_length=42, pattern="^[1-7]*$")] = ""
    language: Annotated[str, Field(pattern=f"^({'|'.join(SPOKEN)})$")] = "en"
    first: bool = False  # nobody was wrong here yet: a hint is enough


@router.get("", responses=answers(School))
async def list_units(language: Spoken = "en") -> Response:
    """The units in their order."""
    return json_answer(School(tuple(_row(one, language) for one in units())))


def _row(one: Unit, language: str) -> SchoolRow:
    voice = Voice(one.name, language)
    tasks = tuple(task.id for task in one.tasks)
    return SchoolRow(
        one.name, voice.written("title"), voice.written("about"), tasks, view.state(one.shows[-1].position)
    )


@router.get("/{name}", responses=answers(ToldUnit))
async def one_unit(name: Name, language: Spoken = "en") -> Response:
    """A unit with everything to look at and every question, without the answers."""
    found = _unit(name)
    voice = Voice(found.name, language)
    return json_answer(
        ToldUnit(
            name=found.name,
            title=voice.written("title"),
            about=voice.written("about"),
            shows=tuple(_show(show, n, voice) for n, show in enumerate(found.shows, 1)),
            tasks=tuple(_task(task, voice) for task in found.tasks),
            check=tuple(_task(task, voice) for task in found.check),
            game=SchoolGame(
                text=voice.written("game"),
                state=view.state(found.game.position),
                level=found.game.level,
                side=found.game.side + 1,
            ),
        )
    )


def _unit(name: str) -> Unit:
    try:
        return unit(name)
    except InputError as error:
        raise RefusedError.because(error, "not_found") from None


def _show(show: Show, number: int, voice: Voice) -> SchoolShow:
    position = show.position
    return SchoolShow(
        text=voice.written(f"show.{number}"),
        state=view.state(position),
        cells=tuple(view.spot(Cell(*parse_cell(cell))) for cell in show.cells),
        threats=view.winning_spots(position) if show.shows == "threats" else (),
        plan=view.plan(certify(position)) if show.shows == "plan" else None,
    )


def _task(task: Task, voice: Voice) -> SchoolTask:
    return SchoolTask(
        id=task.id,
        kind=task.kind,
        text=voice.written(f"ask.{task.text}", **voice.players(task.position)),
        state=view.state(task.position),
        side=task.side + 1,
        options=SIDES[task.about] if task.kind == "who" else (),
        cell=view.spot(Cell(*parse_cell(task.cell))) if task.cell else None,
        on_discs=task.about in ON_DISCS,
    )


@router.post("/{name}/game", responses=answers(SchoolVerdict))
async def set_game(request: Request, name: Name, given: SchoolAnswer) -> Response:
    """The learner's next disc in the game of a unit, and the answer of the level."""
    found = _unit(name)
    try:
        column = column_of(given.answer, game_position(found.game, given.played))
    except InputError as error:
        raise RefusedError.because(error) from None
    key = ("school", name, given.played, column, given.language)
    return await answer(
        request,
        key,
        lambda work: _verdict(
            play_game(found, column, given.language, played=given.played, solver=work.solver)
        ),
    )


@router.post("/tasks/{id}", responses=answers(SchoolVerdict))
async def check_answer(request: Request, id: TaskId, given: SchoolAnswer) -> Response:
    """What the teacher says to an answer; a wrong one is no error."""
    try:
        found = task(id)
    except InputError as error:
        raise RefusedError.because(error, "not_found") from None
    key = ("school", id, given.played, given.answer, given.language, given.first)
    return await answer(
        request,
        key,
        lambda work: _verdict(
            judge(
                found,
                given.answer,
                given.language,
                played=given.played,
                is_first=given.first,
                solver=work.solver,
            )
        ),
    )


def _verdict(found: Verdict) -> SchoolVerdict:
    position = found.position
    return SchoolVerdict(
        mark=found.mark,
        text=found.text,
        state=view.state(position),
        cells=view.spots(found.cells),
        line=view.line(position, found.line),
        played=found.played,
        reply=None if found.reply is None else found.reply + 1,
    )
