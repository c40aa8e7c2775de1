"""Judging an answer: one pure function for Python, the terminal, the server and the page."""

from claimeven import notation
from claimeven.school.asked import (
    cells_of,
    judge_cells,
    judge_count,
    judge_who,
    number_of,
    side_of,
)
from claimeven.school.drop import column_of, judge_drop
from claimeven.school.goals import Asked
from claimeven.school.played import judge_line, judge_play, replayed
from claimeven.school.unit import Task
from claimeven.school.verdict import Verdict
from claimeven.school.voice import voice_of
from claimeven.solver import shared_solver


def judge(
    task: Task,
    answer: str,
    language: str = "en",
    *,
    played: str = "",
    is_first: bool = False,
    solver: Asked | None = None,
) -> Verdict:
    """What the teacher says to an answer, as it is typed: "4", "b3 d4", "7", "x", "5 3 5".

    `played`: in a task that is played out, the columns of both sides so far. `is_first`: it is the first try;
    a wrong one gets a hint, and not what was to be found.

    >>> from claimeven.school import task
    >>> verdict = judge(task("forks.2"), "5")
    >>> verdict.mark, verdict.text
    ('right', 'Yes! b1 and f1: Yellow can close only one of them.')
    """
    asked, voice = solver or shared_solver(), voice_of(task.unit, language)
    position = task.position
    match task.kind:
        case "drop":
            return judge_drop(task, column_of(answer, position), asked, voice, is_first)
        case "cells" | "mark":
            return judge_cells(task, cells_of(answer, position), voice)
        case "count":
            return judge_count(task, number_of(answer), asked, voice)
        case "who":
            return judge_who(task, side_of(answer, task.about), asked, voice, is_first)
        case "line":
            columns = notation.parse_moves(answer.replace(" ", ""), position.board.columns)
            return judge_line(task, columns, asked, voice, is_first)
        case "play":
            column = column_of(answer, replayed(task, played))
            return judge_play(task, played, column, asked, voice, is_first)
