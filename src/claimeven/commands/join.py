"""join: play or watch a game on a server, in the terminal."""

from typing import TYPE_CHECKING, Annotated

import typer

from claimeven.errors import InputError

if TYPE_CHECKING:
    from claimeven.client import Link

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
        raise InputError(error.message) from None


async def _join(link: "Link", name: str, watch: bool) -> None:
    """Sit down, play, and follow to the next game if there is one."""
    from rich.console import Console

    from claimeven.client import Client, create_game, game_state, join_game, new_token
    from claimeven.client.faces import Keys, Lines, has_keys
    from claimeven.client.seats import Seats
    from claimeven.client.visit import Visit

    console, seats = Console(highlight=False), Seats()
    token = None
    if link.game is None:
        link, token, _ = await create_game(link.address, [{"kind": "me"}, {"kind": "friend"}], name=name)
        seats.keep(link, token)
        console.out(
            f"your friend plays with: claimeven join '{link}'\nor in a browser: {link}", highlight=False
        )
    elif not watch:
        token = seats.token(link)
        if token is None and link.invite is not None:
            token = new_token()
            await join_game(link, name, token)
            seats.keep(link, token)
    await game_state(link)  # before anything is drawn: a wrong link is an error, not a visit
    next_game: Link | None = link
    lines: Lines | None = None
    while next_game is not None:
        link = next_game
        async with Client(link, token) as client:
            await client.until(lambda client=client: client.state is not None)  # type: ignore[misc]
            if has_keys(console, client.position):
                face = Keys(console)
                with face.open():
                    next_game = await Visit(client, face).stay()
            else:
                lines = lines or Lines(console)  # one reader for all games: it may have read ahead
                next_game = await Visit(client, lines).stay()
        if next_game is not None and token is not None:
            seats.keep(next_game, token)
            console.out("\nanother game, colours swapped", highlight=False)
    if token is not None and client.state is not None and client.state.status != "over":
        console.out(f"come back with: claimeven join {link._replace(invite=None)}", highlight=False)
