"""The text of an OpenSpiel connect_four state: the rows from the top, `.` empty, `x` first, `o` second.

This is what `str(state)` and `state.observation_string()` give, each row with a line end. It says columns
and rows but not how many connect (the game's `x_in_row`). The history string is in zero_based.py.
"""

from claimeven import notation
from claimeven.errors import NotationError
from claimeven.position import Board, Position

_EMPTY = "."


def parse_board(text: str, board: Board | None = None) -> Position:
    """Read the rows; the last line end may be missing. Without `board`, connect is 4."""
    notation.check_size(text, "OpenSpiel board")
    rows = text.removesuffix("\n").split("\n")
    if board is None:
        board = Board(len(rows[0]), len(rows))
    if len(rows) != board.rows:
        raise NotationError("rows.openspiel", n=len(rows), board=board, of=board.rows)
    stones = {_EMPTY: 0, notation.FIRST: 0, notation.SECOND: 0}
    for line, row in enumerate(rows, start=1):
        for place, cell in enumerate(row[: board.columns + 1], start=1):
            if cell not in stones:
                raise NotationError(
                    "no_cell.openspiel", at_line=line, at_character=place, text=notation.quote(cell)
                )
        if len(row) != board.columns:
            raise NotationError("cells.openspiel", line=line, n=len(row), of=board.columns)
        for column, cell in enumerate(row):
            stones[cell] |= board.bit(column, board.rows - line)
    return Position.from_stones(board, stones[notation.FIRST], stones[notation.SECOND])


def board_text(position: Position) -> str:
    board = position.board
    return "".join(
        "".join(position.stone(column, row) or _EMPTY for column in range(board.columns)) + "\n"
        for row in reversed(range(board.rows))
    )
