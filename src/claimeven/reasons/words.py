"""Sentences from codes and parameters: one catalogue per language, plurals by the rules of CLDR.

Here columns, cells, lines and moves get their names in a sentence. In a language marked `-x-page` a column is
a letter, as in the names of cells ("column d" and "d3" need no translation), and every name stands between
Unicode's isolates: nobody sees these, and the page lights what is named without reading a sentence.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from claimeven import notation
from claimeven.board import Board, Cell
from claimeven.errors import InputError

Language = Literal["en", "fr", "pl", "vi"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
# As a language is asked for: its tag (BCP 47), with a mark of our own where names are those of the page.
Spoken = Literal[Language, "en-x-page", "fr-x-page", "pl-x-page", "vi-x-page"]
SPOKEN: tuple[Spoken, ...] = get_args(Spoken)
PAGE = "-x-page"


def _english(n: int) -> str:
    return "one" if n == 1 else "other"


def _french(n: int) -> str:
    if n in (0, 1):
        return "one"
    return "many" if n % 1_000_000 == 0 else "other"


def _polish(n: int) -> str:
    if n == 1:
        return "one"
    if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14):
        return "few"
    return "many"


def _vietnamese(_: int) -> str:
    return "other"


PLURALS: dict[str, Callable[[int], str]] = {
    "en": _english,
    "fr": _french,
    "pl": _polish,
    "vi": _vietnamese,
}
# The categories that whole numbers of our size take; a message with a count has them all.
CATEGORIES = {"en": ("one", "other"), "fr": ("one", "other"), "pl": ("one", "few", "many"), "vi": ("other",)}

Message = str | dict[str, str]


@cache
def catalogue(language: str) -> dict[str, Message]:
    """The messages of a language, by code."""
    if language not in SPOKEN:
        raise InputError("no_language", language=repr(language), known=", ".join(LANGUAGES))
    folder, messages = files("claimeven.reasons") / "catalogue", dict[str, Message]()
    for part in (folder, *(folder / name for name in ("review", "hint", "puzzle", "thought"))):
        messages |= json.loads((part / f"{plain(language)}.json").read_text(encoding="utf-8"))
    return messages


def plain(language: str) -> str:
    """Without the mark that says how things are named."""
    return language.removesuffix(PAGE)


class Words:
    """One language, and how it names what is on a board."""

    def __init__(self, language: str) -> None:
        self.messages = catalogue(language)
        self.language = language
        self._plural = PLURALS[plain(language)]
        self._is_for_page = language.endswith(PAGE)

    def say(self, code: str, n: int | None = None, **values: Any) -> str:
        """A message with its parameters; `n` is what it counts, if it counts something.

        >>> Words("en").say("in_moves", n=1), Words("pl").say("in_moves", n=5)
        ('in 1 move', 'w 5 ruchach')
        """
        message = self.messages[code]
        if isinstance(message, dict):
            assert n is not None, f"{code} counts something"
            category = self._plural(n)
            message = message.get(category) or message["other"]
        return message.format(n=n, **values)

    def column(self, column: int) -> str:
        """The name of a column.

        >>> Words("en").column(3), notation.unmarked(Words("en-x-page").column(3))
        ('4', 'd')
        """
        return (
            self._name(notation.column_letter(column)) if self._is_for_page else notation.column_digit(column)
        )

    def line(self, columns: Iterable[int]) -> str:
        """Columns played in turn: 4 4 3, or d-d-c."""
        if self._is_for_page:
            return self._name("-".join(map(notation.column_letter, columns)))
        return " ".join(map(notation.column_digit, columns))

    def cell(self, board: Board, cell: Cell) -> str:
        return self._name(board.cell_name(cell))

    def four(self, board: Board, cells: Sequence[Cell]) -> str:
        """A line of the board, by its ends."""
        return self._name("–".join(dict.fromkeys(map(board.cell_name, (cells[0], cells[-1])))))

    def _name(self, name: str) -> str:
        return notation.marked(name) if self._is_for_page else name

    def listed(self, parts: Sequence[str], code: str = "and") -> str:
        """ "a, b and c" in this language; `code` may be "or"."""
        if len(parts) <= 1:
            return "".join(parts)
        head = self.say("list.comma").join(parts[:-1])
        return self.say(f"list.{code}", first=head, last=parts[-1])
