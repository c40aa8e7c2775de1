"""Moves with columns counted from 0: digit strings (BitBully and others) and OpenSpiel's action lists.

The digits are ours with another meaning, so nothing here is ever guessed: a caller names the format.
"""

import re
from collections.abc import Iterable

from claimeven import notation
from claimeven.errors import NotationError


def moves_text_0based(columns: Iterable[int]) -> str:
    """
    >>> moves_text_0based([3, 3, 4, 2])
    '3342'
    """
    return "".join(notation.DIGITS[column] for column in columns)


def parse_moves_0based(text: str, columns: int) -> tuple[int, ...]:
    _check_count(len(text), text)
    result = []
    for place, digit in enumerate(text, start=1):
        where = f"character {place} of {notation.quote(text)}"
        if digit not in notation.DIGITS:
            raise NotationError(f"{where}: {notation.quote(digit)} is not a column digit (0-9, then a-z)")
        column = notation.DIGITS.index(digit)
        if column >= columns:
            last = notation.DIGITS[columns - 1]
            raise NotationError(f"{where}: there is no column {digit}, counted from 0 they are 0 to {last}")
        result.append(column)
    return tuple(result)


def actions_text(columns: Iterable[int]) -> str:
    """The history string of an OpenSpiel state.

    >>> actions_text([3, 3, 4, 2])
    '3, 3, 4, 2'
    """
    return ", ".join(map(str, columns))


def parse_actions(text: str, columns: int) -> tuple[int, ...]:
    if not text:
        return ()
    notation.check_size(text, "actions")
    fields = text.split(",")
    _check_count(len(fields), text)
    result = []
    for place, field in enumerate(fields, start=1):
        where = f"action {place} of {notation.quote(text)}"
        if not re.fullmatch(r" ?(0|[1-9][0-9]?)", field):
            raise NotationError(f"{where}: {notation.quote(field)} is not a column number")
        if int(field) >= columns:
            raise NotationError(f"{where}: there is no column {int(field)}, they are 0 to {columns - 1}")
        result.append(int(field))
    return tuple(result)


def _check_count(count: int, text: str) -> None:
    if count > notation.MAX_CELLS:
        raise NotationError(f"moves {notation.quote(text)}: {count} moves, but no board has that many cells")
