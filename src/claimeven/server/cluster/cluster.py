"""One server of a cluster: its leases, its wire, and the wires that come and go over it."""

import asyncio
import itertools
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from claimeven.server import numbers
from claimeven.server.cluster.bus import Bus, OutOfReachError, Reply
from claimeven.server.cluster.drain import Drain
from claimeven.server.cluster.routes import AFTER_SECONDS, App, Routed, Way
from claimeven.server.cluster.shared import Shared
from claimeven.server.cluster.strangers import Strangers
from claimeven.server.cluster.wires import HOLD_SECONDS, NearWire, Wires
from claimeven.server.cluster.words import (
    Ask,
    Chosen,
    Closed,
    Give,
    Gone,
    Handed,
    Left,
    No,
    Open,
    Part,
    Said,
    Seek,
    Shut,
    Spent,
    Studied,
    Told,
    Waits,
    WhoWaits,
    Word,
    Words,
    Yes,
)
from claimeven.server.doors.limits import Limits
from claimeven.server.doors.socket import Receive, Scope, Send, endpoint
from claimeven.server.errors import RefusedError
from claimeven.server.events.director import Director
from claimeven.server.house.tenure import may_pull
from claimeven.server.hub import Hub
from claimeven.server.lobby.waiting import Lobby
from claimeven.server.storage.cluster import SharedStore
from claimeven.server.storage.store import DIRECTING
from claimeven.server.work.far import Far

GIVE_SECONDS = 3.0
OTHERS_FIRST_SECONDS = 0.5  # that who asked for a game has to take it, before visitors here bring it back
READY_SECONDS, READY_LOOK_SECONDS = 3.0, 0.02  # for NATS at the start, and between two looks
WAKERS, WAKE_SECONDS = 4, 0.5  # that read inherited games, and until they try again what could not be read
LAST_SECONDS = 0.5  # for the last words at the end
log = logging.getLogger("claimeven.server")
Play = Callable[[Scope, Receive, Send], Awaitable[None]]


class Cluster:
    """Made before the event loop; all else happens in it."""

    def __init__(self, store: SharedStore, database: str, nats: str, address: str) -> None:
        self.shared = Shared(store, database, address)
        self._nats = nats
        self._name = store.cluster
        self._hub: Hub | None = None
        self._here: Play | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._waking: set[str] = set()

    def start(self, hub: Hub, lobby: Lobby, app: App, limits: Limits) -> None:
        """`app` answers what is about games of this server."""
        self._hub = hub
        self.bus = Bus(self._nats, self._name)
        self.way = Way(self.shared, lambda game: game in hub.rooms)
        self.routed = Routed(app, self.shared, self.way, self.bus)
        self.wires = Wires(self.bus, lambda: self.shared.id, self.way)
        self.far = hub.thinkers.far = Far(self.bus)
        self.strangers = Strangers(lobby, self.shared, self.bus)
        self._lobby = lobby
        self._here = endpoint(lambda: hub, limits)
        self._limits = limits
        limits.taken = lambda what, visitor: self._tell_all(Spent(what, visitor))
        self.shared.pull = self._pull
        self.shared.wake = self._wake
        self.shared.seen = self._seen
        self.shared.left = lambda: self._tell_all(Left(self.shared.id))
        self.shared.start(hub)
        self.bus.start(self.shared.id, self)

    async def ready(self) -> None:
        """Until it can serve games of others, too, or so long: it serves its own without NATS."""
        end = time.monotonic() + READY_SECONDS
        while not self.shared.is_ready and time.monotonic() < end:
            await asyncio.sleep(READY_LOOK_SECONDS)

    async def drain(self, director: Director, is_hurried: Callable[[], bool]) -> None:
        """Before this server stops: what it has goes to the others. Not where it has nothing to give, for it
        cannot store, or nobody to give it to."""
        assert self._hub is not None
        if not self.shared.others or not self.bus.run or self._hub.why_closed() is not None:
            return
        self.shared.is_leaving = self._hub.is_draining = True
        self._spawn(director.hand_over())
        drain = Drain(self._hub, self._lobby, self._limits, self.shared, self.bus)
        await drain.run(self._hub.settings.drain / 1000, is_hurried)

    async def close(self) -> None:
        await self.shared.leave()
        await self.bus.flush(LAST_SECONDS)
        await self.bus.close()

    # Visitors ------------------------------------------------------------------------------------------

    async def play(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A WebSocket that came in here."""
        assert self._hub is not None
        assert self._here is not None
        try:
            owner = await self._settled(scope["path_params"]["game"])
        except RefusedError:
            owner = None  # as it cannot be read, the visitor is told so
        if owner is None:
            await self._here(scope, receive, send)
            return
        await receive()  # websocket.connect
        connection = NearWire(scope, receive, send, self._limits, self.wires, owner)
        self._limits.sockets.add(connection)
        try:
            await connection.run(self._hub)
        finally:
            self._limits.sockets.discard(connection)

    async def _settled(self, game: str) -> int | None:
        """The other server whose it is; None: it is ours, and in memory. Where several servers find it free
        at once, one of them has it a moment later."""
        assert self._hub is not None
        end = time.monotonic() + HOLD_SECONDS
        while True:
            owner = await self.way.to(game)
            if owner is not None:
                return owner
            try:
                await self._hub.room(game)
                return None
            except RefusedError as error:
                may_change = error.code == "busy" and self.shared.is_sure and not self._hub.is_closing
                if not may_change or time.monotonic() > end:
                    raise
            await asyncio.sleep(AFTER_SECONDS)

    def before(self, app: App) -> App:
        """What comes in here, and goes on to the application or to another server."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            if self.shared.is_leaving and scope["type"] == "http":
                send = _last(send)
            await (self.routed if scope["type"] == "http" else app)(scope, receive, send)

        return answer

    # Other servers ---------------------------------------------------------------------------------------

    def wired(self, run: int) -> None:
        self.shared.wired = run
        if not run:
            self.wires.cut()

    def heard(self, word: Words, reply: Reply) -> None:
        match word:
            case Said() | Shut() | Told() | Closed():
                self.wires.heard(word)
            case Chosen() | Studied() | Part():
                self.far.heard(word)
            case Left():
                self.shared.has_left(word.server)
                self.way.forget_all(word.server)
            case Handed():
                if word.server == self.shared.id:
                    self._spawn(self._take(word, reply))
                else:
                    self.way.learn(word.games, word.server)
            case Spent():
                self._limits.spend(word.what, word.visitor)
            case Seek() | Waits() | Gone() | WhoWaits():
                self.strangers.heard(word, reply)
            case Open():
                self._spawn(self._open(word, reply))
            case Ask():
                self._spawn(self._answer(word, reply))
            case Give():
                self._spawn(self._give(word, reply))
            case _:
                log.warning("a word out of place", extra={"word": type(word).__name__})

    async def _is_here(self, game: str) -> bool:
        """Or could be: nobody has it."""
        assert self._hub is not None
        may_pull.set(False)
        try:
            is_free = await self.shared.owner(game) is None
            return is_free and self.shared.is_sure and not self._hub.gives_away(game)
        except RefusedError:
            return False

    async def _open(self, word: Open, reply: Reply) -> None:
        assert self._here is not None
        if await self._is_here(word.game):
            self.wires.open(word, self._here)
            reply(Yes(self.bus.run))
        else:
            reply(No())

    async def _answer(self, word: Ask, reply: Reply) -> None:
        if word.game is None or await self._is_here(word.game):
            reply(await self.routed.answer(word))
        else:
            reply(No())

    async def _give(self, word: Give, reply: Reply) -> None:
        assert self._hub is not None
        await self._hub.hand_over(word.game, OTHERS_FIRST_SECONDS)
        reply(Yes(self.bus.run))

    async def _take(self, word: Handed, reply: Reply) -> None:
        """Have games that another server gives away before their visitors come."""
        assert self._hub is not None
        hub = self._hub
        if hub.is_draining or hub.is_closing:
            reply(No())
            return
        may_pull.set(False)
        for game in word.games:
            self.way.forget(game)
        found = await asyncio.gather(*(hub.room(game) for game in word.games), return_exceptions=True)
        for game, room in zip(word.games, found, strict=True):
            if isinstance(room, BaseException):  # who comes for it finds it all the same
                log.info("not taken yet", extra={"game": game, "error": str(room)})
        for seeker in word.seekers:
            self._lobby.adopt(seeker)
        reply(Yes(self.bus.run))

    async def _pull(self, server: int, game: str) -> bool:
        """Ask another server for a game; whether it gave it away."""
        try:
            return isinstance(await self.bus.ask(server, Give(game), GIVE_SECONDS), Yes)
        except OutOfReachError:
            return False

    def _tell_all(self, word: Word) -> None:
        for peer in self.shared.peers:
            if peer.id != self.shared.id:
                self.bus.tell(peer.id, word)

    def _seen(self) -> None:
        self.bus.move(self.shared.id)
        wired = {peer.id: peer.wired for peer in self.shared.peers}
        self.wires.keep(wired)
        self.routed.keep(wired)
        self.strangers.tell()

    def _wake(self, games: list[str]) -> None:
        """Games with a clock of a server that is gone: their time runs here now."""
        new = [game for game in games if game not in self._waking]
        self._waking.update(new)
        for first in range(min(WAKERS, len(new))):
            self._spawn(self._wake_all(new[first::WAKERS]))

    async def _wake_all(self, games: list[str]) -> None:
        """Until each is in memory, here or at another server."""
        assert self._hub is not None
        may_pull.set(False)
        for pause in itertools.chain((0.0,), itertools.repeat(WAKE_SECONDS)):
            await asyncio.sleep(pause)
            late = [game for game in games if not await self._is_awake(game)]
            self._waking.difference_update(set(games).difference(late))
            games = late
            if not games or self._hub.is_closing:
                return
            log.warning("not woken yet", extra={"count": len(games)})

    async def _is_awake(self, game: str) -> bool:
        assert self._hub is not None
        try:
            await self._hub.room(game)
            self.shared.counters["inherited"] += 1
        except RefusedError as error:
            if error.code != "busy":  # there is no such game any more
                log.warning("not woken", extra={"game": game, "error": error.message})
            else:
                try:
                    return await self.shared.owner(game) is not None
                except RefusedError:
                    return False
        return True

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Numbers -----------------------------------------------------------------------------------------------

    def metrics(self) -> list[str]:
        count, wire = self.shared.counters, self.bus.counters
        found: dict[str, tuple[float, str]] = {
            "servers": (len(self.shared.peers), "servers of the cluster that live"),
            "wired": (int(self.bus.run > 0), "it is connected to NATS"),
            "sure": (int(self.shared.is_sure), "the leases of this server count"),
            "leases": (len(self.shared.held), "games and tournaments that are this server's"),
            "directed": (
                sum(name.startswith(DIRECTING) for name in self.shared.held),
                "of them tournaments that this server directs",
            ),
            "wishes": (self.strangers.wishes, "people at any server whom this one pairs in the lobby"),
            "unsent": (self.bus.unsent, "words that wait for the wire"),
            "lines_near": (len(self.wires.near), "visitors here at games of other servers"),
            "lines_far": (len(self.wires.far), "visitors of other servers at games here"),
            "taken_total": (count["taken"], "games taken"),
            "pulled_total": (count["pulls"], "games asked of other servers"),
            "buried_total": (count["buried"], "servers found dead"),
            "inherited_total": (count["inherited"], "games with a clock taken from the dead"),
            "begun_anew_total": (count["begun_anew"], "times this server was taken for dead"),
            "told_total": (wire["told"], "words to other servers"),
            "heard_total": (wire["heard"], "words of other servers"),
            "asked_total": (wire["asked"], "questions to other servers"),
            "apart_total": (self.far.counters["apart"], "questions that workers answered"),
            "apart_lost_total": (self.far.counters["lost"], "questions that workers took and did not answer"),
        }
        return numbers.lines("claimeven_cluster", found)


def _last(send: Send) -> Send:
    """Nothing more is asked on this wire: the next request goes to another server."""

    async def send_last(message: Any) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await send(message)

    return send_last


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        log.exception("not done for another server")
