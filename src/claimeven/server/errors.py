"""What a server refuses, with the code that the protocol names (docs/protocol.md)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import ClassVar, Self

from msgspec import UNSET, Struct, UnsetType

from claimeven.errors import InputError

STATUS = {  # of the answers over HTTP; 409 for the rest: the game is not in a state for it
    "bad_message": 400,
    "bad_origin": 403,
    "banned": 403,
    "not_your_seat": 403,
    "no_such_game": 404,
    "bad_name": 422,
    "no_player": 403,
    "not_found": 404,
    "bad_agent": 400,
    "too_big": 413,
    "rate": 429,
    "busy": 503,
    "not_stored": 503,
    "gone": 499,  # nobody waits for the answer
    "too_long": 422,  # too hard a question for the time there is
}


class Detail(Struct, frozen=True):
    """More about a fault, to be said in any language."""

    code: str
    params: dict[str, str]


class RefusedError(Exception):
    """A request that cannot be granted: a code for programs, one sentence for people, perhaps more.

    It is raised with the name of a sentence of refusals.json; up to its dot that is the code of the protocol.

    >>> error = RefusedError("illegal_column.here", column=8)
    >>> error.code, error.message
    ('illegal_column', 'column 8 cannot be played here')
    """

    code: str
    message: str
    detail: Detail | None = None
    headers: ClassVar[dict[str, str]] = {}  # of the answer over HTTP

    def __init__(self, name: str, /, **params: object) -> None:
        self.code, self.message = name.partition(".")[0], _sentences()[name].format_map(params)
        super().__init__(self.message)

    @classmethod
    def told(cls, code: str, message: str, detail: Detail | None = None) -> Self:
        """With a sentence of somebody else, such as another server; `because` knows errors of bad input."""
        error = cls.__new__(cls)
        Exception.__init__(error, message)
        error.code, error.message, error.detail = code, message, detail
        return error

    @classmethod
    def because(cls, error: InputError, code: str = "bad_message") -> Self:
        """Bad input is the reason: its sentence, and what it names for who has words in another language."""
        return cls.told(code, str(error), detail_of(error))

    def again(self) -> "RefusedError":
        """Another one alike: an exception that several raise collects all their tracebacks, without end."""
        return RefusedError.told(self.code, self.message, self.detail)

    @property
    def status(self) -> int:
        return STATUS.get(self.code, 409)

    @property
    def needs_state(self) -> bool:
        """Whether the client is told the whole game as well: it thinks of another one."""
        return self.code in ("conflict", "gap")


class NoOperatorError(RefusedError):
    """Who asks has not the operator's key. Browsers ask for a name and a password then; any name will do."""

    headers: ClassVar[dict[str, str]] = {
        "WWW-Authenticate": 'Basic realm="operator of claimeven", charset="UTF-8"'
    }

    @property
    def status(self) -> int:
        return 401


class Fault(Struct, frozen=True):
    """A refusal as it is sent."""

    code: str
    message: str
    detail: Detail | UnsetType = UNSET

    @classmethod
    def of(cls, error: RefusedError) -> Self:
        return cls(error.code, error.message, error.detail or UNSET)


class Faulty(Struct, frozen=True):
    error: Fault


@cache
def _sentences() -> dict[str, str]:
    sentences: dict[str, str] = json.loads((files("claimeven.server") / "refusals.json").read_text("utf-8"))
    return sentences


def detail_of(error: InputError) -> Detail:
    """What is wrong and where, for whoever has words for it in another language."""
    return Detail(error.kind, error.details)


@contextmanager
def readable() -> Iterator[None]:
    """What cannot be read is refused, with the reason."""
    try:
        yield
    except InputError as error:
        raise RefusedError.because(error) from None
