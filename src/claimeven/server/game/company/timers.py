"""What a room does later: one thing under each name."""

import asyncio
from collections.abc import Callable


class Timers:
    def __init__(self) -> None:
        self._handles: dict[str, asyncio.TimerHandle] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._handles

    def set(self, name: str, ms: int, action: Callable[[], None]) -> None:
        """Do something in `ms` milliseconds instead of what was planned under this name."""
        self.cancel(name)

        def act() -> None:
            self._handles.pop(name, None)
            action()

        self._handles[name] = asyncio.get_running_loop().call_later(max(ms, 0) / 1000, act)

    def cancel(self, name: str) -> None:
        if name in self._handles:
            self._handles.pop(name).cancel()

    def clear(self) -> None:
        for handle in self._handles.values():
            handle.cancel()
        self._handles.clear()
