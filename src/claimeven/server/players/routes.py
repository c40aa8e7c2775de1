"""The HTTP side of players: have a name, move it, look at somebody, sit down again."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from claimeven.server.doors.answers import Joined
from claimeven.server.doors.api import ELSEWHERE, Body, Id, Secret, hub_of
from claimeven.server.doors.documented import NO_OPERATOR, answers, json_response
from claimeven.server.doors.limits import Limits
from claimeven.server.doors.operators.key import check_operator
from claimeven.server.errors import RefusedError
from claimeven.server.game.wire import sides
from claimeven.server.players.answers import (
    BestGame,
    Done,
    GameForgotten,
    Me,
    MovingCode,
    MutedPlayers,
    PlayerPage,
    Reports,
)
from claimeven.server.players.book import Player
from claimeven.server.players.history import page_of, rating_of
from claimeven.server.players.keys import Authorization, asked_by, players_of
from claimeven.server.players.watching import best_game

router = APIRouter(prefix="/api")
Name = Annotated[str, Field(max_length=400)]


class NewPlayer(Body):
    name: Name
    key: Secret  # drawn by the browser; with the same key it is the same player


class Moving(Body):
    code: Annotated[str, Field(max_length=40)]
    key: Secret


class Renaming(Body):
    name: Name


class Forgetting(Body):
    games: bool  # one's games against agents, too


class Muting(Body):
    on: bool


class Reporting(Body):
    reason: Literal["rude", "cheating", "stalling", "name"]


class Sitting(Body):
    token: Secret


def _me(player: Player) -> Response:
    return json_response(Me(player.id, player.name, rating_of(player.rating)))


@router.post("/players", responses=answers(Me))
async def new_player(request: Request, body: NewPlayer) -> Response:
    """Have a name here. Doing it twice with one key does it once."""
    limits: Limits = request.app.state.limits
    if not limits.take_player(limits.visitor(request.scope)):
        raise RefusedError("rate.players")
    return _me(await players_of(request).create(body.name, body.key))


@router.get("/me", responses=answers(Me))
async def me(request: Request, authorization: Authorization = None) -> Response:
    """Who one is."""
    return _me(await asked_by(request, authorization))


@router.post("/me/name", responses=answers(Me))
async def rename(request: Request, body: Renaming, authorization: Authorization = None) -> Response:
    player = await asked_by(request, authorization)
    return _me(await players_of(request).rename(player.id, body.name))


@router.post("/me/delete", responses=answers(Done))
async def forget(request: Request, body: Forgetting, authorization: Authorization = None) -> Response:
    """Be forgotten for ever."""
    player = await asked_by(request, authorization)
    await players_of(request).forget(player.id, body.games)
    return json_response(Done())


@router.post("/me/code", responses=answers(MovingCode))
async def moving_code(request: Request, authorization: Authorization = None) -> Response:
    """A code that brings one to another browser within ten minutes, once."""
    player = await asked_by(request, authorization)
    return json_response(MovingCode(*await players_of(request).code(player.id)))


@router.get("/me/muted", responses=answers(MutedPlayers))
async def muted(request: Request, authorization: Authorization = None) -> Response:
    """Whom one does not want to meet."""
    player = await asked_by(request, authorization)
    return json_response(MutedPlayers(tuple(await players_of(request).muted_by(player.id))))


@router.post("/players/move", responses=answers(Me))
async def move(request: Request, body: Moving) -> Response:
    """Be the player whose code it is, in this browser too."""
    limits: Limits = request.app.state.limits
    if not limits.take_code(limits.visitor(request.scope)):
        raise RefusedError("rate.codes")
    return _me(await players_of(request).move(body.code, body.key))


@router.get("/players/{player}", responses=answers(PlayerPage))
async def player_page(
    request: Request, player: Id, before: Annotated[int | None, Query(ge=0, le=2**53)] = None
) -> Response:
    """A player: rating, curve, games; `before`: games older than that."""
    players = players_of(request)
    found = await players.by_id(player)
    return json_response(await players.read(lambda connection: page_of(connection, found, before)))


@router.post("/players/{player}/mute", responses=answers(Done))
async def mute(request: Request, player: Id, body: Muting, authorization: Authorization = None) -> Response:
    """Never be paired with somebody again, or perhaps again."""
    asker = await asked_by(request, authorization)
    await players_of(request).mute(asker.id, player, body.on)
    return json_response(Done())


@router.post("/games/{game}/report", responses=answers(Done))
async def report(
    request: Request, game: Id, body: Reporting, authorization: Authorization = None
) -> Response:
    """Tell the operator about who one plays; nobody else hears of it."""
    limits: Limits = request.app.state.limits
    if not limits.take_report(limits.visitor(request.scope)):
        raise RefusedError("rate.reports")
    asker = await asked_by(request, authorization)
    seated = [seat.player for seat in (await hub_of(request).room(game)).session.seats]
    other = next((player for player in seated if player not in (None, asker.id)), None)
    if asker.id not in seated or other is None:
        raise RefusedError("not_your_seat.player")
    await players_of(request).report(game, asker.id, other, body.reason)
    return json_response(Done())


@router.get("/operator/reports", responses=answers(Reports) | NO_OPERATOR)
async def reports(request: Request) -> Response:
    """For the operator: what players told of others."""
    check_operator(request)
    return json_response(Reports(tuple(await players_of(request).reported())))


@router.post("/games/{game}/seat", responses=answers(Joined))
async def sit_again(
    request: Request, game: Id, body: Sitting, authorization: Authorization = None
) -> Response:
    """Take one's own seat from another browser, or the one that a tournament has for one."""
    player = await asked_by(request, authorization)
    room, who = await hub_of(request).sit_again(game, player.id, body.token)
    return json_response(Joined(body.token, sides(who), room.whole_state(who)))


@router.post("/games/{game}/delete", responses=answers(GameForgotten))
async def forget_game(request: Request, game: Id, body: Sitting) -> Response:
    """Have a game that is over forgotten: who holds a seat's token needs no name for that."""
    return json_response(GameForgotten(await hub_of(request).forget_seat(game, body.token)))


@router.get("/best", responses=answers(BestGame))
async def best(request: Request) -> Response:
    """The game to watch now: rated or of a tournament, its players the strongest."""
    return json_response(best_game(hub_of(request).rooms.values(), request.scope.get(ELSEWHERE, ())))
