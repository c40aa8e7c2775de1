"""Agents of the server: which ones strangers may choose, and how they think without blocking anybody."""

import asyncio
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from claimeven.agents import Agent, Choice, Kind, close, find_kind, make_agent
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons import advise
from claimeven.server.errors import RefusedError
from claimeven.server.messages import MAX_SPEC
from claimeven.solver import Solver

Value = TypeVar("Value")

# What strangers may choose, and the options they may set: nothing that takes memory, threads or files.
OFFERED: dict[str, frozenset[str]] = {
    "level": frozenset({"level"}),
    "perfect": frozenset(),
    "minimax": frozenset({"depth", "depth_by_width", "ties", "values", "preset"}),
    "mcts": frozenset({"simulations", "exploration", "tt", "lgr", "forget", "solver", "decisive", "final"}),
    "rules": frozenset(),
    "random": frozenset(),
    "first": frozenset(),
}
MEMORY = {"mcts": "megabytes=64"}  # added to their specs
EXACT = ("perfect", "level:10")
EXACT_PATIENCE = 5.0  # seconds: they are not asked to guess where a moment more gives the proof
KEPT_AGENTS = 16
MAX_WAITING = 200
LEAST_SECONDS = 0.05  # that an agent gets however many are waiting
HINT_SECONDS = 5.0


class Thinkers:
    """A bounded number of threads. The native searches leave the interpreter to the others."""

    def __init__(self, allowed: Sequence[str] = (), threads: int | None = None) -> None:
        self.allowed = tuple(make_agent(spec).name for spec in allowed)  # by the operator: any spec
        count = threads or min(4, max(2, os.cpu_count() or 2))
        self.threads = count
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="agent")
        self._free = asyncio.Semaphore(count)
        self._agents: OrderedDict[str, Agent] = OrderedDict()
        self._lock = threading.Lock()
        self._solver = Solver(megabytes=64)
        self._solving = threading.Lock()  # one at a time: it has one table
        self.waiting = 0
        self.busy = 0

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        for agent in self._agents.values():
            close(agent)

    def check(self, spec: str) -> str:
        """The spec in its shortest form, if strangers may choose it."""
        if spec in self.allowed:
            return spec
        try:
            name, colon, options = spec.partition(":")
            if name not in OFFERED or len(spec) > MAX_SPEC:
                raise InputError(f"this server offers {', '.join([*OFFERED, *self.allowed])}")
            kind = find_kind(name)
            if colon and not options:
                raise InputError(f"agent {spec}: nothing follows the colon")
            values = kind.parse(options)
            _check_options(kind, values, OFFERED[name])
            return kind.spec(values)
        except InputError as error:
            raise RefusedError("bad_agent", str(error)) from None

    async def choose(self, spec: str, position: Position, seconds: float, stop: threading.Event) -> Choice:
        """The agent's choice. The more are waiting, the less time each gets: nobody can think for all."""

        def think() -> Choice:
            fair = max(seconds / (1 + self.waiting / self.threads), min(seconds, LEAST_SECONDS))
            return self._agent(spec).choose(position, Limit(seconds=max(fair, 0.001), stop=stop))

        return await self._run(think)

    async def hint(self, position: Position, language: str = "en") -> tuple[tuple[str, ...], str]:
        """The best columns and one sentence; it says so if they are not proved to be the best."""
        if self.waiting > MAX_WAITING:
            raise RefusedError("busy", "too many are thinking now; ask again")
        return await self._run(lambda: self._hint(position, language))

    def _hint(self, position: Position, language: str) -> tuple[tuple[str, ...], str]:
        with self._solving:
            advice = advise(position, self._solver, language, Limit(seconds=HINT_SECONDS))
        return tuple(str(column + 1) for column in advice.best), advice.text

    async def run(self, work: Callable[[], Value]) -> Value:
        """Other work that takes long."""
        if self.waiting > MAX_WAITING:
            raise RefusedError("busy", "too many are thinking now; ask again")
        return await self._run(work)

    async def _run(self, work: Callable[[], Value]) -> Value:
        self.waiting += 1
        try:
            await self._free.acquire()
        finally:
            self.waiting -= 1
        self.busy += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        future.add_done_callback(self._release)  # also when nobody waits for it any more
        return await asyncio.shield(future)

    def _release(self, future: "asyncio.Future[Value]") -> None:
        self.busy -= 1
        self._free.release()
        if not future.cancelled():
            future.exception()  # whoever still waits gets it; nobody else needs to be told

    def _agent(self, spec: str) -> Agent:
        """One agent per spec serves all games: they may be asked from several threads."""
        with self._lock:
            agent = self._agents.get(spec)
            if agent is None:
                agent = make_agent(_with_memory(spec) if spec not in self.allowed else spec)
                self._agents[spec] = agent
                if len(self._agents) > KEPT_AGENTS:
                    self._agents.popitem(last=False)
            self._agents.move_to_end(spec)
            return agent


def _check_options(kind: Kind, values: Mapping[str, object], offered: frozenset[str]) -> None:
    for option in kind.options:
        if option.name not in offered and values[option.name] != option.default:
            raise InputError(f"{kind.name}: {option.name} cannot be set on this server")


def _with_memory(spec: str) -> str:
    extra = MEMORY.get(spec.partition(":")[0])
    return spec if extra is None else f"{spec}{',' if ':' in spec else ':'}{extra}"


def is_exact(spec: str) -> bool:
    return spec in EXACT or spec.startswith("perfect:")
