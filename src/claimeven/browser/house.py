"""The routes that teach, answered in this very process: a browser's worker calls `start`, then `answer`.

The work is done at once, in the one thread there is; what a server does for many visitors is left out.
"""

import sys
import threading
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

from claimeven.browser import core, standins

if TYPE_CHECKING:
    from claimeven.browser.standins import Route
    from claimeven.server.errors import Fault

Value = TypeVar("Value")
PATIENCE = 120.0  # seconds for one question: nobody else waits, and Python is slower here
PIXELS = {"image/png", "image/gif"}
Tell = Callable[[str], object]  # takes a line of progress, as JSON


class House:
    """All routes, and one desk at which everything is worked out."""

    def __init__(self) -> None:
        from claimeven.server import shares

        shares.Crew = AtOnce  # type: ignore[assignment,misc]
        from claimeven.server.study import router
        from claimeven.server.study.desk import Desk
        from claimeven.server.thinking import Thinkers

        # Imported only now, because what they import stands in for FastAPI (standins.py).
        self.routes: list[Route] = router.routes  # type: ignore[assignment]
        self._tell: Tell = lambda line: None
        thinkers = Thinkers()
        desk = _desk(Desk, lambda line: self._tell(line))(thinkers)
        limits = SimpleNamespace(visitor=lambda scope: "")
        hub = SimpleNamespace(thinkers=thinkers)
        self._state = SimpleNamespace(desk=desk, hub=hub, limits=limits)

    async def answer(
        self, method: str, address: str, body: str | None = None, tell: Tell | None = None
    ) -> tuple[int, str, str | bytes]:
        """(status, media type, text or pixels). Lines before the last of a streamed answer go to `tell`."""
        from claimeven.server.errors import Fault, RefusedError

        self._tell = tell or (lambda line: None)
        try:
            found = await self._found(method, address, body)
            whole = b"".join([piece async for piece in found.pieces()])
            kind = found.media_type
            return found.status_code, kind, whole if kind in PIXELS else whole.decode()
        except standins.InvalidError as error:
            return _faulty(422, Fault("bad_message", str(error)))
        except RefusedError as error:
            return _faulty(error.status, Fault.of(error))

    async def _found(self, method: str, address: str, body: str | None) -> standins.Response:
        from claimeven.server.errors import RefusedError

        parts = urlsplit(address)
        for route in self.routes:
            match = route.pattern.match(parts.path)
            if match is None or route.method != method:
                continue
            given = dict(parse_qsl(parts.query, keep_blank_values=True)) | match.groupdict()
            data = None if body is None else body.encode()
            response: standins.Response = await route.function(
                **route.values(standins.Request(self._state), given, data)
            )
            return response
        raise RefusedError("not_found.here")


def _faulty(status: int, fault: "Fault") -> tuple[int, str, str]:
    import msgspec

    from claimeven.server.errors import Faulty

    return status, "application/json", msgspec.json.encode(Faulty(fault)).decode()


class AtOnce:
    """A crew without threads, of which a browser's Python has none: what it is given is done at once."""

    def __init__(self, *_: object) -> None:
        pass

    def fair(self, seconds: float, asker: object) -> float:
        return seconds

    async def run(self, work: Callable[[], Value], asker: object, stop: object = None) -> Value:
        return work()


def _desk(kind: Any, tell: Tell) -> Any:
    """The server's desk, working in this thread and telling its progress as it goes."""
    import msgspec

    from claimeven.errors import InputError
    from claimeven.limit import Limit
    from claimeven.server.errors import RefusedError
    from claimeven.server.reading.talk import Answer, answered
    from claimeven.server.reading.texts import Text
    from claimeven.server.study.answers import ProgressLine
    from claimeven.server.study.desk import MEGABYTES, LateError, Work
    from claimeven.solver import Solver, TimedSolver

    class ToldWork(Work):
        def __init__(self, solver: Solver, stop: threading.Event) -> None:
            super().__init__(solver, stop)
            self.solver = TimedSolver(solver, Limit(PATIENCE, stop=stop), LateError)

        @property
        def news(self) -> ProgressLine:
            return self._news

        @news.setter
        def news(self, line: ProgressLine) -> None:
            self._news = line
            tell(msgspec.json.encode(line).decode())

    class Desk(kind):  # type: ignore[misc]
        solver: Solver | None = None

        async def do(self, work: Callable[[Work], Value], visitor: str, started: Any = None) -> Value:
            self.solver = self.solver or Solver(megabytes=MEGABYTES)
            try:
                return work(ToldWork(self.solver, threading.Event()))
            except LateError:
                raise RefusedError("too_long.work") from None
            except InputError as error:
                raise RefusedError.because(error) from None

        async def read(self, text: Text, visitor: str) -> Answer:
            return answered(text)

    return Desk


def start(engine: Any) -> House:
    """In a browser: `engine` is the module of rooms.js, and stands behind `claimeven._core`."""
    core.engine = engine
    sys.modules["claimeven._core"] = core
    # Rooms that could use more processes import what that needs; nobody asks for one.
    for missing in ("_multiprocessing", "multiprocessing.resource_tracker"):
        sys.modules.setdefault(missing, ModuleType(missing))
    standins.install()
    return House()
