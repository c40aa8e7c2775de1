"""Pictures of a position: plain text and SVG.

A stone is never told by its colour alone: x is a cross, o a ring.
"""

from collections.abc import Collection, Sequence
from html import escape
from typing import NamedTuple, Protocol

from claimeven import notation
from claimeven.board import Board, Cell


class Drawn(Protocol):
    """What is seen of a `Position`, which knows the rules too; its text is the title of the picture."""

    @property
    def board(self) -> Board: ...
    @property
    def moves(self) -> str | None: ...
    @property
    def theirs(self) -> int: ...
    @property
    def four(self) -> tuple[Cell, ...]: ...
    def stone(self, column: int, row: int) -> str | None: ...
    def height(self, column: int) -> int: ...


class Square(NamedTuple):
    """What there is to see on one cell."""

    stone: str | None
    is_last: bool  # the move just made, when it is known
    is_four: bool  # part of the winning line


def last_cell(position: Drawn) -> Cell | None:
    """Where the last stone fell; None when the way to the position is unknown."""
    if not position.moves:
        return None
    column = notation.parse_column(position.moves[-1], position.board.columns)
    return Cell(column, position.height(column) - 1)


def squares(position: Drawn) -> list[list[Square]]:
    """The board as one sees it, the top row first."""
    board, last, four = position.board, last_cell(position), set(position.four)
    return [
        [
            Square(position.stone(column, row), (column, row) == last, (column, row) in four)
            for column in range(board.columns)
        ]
        for row in reversed(range(board.rows))
    ]


# Text -------------------------------------------------------------------------------------------


def position_text(position: Drawn, marked: Collection[Cell] = ()) -> str:
    """Draw with characters: the last move in brackets, the winning line in capitals, a star on marked cells.

    >>> from claimeven.position import Position
    >>> print(position_text(Position.parse("4453", Board(5, 2))))
      1 2 3 4 5
    2 . . . o .
    1 . .(o)x x
      a b c d e
    """
    lines = []
    rows = reversed(range(position.board.rows))
    for number, row, seen in zip(row_numbers(position.board), rows, squares(position), strict=True):
        line = [" "] * (2 * len(seen) + 1)
        for column, square in enumerate(seen):
            mark = square.stone or ("*" if (column, row) in marked else ".")
            line[2 * column + 1] = mark.upper() if square.is_four else mark
            if square.is_last:
                line[2 * column], line[2 * column + 2] = "()"
        lines.append(number + "".join(line).rstrip())
    return "\n".join([column_digits(position.board), *lines, *column_letters(position.board)])


def row_numbers(board: Board) -> list[str]:
    """The numbers of the rows, the top row first, all of one width."""
    width = len(str(board.rows))
    return [f"{row:>{width}}" for row in range(board.rows, 0, -1)]


def column_digits(board: Board) -> str:
    """The line above the board: what one types to drop a disc."""
    margin = " " * (len(str(board.rows)) + 1)
    return margin + " ".join(map(notation.column_digit, range(board.columns)))


def column_letters(board: Board) -> list[str]:
    """The line below the board: the letters of the cells' names, if they have names."""
    if board.columns > len(notation.LETTERS):
        return []
    margin = " " * (len(str(board.rows)) + 1)
    return [margin + " ".join(notation.LETTERS[: board.columns])]


# SVG --------------------------------------------------------------------------------------------

CELL, MARGIN, LABEL, HEAD = 100, 20, 60, 84  # in units of the drawing
FRAME, HOLE, INK = "#1f4e8c", "#eef3fa", "#ffffff"
# Dark red against pale yellow is told apart with every kind of colour vision (contrast 5.6 : 1).
FILL = {notation.FIRST: "#b71c1c", notation.SECOND: "#ffee8c"}
OUTLINE = {notation.FIRST: "#5c0b0b", notation.SECOND: "#7a6200"}


def position_svg(position: Drawn, size: int = 56, over: Sequence[str] = (), head: Sequence[str] = ()) -> str:
    """Draw a self-contained SVG, a cell `size` pixels wide: last move ringed, winning line struck through.

    `over` is drawn on top of the discs, `head` in a strip above the board, where y counts from -HEAD to 0;
    overlay.py makes both.
    """
    board = position.board
    top = HEAD if head else 0
    width, height = board.columns * CELL + 2 * MARGIN, board.rows * CELL + 2 * MARGIN + LABEL
    scale = size / CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {-top} {width} {height + top}"'
        f' width="{width * scale:g}" height="{(height + top) * scale:g}" role="img">',
        f"<title>{escape(str(position))}</title>",
        *head,
        f'<rect width="{width}" height="{height - LABEL}" rx="24" fill="{FRAME}"/>',
    ]
    for row, line in enumerate(squares(position)):
        for column, square in enumerate(line):
            parts += _disc(_centre(column), _centre(row), square)
    parts += [struck(board, *ends) for ends in board.four_ends(position.theirs)]
    parts += over
    parts += [
        f'<text x="{_centre(column)}" y="{height - 14}" font-family="sans-serif" font-size="40"'
        f' text-anchor="middle" fill="#767676">{notation.column_digit(column)}</text>'
        for column in range(board.columns)
    ]
    return "\n".join([*parts, "</svg>\n"])


def middle_of(board: Board, cell: Cell) -> tuple[int, int]:
    """Where the middle of a cell is in the drawing; the rows above the board go on upwards."""
    return _centre(cell.column), _centre(board.rows - 1 - cell.row)


def _centre(index: int) -> int:
    return MARGIN + index * CELL + CELL // 2


def _disc(x: int, y: int, square: Square) -> list[str]:
    if square.stone is None:
        return [f'<circle cx="{x}" cy="{y}" r="40" fill="{HOLE}"/>']
    fill, outline = FILL[square.stone], OUTLINE[square.stone]
    parts = [f'<circle cx="{x}" cy="{y}" r="40" fill="{fill}" stroke="{outline}" stroke-width="4"/>']
    if square.stone == notation.FIRST:
        parts.append(f'<path d="M{x - 15} {y - 15}l30 30m0 -30l-30 30" stroke="{INK}" stroke-width="7"/>')
    else:
        parts.append(f'<circle cx="{x}" cy="{y}" r="18" fill="none" stroke="{outline}" stroke-width="7"/>')
    if square.is_last:
        parts.append(f'<circle cx="{x}" cy="{y}" r="45" fill="none" stroke="{INK}" stroke-width="5"/>')
    return parts


def struck(board: Board, start: Cell, end: Cell) -> str:
    """A line through the cells from start to end."""
    line = "M{} {}L{} {}".format(*middle_of(board, start), *middle_of(board, end))
    # A dark line under a light one is seen on both kinds of discs.
    return "\n".join(
        f'<path d="{line}" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
        for colour, width in (("#111111", 18), (INK, 10))
    )
