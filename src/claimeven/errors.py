"""Errors of bad input. All are ValueErrors; their text is one sentence a person can act on.

ValueError
└── InputError
    ├── BoardError       a board that cannot exist
    ├── NotationError    a text that cannot be read: names the character and the reason
    ├── MoveError        a move that the rules forbid
    ├── PositionError    stones that no game can lead to
    └── SpecError        an agent spec that names no agent or no option
"""


class InputError(ValueError):
    """What came from outside cannot be used."""


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
