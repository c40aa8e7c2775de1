"""Rows of the UCI connect-4 data set: the cells a1, a2, … g6, column by column, and a class.

x is the first player, o the second, b blank; the class says what the first player can reach: win, loss,
draw. In the data set the board is 7x6x4; here any board can be written, but reading needs to be told.
"""

from claimeven import notation
from claimeven.errors import NotationError
from claimeven.position import Board, Position

BLANK = "b"
CLASSES = ("win", "loss", "draw")


def parse_row(text: str, board: Board | None = None) -> tuple[Position, str | None]:
    """Read the cells and the class; the class may be missing."""
    notation.check_size(text, "UCI row")
    board = board or Board()
    fields = text.split(",")
    outcome = fields.pop() if len(fields) == board.cells + 1 else None
    if len(fields) != board.cells:
        raise NotationError(
            "cells.uci", whole=notation.quote(text), n=len(fields), board=board, of=board.cells
        )
    stones = {notation.FIRST: 0, notation.SECOND: 0, BLANK: 0}
    for place, cell in enumerate(fields):
        column, row = divmod(place, board.rows)
        if cell not in stones:
            raise NotationError("no_cell.uci", at_field=place + 1, text=notation.quote(cell))
        stones[cell] |= board.bit(column, row)
    if outcome is not None and outcome not in CLASSES:
        raise NotationError("record.uci_class", outcome=notation.quote(outcome))
    return Position.from_stones(board, stones[notation.FIRST], stones[notation.SECOND]), outcome


def row_text(position: Position, outcome: str | None = None) -> str:
    if outcome is not None and outcome not in CLASSES:
        raise NotationError("uci_class", outcome=notation.quote(outcome))
    board = position.board
    cells = [position.stone(c, r) or BLANK for c in range(board.columns) for r in range(board.rows)]
    return ",".join([*cells, outcome] if outcome else cells)
