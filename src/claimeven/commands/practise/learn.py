"""learn: the school, from the rules to practical play."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimeven.commands.asked.options import JsonOption, print_json
from claimeven.commands.explain import LanguageOption

if TYPE_CHECKING:
    from claimeven.terminal.schoolbag import Schoolbag

UnitArgument = Annotated[
    str | None,
    typer.Argument(metavar="UNIT", help="Its name or number; without it, the next one.", show_default=False),
]
ListOption = Annotated[bool, typer.Option("--list", help="List the units and what is done of them.")]
TaskOption = Annotated[
    str | None, typer.Option("--task", metavar="ID", help="Judge one answer to this task, like forks.2.")
]
AnswerOption = Annotated[
    str, typer.Option("--answer", metavar="A", help='With --task: "4", "b3 d4", "7", "x" or "5 3 5".')
]
ImportOption = Annotated[
    Path | None,
    typer.Option("--import", metavar="FILE", help="Add the progress of a file, as --json prints it."),
]


def learn(
    unit: UnitArgument = None,
    list: ListOption = False,
    task: TaskOption = None,
    answer: AnswerOption = "",
    language: LanguageOption = "en",
    bring: ImportOption = None,
    json: JsonOption = False,
) -> None:
    """Learn the game: thirteen units, from the rules to practical play.

    What is done is remembered on this machine; --json prints it.
    """
    from claimeven.reasons.words import catalogue
    from claimeven.terminal.schoolbag import Schoolbag

    catalogue(language)  # complains of a language that there is not
    if task is not None:
        _judge(task, answer, language, json)
        return
    bag = Schoolbag()
    if bring is not None:
        from claimeven.school import Progress

        bag.keep(bag.progress.merged(Progress.from_text(bring.read_text(encoding="utf-8"))))
    if json:
        print_json(bag.progress.to_json())
    elif list or bring is not None:
        from claimeven.terminal.classroom import listed

        print("\n".join(listed(bag.progress, language)))
    else:
        _sit(bag, unit, language)


def _judge(id: str, answer: str, language: str, json: bool) -> None:
    from claimeven.school import judge, task

    found = task(id)
    verdict = judge(found, answer, language)
    if json:
        board = found.position.board
        cells = [board.cell_name(cell) for cell in verdict.cells]
        print_json({"task": id, "mark": verdict.mark, "text": verdict.text, "cells": cells})
    else:
        print(verdict.text)


def _sit(bag: "Schoolbag", wanted: str | None, language: str) -> None:
    from rich.console import Console

    from claimeven.school import UNITS, Voice, unit
    from claimeven.terminal.classroom import Classroom

    if wanted is not None and wanted.isdigit() and 1 <= int(wanted) <= len(UNITS):
        wanted = UNITS[int(wanted) - 1]
    name = wanted or bag.progress.next_unit
    if name is None:
        print(Voice(UNITS[-1], language).shared("ui.all"))
        return
    Classroom(Console(highlight=False), language, bag=bag).sit(unit(name))
