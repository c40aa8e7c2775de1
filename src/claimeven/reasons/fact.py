"""A fact: one claim about playing a column, small enough to be checked by a machine."""

from dataclasses import dataclass
from typing import Any

from claimeven import notation
from claimeven.position import Board, Cell


@dataclass(frozen=True)
class Fact:
    """`kind` says what is claimed, the rest of what; docs/explanations.md lists the kinds.

    A fact belongs to a position and to the move `column` of its side to move ("you"; the other side is
    "they"). Which of the other fields a kind uses is fixed.
    """

    kind: str
    column: int
    cells: tuple[Cell, ...] = ()
    fours: tuple[tuple[Cell, ...], ...] = ()  # lines of the board that show it
    line: tuple[int, ...] = ()  # columns played in turn, the first is `column`
    count: int | None = None
    stones: int | None = None  # in a run or line
    value: int | None = None  # a score of the side to move
    moves: int | None = None  # the winner's, still to be made
    other: int | None = None  # another column that is compared
    columns: tuple[int, ...] = ()  # several others

    def to_json(self, board: Board) -> dict[str, Any]:
        """Plain values; columns count from 1, as in every text. What a kind does not use is left out."""
        found: dict[str, Any] = {"kind": self.kind, "column": notation.column_digit(self.column)}
        if self.cells:
            found["cells"] = [cell_words(board, cell) for cell in self.cells]
        if self.fours:
            found["fours"] = [[cell_words(board, cell) for cell in four] for four in self.fours]
        if self.line:
            found["line"] = notation.moves_text(self.line)
        if self.other is not None:
            found["other"] = notation.column_digit(self.other)
        if self.columns:
            found["columns"] = [notation.column_digit(column) for column in self.columns]
        for name in ("count", "stones", "value", "moves"):
            number = getattr(self, name)
            if number is not None:
                found[name] = number
        return found


def cell_words(board: Board, cell: Cell) -> str:
    """d3, or column/row where the columns have no letters."""
    if board.columns <= len(notation.LETTERS):
        return str(cell)
    return f"{notation.column_digit(cell.column)}/{cell.row + 1}"
