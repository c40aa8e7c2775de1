"""The games of one server among several: leases that are taken, kept by signs of life, and given back."""

import asyncio
import logging
import threading
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from typing import Protocol

from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from claimeven.server.errors import RefusedError
from claimeven.server.house.tenure import may_pull
from claimeven.server.storage.cluster import FOLLOWING, SharedStore
from claimeven.server.storage.members import (
    BEAT_SECONDS,
    DEAD_SECONDS,
    SURE_SECONDS,
    Buried,
    Members,
    Peer,
    now,
)
from claimeven.server.storage.store import Lease

PULLS = (0.0, 0.05, 0.1, 0.2, 0.4)  # seconds before each try to take a game that another server gives away
UNWIRED_SECONDS = 3.0  # without NATS, while others have it: then they can serve our games, and we cannot
LAST_SECONDS = 2.0  # for giving everything back at the end
WATCH_SECONDS = 0.2  # between two looks whether we are still sure
log = logging.getLogger("claimeven.server")


class House(Protocol):
    """What the hub does about it."""

    def lose_games(self) -> None: ...
    def pause(self) -> None: ...
    def go_on(self) -> None: ...


class Shared:
    """Made in any thread; `start` and the rest belong to the event loop."""

    def __init__(self, store: SharedStore, url: str, address: str) -> None:
        self.counters: Counter[str] = Counter()
        self.held: dict[str, Lease] = {}
        self.peers: tuple[Peer, ...] = ()
        self.is_leaving = False  # its games go to the others, little by little (drain.py)
        self.unwilling: set[int] = set()  # servers that took none of them
        self.wired = 0  # as told with every sign of life: the number of the wire to NATS
        self.pull: Callable[[int, str], Awaitable[bool]] = _never  # asks a server for a game
        self.wake: Callable[[list[str]], None] = lambda games: None  # with a clock: we inherited them
        self.seen: Callable[[], None] = lambda: None  # who lives, and who we are
        self.left: Callable[[], None] = lambda: None  # our games are anybody's
        self._store = store
        self._members = Members(url)
        self._address = address
        self.id = self._members.enter(address)
        self._sure_until = now() + SURE_SECONDS
        self._was_sure = True
        self._begun = 0
        self._resting: set[Lease] = set()
        self._releasing: asyncio.Task[None] | None = None
        self._house: House | None = None
        self._ending = threading.Event()
        self._left = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._unwired_since: float | None = None
        self._thread = threading.Thread(target=self._live, name="member", daemon=True)

    def start(self, house: House) -> None:
        self._house = house
        self._loop = asyncio.get_running_loop()
        self._watcher = self._loop.create_task(self._watch())
        self._thread.start()

    # For the hub ---------------------------------------------------------------------------------------

    @property
    def is_sure(self) -> bool:
        return now() < self._sure_until and not self.is_cut_off

    @property
    def is_first(self) -> bool:
        """The one that has been there longest, of those that can be reached."""
        wired = [peer.id for peer in self.peers if peer.wired] or [peer.id for peer in self.peers]
        return self.id == min(wired, default=self.id)

    @property
    def is_ready(self) -> bool:
        return self.is_sure and self.wired > 0 and not self.is_leaving

    @property
    def others(self) -> list[int]:
        """The other servers that can be reached."""
        return [peer.id for peer in self.peers if peer.wired and peer.id != self.id]

    def heir(self, game: str) -> int | None:
        """Which of the others is to have a game that was this server's."""
        willing = [other for other in self.others if other not in self.unwilling]
        return willing[zlib.crc32(game.encode()) % len(willing)] if willing else None

    def lives(self, server: int) -> bool:
        """As far as the last sign of life tells."""
        return any(peer.id == server for peer in self.peers)

    def begin(self, game: str) -> Lease:
        """Never the same again: what is given back of a try that failed must not be of the next one. It is
        not held before it is stored: another server may have begun the same game, and be further."""
        self._begun += 1
        return Lease(game, self.id, -self._begun)

    def begun(self, lease: Lease | None) -> bool:
        if lease is None or lease.server != self.id or not self.is_sure or lease.game in self.held:
            return False
        self.held[lease.game] = lease
        return True

    def follow(self, game: str) -> Lease:
        lease = self.held[game] = Lease(game, self.id, FOLLOWING)
        return lease

    def holds(self, lease: Lease | None) -> bool:
        return lease is not None and self.is_sure and self.held.get(lease.game) == lease

    async def take(self, game: str) -> Lease:
        if not self.is_sure:
            raise RefusedError("busy.elsewhere")
        if game in self.held:
            return self.held[game]
        server = self.id
        for pause in PULLS:
            await asyncio.sleep(pause)
            found = await self._try(game, server)
            if isinstance(found, Lease):
                if server != self.id:  # buried meanwhile: so it is nobody's
                    raise RefusedError("busy.elsewhere")
                self.held[game] = found
                self.counters["taken"] += 1
                return found
            if found is None:
                raise RefusedError("no_such_game.game")
            if not may_pull.get() or not await self.pull(found, game):
                break
            self.counters["pulls"] += 1
        raise RefusedError("busy.elsewhere")

    async def _try(self, game: str, server: int) -> Lease | int | None:
        try:
            return await asyncio.to_thread(self._store.take, game, server)
        except (SQLAlchemyError, MemoryError, RuntimeError) as error:
            log.error("not taken", extra={"game": game, "error": repr(error)})
            raise RefusedError("busy.reading") from None

    def elsewhere(self, connection: Connection, names: Collection[str]) -> set[str]:
        """What is ours by the database, and not here, can be taken again."""
        return self._store.leased(connection, names, self.id)

    def time(self, connection: Connection, here: int) -> int:
        return self._store.time(connection)

    def rest(self, game: str) -> None:
        self.drop(self.held.pop(game, None))

    def drop(self, lease: Lease | None) -> None:
        if lease is not None and self._loop is not None:
            self._resting.add(lease)
            if self._releasing is None or self._releasing.done():
                self._releasing = self._loop.create_task(self._release())

    async def rested(self) -> None:
        if self._releasing is not None:
            await asyncio.wait((self._releasing,), timeout=LAST_SECONDS)

    async def _release(self) -> None:
        """One statement for all that gather while another one is under way."""
        while self._resting:
            gone, self._resting = self._resting, set()
            try:
                await asyncio.to_thread(self._store.release, gone)
            except (SQLAlchemyError, RuntimeError) as error:  # others take it when this server is gone
                log.warning("not given back", extra={"count": len(gone), "error": repr(error)})

    async def owner(self, game: str) -> int | None:
        """The other server whose a game is; None if it is ours or nobody's."""
        if game in self.held:
            return None
        try:
            found = await asyncio.to_thread(self._store.owner, game)
        except (SQLAlchemyError, MemoryError, RuntimeError):
            raise RefusedError("busy.reading") from None
        return None if found == self.id else found

    async def leave(self) -> None:
        """All at once, so that others have the games before our guests look for them there."""
        if self._watcher is not None:
            self._watcher.cancel()
        self._ending.set()
        if self._thread.is_alive():
            await asyncio.to_thread(self._left.wait, LAST_SECONDS)
            if self._left.is_set():
                self.left()
        self._sure_until = 0.0

    def has_left(self, server: int) -> None:
        """It said so itself: nobody has to wait until its signs of life are missed."""
        self.peers = tuple(peer for peer in self.peers if peer.id != server)

    # The thread of its own, lest a busy loop be taken for death ----------------------------------------

    def _live(self) -> None:
        is_silent = False
        while not self._ending.wait(BEAT_SECONDS):
            sent = now()
            try:
                peers = self._members.beat(self.id, self.wired)
                if peers is None:
                    self._enter_anew()
                    continue
                self._call(lambda id=self.id, sent=sent, peers=peers: self._lives(id, sent, peers))  # type: ignore[misc]
                self._bury()
                is_silent = False
            except Exception as error:
                if not is_silent:
                    log.warning("no sign of life", extra={"error": repr(error)})
                is_silent = True
                self._members.hang_up()
        try:
            self._members.leave(self.id)
            self._members.hang_up()
        except Exception as error:
            log.warning("not left", extra={"error": repr(error)})
        self._left.set()

    def _enter_anew(self) -> None:
        id = self._members.enter(self._address)
        done = threading.Event()

        def begin() -> None:
            self._begin_anew(id)
            done.set()

        self._call(begin)
        done.wait(DEAD_SECONDS)

    def _bury(self) -> None:
        buried = self._members.bury(self.id, self.others)
        if buried.servers:
            self._call(lambda: self._buried(buried))
        if games := self._members.inherited(self.id):
            self._call(lambda: self.wake(games))

    def _call(self, what: Callable[[], None]) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(what)
        except RuntimeError:  # it has ended
            self._ending.set()

    # Back in the loop ------------------------------------------------------------------------------------

    def _lives(self, id: int, sent: float, peers: tuple[Peer, ...]) -> None:
        if id != self.id or self._ending.is_set():
            return
        self._sure_until = sent + SURE_SECONDS
        self._look()
        self.peers = peers
        self.seen()
        self._check_wire()

    def _check_wire(self) -> None:
        """Games of a server that nobody reaches are of no use to anybody."""
        others = any(peer.wired for peer in self.peers if peer.id != self.id)
        if self.wired or not others:
            self._unwired_since = None
        elif self._unwired_since is None:
            self._unwired_since = now()
        elif now() - self._unwired_since > UNWIRED_SECONDS and self.held:
            self.counters["given_up"] += 1
            log.warning("out of reach: all games are given back", extra={"count": len(self.held)})
            self._lose()

    @property
    def is_cut_off(self) -> bool:
        """Out of reach for others, and not alone in it."""
        return self._unwired_since is not None and now() - self._unwired_since > UNWIRED_SECONDS

    def _lose(self) -> None:
        if self._house is not None:
            self._house.lose_games()
        for game in list(self.held):
            self.rest(game)

    def _begin_anew(self, id: int) -> None:
        log.warning("this server was taken for dead: it begins anew")
        self.counters["begun_anew"] += 1
        self.held.clear()
        self._resting.clear()
        if self._house is not None:
            self._house.lose_games()
        self.id = id
        self.seen()

    def _buried(self, buried: Buried) -> None:
        log.warning("a server is gone", extra={"servers": list(buried.servers), "clocks": buried.clocks})
        self.counters["buried"] += len(buried.servers)

    async def _watch(self) -> None:
        while True:
            self._look()
            await asyncio.sleep(WATCH_SECONDS)

    def _look(self) -> None:
        """Nobody's time runs while we do not know whether the game is still ours."""
        is_sure = self.is_sure
        if is_sure != self._was_sure and self._house is not None:
            self._was_sure = is_sure
            log.warning("sure again" if is_sure else "not sure whose the games are")
            (self._house.go_on if is_sure else self._house.pause)()


async def _never(server: int, game: str) -> bool:
    return False
