"""Games on disk in which somebody's time runs: nobody is there, and they need no room until it is up."""

import heapq
from collections.abc import Collection

SPARE = 1_000  # entries of games that were woken, before they are thrown away


class Resting:
    """Times in milliseconds. While nothing can be stored nobody's time runs, here as in the rooms."""

    def __init__(self) -> None:
        self._clocks: dict[str, tuple[int, int]] = {}  # game: since when its clock runs, when it falls
        self._falls: list[tuple[int, str]] = []  # a heap; some of them were woken since
        self._paused_at: int | None = None

    def __len__(self) -> int:
        return len(self._clocks)

    def __contains__(self, game: str) -> bool:
        return game in self._clocks

    def games(self) -> Collection[str]:
        return self._clocks.keys()

    def put(self, game: str, since: int, falls: int) -> None:
        self._clocks[game] = since, falls
        heapq.heappush(self._falls, (falls, game))
        if len(self._falls) > 2 * len(self._clocks) + SPARE:
            self._make_heap()

    def wake(self, game: str) -> int | None:
        """Since when its clock runs; None if it does not rest here."""
        clock = self._clocks.pop(game, None)
        return None if clock is None else clock[0]

    def due(self, now: int, most: int) -> list[str]:
        """Some of those whose time is up; they rest until they are woken."""
        found: list[str] = []
        while self._paused_at is None and len(found) < most and self._falls and self._falls[0][0] <= now:
            falls, game = heapq.heappop(self._falls)
            if game in self._clocks and self._clocks[game][1] == falls:
                found.append(game)
        return found

    def _make_heap(self) -> None:
        self._falls = [(falls, game) for game, (_, falls) in self._clocks.items()]
        heapq.heapify(self._falls)

    def pause(self, now: int) -> None:
        if self._paused_at is None:
            self._paused_at = now

    def go_on(self, now: int) -> None:
        if self._paused_at is not None:
            stood = now - self._paused_at
            self._clocks = {
                game: (since + stood, falls + stood) for game, (since, falls) in self._clocks.items()
            }
            self._make_heap()
            self._paused_at = None
