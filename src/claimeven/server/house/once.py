"""What several ask for at the same time is done once."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class Once(Generic[Value]):
    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[Value]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._tasks

    async def do(self, name: str, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """What comes of it, or of what is being done under this name already. It goes on without those who
        asked, for others may ask."""
        task = self._tasks.get(name)
        if task is None:
            task = self._tasks[name] = asyncio.get_running_loop().create_task(work())
            task.add_done_callback(lambda _: self._tasks.pop(name, None))
        return await asyncio.shield(task)

    async def done(self, name: str) -> None:
        """When nothing is being done under this name, whatever came of it."""
        if (task := self._tasks.get(name)) is not None:
            await asyncio.wait((task,))
