"""A reason: one sentence in a language, with the values that it speaks of."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from claimeven import notation
from claimeven.position import Board, Cell
from claimeven.reasons.seen.fact import Fact, FactKind
from claimeven.reasons.words import lines_named

# Where best play leads, whose rows a cell lies in, who must give way, and the steps of a plan.
ToldKind = Literal[
    "line",
    "aim",
    "standing",
    "rows",
    "better",
    "worse",
    "fault",
    "simple",
    "count",
    "count_end",
    "plan_now",
    "plan_drop",
    "plan_watch",
    "plan_swap",
    "plan_link",
    "plan_follow",
    "plan_last",
]
ReasonKind = FactKind | ToldKind


@dataclass(frozen=True)
class Part:
    """A piece of a sentence; if it names something, the cells or the moves that can be lit."""

    text: str
    cells: tuple[Cell, ...] = ()
    moves: tuple[int, ...] = ()

    def to_json(self, board: Board) -> dict[str, object]:
        shown: dict[str, object] = {"text": self.text}
        if self.cells:
            shown["cells"] = [board.cell_name(cell) for cell in self.cells]
        if self.moves:
            shown["moves"] = notation.moves_text(self.moves)
        return shown


@dataclass(frozen=True)
class Reason:
    """What is told, and what can be lit or drawn of it.

    No sentence is ever read back: whoever needs to know what it says looks at the other fields.
    """

    kind: ReasonKind
    text: str
    cells: tuple[Cell, ...] = ()
    fours: tuple[tuple[Cell, ...], ...] = ()  # lines of the board
    moves: tuple[int, ...] = ()  # columns in turn

    @classmethod
    def of(cls, fact: Fact, text: str) -> "Reason":
        return cls(fact.kind, text, fact.cells, fact.fours, fact.line)

    def parts(self, board: Board) -> tuple[Part, ...]:
        """The sentence in pieces: those that name a cell, a line of the board or moves carry them."""
        named = {board.cell_name(cell): Part(board.cell_name(cell), (cell,)) for cell in self.cells}
        for four in self.fours:
            ends = f"{board.cell_name(four[0])}–{board.cell_name(four[-1])}"
            named[ends] = Part(ends, four)
        if len(self.moves) > 1:  # a single digit could be any number, a single letter a word
            for line in lines_named(self.moves):
                named[line] = Part(line, moves=self.moves)
        if not named:
            return (Part(self.text),)
        longest = sorted(named, key=len, reverse=True)
        pieces = re.split(rf"(?<!\w)({'|'.join(map(re.escape, longest))})(?!\w)", self.text)
        return tuple(named.get(piece, Part(piece)) for piece in pieces if piece)

    def to_json(self, board: Board) -> dict[str, object]:
        """Plain values; what it does not speak of is left out."""
        shown: dict[str, object] = {"kind": self.kind, "text": self.text}
        if self.cells:
            shown["cells"] = [board.cell_name(cell) for cell in self.cells]
        if self.fours:
            shown["fours"] = [[board.cell_name(cell) for cell in four] for four in self.fours]
        if self.moves:
            shown["moves"] = notation.moves_text(self.moves)
        shown["parts"] = [part.to_json(board) for part in self.parts(board)]
        return shown


@dataclass(frozen=True)
class Instead:
    """Another column, and why."""

    column: int
    reasons: tuple[Reason, ...]

    @property
    def text(self) -> str:
        return joined(self.reasons)

    def to_json(self, board: Board) -> dict[str, object]:
        reasons = [reason.to_json(board) for reason in self.reasons]
        return {"column": notation.column_digit(self.column), "reasons": reasons, "text": self.text}


def joined(reasons: Iterable[Reason]) -> str:
    return " ".join(reason.text for reason in reasons)
