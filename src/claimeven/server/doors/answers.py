"""What the routes about games answer. Like the messages, these types *are* the format."""

from typing import Literal

from msgspec import Struct

from claimeven.agents.option import Type, Value
from claimeven.server.messages import Count, Milliseconds, Side, State


class Created(Struct, frozen=True):
    game: str
    token: str
    sides: tuple[Side, ...]
    invite: str | None
    state: State


class Joined(Struct, frozen=True):
    token: str
    sides: tuple[Side, ...]
    state: State


class OpenClock(Struct, frozen=True):
    initial: Milliseconds
    increment: Milliseconds


class OpenGame(Struct, frozen=True):
    """One that waits for anybody."""

    game: str
    board: str
    name: str
    side: Side  # that is free
    clock: OpenClock | None
    is_fresh: bool  # whether it begins with an empty board
    rated: bool
    player: str | None
    rating: int | None
    has_pie: bool = False  # whether the second player may take the first disc


class OpenGames(Struct, frozen=True):
    games: tuple[OpenGame, ...]
    waiting: Count


class Announced(Struct, frozen=True):
    take: str | None  # a game like one's own that waits already


class PublicGame(Struct, frozen=True):
    game: str
    board: str
    names: tuple[str, ...]
    ply: Count
    watchers: Count


class PublicGames(Struct, frozen=True):
    games: tuple[PublicGame, ...]


class AgentOffer(Struct, frozen=True):
    spec: str
    name: str
    about: str
    rating: int | None


class AgentOption(Struct, frozen=True):
    """One option of a kind of agents, as it is declared."""

    name: str
    type: Type
    default: Value
    low: float | None
    high: float | None
    words: tuple[str, ...] | None
    form: str
    help: str


class Agents(Struct, frozen=True):
    agents: tuple[AgentOffer, ...]
    kinds: dict[str, tuple[AgentOption, ...]]
    lan: str | None  # where other machines of the network find this server


class Health(Struct, frozen=True):
    status: Literal["ok", "ready"]


class ColumnOpinion(Struct, frozen=True):
    column: int
    weight: float
    known: bool
    text: str


class Opinion(Struct, frozen=True):
    """What an agent would play, what it saw, and how it shares its trust among the columns."""

    agent: str
    column: int
    saw: str
    columns: tuple[ColumnOpinion, ...]


class ToldTerm(Struct, frozen=True):
    text: str
    count: float
    weight: float
    value: float


class ToldThought(Opinion, frozen=True):
    """Why an agent moved, as it would tell a person; and in its own terms, for who wants the numbers."""

    says: str
    overlooked: str  # told about it; "" for a good move
    because: str
    ms: Milliseconds
    line: str | None
    terms: tuple[ToldTerm, ...]
    value: float | None
