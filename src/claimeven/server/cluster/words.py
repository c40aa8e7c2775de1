"""What servers of a cluster say to each other. Nothing that was acknowledged is only on its way here."""

from collections.abc import MutableMapping
from typing import Any

import msgspec

from claimeven.server.doors.limits import Together
from claimeven.server.lobby.pairing import Listed, Seeker, Wish
from claimeven.server.logs import request_id

Headers = tuple[tuple[bytes, bytes], ...]


class Word(msgspec.Struct, frozen=True, array_like=True, tag=True):
    pass


class Visit(msgspec.Struct, frozen=True, array_like=True):
    """Who asks for what, as the server saw it where they came in: limits count them there and here alike."""

    method: str
    path: str
    query: bytes
    headers: Headers
    client: tuple[str, int] | None
    scheme: str
    request: str = ""  # its id in logs


def visit_of(scope: MutableMapping[str, Any]) -> Visit:
    client = scope.get("client")
    return Visit(
        scope.get("method", "GET"),
        scope["path"],
        scope.get("query_string", b""),
        tuple((bytes(name), bytes(value)) for name, value in scope["headers"]),
        None if client is None else (client[0], client[1]),
        scope.get("scheme", "http"),
        request_id.get(),
    )


def scope_of(visit: Visit, kind: str) -> dict[str, Any]:
    """As if the visitor had come in here. The logs of who calls know from now on whose request it is."""
    request_id.set(visit.request)
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": visit.method,
        "scheme": visit.scheme,
        "path": visit.path,
        "raw_path": visit.path.encode(),
        "query_string": visit.query,
        "root_path": "",
        "headers": list(visit.headers),
        "client": visit.client,
        "server": None,
        "subprotocols": [],
        "state": {},
    }


class Open(Word, frozen=True, array_like=True, tag=True):
    """A visitor's WebSocket, for a game of the other server."""

    server: int  # where it came in,
    run: int  # its wire to NATS,
    wire: int  # and a number of its own there
    game: str
    visit: Visit


class Said(Word, frozen=True, array_like=True, tag=True):
    """By the visitor."""

    server: int
    wire: int
    number: int  # in its wire: from 0, each one more
    text: bytes
    rtt: float  # seconds to the visitor and back


class Shut(Word, frozen=True, array_like=True, tag=True):
    """The visitor is gone."""

    server: int
    wire: int


class Told(Word, frozen=True, array_like=True, tag=True):
    """To the visitor: whole frames of a WebSocket."""

    server: int  # where the game is
    wire: int
    number: int
    frames: tuple[bytes, ...]


class Closed(Word, frozen=True, array_like=True, tag=True):
    """The visitor is sent away, after what was told."""

    wire: int
    number: int
    code: int


class Ask(Word, frozen=True, array_like=True, tag=True):
    """One request over HTTP; `game`: which must be the other server's, if it is about one."""

    game: str | None
    visit: Visit
    body: bytes


class Answer(Word, frozen=True, array_like=True, tag=True):
    status: int
    headers: Headers
    body: bytes


class Give(Word, frozen=True, array_like=True, tag=True):
    """Give a game away: it is needed here."""

    game: str


class Yes(Word, frozen=True, array_like=True, tag=True):
    run: int  # the wire to NATS of who says so


class No(Word, frozen=True, array_like=True, tag=True):
    """The game is not this server's."""


class Left(Word, frozen=True, array_like=True, tag=True):
    """Kindly: its leases are given back, and its games are anybody's."""

    server: int


class Handed(Word, frozen=True, array_like=True, tag=True):
    """These games are nobody's any more, and that server's to take: it says yes when it has them."""

    server: int
    games: tuple[str, ...]
    seekers: tuple[Seeker, ...]


class Spent(Word, frozen=True, array_like=True, tag=True):
    """A visitor took something here that all servers count together."""

    what: Together
    visitor: str


class Seek(Word, frozen=True, array_like=True, tag=True):
    """Who waits with such a wish? If nobody does, it waits there from now on."""

    wish: Wish
    mine: tuple[str, ...]


class Found(Word, frozen=True, array_like=True, tag=True):
    game: str | None
    is_full: bool = False  # there is no place for one more who waits


class Waits(Word, frozen=True, array_like=True, tag=True):
    """All those still wait."""

    wishes: tuple[Wish, ...]


class Gone(Word, frozen=True, array_like=True, tag=True):
    """It waits no more."""

    wish: Wish


class WhoWaits(Word, frozen=True, array_like=True, tag=True):
    """At that server, for anybody?"""


class Waiters(Word, frozen=True, array_like=True, tag=True):
    games: tuple[Listed, ...]
    count: int


class Choose(Word, frozen=True, array_like=True, tag=True):
    """What would this agent play?"""

    spec: str
    board: str
    position: str
    seconds: float
    is_pie: bool


class Study(Word, frozen=True, array_like=True, tag=True):
    """A request for a page that teaches."""

    visit: Visit
    body: bytes


class Job(Word, frozen=True, array_like=True, tag=True):
    """For a worker that has time (work/); it says yes or no at once."""

    id: str
    back: str  # where its answer is heard
    seconds: float  # until nobody waits for it any more
    rank: int
    visitor: str
    work: Choose | Study
    request: str = ""


class Drop(Word, frozen=True, array_like=True, tag=True):
    """Nobody waits for it any more."""

    id: str


class Part(Word, frozen=True, array_like=True, tag=True):
    """It goes on; perhaps with a line about how far it is."""

    id: str
    line: bytes


class Chosen(Word, frozen=True, array_like=True, tag=True):
    id: str
    choice: bytes


class Studied(Word, frozen=True, array_like=True, tag=True):
    id: str
    status: int
    body: bytes  # all of it, or what comes after the lines that were told


Words = (
    Open
    | Said
    | Shut
    | Told
    | Closed
    | Ask
    | Answer
    | Give
    | Yes
    | No
    | Job
    | Drop
    | Part
    | Chosen
    | Studied
    | Left
    | Handed
    | Spent
    | Seek
    | Found
    | Waits
    | Gone
    | WhoWaits
    | Waiters
)
_decoder: msgspec.msgpack.Decoder[Words] = msgspec.msgpack.Decoder(Words)
_encoder = msgspec.msgpack.Encoder()


def written(word: Word) -> bytes:
    return _encoder.encode(word)


def read(data: bytes) -> Words:
    return _decoder.decode(data)
