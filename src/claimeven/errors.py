"""Errors of bad input, all ValueErrors: a code and what it names, told in one sentence a person can act on.

ValueError
└── InputError
    ├── BoardError       a board that cannot exist
    ├── NotationError    a text that cannot be read: names the character and the reason
    ├── MoveError        a move that the rules forbid
    ├── PositionError    stones that no game can lead to
    ├── RecordError      a game record with a wrong, missing or contradicting part
    └── SpecError        an agent spec that names no agent or no option

Two catalogues in `catalogue/` make words of them. `sentences.json` has the English sentence of every code,
for a terminal. `told/` has in every language what the page tells (it reads them there), one text for a kind
of error, the code up to its dot. Who looks at red and yellow discs need not know which format it was.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Self

_PLACES = ("line", "move", "character", "field", "row")  # of which one is told, the first that is known
_SIDES = {"1": "x", "2": "o"}  # how Kaggle writes the players


class InputError(ValueError):
    """What came from outside cannot be used.

    Parameters whose name begins with `at_` say where; `cause` is the error that this one puts in its place.

    >>> error = MoveError("full", column="4").wrapped("move_of", at_move=7, whole="'4444444'")
    >>> str(error)
    "move 7 of '4444444': column 4 is full"
    >>> error.kind, error.details
    ('full', {'column': '4', 'at_move': '7'})
    >>> error.tell("fr")
    'La colonne 4 est pleine. (coup 7)'
    """

    def __init__(self, code: str, /, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        sentence = _catalogue("sentences").get(self.code)
        # Another package may raise ours with its own sentence.
        return self.code if sentence is None else sentence.format_map(self.params)

    def wrapped(self, code: str, /, **params: object) -> Self:
        """The same error, seen from further outside: its sentence says where this one happened."""
        return type(self)(code, cause=self, **params)

    @property
    def root(self) -> "InputError":
        """What is wrong, without where."""
        cause = self.params.get("cause")
        return cause.root if isinstance(cause, InputError) else self

    @property
    def kind(self) -> str:
        """What is wrong, for programs: "cells" whether the code is "cells.uci" or "cells.grid"."""
        return self.root.code.partition(".")[0]

    @property
    def details(self) -> dict[str, str]:
        """What the error names, as texts, and the places that lead to it: the outermost counts."""
        cause = self.params.get("cause")
        if not isinstance(cause, InputError):
            return {name: str(value) for name, value in self.params.items()}
        places = {name: str(value) for name, value in self.params.items() if name.startswith("at_")}
        return cause.details | places

    def tell(self, language: str) -> str:
        """For somebody at the page's board; in English where `told/` has no words for this kind."""
        words, details = _catalogue(f"told/{language}"), self.details
        player = details.get("player", "")
        what = words.get(self.kind) or words.get(f"{self.kind}.{_SIDES.get(player, player)}")
        if what is None:
            return str(self)
        where = next((words[f"at.{place}"] for place in _PLACES if f"at_{place}" in details), "")
        return f"{what} {where}".strip().format_map(details)


class BoardError(InputError):
    """A board with impossible sizes."""


class NotationError(InputError):
    """A text that does not follow its grammar."""


class MoveError(InputError):
    """A move into a full or missing column, or after the end of the game."""


class PositionError(InputError):
    """Stones that do not form a legal position."""


class SpecError(InputError):
    """An agent spec with an unknown agent, an unknown option or a value that does not fit."""


class RecordError(InputError):
    """A game record with a wrong, missing or contradicting part."""


@cache
def _catalogue(name: str) -> dict[str, str]:
    text = files("claimeven").joinpath("catalogue", *f"{name}.json".split("/")).read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found
