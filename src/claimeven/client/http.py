"""Creating and joining games: the HTTP part of the protocol."""

import asyncio
import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from typing import TypeVar

import msgspec

from claimeven.client.link import Link, is_local
from claimeven.errors import InputError
from claimeven.server.doors.answers import Created, Joined
from claimeven.server.errors import Faulty, RefusedError
from claimeven.server.messages import State

SECONDS = 15.0
Told = TypeVar("Told")


def new_token() -> str:
    """A secret of one's own: joining twice with it takes one seat."""
    return secrets.token_urlsafe(32)


async def create_game(
    address: str, seats: Sequence[Mapping[str, str]], **wishes: object
) -> tuple[Link, str, Created]:
    """Begin a game (docs/protocol.md): its link with the invitation, one's token, the whole answer. With
    a `key` (`new_token`) among the wishes, doing it again after a lost answer gives the same game."""
    answer = await _call(Created, f"{address}/api/games", {"seats": list(seats), **wishes})
    return Link(address, answer.game, answer.invite), answer.token, answer


async def join_game(link: Link, name: str, token: str) -> Joined:
    """Take the free seat. After an answer that was lost, do it again with the same token."""
    assert link.invite is not None
    body = {"invite": link.invite, "name": name, "token": token}
    return await _call(Joined, f"{link.address}/api/games/{link.game}/join", body)


async def game_state(link: Link) -> State:
    """The whole game, for anyone."""
    return await _call(State, f"{link.address}/api/games/{link.game}")


async def _call(kind: type[Told], url: str, body: object = None) -> Told:
    return await asyncio.to_thread(_wait_for, kind, url, body)


def _wait_for(kind: type[Told], url: str, body: object) -> Told:
    """RefusedError if the server refuses, InputError if it cannot be reached or is something else."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    proxies = urllib.request.ProxyHandler({} if is_local(url) else None)
    try:
        with urllib.request.build_opener(proxies).open(request, timeout=SECONDS) as response:
            return msgspec.json.decode(response.read(), type=kind)
    except urllib.error.HTTPError as error:
        with error:
            raise _refusal(url, error) from None
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        words = getattr(reason, "strerror", None) or str(reason) or type(error).__name__
        raise InputError(
            "server.unreachable", address=Link.parse(url.partition("/api/")[0]), reason=words.lower()
        ) from None
    except (msgspec.DecodeError, ValueError, RecursionError):
        raise InputError("server.other", url=url) from None


def _refusal(url: str, error: urllib.error.HTTPError) -> Exception:
    try:
        fault = msgspec.json.decode(error.read(), type=Faulty).error
        return RefusedError.told(fault.code, fault.message, fault.detail or None)
    except (msgspec.DecodeError, ValueError, RecursionError, OSError, HTTPException):
        return InputError("server.answers", url=url, status=error.code)
