"""What servers of a cluster say to each other. Nothing that was acknowledged is only on its way here."""

import msgspec

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


class Open(Word, frozen=True, array_like=True, tag=True):
    """A visitor's WebSocket, for a game of the other server."""

    server: int  # where it came in,
    run: int  # its line to NATS,
    line: int  # and a number of its own there
    game: str
    visit: Visit


class Said(Word, frozen=True, array_like=True, tag=True):
    """By the visitor."""

    server: int
    line: int
    number: int  # in its line: from 0, each one more
    text: bytes
    rtt: float  # seconds to the visitor and back


class Shut(Word, frozen=True, array_like=True, tag=True):
    """The visitor is gone."""

    server: int
    line: int


class Told(Word, frozen=True, array_like=True, tag=True):
    """To the visitor: whole frames of a WebSocket."""

    server: int  # where the game is
    line: int
    number: int
    frames: tuple[bytes, ...]


class Closed(Word, frozen=True, array_like=True, tag=True):
    """The visitor is sent away, after what was told."""

    line: int
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
    run: int  # the line to NATS of who says so


class No(Word, frozen=True, array_like=True, tag=True):
    """The game is not this server's."""


Words = Open | Said | Shut | Told | Closed | Ask | Answer | Give | Yes | No
_decoder: msgspec.msgpack.Decoder[Words] = msgspec.msgpack.Decoder(Words)
_encoder = msgspec.msgpack.Encoder()


def written(word: Word) -> bytes:
    return _encoder.encode(word)


def read(data: bytes) -> Words:
    return _decoder.decode(data)
