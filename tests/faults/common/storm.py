"""Blow after blow while games are played, and between them time to be of use again."""

import asyncio
import contextlib
import random
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

from faults.process import NotStartedError, ServerProcess

RECOVERY_SECONDS = 60.0  # in which a server must be ready again, on a machine that others use too
DAY = 86_400
Blow = Callable[[], Awaitable[None]]


class Storm(ABC):
    def __init__(self, rng: random.Random, pause: float) -> None:
        """`pause`: seconds between two blows, in the mean."""
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []  # broken promises
        self.is_enough = asyncio.Event()
        self.is_lost = False  # a server cannot be started again
        self._rng = rng
        self._pause = pause
        self._skew = 0
        self._calm = 0.0
        self._calm_since: float | None = None

    @abstractmethod
    def ports(self) -> Sequence[int]:
        """Where clients may end up."""

    @abstractmethod
    def blows(self) -> list[tuple[Blow, float]]:
        """What may happen, and how often in comparison."""

    @abstractmethod
    async def recover(self, blow: str) -> None:
        """A server may die of a blow; one that lives must be of use again."""

    @property
    def calm(self) -> float:
        """Seconds in which nothing happened: on a busy machine it takes long to be back."""
        return self._calm + (0.0 if self._calm_since is None else time.monotonic() - self._calm_since)

    async def go_on(self) -> None:
        blows, weights = zip(*self.blows(), strict=True)
        while not self.is_lost:
            self._calm_since = time.monotonic()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._rng.uniform(0.3, 1.7) * self._pause):
                    await self.is_enough.wait()
                    return
            self._calm, self._calm_since = self.calm, None
            (blow,) = self._rng.choices(blows, weights)
            await self.strike(blow)

    async def strike(self, blow: Blow) -> None:
        """And wait until all is of use again."""
        name = blow.__name__.strip("_")
        try:
            await blow()
            await self.recover(name)
        except NotStartedError as error:
            self.is_lost = True
            self.faults.append(f"after {name} a server does not start: {error}")

    async def _start(self, server: ServerProcess) -> None:
        """As whoever watches over it does: once more, if it ended because something else had just failed."""
        for tries_left in (2, 1, 0):
            try:
                await asyncio.to_thread(server.start)
                return
            except NotStartedError:
                self.counts["starts that failed"] += 1
                if not tries_left:
                    raise

    async def _ready_again(self, server: ServerProcess, blow: str, end: float) -> None:
        while not await asyncio.to_thread(server.answers, "/api/ready"):
            if not server.is_alive:
                self.counts["deaths"] += 1
                await self._start(server)
            elif time.monotonic() > end:
                self.faults.append(f"a server is not ready again after {blow}")
                server.kill()
            await asyncio.sleep(0.1)

    def _jumped(self) -> int:
        """The wall clock is set, by days: so far it is from the true one."""
        self.counts["clock jumps"] += 1
        self._skew += self._rng.choice((2 * DAY, 30 * DAY, -DAY // 2, -40 * DAY))
        return self._skew
