"""HTTP requests about a game of another server: answered there, as if the visitor had come in there."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Annotated, Any

import msgspec

from claimeven.server.cluster.bus import Bus, OutOfReachError
from claimeven.server.cluster.shared import Shared
from claimeven.server.cluster.wires import HOLD_SECONDS, is_dead
from claimeven.server.cluster.words import Answer, Ask, Visit, Words, scope_of, visit_of
from claimeven.server.doors.answers import PublicGames
from claimeven.server.doors.api import ELSEWHERE
from claimeven.server.doors.socket import Receive, Scope, Send
from claimeven.server.errors import Fault, Faulty, RefusedError
from claimeven.server.house.tenure import may_pull
from claimeven.server.logs import request_id
from claimeven.server.players.answers import BestGame
from claimeven.server.tokens import ID

App = Callable[[Scope, Receive, Send], Awaitable[None]]
OF_A_GAME = re.compile(rf"/(?:(?:api/|api/operator/)?games?|api/lobby)/({ID})(?:/.*)?")
GAMES = "/api/games"  # where one begins
LOBBY = "/api/lobby"  # who waits there says with what game
OF_ALL: dict[str, type[PublicGames | BestGame]] = {GAMES: PublicGames, "/api/best": BestGame}
ANSWER_SECONDS = 10.0
LIST_SECONDS = 1.0  # for the others to tell theirs, and that an answer counts for
AFTER_SECONDS = 0.2  # before a game is looked for again
UNCHANGING = ("GET", "HEAD")  # what may be asked twice, whatever came of the first time
OWNER_SECONDS = 1.0  # that a server is believed to have a game: if it has not, it says so


class Way:
    """Where each game is, as far as this server knows."""

    def __init__(self, shared: Shared, is_here: Callable[[str], bool]) -> None:
        self._shared = shared
        self._is_here = is_here
        self._known: dict[str, tuple[float, int]] = {}

    async def to(self, game: str) -> int | None:
        """The other server whose it is; None: it is ours, or nobody's. Who asks goes there."""
        may_pull.set(False)
        if self._is_here(game) or game in self._shared.held:
            return None
        since, owner = self._known.get(game, (0.0, 0))
        if time.monotonic() - since < OWNER_SECONDS:
            return owner
        found = await self._shared.owner(game)
        self._known.pop(game, None)
        if found is not None:
            if len(self._known) > 10_000:
                self._known.clear()
            self._known[game] = time.monotonic(), found
        elif self._shared.is_leaving:
            return self._shared.heir(game)
        return found

    async def after(self, game: str, owner: int, has_answered: bool) -> int | None:
        """A moment later, when that server did not take it. One that says nothing, and lives as far as
        anybody knows, still has it: the database is asked when it counts as dead."""
        await asyncio.sleep(AFTER_SECONDS)
        if not has_answered and self._shared.lives(owner):
            return owner
        self.forget(game)
        return await self.to(game)

    def learn(self, games: Collection[str], owner: int) -> None:
        """They are that server's by now."""
        self._known.update({game: (time.monotonic(), owner) for game in games})

    def forget(self, game: str) -> None:
        self._known.pop(game, None)

    def forget_all(self, owner: int) -> None:
        """That server has none any more."""
        self._known = {game: known for game, known in self._known.items() if known[1] != owner}


class Routed:
    """Before the application."""

    def __init__(self, app: App, shared: Shared, way: Way, bus: Bus) -> None:
        self.app = app
        self._shared = shared
        self._way = way
        self._bus = bus
        self._listed: dict[str, tuple[float, tuple[PublicGames | BestGame, ...]]] = {}
        self._asking: dict[asyncio.Future[Words | None], tuple[int, float]] = {}  # a server, since when

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path: str = scope["path"]
        try:
            if path in OF_ALL and scope["method"] == "GET":
                await self.app({**scope, ELSEWHERE: await self._elsewhere(path)}, receive, send)
                return
            if path == GAMES and (heir := self._heir()) is not None:  # here it would have to go at once
                asked = Ask(None, visit_of(scope), await _body(receive))
                await _send(send, _answered(await self._asked(heir, asked)))
                return
            if path == LOBBY and scope["method"] == "POST":
                body = await _body(receive)
                game, receive = _game_in(body), _again(body, receive)
            else:
                found = OF_A_GAME.fullmatch(path)
                game = None if found is None else found[1]
            if game is None or await self._way.to(game) is None:
                await self.app(scope, receive, send)
                return
            answer = await self._settle(game, visit_of(scope), await _body(receive))
        except RefusedError as error:
            answer = _refusal(error)
        except OutOfReachError:
            answer = _refusal(RefusedError("busy.elsewhere"))
        await _send(send, answer)

    def _heir(self) -> int | None:
        return self._shared.heir(request_id.get()) if self._shared.is_leaving else None

    async def _settle(self, game: str, visit: Visit, body: bytes) -> Answer:
        """Here or where the game is; it may just have gone elsewhere."""
        word, end = Ask(game, visit, body), time.monotonic() + HOLD_SECONDS
        owner = await self._way.to(game)
        while owner is not None:
            try:
                answer = await self._asked(owner, word)
            except OutOfReachError:  # perhaps it was done: who asked asks again
                raise RefusedError("busy.elsewhere") from None
            if isinstance(answer, Answer):
                return answer
            if time.monotonic() > end:
                raise RefusedError("busy.elsewhere")
            owner = await self._way.after(game, owner, has_answered=answer is not None)
        return await self.answer(word)

    async def _asked(self, owner: int, word: Ask) -> Words | None:
        """None: it was not done, or changes nothing, and whose the game is now can be asked for it."""
        asking = asyncio.ensure_future(self._bus.ask(owner, word, ANSWER_SECONDS))
        self._asking[asking] = owner, time.monotonic()
        try:
            await asyncio.wait((asking,))
            if not asking.cancelled():
                return asking.result()
        finally:
            asking.cancel()
            self._asking.pop(asking, None)
        if word.visit.method not in UNCHANGING:
            raise OutOfReachError
        return None

    def keep(self, wired: dict[int, int]) -> None:
        """Nobody waits for the word of a server that is gone; one may hang and take it for a slow one."""
        for asking, (owner, since) in list(self._asking.items()):
            if is_dead(wired.get(owner, 0), 0, since):
                asking.cancel()

    async def answer(self, word: Ask) -> Answer:
        """A request that came in at another server."""
        told: list[dict[str, Any]] = []
        sent = False

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if sent:
                await asyncio.Event().wait()  # the visitor's server waits: nobody goes away early
            sent = True
            return {"type": "http.request", "body": word.body, "more_body": False}

        async def send(message: Any) -> None:
            told.append(message)

        try:
            await self.app(scope_of(word.visit, "http"), receive, send)
        except Exception:
            if not told:  # else it was answered, with 500
                raise
        headers = tuple((bytes(name), bytes(value)) for name, value in told[0].get("headers", ()))
        return Answer(told[0]["status"], headers, b"".join(part.get("body", b"") for part in told[1:]))

    # Games that may be watched, of all servers -------------------------------------------------------------

    async def _elsewhere(self, path: str) -> tuple[PublicGames | BestGame, ...]:
        since, listed = self._listed.get(path, (0.0, ()))
        if time.monotonic() - since < LIST_SECONDS:
            return listed
        others = self._shared.others
        visit = Visit("GET", path, b"", (), None, "http", request_id.get())
        asked = (self._bus.ask(other, Ask(None, visit, b""), LIST_SECONDS) for other in others)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        listed = tuple(
            msgspec.json.decode(answer.body, type=OF_ALL[path])
            for answer in answers
            if isinstance(answer, Answer) and answer.status == 200
        )
        self._listed[path] = time.monotonic(), listed
        return listed


def _without_length(answer: Answer) -> tuple[tuple[bytes, bytes], ...]:
    return tuple(header for header in answer.headers if header[0].lower() != b"content-length")


def _answered(answer: Words | None) -> Answer:
    return answer if isinstance(answer, Answer) else _refusal(RefusedError("busy.elsewhere"))


def _refusal(error: RefusedError) -> Answer:
    body = msgspec.json.encode(Faulty(Fault.of(error)))
    return Answer(error.status, ((b"content-type", b"application/json"),), body)


async def _send(send: Send, answer: Answer) -> None:
    headers = [*_without_length(answer), (b"content-length", str(len(answer.body)).encode())]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})


async def _body(receive: Receive) -> bytes:
    """Bounded by who let it in (doors/security.py)."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RefusedError("gone.away")
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """What was read already, for who comes after."""
    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_part() -> Any:
        return parts.pop() if parts else await receive()

    return next_part


class _Named(msgspec.Struct):
    game: Annotated[str, msgspec.Meta(pattern=f"^{ID}$")]


def _game_in(body: bytes) -> str | None:
    """None: whoever answers it says what is wrong."""
    try:
        return msgspec.json.decode(body, type=_Named).game
    except msgspec.MsgspecError:
        return None
