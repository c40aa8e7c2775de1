"""Who asks: told by `Authorization: Bearer KEY`, a key that their browser drew and nobody else knows."""

from typing import Annotated

from fastapi import Header, Request

from claimeven.server.errors import RefusedError
from claimeven.server.game.events import Sitter
from claimeven.server.players.book import Player, Players

Authorization = Annotated[str | None, Header(max_length=200)]


def players_of(request: Request) -> Players:
    players: Players = request.app.state.players
    return players


async def asked_by(request: Request, authorization: str | None) -> Player:
    """The player who asks; RefusedError if there is none."""
    kind, _, key = (authorization or "").partition(" ")
    if kind.lower() != "bearer" or not key.strip():
        raise RefusedError("no_player.key")
    return await players_of(request).by_key(key.strip())


async def sitter_of(request: Request, authorization: str | None) -> Sitter | None:
    """The player who sits down, if it is one: a key is not needed to play."""
    if authorization is None:
        return None
    player = await asked_by(request, authorization)
    return Sitter(player.name, player.id, round(player.rating.rating))
