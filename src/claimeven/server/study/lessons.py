"""Lessons: their positions, and whether an answer is right."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from claimeven import notation
from claimeven.errors import InputError, MoveError
from claimeven.position import Position
from claimeven.puzzles import parse_rating, pick_puzzles
from claimeven.reasons import explain, refutation
from claimeven.reasons.words import LANGUAGES
from claimeven.server.doors.documented import answers
from claimeven.server.errors import RefusedError
from claimeven.server.study import view
from claimeven.server.study.answers import LessonRow, Lessons, LessonStep, ToldLesson, Verdict
from claimeven.server.study.course import LESSONS, Lesson, Step
from claimeven.server.study.desk import Work, answer, json_answer

router = APIRouter(prefix="/lessons")

Name = Annotated[str, Path(pattern="^[a-z]{1,20}$")]
PUZZLES = 3  # at the end of a lesson


class Attempt(BaseModel):
    """The columns played in this step so far, replies included, and the new one; x, o or = to `who`."""

    model_config = ConfigDict(extra="forbid", strict=True)
    played: Annotated[str, Field(max_length=42, pattern="^[1-7]*$")] = ""
    answer: Annotated[str, Field(pattern="^([1-7]|x|o|=)?$")] = ""
    language: Annotated[str, Field(pattern=f"^({'|'.join(LANGUAGES)})$")] = "en"


@router.get("", responses=answers(Lessons))
async def list_lessons() -> Response:
    rows = (LessonRow(name, len(lesson.steps)) for name, lesson in LESSONS.items())
    return json_answer(Lessons(tuple(rows)))


@router.get("/{name}", responses=answers(ToldLesson))
async def one(name: Name) -> Response:
    """The positions of a lesson, and the puzzles at its end."""
    lesson = _lesson(name)
    ends = pick_puzzles(list(lesson.themes), parse_rating(lesson.rating), seed=1)[:PUZZLES]
    steps = tuple(_step(step) for step in lesson.steps)
    return json_answer(ToldLesson(name, steps, tuple(puzzle.id for puzzle in ends)))


def _lesson(name: str) -> Lesson:
    if name not in LESSONS:
        raise RefusedError("not_found.lesson", known=", ".join(LESSONS))
    return LESSONS[name]


def _step(step: Step) -> LessonStep:
    position = step.position
    return LessonStep(
        kind=step.kind,
        state=view.state(position),
        threats=view.winning_spots(position) if step.kind == "show" and not step.then else (),
        plan=view.plan(step.plan),
        # A plan is for the side that has just moved.
        side=(1 - position.side if step.kind == "plan" else position.side) + 1,
    )


@router.post("/{name}/{number}", responses=answers(Verdict))
async def check(
    request: Request, name: Name, number: Annotated[int, Path(ge=1, le=20)], given: Attempt
) -> Response:
    """Whether an answer to a step is right; in a plan, also what comes next."""
    lesson = _lesson(name)
    if number > len(lesson.steps) or lesson.steps[number - 1].kind == "show":
        raise RefusedError("not_found.answer")
    step = lesson.steps[number - 1]
    is_who = given.answer in ("x", "o", "=")
    if (step.kind == "who") != is_who or (step.kind != "plan" and not given.answer):
        raise RefusedError("bad_message.step")
    key = ("lesson", name, number, given.played, given.answer, given.language)
    does = {"find": _find, "who": _who, "plan": _plan}[step.kind]
    return await answer(request, key, lambda work: does(step, given, work))


def _find(step: Step, given: Attempt, work: Work) -> Verdict:
    position, column = step.position, int(given.answer) - 1
    if column not in position.legal:
        raise RefusedError("illegal_column.here", column=given.answer)
    assert step.test is not None, "a step to find something says what"
    is_right = step.test(position, column)
    told = explain(position, column, work.solver, given.language)
    return Verdict(
        right=is_right,
        done=is_right,
        state=view.state(position.play(column) if is_right else position),
        text=told.opening,
        overlay=view.overlay(position, told.line, column),
    )


def _who(step: Step, given: Attempt, work: Work) -> Verdict:
    position = step.position
    analysis = work.solver.analyse(position)
    assert analysis.score is not None, "without a limit everything is exact"
    value = analysis.score.value
    winner = "=" if value == 0 else notation.STONES[position.side if value > 0 else 1 - position.side]
    told = explain(position, analysis.best[0], work.solver, given.language)
    return Verdict(
        right=given.answer == winner,
        done=True,
        state=view.state(position),
        who=winner,
        text=told.opening,
        overlay=view.overlay(position, told.line, analysis.best[0]),
    )


def _plan(step: Step, given: Attempt, work: Work) -> Verdict:
    """The learner holds the plan; the other side resists as long as it can. Without an answer it begins."""
    plan = step.plan
    assert plan is not None, "a step with a plan has a certificate"
    position = step.position
    played = list(given.played)
    try:
        for digit in played:
            position = position.play(int(digit) - 1)
        if not given.answer:
            if played:
                raise MoveError("lesson.answer")
            return _resist(position, "", work)
        if len(played) % 2 == 0:
            raise MoveError("lesson.turn")
        before = step.position
        for digit in played[:-1]:
            before = before.play(int(digit) - 1)
        right = plan.reply(before, int(played[-1]) - 1)
        column = int(given.answer) - 1
        after = position.play(column)
    except InputError as error:
        raise RefusedError.told("bad_message", str(error)) from None
    if column == right or after.winner is not None:
        return _resist(after, given.played + given.answer, work)
    told = refutation(position, column, right, work.solver, given.language)
    return Verdict(
        right=False,
        done=False,
        state=view.state(position),
        expected=right + 1,
        text=told.text,
        overlay=view.overlay(position, told.line, column),
    )


def _resist(position: Position, played: str, work: Work) -> Verdict:
    if position.is_over:
        return Verdict(True, True, view.state(position), played)
    best = work.solver.analyse(position).best
    reply = position.board.central(best)
    after = position.play(reply)
    return Verdict(
        right=True,
        done=after.is_over,
        state=view.state(after),
        played=played + notation.column_digit(reply),
        reply=reply + 1,
    )
