"""One disc: does it carry out the idea, is it as good without it, or what would a person call the mistake?"""

from collections.abc import Iterable
from dataclasses import dataclass

from claimeven import notation
from claimeven.position import Cell, Position
from claimeven.reasons.reviewed.mistake import Mistake, mistake
from claimeven.school.goals import GOALS, Asked, accepted, right_answers
from claimeven.school.unit import Task
from claimeven.school.verdict import Verdict
from claimeven.school.voice import Voice


@dataclass(frozen=True)
class Fault:
    """Why a disc is not good enough: words, and what to light."""

    text: str
    cells: tuple[Cell, ...] = ()
    line: tuple[int, ...] = ()
    kind: str = "deep"  # of the mistake; deep: nothing to be seen on the board, only its cost is known
    reply: str | None = None  # the name of the column that punishes it

    @property
    def tells_answer(self) -> bool:
        """What was missed or allowed is what was to be found; a door or a burnt threat is the own disc's."""
        return self.kind.endswith(("_missed", "_allowed"))


def judge_drop(task: Task, column: int, asked: Asked, voice: Voice, is_first: bool = False) -> Verdict:
    position, goal = task.position, GOALS[task.about]
    idea, also = accepted(goal, position, asked)
    if column in idea:
        cells, values = goal.cells(position, column), dict[str, object]()
        if task.about == "no_fork":
            cells, values = _stopped(position, asked, voice)
        if task.about == "trap":
            values = _answers_left(position, column, asked)
        text = told(task, voice, "right", cells, column=voice.column(column), **values)
        if task.about != "any":  # whoever drops his first disc is not lectured
            text += _what_it_costs(position, column, asked, voice)
        return Verdict("right", text, position.play(column), cells)
    if column in also:
        return Verdict("also", _also(task, column, idea, asked, voice), position.play(column))
    return refused(task, position, column, find_fault(position, column, asked, voice), voice, is_first)


def refused(
    task: Task, position: Position, column: int, fault: Fault, voice: Voice, is_first: bool
) -> Verdict:
    """A wrong disc. The first try gets a hint; what was missed is shown at the next one."""
    if is_first and fault.tells_answer:
        return Verdict("wrong", hinted(position, column, fault, voice), position)
    text = written_fault(task, column, fault, voice) or fault.text
    return Verdict("wrong", text, position, fault.cells, fault.line)


def hinted(position: Position, column: int, fault: Fault, voice: Voice) -> str:
    """What kind of thing it is, without its cells."""
    return voice.shared(f"first.{fault.kind}", **voice.players(position), column=voice.column(column))


def _what_it_costs(position: Position, column: int, asked: Asked, voice: Voice) -> str:
    """It does what was asked, and yet another column comes to more in the end: that is said."""
    scores = asked.analyse(position).scores
    best = max(scores.values()).outcome
    if scores[column].outcome == best:
        return ""
    better = voice.columns([other for other in scores if scores[other].outcome == best])
    code = f"costs.{best}.{scores[column].outcome}"
    return f" {voice.shared(code, column=voice.column(column), columns=better)}"


def written_fault(task: Task, column: int, fault: Fault, voice: Voice) -> str:
    """The line of the task for this column, or this kind of mistake: its cells are those of the mistake."""
    cells = voice.cells(task.position, fault.cells)
    values: dict[str, object] = {"column": voice.column(column), "cells": cells, "reply": fault.reply}
    code = f"wrong.{task.text}"
    codes = (f"{code}.{column + 1}", code if fault.kind == "deep" else f"{code}.{fault.kind}")
    lines = (voice.written(code, **voice.players(task.position), **values) for code in codes)
    return next(filter(None, lines), "")


def told(task: Task, voice: Voice, what: str, cells: Iterable[Cell] = (), **values: object) -> str:
    """The line that was written for a task."""
    named = voice.cells(task.position, cells)
    return voice.written(f"{what}.{task.text}", **voice.players(task.position), cells=named, **values)


def _also(task: Task, column: int, idea: list[int], asked: Asked, voice: Voice) -> str:
    position = task.position
    scores = asked.analyse(position).scores
    values: dict[str, object] = {"column": voice.column(column), "columns": voice.columns(idea)}
    if task.about == "trap":
        values |= _answers_left(position, column, asked)
        return voice.shared("also.trap", **values)
    is_better = scores[column] > max(scores[other] for other in idea)
    return voice.shared("also.better" if is_better else "also.equal", **values)


def _answers_left(position: Position, column: int, asked: Asked) -> dict[str, object]:
    """How many answers there are to a column, and how many of them keep what they have."""
    after = position.play(column)
    return {"answers": len(after.legal), "good": len(right_answers(after, asked))}


def _stopped(position: Position, asked: Asked, voice: Voice) -> tuple[tuple[Cell, ...], dict[str, object]]:
    """The two threats that other columns would have allowed, and the column that makes them."""
    for column in position.legal:
        found = mistake(position, column, asked.analyse)
        if found is not None and found.kind in ("fork_allowed", "stacked_allowed"):
            return found.cells, {"reply": voice.column(found.line[0])}
    return (), {"reply": ""}


def find_fault(position: Position, column: int, asked: Asked, voice: Voice) -> Fault:
    """What was missed or allowed, as the coach sees it; where it sees nothing, what the move costs."""
    found = mistake(position, column, asked.analyse)
    named = {**voice.players(position), "column": voice.column(column)}
    if found is None or found.kind == "deep":
        return Fault(_cost(position, column, asked, voice, named), line=(column,))
    reply = voice.column(found.line[0]) if found.line else None
    cells = voice.cells(position, found.cells)
    text = voice.shared(f"wrong.{found.kind}", **named, cells=cells, reply=reply)
    return Fault(text, found.cells, _shown(position, found), found.kind, reply)


def _shown(position: Position, found: Mistake) -> tuple[int, ...]:
    """The disc and the answer that punishes it; what was merely missed is not played for the learner."""
    if found.kind in ("block_missed", "door_opened"):
        return found.column, found.cells[0].column
    if found.kind.endswith("_allowed"):
        return (found.column, *found.line[:1])
    return (found.column,)


def _cost(position: Position, column: int, asked: Asked, voice: Voice, named: dict[str, str]) -> str:
    scores = asked.analyse(position).scores
    had, has = max(scores.values()), scores[column]
    if had.outcome != has.outcome:
        return voice.shared(f"cost.{had.outcome}.{has.outcome}", **named)
    # A draw is as good as any draw: only wins and losses can be slower or quicker.
    code = "cost.slower" if has.value > 0 else "cost.sooner"
    return voice.shared(code, has.moves or 0, **named)


def column_of(text: str, position: Position) -> int:
    """A column that somebody typed, and that can be played."""
    column = notation.parse_column(text.strip(), position.board.columns)
    position.play(column)  # complains of a full one
    return column
