"""Positions as grids of 0 (empty), 1 (first player) and 2 (second player): nested lists, numpy arrays.

A grid does not say whether its first row is the top or the bottom one, nor how many connect: the caller
does. numpy is never imported; anything that has a length and gives its rows and cells works.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, Protocol

from claimeven import notation, shapes
from claimeven.errors import InputError, NotationError
from claimeven.position import Board, Position
from claimeven.shapes import ShapeError

FirstRow = Literal["top", "bottom"]


class Grid(Protocol):
    """Rows of cells: nested lists or a numpy array."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


def from_rows(rows: Grid, first_row: FirstRow, board: Board | None = None) -> Position:
    """Build a position; without `board`, the grid's own size and connect 4.

    >>> str(from_rows([[0, 0, 0], [1, 0, 2]], first_row="top", board=Board(3, 2, 3)))
    '3/x1o x 3x2x3'
    """
    try:
        widths = [len(row) for row in rows]
    except TypeError:
        raise NotationError("grid.lists") from None
    if board is None:
        board = Board(max(widths, default=0), len(widths))
    if len(widths) != board.rows:
        raise NotationError("rows.grid", n=len(widths), board=board, of=board.rows)
    for place, width in enumerate(widths, start=1):
        if width != board.columns:
            raise NotationError("cells.grid", row=place, n=width, of=board.columns)
    return from_cells((cell for row in rows for cell in row), first_row, board)


def to_rows(position: Position, first_row: FirstRow) -> list[list[int]]:
    """
    >>> to_rows(Position.parse("13", Board(3, 2, 3)), first_row="top")
    [[0, 0, 0], [1, 0, 2]]
    """
    board = position.board
    numbers = {None: 0, notation.FIRST: 1, notation.SECOND: 2}
    rows = range(board.rows) if _is_bottom(first_row) else reversed(range(board.rows))
    return [[numbers[position.stone(column, row)] for column in range(board.columns)] for row in rows]


def from_cells(cells: Iterable[Any], first_row: FirstRow, board: Board) -> Position:
    """Build a position from its cells, row by row; as many as the board has."""
    is_bottom = _is_bottom(first_row)
    stones = [0, 0, 0]
    for place, cell in enumerate(cells):
        row, column = divmod(place, board.columns)
        try:
            number = None if isinstance(cell, bool) else {0: 0, 1: 1, 2: 2}.get(cell)
        except TypeError:
            number = None
        if number is None:
            shown = notation.quote(str(cell))
            raise NotationError("no_cell.grid", at_row=row + 1, at_cell=column + 1, text=shown)
        stones[number] |= board.bit(column, row if is_bottom else board.rows - 1 - row)
    return Position.from_stones(board, stones[1], stones[2])


def _is_bottom(first_row: str) -> bool:
    if first_row not in ("top", "bottom"):
        raise InputError("grid.first_row", first_row=repr(first_row))
    return first_row == "bottom"


# As text ----------------------------------------------------------------------------------------


def parse_rows(text: str, first_row: FirstRow, board: Board | None = None) -> Position:
    try:
        rows = shapes.read(notation.parse_json(text, "grid"), list[list[int]])
    except ShapeError as error:
        raise NotationError("record.grid", reason=str(error)) from None
    return from_rows(rows, first_row, board)


def rows_text(position: Position, first_row: FirstRow) -> str:
    return str(to_rows(position, first_row))
