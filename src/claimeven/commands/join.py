"""join: play or watch a game on a server, in the terminal."""

from typing import TYPE_CHECKING, Annotated

import typer

from claimeven.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from claimeven.client import Link
    from claimeven.client.seats import Seats

LinkArgument = Annotated[
    str,
    typer.Argument(
        metavar="LINK",
        help="The link of a game, as you got it: the invitation takes the free seat, the other one watches. "
        "The address of a server alone begins a game and shows the link for your friend.",
    ),
]
NameOption = Annotated[str, typer.Option("--name", metavar="NAME", help="How the others see you.")]
WatchOption = Annotated[bool, typer.Option("--watch", help="Only watch, also with an invitation.")]


def join(link: LinkArgument, name: NameOption = "", watch: WatchOption = False) -> None:
    """Play or watch a game of a server, right here in the terminal."""
    import asyncio

    from claimeven.client import Link
    from claimeven.server.errors import RefusedError

    try:
        asyncio.run(_join(Link.parse(link), name, watch))
    except RefusedError as error:
        raise InputError("server.refused", message=error.message) from None


async def _join(link: "Link", name: str, watch: bool) -> None:
    from rich.console import Console

    from claimeven.client import game_state
    from claimeven.client.seats import Seats

    console, seats = Console(highlight=False), Seats()
    token = None
    if link.game is None:
        link, token = await _begin(link, name, console, seats)
    elif not watch:
        token = await _sit(link, name, seats)
    await game_state(link)  # before anything is drawn: a wrong link is an error, not a visit
    await _stay(link, token, console, seats)


async def _begin(link: "Link", name: str, console: "Console", seats: "Seats") -> "tuple[Link, str]":
    """A game for two, and the link for the other one."""
    from claimeven.client import create_game

    link, token, _ = await create_game(link.address, [{"kind": "me"}, {"kind": "friend"}], name=name)
    seats.keep(link, token)
    console.out(f"your friend plays with: claimeven join '{link}'", highlight=False)
    console.out(f"or in a browser: {link}", highlight=False)
    return link, token


async def _sit(link: "Link", name: str, seats: "Seats") -> str | None:
    """The token of one's seat, taken now or earlier; None to watch."""
    from claimeven.client import join_game, new_token
    from claimeven.server.errors import RefusedError

    token = seats.token(link)
    if link.invite is None:
        return token
    token = token or new_token()
    seats.keep(link, token)  # first: if the answer gets lost, the seat is ours all the same
    try:
        await join_game(link, name, token)
    except RefusedError:
        seats.forget(link)
        raise
    return token


async def _stay(link: "Link", token: str | None, console: "Console", seats: "Seats") -> None:
    """Play or watch, and follow to the next game if there is one."""
    from claimeven.client import Client
    from claimeven.client.faces import Keys, Lines, has_keys
    from claimeven.client.visit import Visit

    next_game: Link | None = link
    lines: Lines | None = None
    while next_game is not None:
        link = next_game
        async with Client(link, token) as client:
            try:
                await client.until(lambda client=client: client.state is not None)  # type: ignore[misc]
                if has_keys(console, client.position):
                    face = Keys(console)
                    with face.open():
                        next_game = await Visit(client, face).stay()
                else:
                    lines = lines or Lines(console)  # one reader for all games: it may have read ahead
                    next_game = await Visit(client, lines).stay()
            finally:
                if token is not None and not client.is_over:
                    back = link._replace(invite=None)
                    console.out(f"come back with: claimeven join {back}", highlight=False)
        if next_game is not None and token is not None:
            seats.keep(next_game, token)
            console.out("\nanother game, colours swapped", highlight=False)
