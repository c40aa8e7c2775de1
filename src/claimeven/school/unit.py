"""A unit of the school: two things shown, tasks, a check of five, a game. `units/` has them as data.

A position is written as the moves that lead to it. What is right is never written down: `about` names a goal
(goals.py) or a question (questions.py), and the rules or the solver say what fits it. Words are in `words/`,
by language and unit: `text` is the name of the lines that were written for a task.
"""

import json
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal, get_args

from claimeven import shapes
from claimeven.errors import InputError
from claimeven.notation import quote
from claimeven.position import Position

# drop: a column. cells: every cell that fits. mark: the one cell. count: a number. who: x, o or =.
# line: columns of both sides in turn. play: column after column against the best defence.
TaskKind = Literal["drop", "cells", "mark", "count", "who", "line", "play"]
UnitName = Literal[
    "rules",
    "seeing",
    "forks",
    "stacked",
    "lines",
    "poisoned",
    "count",
    "rows",
    "two",
    "claimeven",
    "pairs",
    "opening",
    "practice",
]
UNITS: tuple[UnitName, ...] = get_args(UnitName)
PASSED = 4  # right answers of a check, of five


@dataclass(frozen=True)
class Task:
    FORBIDS_OTHERS = True
    kind: TaskKind
    about: str
    moves: str
    text: str  # of the lines ask.<text>, right.<text>, wrong.<text>(.<answer or kind of mistake>)
    cell: str = ""  # the one that is asked about
    id: str = ""  # "forks.3", and "forks.check.3" in a check: set by `unit`

    @cached_property
    def position(self) -> Position:
        return Position.parse(self.moves)

    @property
    def side(self) -> int:
        return self.position.side

    @property
    def unit(self) -> str:
        return self.id.partition(".")[0]

    @property
    def is_check(self) -> bool:
        return ".check." in self.id


@dataclass(frozen=True)
class Show:
    """Something to look at: a position, with cells lit or a plan drawn."""

    FORBIDS_OTHERS = True
    moves: str
    cells: tuple[str, ...] = ()
    shows: Literal["nothing", "threats", "plan"] = "nothing"

    @cached_property
    def position(self) -> Position:
        return Position.parse(self.moves)


@dataclass(frozen=True)
class SetGame:
    """A game from a position, the learner to move; `aim` is what he should reach."""

    FORBIDS_OTHERS = True
    moves: str
    level: int
    aim: Literal["win", "draw"]

    @property
    def position(self) -> Position:
        return Position.parse(self.moves)

    @property
    def side(self) -> int:
        return self.position.side


@dataclass(frozen=True)
class Unit:
    FORBIDS_OTHERS = True
    name: UnitName
    shows: tuple[Show, ...]
    tasks: tuple[Task, ...]
    check: tuple[Task, ...]
    game: SetGame

    def task(self, id: str) -> Task:
        """By its id: "forks.3" or "forks.check.3"."""
        for task in (*self.tasks, *self.check):
            if task.id == id:
                return task
        raise InputError("school.task", unit=self.name, task=quote(id))


@cache
def unit(name: str) -> Unit:
    """
    >>> unit("forks").task("forks.1").kind
    'cells'
    """
    if name not in UNITS:
        raise InputError("school.unit", unit=quote(name), known=", ".join(UNITS))
    text = (files("claimeven.school") / "units" / f"{name}.json").read_text(encoding="utf-8")
    found = shapes.read(json.loads(text), Unit)
    return replace(
        found,
        tasks=_numbered(found.tasks, found.name),
        check=_numbered(found.check, f"{found.name}.check"),
    )


def _numbered(tasks: tuple[Task, ...], prefix: str) -> tuple[Task, ...]:
    return tuple(replace(task, id=f"{prefix}.{number}") for number, task in enumerate(tasks, 1))


def units() -> tuple[Unit, ...]:
    """All of them, in the order in which they build on each other."""
    return tuple(unit(name) for name in UNITS)


def task(id: str) -> Task:
    """A task by its id."""
    return unit(id.partition(".")[0]).task(id)
