"""Text in, text out, for plain values: columns, cells, boards, the rows of a position, and JSON.

Nothing here knows the rules. Columns are 0-based values in Python and 1-based digits in text; this is
the only place of our own formats that converts between the two (foreign formats: the room formats).
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from claimeven.errors import NotationError

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
LETTERS = DIGITS[10:]
BEGIN, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"  # of a name in a sentence
COLUMN_DIGITS = DIGITS[1:]  # of column 0, 1, 2, …
FIRST, SECOND = STONES = "xo"  # how the stones of side 0 and side 1 are written
MAX_CELLS = 127  # of any board: a single column of 127 cells takes 128 bits
MAX_TEXT = 1_000_000  # characters of one game in any format: none needs a tenth of it


def quote(text: str, limit: int = 60) -> str:
    """Show a text that came from outside: printable, on one line, not too long."""
    return repr(text) if len(text) <= limit else repr(text[:limit]) + "…"


def plural(noun: str, number: int) -> str:
    """The noun after a number.

    >>> [f"{number} {plural('move', number)}" for number in (0, 1, 2)]
    ['0 moves', '1 move', '2 moves']
    """
    return noun if number == 1 else f"{noun}s"


# Columns ----------------------------------------------------------------------------------------


def column_digit(column: int) -> str:
    """The digit of a column: 0 → "1", 9 → "a".

    >>> column_digit(3)
    '4'
    """
    return DIGITS[column + 1]


def column_named(column: int, columns: int) -> str:
    """A column that a board need not have, as it writes its own: by letters only if it has ten or more.

    >>> column_named(20, 12), column_named(20, 7), column_named(-1, 12)
    ('l', '21', '0')
    """
    return column_digit(column) if columns > 9 and -1 <= column < len(COLUMN_DIGITS) else str(column + 1)


def column_letter(column: int) -> str:
    """A column as cells name it: 3 → "d", as in d3; those after z have their number.

    >>> column_letter(3), column_letter(26)
    ('d', '27')
    """
    return LETTERS[column] if column < len(LETTERS) else str(column + 1)


def moves_text(columns: Iterable[int]) -> str:
    """
    >>> moves_text([3, 3, 4, 2])
    '4453'
    """
    return "".join(map(column_digit, columns))


def parse_column(text: str, columns: int) -> int:
    """Read one column digit."""
    if len(text) != 1:
        raise NotationError("no_digit.one", text=quote(text))
    return _column(text, 1, text, columns)


def parse_moves(text: str, columns: int) -> tuple[int, ...]:
    """Read a moves string; whether the moves are legal is for the position to say.

    >>> parse_moves("4453", columns=7)
    (3, 3, 4, 2)
    """
    if len(text) > MAX_CELLS:
        raise NotationError("too_many.moves", whole=quote(text), n=len(text))
    return tuple(_column(digit, i, text, columns) for i, digit in enumerate(text, start=1))


def _column(digit: str, place: int, text: str, columns: int) -> int:
    column = DIGITS.find(digit) - 1
    if 0 <= column < columns:
        return column
    if digit not in DIGITS:
        raise NotationError("no_digit.column", at_character=place, whole=quote(text), text=quote(digit))
    last = column_digit(columns - 1)
    raise NotationError(
        "no_column.digit", at_character=place, whole=quote(text), column=digit, last=last, first=1
    )


# Cells ------------------------------------------------------------------------------------------


def cell_name(column: int, row: int) -> str:
    """Name a cell: a letter for the column, the row counted from 1 at the bottom.

    >>> cell_name(3, 0)
    'd1'
    """
    if not 0 <= column < len(LETTERS):
        raise NotationError("no_letter", column=column + 1)
    return f"{LETTERS[column]}{row + 1}"


def marked(name: str) -> str:
    """A name in a sentence for the page, between Unicode's isolates, which nobody sees."""
    return f"{BEGIN}{name}{END}"


def unmarked(text: str) -> str:
    """Such a sentence as it is read."""
    return text.replace(BEGIN, "").replace(END, "")


def parse_cell(text: str) -> tuple[int, int]:
    """
    >>> parse_cell("d1")
    (3, 0)
    """
    column = LETTERS.find(text[:1]) if text[:1] else -1
    if column < 0:
        raise NotationError("syntax.cell_letter", whole=quote(text), at_character=1)
    row = text[1:]
    if not re.fullmatch("[1-9][0-9]{0,2}", row):
        raise NotationError("syntax.cell_row", whole=quote(text), at_character=2)
    return column, int(row) - 1


# Boards -----------------------------------------------------------------------------------------


def board_text(columns: int, rows: int, connect: int) -> str:
    return f"{columns}x{rows}x{connect}"


def parse_board(text: str) -> tuple[int, int, int]:
    """Read "7x6x4", or "7x6" for connect 4; whether such a board can exist is for Board to say."""
    parts = text.split("x")
    if len(parts) not in (2, 3):
        raise NotationError("board.form", text=quote(text))
    names = ("columns", "rows", "connect")
    sizes = [_size(part, name, text) for part, name in zip(parts, names, strict=False)]
    columns, rows, connect = (*sizes, 4)[:3]
    return columns, rows, connect


def _size(part: str, name: str, text: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,8}", part):
        raise NotationError("board.number", text=quote(text), name=name, part=quote(part))
    return int(part)


# Rows of a position -----------------------------------------------------------------------------

Row = Sequence[str | None]  # one stone, "x" or "o", or None, per column


def rows_text(rows: Iterable[Row]) -> str:
    """Write rows, the top one first; runs of empty cells as their number."""
    return "/".join(map(_row_text, rows))


def _row_text(row: Row) -> str:
    text, gap = "", 0
    for cell in row:
        if cell is None:
            gap += 1
            continue
        text += (str(gap) if gap else "") + cell
        gap = 0
    return text + (str(gap) if gap else "")


def parse_rows(text: str, columns: int, rows: int) -> list[list[str | None]]:
    """Read what rows_text writes, the top row first."""
    parts = text.split("/")
    if len(parts) != rows:
        raise NotationError("rows.position", whole=quote(text), n=len(parts), of=rows)
    result, offset = [], 0
    for part in parts:
        result.append(_parse_row(part, offset, text, columns))
        offset += len(part) + 1
    return result


def _parse_row(part: str, offset: int, text: str, columns: int) -> list[str | None]:
    row: list[str | None] = []
    gap = ""
    for i, character in enumerate(part, start=offset + 1):
        if character in STONES:
            gap = ""
            row.append(character)
        elif character in DIGITS[:10]:
            if character == "0" and not gap:
                raise NotationError("no_cell.zero", at_character=i, whole=quote(text), text=quote(character))
            gap += character
            # "12" is a run of twelve: take back what its first digit added.
            added = int(gap) - (int(gap[:-1]) if len(gap) > 1 else 0)
            row.extend([None] * min(added, columns + 1))
        else:
            raise NotationError("no_cell.row", at_character=i, whole=quote(text), text=quote(character))
        if len(row) > columns:
            raise NotationError("row_long", at_character=i, whole=quote(text), of=columns)
    if len(row) < columns:
        raise NotationError("cells.row", row=quote(part), whole=quote(text), n=len(row), of=columns)
    return row


# Free text and JSON -----------------------------------------------------------------------------

_NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_NOT_LINE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
# In JSON, a pair of escapes is one character, and a backslash may be escaped itself.
_SURROGATE = re.compile(
    r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\[^u]|(?P<half>[\ud800-\udfff]|\\u[dD][89a-fA-F])"
)


def check_text(text: str, what: str, forbidden: re.Pattern[str] = _NOT_TEXT) -> None:
    """Refuse control characters and halves of characters; lines and tabs are welcome."""
    if found := forbidden.search(text):
        code = ord(found[0])
        raise NotationError("record.control", what=what, place=found.start() + 1, character=code)


def check_line(text: str, what: str) -> None:
    """The same for what must stay on one line."""
    check_text(text, what, _NOT_LINE)


def check_size(text: str, what: str) -> None:
    if len(text) > MAX_TEXT:
        raise NotationError("long.text", what=what, n=len(text), most=MAX_TEXT)


def parse_json(text: str, what: str) -> Any:
    """Read JSON strictly: no repeated keys, no NaN, no halves of characters, bounded size and depth."""
    check_size(text, what)
    for found in _SURROGATE.finditer(text):
        if found["half"]:
            raise NotationError("record.half", what=what, place=found.start() + 1)
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise NotationError(
            "json", what=what, reason=error.msg, at_line=error.lineno, at_character=error.colno
        ) from None
    except NotationError as error:
        raise error.wrapped("part", what=what) from None
    except RecursionError:
        raise NotationError("record.deep", what=what) from None
    except ValueError:  # Python's own bound on the digits of a number
        raise NotationError("record.digits", what=what) from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for name, value in pairs:
        if name in result:
            raise NotationError("record.key_twice", name=quote(name))
        result[name] = value
    return result


def _no_constant(text: str) -> NoReturn:
    raise NotationError("record.no_number", text=text)
