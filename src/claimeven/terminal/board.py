"""A board in the terminal: coloured discs where it can show them, else plain characters."""

from typing import TYPE_CHECKING

from claimeven import notation
from claimeven.terminal.paint import has_colours, paint, shows_discs

# Positions and pictures are imported where they are drawn: help is painted, too, and loads no room.
if TYPE_CHECKING:
    from collections.abc import Collection

    from rich.console import Console

    from claimeven.position import Cell, Position

# Shape and colour both tell the sides apart.
DISC = {notation.FIRST: "●", notation.SECOND: "○"}
COLOUR = {notation.FIRST: "red", notation.SECOND: "yellow"}


def draw(position: "Position", console: "Console", marked: "Collection[Cell]" = ()) -> None:
    """Show the board: with coloured discs where the console can, else in plain characters."""
    from claimeven import picture

    if has_discs(console):
        console.file.write(disc_text(position, colours=paints(console), marked=marked) + "\n")
    else:
        console.out(picture.position_text(position, marked), highlight=False)


def drawn(position: "Position") -> str:
    """The same for the standard output, without a console."""
    from claimeven import picture

    if shows_discs():
        return disc_text(position, colours=has_colours())
    return picture.position_text(position)


def has_discs(console: "Console") -> bool:
    return console.is_terminal and console.encoding.lower().startswith("utf")


def paints(console: "Console") -> bool:
    return console.color_system is not None and not console.no_color


def disc_text(
    position: "Position", hover: int | None = None, *, colours: bool = True, marked: "Collection[Cell]" = ()
) -> str:
    """The board with discs: the last move in brackets, the winning line in reverse, a star on marked cells.

    With `hover`, a disc of the side to move waits above this column, and its landing cell is marked.
    """
    from claimeven import picture

    board = position.board
    text = ""
    landing = None
    mover = notation.STONES[position.side]
    if hover is not None:
        text = " " * (picture.column_digits(board).index("1") + 2 * hover)
        text += paint(DISC[mover], f"bold {COLOUR[mover]}", colours) + "\n"
        landing = (hover, position.height(hover))
    text += paint(picture.column_digits(board), "bold", colours) + "\n"
    rows = reversed(range(board.rows))
    for number, at, row in zip(picture.row_numbers(board), rows, picture.squares(position), strict=True):
        text += paint(number, "dim", colours)
        before = " "
        for column, square in enumerate(row):
            text += "(" if square.is_last else before
            before = ")" if square.is_last else " "
            if (column, at) == landing:
                text += paint("◌", f"bold {COLOUR[mover]}", colours)
            elif square.stone is None:
                is_marked = (column, at) in marked
                text += paint("*", "bold cyan", colours) if is_marked else paint("·", "dim", colours)
            else:
                style = f"bold {COLOUR[square.stone]}" + (" reverse" if square.is_four else "")
                text += paint(DISC[square.stone], style, colours)
        text += before.strip() + "\n"
    letters = [paint(line, "dim", colours) for line in picture.column_letters(board)]
    return (text + "\n".join(letters)).rstrip("\n")


def sentence(position: "Position", discs: bool = False) -> str:
    """How the game stands: who is to move, who has won and with which cells."""
    if not position.is_over:
        return f"{sign(position.side, discs)} to move"
    from claimeven.game import Result, ending

    result = Result.shown(position)
    assert result is not None
    return ending(result, position, lambda side: sign(side, discs))


def sign(side: int, discs: bool) -> str:
    """A side as it is drawn: a disc where discs are drawn, else its letter."""
    return DISC[notation.STONES[side]] if discs else notation.STONES[side]
