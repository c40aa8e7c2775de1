"""The side of a server: it asks whoever has time, and thinks itself where nobody does.

Nothing rests on the others: a worker that is full says so, one that is gone is not heard of, and in both
cases the question is answered here, in the turn of whoever asked. So a question waits in line at one place
only, the pool of its server (shares.py), where visitors take turns and moves go first.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable

import msgspec

from claimeven.agents import Choice
from claimeven.position import Position
from claimeven.server.cluster.bus import Bus, OutOfReachError
from claimeven.server.cluster.words import Choose, Chosen, Drop, Job, Part, Studied, Study, Visit, Yes
from claimeven.server.logs import request_id
from claimeven.server.shares import Asker, Rank
from claimeven.server.work.jobs import choice_of, choose_of, is_failure

TRIES = 3  # of those who may have time: the first that NATS chooses may have none
TAKING_SECONDS = 0.5  # in which one says whether it has time
SILENT_SECONDS = 2.0  # without a word of who took it: it is gone
MOST_OF_VISITOR = 2  # questions elsewhere at once; more wait here for their turn
STUDY_SECONDS = 30.0
SLACK_SECONDS = 1.0  # more than an agent may think
Heard = Chosen | Studied | Part


class Far:
    """Belongs to the event loop."""

    def __init__(self, bus: Bus) -> None:
        self.counters: Counter[str] = Counter()
        self._bus = bus
        self._under_way: dict[str, asyncio.Queue[Heard]] = {}
        self._of_visitor: Counter[str] = Counter()

    async def choose(
        self, spec: str, position: Position, seconds: float, asker: Asker, is_pie: bool
    ) -> Choice | None:
        """None: nobody had time, or it failed. Then it is to be done here."""
        work = choose_of(spec, position, seconds, is_pie)
        found = await self._ask(work, seconds + SLACK_SECONDS, asker)
        if not isinstance(found, Chosen):
            return None
        try:
            return choice_of(found.choice)
        except msgspec.MsgspecError:
            return None

    async def study(
        self, visit: Visit, body: bytes, visitor: str, tell: Callable[[bytes], None]
    ) -> Studied | None:
        """A request for a page that teaches; `tell` hears of its progress, line by line."""
        found = await self._ask(Study(visit, body), STUDY_SECONDS, Asker(Rank.ASIDE, visitor), tell)
        return found if isinstance(found, Studied) else None

    def heard(self, word: Heard) -> None:
        """What nobody waits for any more is forgotten."""
        if (queue := self._under_way.get(word.id)) is not None:
            queue.put_nowait(word)

    async def _ask(
        self,
        work: Choose | Study,
        seconds: float,
        asker: Asker,
        tell: Callable[[bytes], None] = lambda line: None,
    ) -> Chosen | Studied | None:
        visitor = asker.visitor if asker.rank is Rank.ASIDE else ""
        if not self._bus.run or (visitor and self._of_visitor[visitor] >= MOST_OF_VISITOR):
            return None
        id, request = secrets.token_hex(8), request_id.get()
        job = Job(id, self._bus.own, seconds, asker.rank, asker.visitor, work, request)
        queue: asyncio.Queue[Heard] = asyncio.Queue()
        self._under_way[job.id] = queue
        self._of_visitor[visitor] += 1
        found = None
        try:
            is_taken = await self._is_taken(job)
            task = asyncio.current_task()
            if task is not None and task.cancelling():  # in the moment of the answer, which hid it
                raise asyncio.CancelledError
            if is_taken:
                found = await _answer(queue, seconds, tell)
                self.counters["apart" if found is not None else "lost"] += 1
        finally:
            if found is None:  # cancelled, late or lost: whoever has it need not go on
                self._bus.tell_workers(Drop(job.id))
            del self._under_way[job.id]
            self._of_visitor[visitor] -= 1
            if not self._of_visitor[visitor]:
                del self._of_visitor[visitor]
        return found

    async def _is_taken(self, job: Job) -> bool:
        for _ in range(TRIES):
            try:
                answer = await self._bus.ask_worker(job, TAKING_SECONDS)
            except OutOfReachError:
                return False
            if answer is None:  # there is none
                return False
            if isinstance(answer, Yes):
                return True
        return False


async def _answer(
    queue: "asyncio.Queue[Heard]", seconds: float, tell: Callable[[bytes], None]
) -> Chosen | Studied | None:
    """None: it was lost, it failed, or takes too long."""
    try:
        async with asyncio.timeout(seconds):
            while True:
                async with asyncio.timeout(SILENT_SECONDS):
                    word = await queue.get()
                if isinstance(word, Part):
                    if word.line:
                        tell(word.line)
                    continue
                return word if not is_failure(word) else None
    except TimeoutError:
        return None
