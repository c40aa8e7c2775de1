"""What a room may ask of the house around it, and nothing else."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from claimeven.agents import Choice
from claimeven.position import Position
from claimeven.server.errors import RefusedError
from claimeven.server.game.events import Event
from claimeven.server.game.session import Session
from claimeven.server.settings import Settings


class Think(Protocol):
    def check(self, spec: str) -> str:
        """The spec of an agent in its shortest form; RefusedError if it may not be chosen."""

    async def choose(
        self, spec: str, position: Position, seconds: float, stop: threading.Event, *, is_pie: bool = False
    ) -> Choice:
        """`is_pie`: by the pie rule it is not settled yet whose the first disc will be."""

    async def hint(
        self, position: Position, language: str = "en", stage: int = 3, *, may_swap: bool = False
    ) -> tuple[tuple[int, ...], str]:
        """The best columns, the one that is told first, and the sentence of a stage; the last tells them."""


@dataclass(frozen=True)
class Ports:
    settings: Settings
    now: Callable[[], int]  # milliseconds
    think: Think
    # Calls back when these events, and all before them, are on disk, or with the reason why they are not.
    store: Callable[[Sequence[Event], Callable[[Exception | None], None]], None]
    new_id: Callable[[], str]  # of one more game
    open_game: Callable[[Session], object]  # gives it a room
    why_closed: Callable[[], RefusedError | None]  # None while games can be changed
    broke: Callable[[Exception], None]  # told once: memory says what the disk does not, so the room is over
