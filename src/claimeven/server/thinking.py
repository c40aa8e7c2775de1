"""Agents of the server: which ones strangers may choose, and how they think without blocking anybody."""

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from claimeven.agents import Agent, Choice, Kind, choose_in_pie, close, find_kind, make_agent
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons import advise, swap_hint
from claimeven.reasons.hinted.stage import STAGES
from claimeven.server.cluster.words import Studied, Visit
from claimeven.server.errors import RefusedError
from claimeven.server.messages import MAX_SPEC
from claimeven.server.shares import Asker, Crew, Rank
from claimeven.solver import Solver

Value = TypeVar("Value")

# What strangers may choose, and the options they may set: nothing that takes memory, threads or files.
OFFERED: dict[str, frozenset[str]] = {
    "level": frozenset({"level"}),
    "perfect": frozenset(),
    "minimax": frozenset({"depth", "depth_by_width", "ties", "values", "preset"}),
    "mcts": frozenset({"simulations", "exploration", "tt", "lgr", "forget", "solver", "decisive", "final"}),
    "neural": frozenset({"network", "depth", "simulations"}),
    "human": frozenset({"rating"}),
    "rules": frozenset(),
    "random": frozenset(),
    "first": frozenset(),
}
MEMORY = {"mcts": "megabytes=64"}  # added to their specs
EXACT = ("perfect", "level:10")
EXACT_PATIENCE = 5.0  # seconds: they are not asked to guess where a moment more gives the proof
KEPT_AGENTS = 16  # that strangers chose; those of the operator stay
HINT_SECONDS = 5.0
FAR_SECONDS = 0.5  # less is thought here: somebody else who fails would cost more of the clock than there is
STUDY_SHARE_SECONDS = 6.0  # an answer that is cut short is none: it gets longer than a thought


class Elsewhere(Protocol):
    """Others who may think for this server."""

    async def choose(
        self, spec: str, position: Position, seconds: float, asker: Asker, is_pie: bool
    ) -> Choice | None:
        """None: nobody had time."""

    async def study(
        self, visit: Visit, body: bytes, visitor: str, tell: Callable[[bytes], None]
    ) -> Studied | None: ...


class Thinkers:
    """A bounded number of threads for agents, one for hints, a few for studies: none takes those of another.
    The native searches leave the interpreter to the others."""

    def __init__(self, allowed: Sequence[str] = (), threads: int | None = None, studies: int = 2) -> None:
        self._own = _named(allowed)
        self.allowed = tuple(self._own)  # by the operator: any spec, under the name that strangers see
        self.threads = threads or min(4, max(2, os.cpu_count() or 2))
        self.agents = Crew(self.threads, "agent")
        self._aside = Crew(1, "hint")
        self.studies = Crew(studies, "study", STUDY_SHARE_SECONDS)
        self._kept: OrderedDict[str, Agent] = OrderedDict()
        self._operators: dict[str, Agent] = {}  # never pushed out by strangers: some hold a program
        self._lock = threading.Lock()
        self._solver = Solver(megabytes=64)
        self.far: Elsewhere | None = None  # in a cluster

    @property
    def _crews(self) -> tuple[Crew, ...]:
        return self.agents, self._aside, self.studies

    @property
    def busy(self) -> int:
        return sum(crew.busy for crew in self._crews)

    @property
    def waiting(self) -> int:
        return sum(crew.waiting for crew in self._crews)

    def waiting_as(self, rank: Rank) -> int:
        return sum(crew.waiting_as(rank) for crew in self._crews)

    def close(self) -> None:
        for crew in self._crews:
            crew.close()
        for agent in (*self._kept.values(), *self._operators.values()):
            close(agent)

    def check(self, spec: str) -> str:
        """The spec in its shortest form, if strangers may choose it."""
        for name, own in self._own.items():
            if spec in (name, own):
                return name
        try:
            name, colon, options = spec.partition(":")
            if name not in OFFERED or len(spec) > MAX_SPEC:
                raise InputError("agent.not_offered", known=", ".join([*OFFERED, *self.allowed]))
            kind = find_kind(name)
            if colon and not options:
                raise InputError("agent.colon", spec=spec)
            values = kind.parse(options)
            _check_options(kind, values, OFFERED[name])
            return kind.spec(values)
        except InputError as error:
            raise RefusedError.because(error, "bad_agent") from None

    async def choose(
        self,
        spec: str,
        position: Position,
        seconds: float,
        stop: threading.Event,
        asker: Asker = Asker(),  # noqa: B008 - a tuple
        *,
        is_pie: bool = False,
    ) -> Choice:
        """The agent's choice. The more are waiting, the less time each gets: nobody can think for all."""
        is_far = seconds >= FAR_SECONDS and spec not in self._own  # those of the operator are here alone
        if self.far is not None and is_far:
            found = await self.far.choose(spec, position, seconds, asker, is_pie)
            if found is not None:
                return found

        def think() -> Choice:
            fair = self.agents.fair(seconds, asker)
            agent, limit = self._agent(spec), Limit(seconds=max(fair, 0.001), stop=stop)
            return choose_in_pie(agent, position, limit) if is_pie else agent.choose(position, limit)

        # A program of the operator that is told to stop has answered nothing: it would lose.
        return await self.agents.run(think, asker, None if spec in self._own else stop)

    async def hint(
        self,
        position: Position,
        language: str = "en",
        stage: int = STAGES,
        visitor: str = "",
        *,
        may_swap: bool = False,
    ) -> tuple[tuple[int, ...], str]:
        """The sentence of a stage; the last one comes with the best columns, the one that it names first."""

        def think(stop: threading.Event) -> tuple[tuple[int, ...], str]:
            limit = Limit(seconds=HINT_SECONDS, stop=stop)
            take = swap_hint(position, self._solver, language, limit) if may_swap else None
            return self._hint(position, language, stage, stop) if take is None else ((), take)

        return await self.aside(think, visitor)

    def _hint(
        self, position: Position, language: str, stage: int, stop: threading.Event
    ) -> tuple[tuple[int, ...], str]:
        advice = advise(position, self._solver, language, Limit(seconds=HINT_SECONDS, stop=stop))
        text = advice.stages[stage - 1].text
        if stage < STAGES:
            return (), text
        return tuple(sorted(advice.best, key=lambda column: column != advice.column)), text

    async def aside(self, work: Callable[[threading.Event], Value], visitor: str) -> Value:
        """Work that nobody's move waits for, one at a time; its event is set when it should come to an end:
        others wait, or nobody does."""
        stop = threading.Event()
        try:
            return await self._aside.run(lambda: work(stop), Asker(Rank.ASIDE, visitor), stop)
        finally:
            stop.set()

    def fresh(self, spec: str, seed: int) -> Agent:
        """One with a seed, for a match; an agent of the operator plays all of them."""
        return self._agent(spec) if spec in self._own else make_agent(_with_memory(spec), seed)

    def _agent(self, spec: str) -> Agent:
        """One agent per spec serves all games: they may be asked from several threads."""
        with self._lock:
            if spec in self._own:
                if spec not in self._operators:
                    self._operators[spec] = make_agent(self._own[spec])
                return self._operators[spec]
            agent = self._kept.get(spec)
            if agent is None:
                agent = self._kept[spec] = make_agent(_with_memory(spec))
                if len(self._kept) > KEPT_AGENTS:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(spec)
            return agent


class AtTable:
    """The thinkers, as one game may ask them: for whoever is there."""

    def __init__(self, thinkers: Thinkers, asker: Callable[[], Asker]) -> None:
        self._thinkers = thinkers
        self._asker = asker
        self.check = thinkers.check

    async def choose(
        self, spec: str, position: Position, seconds: float, stop: threading.Event, *, is_pie: bool = False
    ) -> Choice:
        return await self._thinkers.choose(spec, position, seconds, stop, self._asker(), is_pie=is_pie)

    async def hint(
        self, position: Position, language: str = "en", stage: int = STAGES, *, may_swap: bool = False
    ) -> tuple[tuple[int, ...], str]:
        visitor = self._asker().visitor
        return await self._thinkers.hint(position, language, stage, visitor, may_swap=may_swap)


def _named(specs: Sequence[str]) -> dict[str, str]:
    """The operator's agents under their public names: how a program is started is nobody's business."""
    named: dict[str, str] = {}
    for number, spec in enumerate(specs, 1):
        full = make_agent(spec).name
        kind, colon, _ = full.partition(":")
        named[f"{kind}-{number}" if colon and kind not in OFFERED else full] = full
    return named


def _check_options(kind: Kind, values: Mapping[str, object], offered: frozenset[str]) -> None:
    for option in kind.options:
        if option.name not in offered and values[option.name] != option.default:
            raise InputError("agent.fixed_option", agent=kind.name, option=option.name)


def _with_memory(spec: str) -> str:
    extra = MEMORY.get(spec.partition(":")[0])
    return spec if extra is None else f"{spec}{',' if ':' in spec else ':'}{extra}"


def is_exact(spec: str) -> bool:
    return spec in EXACT or spec.startswith("perfect:")
