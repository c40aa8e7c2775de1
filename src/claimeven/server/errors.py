"""What a server refuses, with the code that the protocol names (docs/protocol.md)."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from claimeven.errors import InputError

STATUS = {  # of the answers over HTTP; 409 for the rest: the game is not in a state for it
    "bad_message": 400,
    "bad_origin": 403,
    "banned": 403,
    "not_your_seat": 403,
    "no_such_game": 404,
    "not_found": 404,
    "bad_agent": 400,
    "too_big": 413,
    "rate": 429,
    "busy": 503,
    "not_stored": 503,
    "gone": 499,  # nobody waits for the answer
    "too_long": 422,  # too hard a question for the time there is
}
# Said when the database fails. Whether the change reached the disk may be unknown: asking again tells.
NOT_STORED = "the server cannot store anything now; try again in a moment"


class Detail(Struct, frozen=True):
    """More about a fault, to be said in any language."""

    code: str
    params: dict[str, str]


class RefusedError(Exception):
    """A request that cannot be granted: a code for programs, one sentence for people, perhaps more."""

    def __init__(self, code: str, message: str, detail: Detail | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.detail = detail

    @property
    def status(self) -> int:
        return STATUS.get(self.code, 409)

    @property
    def needs_state(self) -> bool:
        """Whether the client is told the whole game as well: it thinks of another one."""
        return self.code in ("conflict", "gap")


def detail_of(error: InputError) -> Detail:
    """What is wrong and where, for whoever has words for it in another language."""
    return Detail(error.kind, error.details)


@contextmanager
def readable() -> Iterator[None]:
    """What cannot be read is refused, with the reason."""
    try:
        yield
    except InputError as error:
        raise RefusedError("bad_message", str(error), detail_of(error)) from None
