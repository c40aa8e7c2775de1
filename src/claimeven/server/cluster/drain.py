"""A server of a cluster that stops: what it has goes to the others little by little, as they can take it.

Nobody new is let in, and games are given back in small groups: those of the next groups are played on
meanwhile. A group follows when the server that is to have the last one has it in memory, and not sooner than
its visitors need to come in elsewhere; so nobody waits for all the others. Then those go who are here for
games of other servers. All of it is bounded: who is still here at the end is sent on at once.
"""

import asyncio
import logging
import math
from collections import defaultdict
from collections.abc import Callable, Iterator

from claimeven.server.cluster.bus import Bus, OutOfReachError
from claimeven.server.cluster.shared import Shared
from claimeven.server.cluster.words import Handed, Yes
from claimeven.server.doors.limits import Limits
from claimeven.server.doors.socket import RESTART, Connection
from claimeven.server.doors.tcp import TextPlayer
from claimeven.server.game.room import Room
from claimeven.server.hub import Hub
from claimeven.server.lobby.waiting import Lobby

STEP_SECONDS = 0.1  # from a group to the next
VISITOR_SECONDS = 0.015  # what the others, and what they stand on, need to let one in, with some to spare
LEAST_SECONDS = 0.2  # for who was just coming in when the door was closed
TAKE_SECONDS = 1.0  # for another server to have a group in memory; one that says nothing is not asked again
LOOK_SECONDS = 0.02  # between two looks whether to hurry
log = logging.getLogger("claimeven.server")


class Drain:
    def __init__(self, hub: Hub, lobby: Lobby, limits: Limits, shared: Shared, bus: Bus) -> None:
        self._hub = hub
        self._lobby = lobby
        self._limits = limits
        self._shared = shared
        self._bus = bus
        self._loop = asyncio.get_running_loop()

    async def run(self, seconds: float, is_hurried: Callable[[], bool]) -> None:
        """At most so long; it ends as soon as `is_hurried`."""
        began = self._loop.time()
        end = began + seconds
        groups = 0
        while not is_hurried() and (left := end - self._loop.time()) > 0:
            group = self._next_group(left)
            if group is None:
                if self._loop.time() - began >= min(LEAST_SECONDS, seconds):
                    break
                await asyncio.sleep(LOOK_SECONDS)
                continue
            groups += 1
            until = self._loop.time() + STEP_SECONDS
            giving = self._loop.create_task(self._give(*group))
            # One that is under way is never broken off: games are here, or given back whole.
            while not (giving.done() and self._loop.time() >= until):
                if is_hurried() or self._loop.time() >= end:
                    break
                await asyncio.sleep(LOOK_SECONDS)
        log.info("drained", extra={"groups": groups, "seconds": round(self._loop.time() - began, 2)})

    def _next_group(self, left: float) -> tuple[list[str], list[Connection]] | None:
        """Games, and wires to games of other servers; None if there is nothing to give any more."""
        rooms = [one for one in self._hub.rooms.items() if not _has_text(one[1])]
        idle = [game for game, room in rooms if not _goes_on(room)]
        # Where people are, first: all others would only make them wait.
        going = sorted(
            ((game, room) for game, room in rooms if _goes_on(room)), key=lambda one: not one[1].has_guests
        )
        resting = [game for game in self._hub.resting.games() if game not in self._hub.rooms]
        wires = [one for one in self._limits.sockets if one.room is None and not one.is_closing]
        if not (rooms or resting or wires):
            return None
        costs = [len(room.attendance.guests) or 1 for _, room in going]
        due = sum(costs) + len(resting) + len(wires)
        share = max(math.ceil(STEP_SECONDS / VISITOR_SECONDS), math.ceil(due * STEP_SECONDS / left))
        games = list(_within(share, [game for game, _ in going], costs))
        share -= sum(costs[: len(games)])
        if share > 0:
            games += resting[:share]
            share -= len(resting[:share])
        return games + idle, wires[: max(0, share)]

    async def _give(self, games: list[str], wires: list[Connection]) -> None:
        for wire in wires:
            wire.close(RESTART)
        if not games:
            return
        heirs: defaultdict[int, list[str]] = defaultdict(list)
        for game in games:
            room = self._hub.rooms.get(game)
            if (room is None or _goes_on(room)) and (heir := self._shared.heir(game)) is not None:
                heirs[heir].append(game)
        seeking = self._lobby.leave(games)
        await self._hub.give_back(games)
        words = [
            Handed(heir, tuple(given), tuple(one for one in seeking if one.wish.game in given))
            for heir, given in heirs.items()
        ]
        for word in words:
            for other in self._shared.others:
                if other != word.server:
                    self._bus.tell(other, word)
        await asyncio.gather(*(self._tell(word) for word in words))

    async def _tell(self, word: Handed) -> None:
        try:
            answer = await self._bus.ask(word.server, word, TAKE_SECONDS)
        except OutOfReachError:
            answer = None
        if not isinstance(answer, Yes):  # who comes there takes the game then
            self._shared.unwilling.add(word.server)


def _has_text(room: Room) -> bool:
    """Its players have no way back: they stay to the end, and hear that the server stops."""
    return any(isinstance(guest, TextPlayer) for guest in room.attendance.guests)


def _goes_on(room: Room) -> bool:
    """Also when nobody asks for it: somebody is here, time runs, or a tournament waits for it."""
    session = room.session
    return room.has_guests or (session.result is None and bool(session.clock or session.event))


def _within(share: int, games: list[str], costs: list[int]) -> Iterator[str]:
    """The first ones, as many as make a share; at least one."""
    for game, cost in zip(games, costs, strict=True):
        if share <= 0:
            return
        share -= cost
        yield game
