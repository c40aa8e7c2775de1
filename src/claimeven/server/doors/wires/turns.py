"""Requests take turns: a few of them, then everything else that the loop has to do, then the next.

The loop serves all wires that have something to say one after the other. A hundred requests that come at once
would keep every move waiting until all of them are read; here at most a few are, and visitors take turns.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

MOST = 4  # in one round of the loop


class Turns:
    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Callable[[], object]]] = OrderedDict()  # by visitor
        self._left = MOST  # in this round
        self._next_round: asyncio.Handle | None = None

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    def take(self, visitor: str, work: Callable[[], object]) -> bool:
        """Do it now, or when it is its turn: whether it is done."""
        if self._next_round is None:
            self._begin_round()
        if self._waiting or not self._left:
            self._waiting.setdefault(visitor, deque()).append(work)
            return False
        self._left -= 1
        work()
        return True

    def _begin_round(self) -> None:
        self._left = MOST
        self._next_round = asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        self._next_round = None
        if not self._waiting:
            return
        self._begin_round()
        while self._waiting and self._left:
            self._left -= 1
            visitor, works = self._waiting.popitem(last=False)
            work = works.popleft()
            if works:
                self._waiting[visitor] = works  # behind the others
            work()
