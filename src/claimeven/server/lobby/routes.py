"""The HTTP side of the lobby: look who waits, wait oneself, sit down with somebody."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from claimeven.server.doors.answers import Announced, Joined, OpenClock, OpenGame, OpenGames
from claimeven.server.doors.api import Body, Id, Secret, hub_of
from claimeven.server.doors.documented import answers, json_response
from claimeven.server.doors.limits import Limits
from claimeven.server.errors import RefusedError
from claimeven.server.game.room import Room
from claimeven.server.game.wire import sides
from claimeven.server.lobby.waiting import Lobby
from claimeven.server.players.keys import Authorization, players_of, sitter_of
from claimeven.server.tokens import hash_of

router = APIRouter(prefix="/api/lobby")
MAX_LISTED = 50
GameId = Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,64}$")]


class Announcing(Body):
    game: GameId
    invite: Annotated[str, Field(max_length=128)]
    mine: Annotated[tuple[GameId, ...], Field(max_length=200, strict=False)] = ()  # games of one's own


class Meeting(Body):
    name: Annotated[str, Field(max_length=400)] = ""
    token: Secret


def _lobby(request: Request) -> Lobby:
    lobby: Lobby = request.app.state.lobby
    return lobby


@router.get("", responses=answers(OpenGames))
async def open_games(request: Request) -> Response:
    """Games that wait for anybody, the longest first."""
    rooms = list(_lobby(request).open())
    return json_response(OpenGames(tuple(map(_listed, rooms[:MAX_LISTED])), len(rooms)))


def _listed(room: Room) -> OpenGame:
    session = room.session
    free = next(side for side, seat in enumerate(session.seats) if seat.kind == "free")
    clock = session.clock
    return OpenGame(
        game=session.id,
        board=str(session.start.board),
        name=session.seats[1 - free].name,
        side=free + 1,
        clock=None if clock is None else OpenClock(clock.initial, clock.increment),
        is_fresh=not session.start.ply,
        has_pie=session.has_pie,
        rated=session.is_rated,
        player=session.seats[1 - free].player,
        rating=session.seats[1 - free].rating,
    )


@router.post("", responses=answers(Announced))
async def announce(request: Request, body: Announcing, authorization: Authorization = None) -> Response:
    """Let anybody take the free seat of one's game, as long as one is there; say so again now and then. If a
    game like it waits already, `take` names it: sit down there."""
    limits: Limits = request.app.state.limits
    room = await hub_of(request).invited(body.game, body.invite)
    if room.session.status != "waiting":
        raise RefusedError("seat_taken.seat")
    sitter = await sitter_of(request, authorization)
    avoided = frozenset[str]() if sitter is None else await players_of(request).muted(sitter.player)
    other = _lobby(request).announce(
        room, body.invite, limits.visitor(request.scope), body.mine, hub_of(request).now(), avoided
    )
    return json_response(Announced(None if other is None else other.session.id))


@router.post("/{game}/join", responses=answers(Joined))
async def meet(request: Request, game: Id, body: Meeting, authorization: Authorization = None) -> Response:
    """Sit down at a game that waits. With the same token, doing it twice does it once."""
    hub = hub_of(request)
    invite = _lobby(request).invitation(game)
    if invite is not None:
        sitter = await sitter_of(request, authorization)
        visitor = request.app.state.limits.visitor(request.scope)
        room, token, who = await hub.join(game, invite, body.name, body.token, sitter, visitor)
        return json_response(Joined(token, sides(who), room.whole_state(who)))
    # It waits no more: perhaps because one sat down already, and the answer was lost.
    room = await hub.room(game)
    who = room.session.who(hash_of(body.token))
    if not who.sides:
        raise RefusedError("seat_taken.seat")
    return json_response(await room.settled(lambda: Joined(body.token, sides(who), room.whole_state(who))))
