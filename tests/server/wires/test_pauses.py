"""Nothing that is done now and then keeps games waiting for long."""

import asyncio
from itertools import pairwise
from pathlib import Path

from claimeven.position import Position
from claimeven.server.game.session import Seat, Session, Who
from claimeven.server.hub import AT_ONCE
from kit.serving import Served, serving


def test_many_games_go_to_rest_a_few_at_a_time(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        seen = asyncio.run_coroutine_threadsafe(_forgotten(server), server.hub.loop).result(20)
        assert seen[0] > 3 * AT_ONCE
        assert seen[-1] == 0
        assert max(before - after for before, after in pairwise(seen)) <= AT_ONCE


async def _forgotten(server: Served) -> list[int]:
    """How many rooms there are in each round of the loop, while games that are over go."""
    hub = server.hub
    assert hub._sweeper is not None
    hub._sweeper.cancel()  # it puts games away, too
    for number in range(3 * AT_ONCE + 10):
        chairs = Seat("human", "Lan", None, "a"), Seat("human", "Ada", None, "b")
        session = Session(f"g{number}", Position(), chairs, 1000, 500, None, "a")
        session.resign(Who((0,)), 2000)
        hub.open(session).last_used = 0
    seen = [len(hub.rooms)]
    resting = asyncio.create_task(hub._rest_in_turns())
    while not resting.done():
        await asyncio.sleep(0)
        seen.append(len(hub.rooms))
    return seen
