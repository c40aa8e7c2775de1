"""The school: thirteen units from the rules to practical play; every answer is judged by rules and solver."""

from claimeven.school.judge import judge
from claimeven.school.progress import Progress, UnitProgress
from claimeven.school.unit import PASSED, UNITS, SetGame, Show, Task, Unit, task, unit, units
from claimeven.school.verdict import Mark, Verdict
from claimeven.school.voice import Voice

__all__ = [
    "PASSED",
    "UNITS",
    "Mark",
    "Progress",
    "SetGame",
    "Show",
    "Task",
    "Unit",
    "UnitProgress",
    "Verdict",
    "Voice",
    "judge",
    "task",
    "unit",
    "units",
]
