"""The messages of the play protocol: these types *are* the format (docs/protocol.md)."""

import re
from struct import pack
from typing import Annotated, Literal, Self

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from claimeven.board import MAX_COLUMNS
from claimeven.game.record import Pie, Reason, Score
from claimeven.position import Position
from claimeven.reasons.words import Spoken
from claimeven.server.errors import Detail, RefusedError
from claimeven.shapes import Schema

PROTOCOL = 1
MAX_BYTES = 4096  # of one message from a client

Id = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern="^[ -~]*$",  # what every database can keep
        description="chosen by the client, another one for each request; comes back",
    ),
]
Secret = Annotated[str, Meta(max_length=128)]
Side = Annotated[int, Meta(ge=1, le=2)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Column = Annotated[int, Meta(ge=1, le=MAX_COLUMNS, description="counted from 1")]
Milliseconds = Annotated[int, Meta(ge=0, le=2**53)]
Spot = tuple[int, int]  # column and row, from 1
Landing = dict[str, int]  # the row a disc falls to, by column; both from 1
Wish = Literal["draw", "undo", "rematch"]
OfferKind = Literal["draw", "undo", "rematch", "seat"]  # the last is asked for by `seat` itself
ReactionKind = Literal["nice", "wow", "haha", "oops", "thanks"]
PresenceKind = Literal["online", "reconnecting", "gone"]
MAX_NAME = 40
MAX_SPEC = 200


def landing(position: Position) -> Landing:
    """For every legal column; none when the game is over."""
    mask, columns = position.mask, position.board.column_masks  # told with every move: no calls for each
    return {str(column + 1): (mask & columns[column]).bit_count() + 1 for column in position.legal}


class ClientMessage(Struct, frozen=True, tag_field="t"):
    pass


class Hello(ClientMessage, frozen=True, tag="hello"):
    protocol: int
    token: Secret | None = None  # left out to watch


class Move(ClientMessage, frozen=True, tag="move"):
    id: Id
    take: Count
    ply: Count
    column: Column


class Undo(ClientMessage, frozen=True, tag="undo"):
    id: Id
    take: Count
    ply: Count


class Redo(ClientMessage, frozen=True, tag="redo"):
    id: Id
    take: Count
    ply: Count


class Swap(ClientMessage, frozen=True, tag="swap"):
    """By the pie rule, take the first disc instead of dropping one."""

    id: Id


class Offer(ClientMessage, frozen=True, tag="offer"):
    id: Id
    kind: Wish


class Answer(ClientMessage, frozen=True, tag="answer"):
    id: Id
    kind: OfferKind
    yes: bool


class Resign(ClientMessage, frozen=True, tag="resign"):
    id: Id


class Claim(ClientMessage, frozen=True, tag="claim"):
    id: Id
    result: Literal["win", "draw"]


class SeatChange(ClientMessage, frozen=True, tag="seat"):
    id: Id
    side: Side
    agent: Annotated[str, Meta(max_length=MAX_SPEC)] | None


class HintRequest(ClientMessage, frozen=True, tag="hint"):
    id: Id
    language: Spoken = "en"  # of the sentence
    stage: Annotated[int, Meta(ge=1, le=3)] = 3  # where to look, the idea, the column


class React(ClientMessage, frozen=True, tag="react"):
    id: Id
    what: ReactionKind


class MoreTime(ClientMessage, frozen=True, tag="more_time"):
    id: Id


class Name(ClientMessage, frozen=True, tag="name"):
    id: Id
    name: Annotated[str, Meta(max_length=400)]


class Sync(ClientMessage, frozen=True, tag="sync"):
    pass


class Ping(ClientMessage, frozen=True, tag="ping"):
    id: Id


class Bye(ClientMessage, frozen=True, tag="bye"):
    pass


FromClient = (
    Hello
    | Move
    | Undo
    | Redo
    | Swap
    | Offer
    | Answer
    | Resign
    | Claim
    | SeatChange
    | HintRequest
    | React
    | MoreTime
    | Name
    | Sync
    | Ping
    | Bye
)
# Those that a player sends about the game; the rest is about the connection.
Change = Move | Undo | Redo | Swap | Offer | Answer | Resign | Claim | SeatChange | MoreTime | Name
Request = Change | HintRequest | React


class ServerMessage(Struct, frozen=True, tag_field="t"):
    pass


class BoardShape(Struct, frozen=True):
    columns: int
    rows: int
    connect: int


class SeatState(Struct, frozen=True):
    side: Side
    kind: Literal["human", "agent", "free"]
    name: str
    agent: str | None
    presence: PresenceKind
    gone_at: Milliseconds | None
    player: str | None = None  # whose page is /player/ID
    rating: int | None = None  # when they sat down


class ClockState(Struct, frozen=True):
    initial: Milliseconds
    increment: Milliseconds
    left: tuple[Milliseconds, Milliseconds]
    running: Side | None
    since: Milliseconds | None


class Successor(Struct, frozen=True):
    """Who would sit there: an agent, or the owner of the game."""

    name: str
    agent: str | None


class Offers(Struct, frozen=True):
    """Which side asks for it; of `seat` it is the side that would be somebody else's."""

    draw: Side | None = None
    undo: Side | None = None
    rematch: Side | None = None
    seat: Side | None = None
    successor: Successor | None = None


class ResultState(Struct, frozen=True):
    score: Score
    winner: Side | None
    reason: Reason


class State(ServerMessage, frozen=True, tag="state"):
    seq: Count
    protocol: int
    game: str
    you: tuple[Side, ...]
    owner: bool  # whether you may change seats
    server_time: Milliseconds
    board: BoardShape
    start: str
    moves: str
    take: Count
    redo: str
    turn: Side | None
    landing: Landing
    seats: tuple[SeatState, SeatState]
    clock: ClockState | None
    think: Milliseconds
    offers: Offers
    result: ResultState | None
    four: tuple[Spot, ...]
    status: Literal["waiting", "playing", "over"]
    watchers: int
    rematch: str | None
    pie: Pie = "no"
    swap: bool = False  # whether the side to move may take the first disc
    rated: bool = False
    event: str | None = None  # the tournament it belongs to
    unrated: Literal["address", "often"] | None = None  # why a game that was to be rated is not


class Moved(ServerMessage, frozen=True, tag="move"):
    seq: Count
    take: Count
    ply: Count
    column: Column
    row: int
    side: Side
    turn: Side | None
    landing: Landing
    clock: ClockState | None
    by: Literal["human", "agent"]
    swap: bool = False  # whether the side to move may take the first disc


class Ack(ServerMessage, frozen=True, tag="ack"):
    id: str
    seq: Count


class Error(ServerMessage, frozen=True, tag="error"):
    id: str | None
    code: str
    message: str
    detail: Detail | UnsetType = UNSET

    @classmethod
    def of(cls, id: str | None, error: RefusedError) -> Self:
        return cls(id, error.code, error.message, error.detail or UNSET)


class Pong(ServerMessage, frozen=True, tag="pong"):
    id: str


class Hint(ServerMessage, frozen=True, tag="hint"):
    id: str
    columns: tuple[str, ...]
    text: str


class Presence(ServerMessage, frozen=True, tag="presence"):
    seats: tuple[SeatState, SeatState]
    watchers: int


class Thinking(ServerMessage, frozen=True, tag="thinking"):
    side: Side
    on: bool
    ms: Milliseconds | None = None  # how long it thought, when it has chosen


class Reaction(ServerMessage, frozen=True, tag="reaction"):
    side: Side
    what: ReactionKind


class Notice(ServerMessage, frozen=True, tag="notice"):
    code: Literal["restart"]


FromServer = State | Moved | Ack | Error | Pong | Hint | Presence | Thinking | Reaction | Notice

_decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)
_encoder = msgspec.json.Encoder()


def _located(error: msgspec.ValidationError) -> str:
    """Its words, with "at players[0].name" instead of "- at `$.players[0].name`"; it has no fields to ask."""
    return re.sub(r" - at `\$\.?(.*)`$", r", at \1", str(error)).replace("`", "")


def parse(text: str | bytes) -> FromClient:
    """Read what a client sent; anything else is refused with `bad_message`."""
    if len(text) > MAX_BYTES:
        raise RefusedError("bad_message.long", most=MAX_BYTES)
    try:
        return _decoder.decode(text)
    except msgspec.ValidationError as error:
        raise RefusedError.told("bad_message", one_line(_located(error))) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
        raise RefusedError("bad_message.json") from None


def one_line(text: str, limit: int = 200) -> str:
    """What quotes somebody's input: printable and not too long."""
    return "".join(character if character.isprintable() else " " for character in text[:limit])


class Outgoing:
    """A message to any number of guests: the doors that speak JSON share one text of it."""

    __slots__ = ("_frame", "message")

    def __init__(self, message: ServerMessage) -> None:
        self.message = message
        self._frame: bytes | None = None

    @property
    def text(self) -> str:
        return _encoder.encode(self.message).decode()

    @property
    def frame(self) -> bytes:
        """As a WebSocket sends it (RFC 6455, 5.2)."""
        if self._frame is None:
            text = _encoder.encode(self.message)
            size = len(text)
            head = pack("!BB", 0x81, size) if size < 126 else pack("!BBH", 0x81, 126, size)
            self._frame = head + text
        return self._frame


def json_schema() -> Schema:
    """The JSON Schema of both directions, as published in protocol.schema.json."""
    (client, server), parts = msgspec.json.schema_components(
        [FromClient, FromServer], ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The play protocol of claimeven, version {PROTOCOL}",
        "$defs": parts | {"FromClient": client, "FromServer": server},
        "anyOf": [{"$ref": "#/$defs/FromClient"}, {"$ref": "#/$defs/FromServer"}],
    }
