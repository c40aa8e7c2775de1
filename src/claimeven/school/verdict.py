"""What the teacher says to an answer."""

from dataclasses import dataclass
from typing import Literal

from claimeven.position import Cell, Position

# right: the idea. also: as good or better, but not the idea. go_on: right so far. wrong: try again.
Mark = Literal["right", "also", "go_on", "wrong"]


@dataclass(frozen=True)
class Verdict:
    mark: Mark
    text: str
    position: Position  # to be shown now: after what was accepted, unchanged after what was not
    cells: tuple[Cell, ...] = ()  # to be lit: what was made, stopped or missed
    line: tuple[int, ...] = ()  # columns from the position that show what is wrong, the answer first
    played: str = ""  # in a game played out: all columns since the task's position
    reply: int | None = None  # the other side's, the last of them

    @property
    def is_right(self) -> bool:
        return self.mark in ("right", "also")

    @property
    def is_done(self) -> bool:
        """Nothing more to answer."""
        return self.is_right
