"""A room of the server on its own."""

import asyncio
import gc
import weakref

from claimeven.position import Position
from claimeven.server.game.ports import Ports
from claimeven.server.game.room import Room
from claimeven.server.game.session import Seat, Session
from claimeven.server.settings import Settings
from claimeven.server.thinking import Thinkers


def ports() -> Ports:
    """Around a room that stands alone: nothing is kept."""
    return Ports(
        settings=Settings(),
        now=lambda: 0,
        think=Thinkers(),
        store=lambda events, done: done(None),
        new_id=lambda: "next",
        open_game=lambda session: None,
        why_closed=lambda: None,
        broke=lambda error: None,
    )


def test_a_closed_room_is_gone_at_once() -> None:
    """Without circles, memory does not wait for the collector, which comes seldom."""

    async def visit() -> weakref.ref[Room]:
        seats = Seat("human", "Lan", None, "one"), Seat("agent", "Level 3", "level:3", None)
        room = Room(ports(), Session("game", Position(), seats, 0, 1000, owner="one"))
        room.close()
        return weakref.ref(room)

    gc.disable()
    try:
        assert asyncio.run(visit())() is None
    finally:
        gc.enable()
