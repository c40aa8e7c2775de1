"""The HTTP side of the play protocol: create, join, look, download."""

import secrets
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from claimeven import formats
from claimeven.agents import find_kind
from claimeven.board import STANDARD
from claimeven.errors import InputError
from claimeven.game import Game
from claimeven.game.check import PIE_PLY
from claimeven.position import Board, Position
from claimeven.server.doors.answers import (
    AgentOffer,
    AgentOption,
    Agents,
    Created,
    Health,
    Joined,
    PublicGame,
    PublicGames,
)
from claimeven.server.doors.documented import answers, file_of, json_response
from claimeven.server.doors.limits import Limits
from claimeven.server.errors import RefusedError
from claimeven.server.game.clock import GameClock
from claimeven.server.game.events import Sitter
from claimeven.server.game.names import agent_name, table_name
from claimeven.server.game.room import Room
from claimeven.server.game.session import Seat, Session, Who
from claimeven.server.game.wire import sides
from claimeven.server.hub import Hub
from claimeven.server.messages import State
from claimeven.server.players.keys import Authorization, sitter_of
from claimeven.server.storage.rating import level_rating
from claimeven.server.thinking import OFFERED
from claimeven.server.tokens import ID, Birth, hash_of

router = APIRouter(prefix="/api")
MAX_LISTED = 50
ELSEWHERE = "claimeven.elsewhere"  # in the scope of a request: what other servers answer to it
RATED_THINK = 1_000  # milliseconds of a level, as its rating was measured
Secret = Annotated[str, Field(min_length=32, max_length=128, pattern="^[A-Za-z0-9_-]+$")]
Id = Annotated[str, Path(pattern=f"^{ID}$")]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SeatWish(Body):
    kind: Literal["me", "friend", "agent"]
    agent: Annotated[str, Field(max_length=200)] | None = None


class ClockWish(Body):
    initial: Annotated[int, Field(ge=1_000, le=86_400_000)]
    increment: Annotated[int, Field(ge=0, le=600_000)] = 0


class NewGame(Body):
    seats: Annotated[list[SeatWish], Field(min_length=2, max_length=2)]
    board: Annotated[str, Field(max_length=32)] = str(STANDARD)
    moves: Annotated[str, Field(max_length=300)] = ""
    name: Annotated[str, Field(max_length=400)] = ""
    shuffle: bool = False
    clock: ClockWish | None = None
    pie: bool = False  # the second player may take the first disc
    think: Annotated[int, Field(ge=10, le=30_000)] = 1_000
    rated: bool = False  # needs a player's key, a clock, and the empty 7x6 board
    key: Secret | None = None  # another one for each game: the same wish with it gives the same game


class Joining(Body):
    invite: Annotated[str, Field(max_length=128)]
    name: Annotated[str, Field(max_length=400)] = ""
    token: Secret | None = None


def hub_of(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


@router.post("/games", status_code=201, responses=answers(Created, 201))
async def create_game(request: Request, wish: NewGame, authorization: Authorization = None) -> Response:
    """Begin a game. With a key of one's own, doing it twice does it once."""
    limits: Limits = request.app.state.limits
    visitor = limits.visitor(request.scope)
    if not limits.take_game(visitor):
        raise RefusedError("rate.games")
    hub = hub_of(request)
    birth = Birth.drawn() if wish.key is None else Birth.of(wish.key, wish.model_dump_json())
    begin = hub.create if wish.key is None else hub.create_once
    session = _new_game(hub, wish, birth, await sitter_of(request, authorization))
    room = await begin(session)
    room.maker = visitor
    who = room.session.who(hash_of(birth.token))
    invite = birth.invite if _has_friend(wish) else None
    answer = Created(birth.game, birth.token, sides(who), invite, room.whole_state(who))
    return json_response(await room.settled(lambda: answer), 201)


def _has_friend(wish: NewGame) -> bool:
    return any(seat.kind == "friend" for seat in wish.seats)


def _new_game(hub: Hub, wish: NewGame, birth: Birth, sitter: Sitter | None) -> Session:
    wishes = list(wish.seats)
    if wish.shuffle and secrets.randbelow(2):
        wishes.reverse()
    if [seat.kind for seat in wishes] == ["friend", "friend"]:
        raise RefusedError("bad_message.friends")
    try:
        start = Position.parse(wish.moves, Board.parse(wish.board))
    except InputError as error:
        raise RefusedError.because(error) from None
    if start.is_over:
        raise RefusedError("bad_message.over")
    if wish.pie and start.ply > PIE_PLY:
        raise RefusedError("bad_message.pie")
    me = Seat("human", table_name(wish.name), None, hash_of(birth.token))
    alone = [seat.kind for seat in wishes].count("me") == 1  # at one screen nobody knows who plays which side
    if sitter is not None and alone:
        me = me._replace(name=sitter.name, player=sitter.player, rating=sitter.rating)
    first, second = (_seat(hub, seat, me) for seat in wishes)
    if wish.rated:
        _check_rated(start, (first, second), wish)
    now = hub.now()
    return Session(
        id=birth.game,
        start=start,
        seats=(first, second),
        created=now,
        think=RATED_THINK if wish.rated else wish.think,
        clock=None if wish.clock is None else GameClock(wish.clock.initial, wish.clock.increment),
        owner=me.owner,
        invite=hash_of(birth.invite) if _has_friend(wish) else None,
        turn_since=now,
        has_pie=wish.pie,
        is_rated=wish.rated,
    )


def _check_rated(start: Position, seats: tuple[Seat, Seat], wish: NewGame) -> None:
    """Ratings compare only what is alike."""
    fair = [seat for seat in seats if seat.kind == "free" or level_rating(seat.agent) is not None]
    if start != Position() or wish.pie or wish.clock is None or len(fair) != 1:
        raise RefusedError("bad_message.rated")
    if all(seat.player is None for seat in seats):
        raise RefusedError("not_allowed.nameless")


def _seat(hub: Hub, wish: SeatWish, me: Seat) -> Seat:
    if (wish.kind == "agent") != (wish.agent is not None):
        raise RefusedError("bad_message.seat")
    if wish.agent is not None:
        spec = hub.thinkers.check(wish.agent)
        return Seat("agent", agent_name(spec), spec)
    return me if wish.kind == "me" else Seat("free")


@router.post("/games/{game}/join", responses=answers(Joined))
async def join_game(
    request: Request, game: Id, body: Joining, authorization: Authorization = None
) -> Response:
    """Take the free seat of a game. With a token of one's own, doing it twice does it once."""
    sitter = await sitter_of(request, authorization)
    room, token, who = await hub_of(request).join(
        game, body.invite, body.name, body.token, sitter, request.app.state.limits.visitor(request.scope)
    )
    return json_response(Joined(token, sides(who), room.whole_state(who)))


@router.get("/games/{game}", responses=answers(State))
async def game_state(request: Request, game: Id) -> Response:
    """The whole game, for anyone."""
    room = await hub_of(request).room(game)
    return json_response(await room.settled(lambda: room.whole_state(Who())))


RECORDS = [format.shape for format in formats.FORMATS.values() if format.shape is not None]


@router.get("/games/{game}/record", response_class=Response, responses=file_of("text/plain", shapes=RECORDS))
async def game_record(
    request: Request, game: Id, format: Annotated[str, Query(max_length=40)] = "json"
) -> Response:
    """The record, in any format of `claimeven formats`."""
    if format not in formats.FORMATS:
        known = ", ".join(formats.FORMATS)
        raise RefusedError("bad_message.format", known=known)
    room = await hub_of(request).room(game)
    record = await room.settled(room.session.record)
    try:
        text = formats.write(Game.from_record(record), format)
    except InputError as error:
        raise RefusedError.because(error) from None
    is_json = formats.FORMATS[format].shape is not None
    ending = "c4n" if format == "c4n" else "json" if is_json else "txt"
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="{game}.{ending}"',
    }
    kind = "application/json" if is_json else "text/plain; charset=utf-8"
    return Response(text + "\n", 200, headers, kind)


@router.get("/games", responses=answers(PublicGames))
async def public_games(request: Request) -> Response:
    """Games of agents that are being played and may be watched."""
    rooms = [room for room in hub_of(request).rooms.values() if _is_public(room)]
    rooms.sort(key=lambda room: -room.session.created)
    listed = [_listed(room) for room in rooms[:MAX_LISTED]]
    listed += [game for other in request.scope.get(ELSEWHERE, ()) for game in other.games]
    return json_response(PublicGames(tuple(listed[:MAX_LISTED])))


def _is_public(room: Room) -> bool:
    return room.session.is_between_agents and room.session.status == "playing"  # the quick one first


def _listed(room: Room) -> PublicGame:
    session = room.session
    return PublicGame(
        game=session.id,
        board=str(session.start.board),
        names=tuple(seat.name for seat in session.seats),
        ply=session.ply,
        watchers=room.attendance.watchers,
    )


@router.get("/agents", responses=answers(Agents))
async def offered_agents(request: Request) -> Response:
    """The agents that may be chosen, and the options of each kind."""
    from claimeven.agents.kinds.level import RATINGS

    allowed = hub_of(request).thinkers.allowed
    level = find_kind("level").summary
    agents = [
        AgentOffer(f"level:{n}", agent_name(f"level:{n}"), level, rating) for n, rating in RATINGS.items()
    ]
    agents += [_agent(name, find_kind(name).summary) for name in OFFERED if name != "level"]
    agents += [_agent(spec, find_kind(name).summary) for name in OFFERED for spec in _variants(name)]
    agents += [_agent(spec, "chosen by the operator of this server") for spec in allowed]
    kinds = {name: _options(name) for name in OFFERED}
    return json_response(Agents(tuple(agents), kinds, request.app.state.lan))


def _agent(spec: str, about: str) -> AgentOffer:
    return AgentOffer(spec, agent_name(spec), about, None)


def _variants(name: str) -> list[str]:
    kind = find_kind(name)
    return [kind.spec(kind.parse(options)) for options in kind.variants]


def _options(name: str) -> tuple[AgentOption, ...]:
    offered = [option for option in find_kind(name).options if option.name in OFFERED[name]]
    return tuple(msgspec.convert(option, AgentOption, from_attributes=True) for option in offered)


@router.get("/health", responses=answers(Health))
async def health() -> Response:
    """The process answers."""
    return json_response(Health("ok"))


@router.get("/ready", responses=answers(Health))
async def ready(request: Request) -> Response:
    """Games can be stored, and those of other servers of a cluster be reached."""
    hub = hub_of(request)
    if hub.is_closing or not hub.tenure.is_ready or not await hub.keeper.is_writable():
        raise RefusedError("busy.storing")
    return json_response(Health("ready"))
