"""Answers to questions: cells that were clicked, a number, a side."""

from claimeven import notation
from claimeven.errors import InputError
from claimeven.notation import quote
from claimeven.position import Cell, Position
from claimeven.school.drop import told
from claimeven.school.goals import Asked
from claimeven.school.questions import (
    ON_DISCS,
    cells_asked,
    counted_cells,
    number_asked,
    side_asked,
    winning_cells,
)
from claimeven.school.unit import Task
from claimeven.school.verdict import Verdict
from claimeven.school.voice import Voice

MAX_CELLS = 42


def judge_cells(task: Task, given: tuple[Cell, ...], voice: Voice) -> Verdict:
    """Every cell that fits and no other; in a check the right ones are shown, else what is wrong so far."""
    position = task.position
    taken = [cell for cell in given if position.stone(*cell)]
    if taken and task.about not in ON_DISCS:
        raise InputError("school.taken", cell=str(taken[0]))
    wanted = cells_asked(task.about, position, task.cell)
    if set(given) == set(wanted):
        return Verdict(
            "right", told(task, voice, "right", wanted, cell=voice.name(task.cell)), position, wanted
        )
    extra = tuple(cell for cell in given if cell not in wanted)
    missing = len(set(wanted) - set(given))
    parts, own = [], _own(task, voice, str(extra[0])) if len(extra) == 1 else ""
    if extra:
        named = {
            **voice.players(position),
            "cells": voice.cells(position, extra),
            "cell": voice.name(task.cell),
        }
        parts.append(own or voice.shared(f"extra.{task.about}", **named))
    if missing and task.kind == "cells":  # of the one cell there is nothing to count
        found = [cell for cell in given if cell in wanted]
        if found:
            parts.append(voice.shared("cells.found", cells=voice.cells(position, found)))
        parts.append(voice.shared("cells.missing", missing))
    if task.is_check:
        parts.append(voice.shared("cells.answer", cells=voice.cells(position, wanted)))
    elif not own:
        parts.append(_own(task, voice))
    return Verdict("wrong", " ".join(filter(None, parts)), position, wanted if task.is_check else extra)


def judge_count(task: Task, given: int, asked: Asked, voice: Voice) -> Verdict:
    position = task.position
    wanted = number_asked(task.about, position, task.cell, asked)
    cells = counted_cells(task.about, position, task.cell)
    if given == wanted:
        text = told(task, voice, "right", cells, cell=voice.name(task.cell), number=wanted)
        return Verdict("right", text, position, cells)
    text = voice.shared("count.more" if wanted > given else "count.fewer", number=given)
    if task.is_check:
        return Verdict("wrong", f"{text} {voice.shared('count.answer', number=wanted)}", position, cells)
    own = _own(task, voice, str(given)) or _own(task, voice)
    how = own or voice.shared(f"how.{task.about}", cell=voice.name(task.cell))
    return Verdict("wrong", f"{text} {how}", position)


def judge_who(task: Task, given: str, asked: Asked, voice: Voice, is_first: bool = False) -> Verdict:
    position = task.position
    wanted = side_asked(task.about, position, task.cell, asked)
    if given == wanted:
        text = told(task, voice, "right", cell=voice.name(task.cell))
        if task.is_check and task.about == "winner":
            text = f"{text} {_owned(task, voice)}"
        return Verdict("right", text, position, _decisive(task))
    text = voice.shared(f"who.{task.about}.{given}", cell=voice.name(task.cell))
    how = voice.shared(f"who.{task.about}.how", cell=voice.name(task.cell))
    if task.about == "winner" and task.is_check:
        answer = voice.shared(f"who.is.{wanted}")
        return Verdict("wrong", f"{text} {answer} {_owned(task, voice)}", position, _decisive(task))
    # Who can be wrong once more gets a hint first; of two sides the other one is right anyway.
    why = how if is_first and task.about == "winner" else _own(task, voice) or how
    return Verdict("wrong", f"{text} {why}", position, _cell(task))


def _owned(task: Task, voice: Voice) -> str:
    """The winning cells of each side: what the answer hangs on."""
    found = [(stone, winning_cells(task.position, side)) for side, stone in enumerate(notation.STONES)]
    cells_of = task.position.board.cells_of
    said = [(stone, voice.cells(task.position, cells_of(cells))) for stone, cells in found if cells]
    return " ".join(voice.shared(f"who.cells.{stone}", cells=cells) for stone, cells in said)


def _own(task: Task, voice: Voice, answer: str = "") -> str:
    """The line of the task for this wrong answer, or for any. A check has none: its boards are others."""
    if task.is_check:
        return ""
    code = f"wrong.{task.text}.{answer}" if answer else f"wrong.{task.text}"
    return voice.written(code, **voice.players(task.position))


def _decisive(task: Task) -> tuple[Cell, ...]:
    """What the answer hangs on: the cell that was asked about, or every winning cell of both sides."""
    position = task.position
    both = winning_cells(position, 0) | winning_cells(position, 1)
    return _cell(task) or position.board.cells_of(both)


def _cell(task: Task) -> tuple[Cell, ...]:
    return (Cell(*notation.parse_cell(task.cell)),) if task.cell else ()


# Text that somebody typed ----------------------------------------------------------------------------


def cells_of(text: str, position: Position) -> tuple[Cell, ...]:
    """ "b3 d4", each once; empty for none."""
    board, found = position.board, list[Cell]()
    for name in text.lower().replace(",", " ").split()[: MAX_CELLS + 1]:
        cell = Cell(*notation.parse_cell(name))
        if cell.column >= board.columns or cell.row >= board.rows:
            raise InputError("school.cell", cell=quote(name))
        if cell not in found:
            found.append(cell)
    return tuple(sorted(found))


def number_of(text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdigit() and len(text.strip()) <= 3):
        raise InputError("school.number", text=quote(text))
    return int(text)


def side_of(text: str, about: str) -> str:
    word = text.strip().lower()
    if word not in SIDES[about]:
        raise InputError("school.side", text=quote(text), known=", ".join(SIDES[about]))
    return word


SIDES: dict[str, tuple[str, ...]] = {
    "gives_way": tuple(notation.STONES),
    "owner": tuple(notation.STONES),
    "winner": (*notation.STONES, "="),
}
