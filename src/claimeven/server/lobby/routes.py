"""The HTTP side of the lobby: look who waits, wait oneself, sit down with somebody."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from claimeven.server.doors.answers import Announced, Joined, OpenGames
from claimeven.server.doors.api import Body, Id, Secret, hub_of
from claimeven.server.doors.documented import answers, json_response
from claimeven.server.doors.limits import Limits
from claimeven.server.errors import RefusedError
from claimeven.server.game.wire import sides
from claimeven.server.lobby.waiting import MAX_LISTED, Lobby
from claimeven.server.players.keys import Authorization, players_of, sitter_of
from claimeven.server.tokens import ID, hash_of

router = APIRouter(prefix="/api/lobby")
GameId = Annotated[str, Field(pattern=f"^{ID}$")]


class Announcing(Body):
    game: GameId
    invite: Annotated[str, Field(max_length=128)]
    mine: Annotated[tuple[GameId, ...], Field(max_length=200, strict=False)] = ()  # games of one's own
    number: Annotated[int, Field(ge=0, lt=2**53)] = 0  # grows each time: what comes late is not heard


class Meeting(Body):
    name: Annotated[str, Field(max_length=400)] = ""
    token: Secret


def _lobby(request: Request) -> Lobby:
    lobby: Lobby = request.app.state.lobby
    return lobby


@router.get("", responses=answers(OpenGames))
async def open_games(request: Request) -> Response:
    """Games that wait for anybody, the longest first."""
    lobby = _lobby(request)
    games, count = lobby.listed()
    if lobby.elsewhere is not None:
        others, more = await lobby.elsewhere.listed()
        games, count = sorted([*games, *others], key=lambda one: -one[0]), count + more
    return json_response(OpenGames(tuple(game for _, game in games[:MAX_LISTED]), count))


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
    visitor, lobby = limits.visitor(request.scope), _lobby(request)
    take = await lobby.announce(room, body.invite, visitor, body.mine, avoided, body.number)
    return json_response(Announced(take))


@router.post("/{game}/join", responses=answers(Joined))
async def meet(request: Request, game: Id, body: Meeting, authorization: Authorization = None) -> Response:
    """Sit down at a game that waits. With the same token, doing it twice does it once."""
    hub, lobby, hashed = hub_of(request), _lobby(request), hash_of(body.token)
    with lobby.sitting_down(game, hashed) as invite:
        if invite is not None:
            sitter = await sitter_of(request, authorization)
            visitor = request.app.state.limits.visitor(request.scope)
            room, token, who = await hub.join(game, invite, body.name, body.token, sitter, visitor)
            lobby.close(game)
            return json_response(Joined(token, sides(who), room.whole_state(who)))
    # It waits no more: perhaps because one sat down already, and the answer was lost.
    room = await hub.room(game)
    who = room.session.who(hashed)
    if not who.sides:
        lobby.missed(room, hashed)
        raise RefusedError("seat_taken.seat")
    return json_response(await room.settled(lambda: Joined(body.token, sides(who), room.whole_state(who))))
