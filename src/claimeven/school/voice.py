"""The words of the school: those of a unit, and those that every unit shares; one folder per language."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from claimeven import notation
from claimeven.position import Board, Cell, Position
from claimeven.reasons.words import Message, Words, plain

SHARED = "school"


@cache
def texts(language: str, name: str) -> dict[str, Message]:
    """Of a unit, or those that all share."""
    text = (files("claimeven.school") / "words" / plain(language) / f"{name}.json").read_text(
        encoding="utf-8"
    )
    found: dict[str, Message] = json.loads(text)
    return found


@cache
def voice_of(unit: str, language: str) -> "Voice":
    """The teacher of a unit, who is the same for every answer."""
    return Voice(unit, language)


class Voice(Words):
    """The teacher of one unit in one language: `say` knows both kinds of lines."""

    def __init__(self, unit: str, language: str) -> None:
        super().__init__(language)  # lists and plurals are those of every sentence
        shared = {f"{SHARED}.{code}": text for code, text in texts(language, SHARED).items()}
        self.messages = {
            **self.messages,
            **shared,
            **{f"unit.{k}": v for k, v in texts(language, unit).items()},
        }

        # A line that was written for one position names its columns as {a}, its cells as {a1}, and its lines
        # by their ends, as {a1–d1}.
        board = Board()
        columns = {notation.column_letter(column): self.column(column) for column in range(board.columns)}
        cells = {board.cell_name(cell): self.cell(board, cell) for cell in board.cells_of(board.full)}
        fours = [self.four(board, board.cells_of(four)) for four in board.fours]
        self._named = columns | cells | {notation.unmarked(four): four for four in fours}

    def shared(self, code: str, count: int | None = None, /, **values: object) -> str:
        return self._line(f"{SHARED}.{code}", count, values)

    def written(self, code: str, **values: object) -> str:
        """A line of the unit; empty when nobody wrote one."""
        return self._line(f"unit.{code}", None, values) if f"unit.{code}" in self.messages else ""

    def _line(self, code: str, count: int | None, values: Mapping[str, Any]) -> str:
        return self.say(code, count, **self._named, **values)

    def name(self, cell: str) -> str:
        """Of a cell, or of none."""
        return self._named.get(cell, cell)

    def player(self, side: int) -> str:
        return self.shared(f"player.{notation.STONES[side]}")

    def players(self, position: Position) -> dict[str, str]:
        """Who moves and who does not, for the lines that name them."""
        return {"you": self.player(position.side), "they": self.player(1 - position.side)}

    def cells(self, position: Position, cells: Iterable[Cell]) -> str:
        return self.listed([self.cell(position.board, cell) for cell in cells])

    def columns(self, columns: Iterable[int], code: str = "or") -> str:
        return self.listed(list(map(self.column, columns)), code)
