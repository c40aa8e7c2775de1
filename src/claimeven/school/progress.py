"""What somebody has done at school: one small value, the same in the browser and in the terminal.

As JSON: {"units": {"forks": {"tasks": ["forks.1"], "check": 4, "game": true}}}
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Annotated

from claimeven import shapes
from claimeven.errors import InputError
from claimeven.notation import parse_json
from claimeven.school.unit import PASSED, UNITS, Unit
from claimeven.shapes import Bound

MAX_TASKS = 100


@dataclass(frozen=True)
class UnitProgress:
    tasks: Annotated[tuple[str, ...], Bound(longest=MAX_TASKS)] = ()  # ids of those that were solved
    check: Annotated[int, Bound(least=0, most=5)] = 0  # right answers in the best check
    game: bool = False  # the game reached its aim

    @property
    def is_passed(self) -> bool:
        return self.check >= PASSED


@dataclass(frozen=True)
class Progress:
    """
    >>> Progress().with_task("forks.1").with_check("forks", 4).of("forks").is_passed
    True
    """

    units: dict[str, UnitProgress] = field(default_factory=dict)

    def of(self, unit: str) -> UnitProgress:
        return self.units.get(unit, UnitProgress())

    @property
    def next_unit(self) -> str | None:
        """The first one whose check is not passed."""
        return next((name for name in UNITS if not self.of(name).is_passed), None)

    @property
    def is_empty(self) -> bool:
        return not any(done.tasks or done.check or done.game for done in self.units.values())

    def next_task(self, of: Unit) -> int | None:
        """The number of the first task of a unit that is not solved; None when only the check is left."""
        done = self.of(of.name).tasks
        return next((number for number, task in enumerate(of.tasks, 1) if task.id not in done), None)

    def with_task(self, id: str) -> "Progress":
        unit = id.partition(".")[0]
        done = self.of(unit)
        return self if id in done.tasks else self._with(unit, replace(done, tasks=(*done.tasks, id)))

    def with_check(self, unit: str, right: int) -> "Progress":
        done = self.of(unit)
        return self._with(unit, replace(done, check=max(done.check, right)))

    def with_game(self, unit: str) -> "Progress":
        return self._with(unit, replace(self.of(unit), game=True))

    def _with(self, unit: str, done: UnitProgress) -> "Progress":
        return Progress({**self.units, unit: done})

    def merged(self, other: "Progress") -> "Progress":
        """Everything that either has: nothing done on another device is lost."""
        found = self
        for name, done in other.units.items():
            for id in done.tasks:
                found = found.with_task(id)
            found = found.with_check(name, done.check)
            found = found.with_game(name) if done.game else found
        return found

    def to_json(self) -> dict[str, object]:
        return asdict(self)

    @classmethod
    def from_text(cls, text: str) -> "Progress":
        try:
            return shapes.read(parse_json(text, "progress"), cls)
        except (shapes.ShapeError, RecursionError) as error:
            raise InputError("school.progress", reason=str(error)) from None
