"""What the server and its reader say to each other: one line of JSON each."""

from msgspec import Struct

from claimeven.server.errors import Detail
from claimeven.server.reading.texts import Converted, Played, Text, converted, played


class Refused(Struct, frozen=True):
    code: str
    message: str
    detail: Detail | None = None


class Answer(Struct, frozen=True):
    """One of them; none: it failed, and said why on its standard error."""

    played: Played | None = None
    converted: Converted | None = None
    refused: Refused | None = None


def answered(wish: Text) -> Answer:
    """RefusedError if it cannot be read."""
    return Answer(played=played(wish)) if wish.to is None else Answer(converted=converted(wish))
