"""Why a text could not be read, as a code with parameters: the page has words for them in every language.

The rooms below speak English sentences to people at a terminal; here is the one table from those sentences to
codes. `tests/test_server_unread.py` holds it against the sentences of all readers.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from claimeven.errors import InputError
from claimeven.server.errors import RefusedError

_PLACES = (  # where it stands in the text
    r"(?:OpenSpiel board, )?line (?P<line>\d+), character (?P<character>\d+): ",
    r"[^']*?, line (?P<line>\d+) character (?P<character>\d+)\Z",
    r"(?:moves, )?move (?P<move>\d+) of ",
    r"(?:position )?character (?P<character>\d+) of ",
    r"(?:action|UCI row, field) (?P<field>\d+)(?: of |: )",
    r"row (?P<row>\d+), cell (?P<cell>\d+)",
)

_QUOTED = r"(?P<text>(?P<mark>['\"]).*(?P=mark)…?)"

_WHATS = (  # what is wrong, at the end of the sentence
    ("full", r"column (?P<column>\w) is full"),
    ("over", r"the game is over"),
    ("no_column", r"there is no column '?(?P<column>[^', ]+)'?, .*(?P<first>[01]) to (?P<last>\w+)"),
    ("no_column", r"(?P<column>[A-Za-z])\w*: the columns are (?P<first>a) to (?P<last>\w)"),
    ("no_digit", rf"{_QUOTED} is not a column (?:digit|number).*"),
    ("too_many", r"\d+ moves, but no board has that many cells"),
    ("floats", r"the stone on (?P<cell>\S+) floats: .*"),
    ("counts", r"(?P<x>\d+) x and (?P<o>\d+) o: .*"),
    ("both_won", r"both sides have a complete line, .*"),
    ("went_on", r"(?P<player>[xo]) has a complete line, and yet .*"),
    ("no_last", r"(?P<player>[xo]) has complete lines that no single last stone .*"),
    ("turn", r"with \d+ stones it is (?P<player>[xo12])'s turn, not .*"),
    ("side", rf"the side to move is x or o, not {_QUOTED}"),
    ("parts", r"rows, a space and the side to move are missing"),
    ("parts", r"write rows, side to move \(x or o\) and, off 7x6x4, the board"),
    ("rows", r"(?:the grid has )?(?P<n>\d+) rows, but (?:the|a) .*?(?P<of>\d+)"),
    ("cells", r".*?(?P<n>\d+) cells instead of (?P<of>\d+)"),
    ("cells", r"(?P<n>\d+) cells, but a \S+ board has (?P<of>\d+)"),
    ("cells", r"(?P<n>\d+) fields; a \S+ board has (?P<of>\d+) cells, .*"),
    ("row_long", r"this row is longer than (?P<of>\d+) cells"),
    ("no_cell", rf"{_QUOTED} is (?:not|neither) x, o .*"),
    ("other_board", r".*on an? (?P<written>\S+) board, not on (?P<board>\S+)"),
    ("lands", r"\w+: a disc in column \w lands on (?P<cell>\w+)"),
    ("number", r"the next move has the number (?P<due>\S+), not .*"),
    ("ended", r"the result is \S+, but the moves end the game: .*"),
    ("json", r"[^:]*, line \d+ character \d+"),
    ("long", r".*at most [\d,]+ are read"),
    ("board", r"board \S+ is too large: .*|board \S+: .*|a board is written .*|.*: at most \d+ columns"),
    ("record", r"(?:game record|Kaggle|UCI|OpenSpiel|grid|a game record|this program reads).*"),
)


def unread(message: str) -> dict[str, Any]:
    """The sentence of an `InputError` as `{"code", "params"}`; `other` where only the sentence is known."""
    params: dict[str, str] = {}
    for pattern in _PLACES:
        if found := re.match(pattern, message):
            params = {f"at_{name}": value for name, value in found.groupdict().items()}
            break
    for code, pattern in _WHATS:
        if found := re.fullmatch(rf"(?:.*: )?(?:{pattern})", message, re.DOTALL):
            named = found.groupdict()
            named.pop("mark", None)
            return {"code": code, "params": {**params, **{name: named[name] or "" for name in named}}}
    return {"code": "syntax" if "at_line" in params else "other", "params": params}


@contextmanager
def readable() -> Iterator[None]:
    """What cannot be read is refused, with the reason."""
    try:
        yield
    except InputError as error:
        raise RefusedError("bad_message", str(error), unread(str(error))) from None
