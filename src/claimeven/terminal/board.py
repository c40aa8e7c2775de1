"""A board in the terminal: coloured discs where it can show them, else plain characters."""

from rich.console import Console
from rich.text import Text

from claimeven import notation, picture
from claimeven.position import Board, Cell, Position

# Shape and colour both tell the sides apart.
DISC = {notation.FIRST: "●", notation.SECOND: "○"}
COLOUR = {notation.FIRST: "red", notation.SECOND: "yellow"}


def draw(position: Position, console: Console) -> None:
    """Show the board: with coloured discs where the console can, else in plain characters."""
    if has_discs(console):
        console.print(disc_text(position), soft_wrap=True)
    else:
        console.out(picture.position_text(position), highlight=False)


def has_discs(console: Console) -> bool:
    return console.is_terminal and console.encoding.lower().startswith("utf")


def disc_text(position: Position, hover: int | None = None) -> Text:
    """The board with discs: the last move in brackets, the winning line in reverse.

    With `hover`, a disc of the side to move waits above this column, and its landing cell is marked.
    """
    board = position.board
    text = Text()
    landing = None
    if hover is not None:
        stone = notation.STONES[position.side]
        text.append(" " * (picture.column_digits(board).index("1") + 2 * hover))
        text.append(f"{DISC[stone]}\n", f"bold {COLOUR[stone]}")
        landing = (hover, position.height(hover))
    text.append(picture.column_digits(board) + "\n", "bold")
    rows = reversed(range(board.rows))
    for number, at, row in zip(picture.row_numbers(board), rows, picture.squares(position), strict=True):
        text.append(number, "dim")
        before = " "
        for column, square in enumerate(row):
            text.append("(" if square.is_last else before)
            before = ")" if square.is_last else " "
            if (column, at) == landing:
                text.append("◌", f"bold {COLOUR[notation.STONES[position.side]]}")
            elif square.stone is None:
                text.append("·", "dim")
            else:
                style = f"bold {COLOUR[square.stone]}" + (" reverse" if square.is_four else "")
                text.append(DISC[square.stone], style)
        text.append(before.strip() + "\n")
    text.append("\n".join(picture.column_letters(board)), "dim")
    text.rstrip()
    return text


def sentence(position: Position) -> str:
    """How the game stands: who is to move, who has won and with which cells."""
    if position.winner is not None:
        cells = " ".join(cell_words(position.board, cell) for cell in position.four)
        return f"{notation.STONES[position.winner]} wins with {cells}"
    if position.is_over:
        return "a draw: the board is full"
    return f"{notation.STONES[position.side]} to move"


def cell_words(board: Board, cell: Cell) -> str:
    """The name of a cell, also on boards too wide for letters."""
    if board.columns <= len(notation.LETTERS):
        return str(cell)
    return f"{notation.column_digit(cell.column)}/{cell.row + 1}"
