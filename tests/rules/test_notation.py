"""Text of plain values: what is written is read again, and what is refused says why."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven import notation
from claimeven.errors import InputError, NotationError, PositionError
from claimeven.position import Board, Position
from kit.strategies import boards, positions


@given(st.lists(st.integers(0, 34), max_size=127))
def test_moves_round_trip(columns: list[int]) -> None:
    text = notation.moves_text(columns)
    assert notation.parse_moves(text, 35) == tuple(columns)


@given(st.integers(0, 25), st.integers(0, 126))
def test_cells_round_trip(column: int, row: int) -> None:
    assert notation.parse_cell(notation.cell_name(column, row)) == (column, row)


@given(boards)
def test_boards_round_trip(board: Board) -> None:
    assert Board.parse(str(board)) == board


@given(positions())
def test_positions_round_trip(position: Position) -> None:
    text = str(position)
    again = Position.parse(text)
    assert again == position
    assert (again.winner, str(again)) == (position.winner, text)
    assert Position.parse(text, position.board) == position


@given(positions())
def test_moves_of_positions_round_trip(position: Position) -> None:
    assert position.moves is not None
    again = Position.parse(position.moves, position.board)
    assert (again, again.moves) == (position, position.moves)


def test_golden_texts() -> None:
    assert notation.parse_moves("4453", columns=7) == (3, 3, 4, 2)
    assert notation.moves_text(range(35)) == "123456789abcdefghijklmnopqrstuvwxyz"
    assert notation.parse_moves("az", columns=35) == (9, 34)
    assert str(Position.parse("4453")) == "7/7/7/7/3o3/2oxx2 x 7x6x4"
    assert Position.parse("7/7/7/7/3o3/2oxx2 x") == Position.parse("4453")
    assert str(Position(Board(12, 2, 4))) == "12/12 x 12x2x4"
    assert notation.parse_cell("z127") == (25, 126)
    assert notation.parse_board("7x6") == (7, 6, 4)
    assert parse_json(r'"\ud83d\ude00 \\ud800"') == "😀 \\ud800"


def parse_json(text: str) -> object:
    return notation.parse_json(text, "JSON")


MOVES, CELL, BOARD, POSITION, JSON = (
    lambda text: notation.parse_moves(text, columns=7),
    notation.parse_cell,
    Board.parse,
    Position.parse,
    parse_json,
)


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (MOVES, "4O", "character 2 of '4O': 'O' is not a column digit (1-9, then a-z)"),
        (MOVES, "4408", "character 3 of '4408': there is no column 0, the columns are 1 to 7"),
        (MOVES, "48", "character 2 of '48': there is no column 8, the columns are 1 to 7"),
        (MOVES, "4\n", r"character 2 of '4\n': '\n' is not a column digit (1-9, then a-z)"),
        (MOVES, "4\x00", r"character 2 of '4\x00': '\x00' is not a column digit (1-9, then a-z)"),
        (MOVES, "\ud800", r"character 1 of '\ud800': '\ud800' is not a column digit (1-9, then a-z)"),
        (MOVES, "４", "character 1 of '４': '４' is not a column digit (1-9, then a-z)"),
        (MOVES, "1" * 128, "moves '" + "1" * 60 + "'…: 128 moves, but no board has that many cells"),
        (CELL, "", "character 1 of '': a cell starts with a column letter, a to z"),
        (CELL, "4", "character 1 of '4': a cell starts with a column letter, a to z"),
        (CELL, "d", "character 2 of 'd': after the letter comes the row, counted from 1"),
        (CELL, "d0", "character 2 of 'd0': after the letter comes the row, counted from 1"),
        (CELL, "d01", "character 2 of 'd01': after the letter comes the row, counted from 1"),
        (CELL, "d1\n", r"character 2 of 'd1\n': after the letter comes the row, counted from 1"),
        (CELL, "d٣", "character 2 of 'd٣': after the letter comes the row, counted from 1"),
        (BOARD, "", "a board is written columns x rows x connect, like 7x6x4, not ''"),
        (BOARD, "7x6x4x2", "a board is written columns x rows x connect, like 7x6x4, not '7x6x4x2'"),
        (BOARD, "7x", "board '7x': rows must be a number, not ''"),
        (BOARD, "7x06", "board '7x06': rows must be a number, not '06'"),
        (BOARD, "7x-6", "board '7x-6': rows must be a number, not '-6'"),
        (BOARD, "7x0", "board 7x0x4: rows must be at least 1"),
        (BOARD, "36x1", "board 36x1x4: at most 35 columns"),
        (BOARD, "12x10", "board 12x10x4 is too large: columns x (rows + 1) is 132, at most 128"),
        (
            BOARD,
            "7x6x" + "9" * 5000,
            "board '7x6x" + "9" * 56 + "'…: connect must be a number, not '" + "9" * 60,
        ),
        (POSITION, "4444444", "move 7 of '4444444': column 4 is full"),
        (POSITION, "12121211", "move 8 of '12121211': the game is over"),
        (
            POSITION,
            "7/7/7/7/7/7",
            "position '7/7/7/7/7/7': write rows, side to move (x or o) and, off 7x6x4, ",
        ),
        (POSITION, "7/7/7/7/7 x", "position '7/7/7/7/7': 5 rows, but the board has 6"),
        (POSITION, "7/7/7/7/7/6 x", "row '6' of '7/7/7/7/7/6' has 6 cells instead of 7"),
        (POSITION, "7/7/7/7/7/8 x", "character 11 of '7/7/7/7/7/8': this row is longer than 7 cells"),
        (POSITION, "7/7/7/7/7/70 x", "character 12 of '7/7/7/7/7/70': this row is longer than 7 cells"),
        (
            POSITION,
            "7/7/7/7/7/07 x",
            "character 11 of '7/7/7/7/7/07': a run of empty cells does not start with 0",
        ),
        (
            POSITION,
            "7/7/7/7/7/3z3 x",
            "character 12 of '7/7/7/7/7/3z3': 'z' is neither x, o nor a number of ",
        ),
        (
            POSITION,
            "7/7/7/7/7/3x3 z",
            "character 15 of '7/7/7/7/7/3x3 z': the side to move is x or o, not 'z'",
        ),
        (POSITION, "7/7/7/7/7/3x3 x", "position '7/7/7/7/7/3x3 x': with 1 stone it is o's turn, not x's"),
        (POSITION, "7/7/7/7/3x3/7 o", "the stone on d2 floats: the cell below it is empty"),
        (
            POSITION,
            "7/7/7/7/7/xx5 x",
            "2 x and 0 o: x moves first, so x must have as many stones as o or one ",
        ),
        (
            POSITION,
            "7/7/7/7/7/o6 x",
            "0 x and 1 o: x moves first, so x must have as many stones as o or one ",
        ),
        (
            POSITION,
            "7/7/xo5/xo5/xo5/xo5 x",
            "both sides have a complete line, but the game ends at the first one",
        ),
        (POSITION, "7/7/7/o6/o6/ooxxxx1 x", "x has a complete line, and yet the other side moved after it"),
        (POSITION, "7/7/7/7/7/7 x 7x5", "position '7/7/7/7/7/7': 6 rows, but the board has 5"),
        (POSITION, "7/7/7/7/7/7  x", "character 13 of '7/7/7/7/7/7  x': the side to move is x or o, not ''"),
        (JSON, "", "JSON: Expecting value, line 1 character 1"),
        (JSON, '{"a":1,"a":2}', "JSON: the key 'a' stands twice in one object"),
        (JSON, "[NaN]", "JSON: NaN is not a JSON number"),
        (JSON, "[-Infinity]", "JSON: -Infinity is not a JSON number"),
        (JSON, "[" * 100_000, "JSON: nested too deeply"),
        (JSON, '{"a":' * 100_000, "JSON: nested too deeply"),
        (JSON, r'"\ud800"', "JSON: character 2 is half of a character"),
        (JSON, r'"\\\ud800"', "JSON: character 4 is half of a character"),
        (JSON, r'"\ude00\ud83d"', "JSON: character 2 is half of a character"),
        (JSON, '"\ud800"', "JSON: character 2 is half of a character"),
        (JSON, "9" * 10_000, "JSON: a number with too many digits"),
        (JSON, "[" + "0," * 500_000 + "0]", "JSON: 1,000,003 characters, at most 1,000,000 are read"),
    ],
)
def test_refused_with_the_reason(parse: Callable[[str], object], text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_line_that_no_last_stone_explains() -> None:
    # Both lines of x use different top stones: whichever was last, the other line was there before.
    with pytest.raises(PositionError, match="x has complete lines that no single last stone"):
        Position.parse("x5x/x1o3x/x1o3x/oox1o1o o 7x4x3")


def test_a_board_that_contradicts_the_text() -> None:
    with pytest.raises(NotationError, match="is on a 7x6x4 board, not on 8x7x4"):
        Position.parse("7/7/7/7/7/7 x 7x6x4", Board(8, 7))


@pytest.mark.parametrize("parse", [MOVES, CELL, BOARD, POSITION, JSON])
@given(text=st.text())
def test_nothing_but_input_errors(parse: Callable[[str], object], text: str) -> None:
    with suppress(InputError):
        parse(text)


@pytest.mark.parametrize("parse", [MOVES, CELL, BOARD, POSITION, JSON])
@pytest.mark.parametrize("piece", ["1", "x", "/", " ", "[", "\x00", "7x", "d1"])
def test_ten_megabytes_are_refused_at_once(parse: Callable[[str], object], piece: str) -> None:
    with pytest.raises(InputError):
        parse(piece * (10_000_000 // len(piece)))
