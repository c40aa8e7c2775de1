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
        if digit not in notation.DIGITS:
            raise NotationError(
                "no_digit.from_zero",
                at_character=place,
                whole=notation.quote(text),
                text=notation.quote(digit),
            )
        column = notation.DIGITS.index(digit)
        if column >= columns:
            last = notation.DIGITS[columns - 1]
            raise NotationError(
                "no_column.from_zero",
                at_character=place,
                whole=notation.quote(text),
                column=digit,
                last=last,
                first=0,
            )
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
        if not re.fullmatch(r" ?(0|[1-9][0-9]?)", field):
            raise NotationError(
                "no_digit.action", at_field=place, whole=notation.quote(text), text=notation.quote(field)
            )
        if int(field) >= columns:
            raise NotationError(
                "no_column.action",
                at_field=place,
                whole=notation.quote(text),
                column=int(field),
                last=columns - 1,
                first=0,
            )
        result.append(int(field))
    return tuple(result)


def _check_count(count: int, text: str) -> None:
    if count > notation.MAX_CELLS:
        raise NotationError("too_many.moves", whole=notation.quote(text), n=count)
