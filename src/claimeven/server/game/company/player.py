"""The agents at a game: they think when it is their turn and anybody is there, and stop when it is not."""

import asyncio
import logging
import threading
import time
from typing import NamedTuple

from claimeven.agents import AgentError, Choice
from claimeven.position import Position
from claimeven.server.game.ports import Think
from claimeven.server.game.session import Session
from claimeven.server.thinking import EXACT_PATIENCE, is_exact

log = logging.getLogger("claimeven.server")
MEMORY_PATIENCE = (0.2, 0.5, 1.0, 2.0, 4.0)  # seconds until an agent that had no memory thinks again
WATCH_PACE = 0.7  # seconds between two moves of agents, so that they can be followed


class Thought(NamedTuple):
    """A choice of an agent, as it was made."""

    spec: str
    position: Position
    choice: Choice
    ms: int


class Failure(NamedTuple):
    """An agent that chose nothing, and so loses."""

    position: Position
    ending: str


class _Topic(NamedTuple):
    """What is thought about."""

    take: int
    ply: int
    spec: str
    is_pie: bool


class AgentPlayer:
    """The agents of one game: one thought at a time."""

    def __init__(self, think: Think) -> None:
        self._think = think
        self._task: asyncio.Task[Thought | Failure] | None = None
        self._stop = threading.Event()
        self._topic: _Topic | None = None
        self.thoughts: dict[int, Thought] = {}  # the last one of each side

    @property
    def is_busy(self) -> bool:
        return self._task is not None

    def wake(self, session: Session, is_welcome: bool) -> "asyncio.Task[Thought | Failure] | None":
        """Think about the game as it stands, if that is welcome, and no longer about the past."""
        spec = session.agent_to_move
        topic = None if spec is None else _Topic(session.take, session.ply, spec, session.game.is_pie_open)
        if self._task is not None:
            if self._topic == topic:
                return None
            self.stop()
        if spec is None or not is_welcome:
            return None
        self._topic, self._stop = topic, threading.Event()
        self._task = asyncio.get_running_loop().create_task(_choose(self._think, session, spec, self._stop))
        return self._task

    def take(self, task: "asyncio.Task[Thought | Failure]") -> Thought | Failure | None:
        """What came of a thought that ended; None if it was about the past."""
        if task is not self._task:
            return None
        self._task = None
        if task.cancelled():
            return None
        thought = task.result()
        if isinstance(thought, Thought) and not thought.choice.swaps:  # that was no move
            self.thoughts[thought.position.side] = thought
        return thought

    def stop(self) -> None:
        if self._task is not None:
            task, self._task = self._task, None
            self._stop.set()
            task.cancel()


async def _choose(think: Think, session: Session, spec: str, stop: threading.Event) -> Thought | Failure:
    """That the server has no memory for a moment is not the agent's fault."""
    for seconds in MEMORY_PATIENCE:
        try:
            return await _try_to_choose(think, session, spec, stop)
        except MemoryError:
            log.warning("no memory for an agent", extra={"game": session.id, "agent": spec})
            await asyncio.sleep(seconds)
    return Failure(session.position, "crash")


async def _try_to_choose(
    think: Think, session: Session, spec: str, stop: threading.Event
) -> Thought | Failure:
    position, began = session.position, time.monotonic()
    try:
        choice = await think.choose(
            spec, position, _seconds(session, spec), stop, is_pie=session.game.is_pie_open
        )
        seconds = time.monotonic() - began
        if session.is_between_agents:
            await asyncio.sleep(max(0.0, WATCH_PACE - seconds))
        return Thought(spec, position, choice, int(seconds * 1000))
    except AgentError as error:
        log.warning("agent failed", extra={"game": session.id, "agent": spec, "error": str(error)})
        return Failure(position, error.ending)
    except MemoryError:
        raise
    except Exception:
        log.exception("agent crashed", extra={"game": session.id, "agent": spec})
        return Failure(position, "crash")


def _seconds(session: Session, spec: str) -> float:
    """What an agent may use for this move."""
    seconds, clock = session.think / 1000, session.clock
    if clock is not None:
        left = clock.left[session.position.side]
        return min(seconds, left / 10_000 + clock.increment / 2_000)
    return max(seconds, EXACT_PATIENCE) if is_exact(spec) else seconds
