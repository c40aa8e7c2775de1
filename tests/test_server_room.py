"""A room of the server on its own."""

import asyncio
import gc
import weakref
from types import SimpleNamespace
from typing import Any

from claimeven.position import Position
from claimeven.server.hub import Settings
from claimeven.server.live import Live, Seat
from claimeven.server.room import Room


def test_a_closed_room_is_gone_at_once() -> None:
    """Without circles, memory does not wait for the collector, which comes seldom."""

    async def visit() -> weakref.ref[Room]:
        hub: Any = SimpleNamespace(now=lambda: 0, settings=Settings(), can_store=True)
        seats = Seat("human", "Lan", None, "one"), Seat("agent", "Level 3", "level:3", None)
        room = Room(hub, Live("game", Position(), seats, 0, 1000, owner="one"))
        room.close()
        return weakref.ref(room)

    gc.disable()
    try:
        assert asyncio.run(visit())() is None
    finally:
        gc.enable()
