"""The agents at a game: they think when it is their turn and anybody is there, and stop when it is not."""

import asyncio
import threading
import weakref
from typing import TYPE_CHECKING, NamedTuple

from claimeven.agents import AgentError, Choice
from claimeven.position import Position
from claimeven.server import messages as m
from claimeven.server.errors import RefusedError
from claimeven.server.live import Who
from claimeven.server.thinking import EXACT_PATIENCE, is_exact

if TYPE_CHECKING:
    from claimeven.server.room import Room

WATCH_PACE = 0.7  # seconds between two moves of agents, so that they can be followed


class Thought(NamedTuple):
    """A choice of an agent, as it was made."""

    spec: str
    position: Position
    choice: Choice
    ms: int


class AgentPlayer:
    """Plays the agents' moves in one room."""

    def __init__(self, room: "Room") -> None:
        self._place = weakref.ref(room)  # the room has its player: a circle would outlive the game
        self._task: asyncio.Task[None] | None = None
        self._stop = threading.Event()
        self.thoughts: dict[int, Thought] = {}  # the last one of each side
        self._topic: tuple[int, int, str] | None = None  # take, ply and agent that is thought about

    @property
    def _room(self) -> "Room":
        room = self._place()
        assert room is not None, "a player without a room"
        return room

    @property
    def is_busy(self) -> bool:
        return self._task is not None

    def wake(self) -> None:
        """Think about the position as it is now; no longer about one of the past."""
        live = self._room.live
        spec = live.agent_to_move
        topic = None if spec is None else (live.take, live.ply, spec)
        if self._task is not None:
            if self._topic == topic:
                return
            self.stop()
        hub = self._room.hub
        if topic is not None and self._room.has_guests and hub.can_store and not hub.is_closing:
            self._topic, self._stop = topic, threading.Event()
            self._task = asyncio.get_running_loop().create_task(self._play(topic[2], self._stop))

    def stop(self) -> None:
        if self._task is not None:
            task, self._task = self._task, None
            self._stop.set()
            task.cancel()

    async def _play(self, spec: str, stop: threading.Event) -> None:
        room, live = self._room, self._room.live
        side = live.position.side
        room.tell(m.Thinking(side + 1, True))
        began = room.hub.now()
        ending, column, took = "", -1, None
        try:
            choice = await room.hub.thinkers.choose(spec, live.position, self._seconds(side, spec), stop)
            column, took = choice.column, room.hub.now() - began
            self.thoughts[side] = Thought(spec, live.position, choice, took)
            if all(seat.kind == "agent" for seat in live.seats):
                await asyncio.sleep(max(0.0, WATCH_PACE - (room.hub.now() - began) / 1000))
        except AgentError as error:
            ending = error.ending
            room.hub.log.warning("agent failed", extra={"game": live.id, "agent": spec, "error": str(error)})
        except Exception:
            ending = "crash"
            room.hub.log.exception("agent crashed", extra={"game": live.id, "agent": spec})
        self._task = None
        room.tell(m.Thinking(side + 1, False, took))
        self._finish(side, column, ending)

    def _finish(self, side: int, column: int, ending: str) -> None:
        room, live = self._room, self._room.live
        now = room.hub.now()
        room.flag(now)
        if live.result is not None:
            return
        try:
            if not ending:
                room.apply(live.move(Who((side,)), live.take, live.ply, column, now, by_agent=True))
        except RefusedError:
            ending = "illegal"
        if ending:
            room.apply(live.end(1 - side, ending, now))

    def _seconds(self, side: int, spec: str) -> float:
        """What an agent may use for this move."""
        live = self._room.live
        seconds = live.think / 1000
        if live.clock is not None:
            return min(seconds, live.clock.left[side] / 10_000 + live.clock.increment / 2_000)
        return max(seconds, EXACT_PATIENCE) if is_exact(spec) else seconds
