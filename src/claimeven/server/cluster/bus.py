"""The wire between the servers of a cluster: NATS, connected again whenever it breaks."""

import asyncio
import contextlib
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

import msgspec

from claimeven import notation
from claimeven.errors import InputError
from claimeven.server.cluster.order import Once
from claimeven.server.cluster.words import Word, Words, read, written

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

SCHEMES = ("nats", "tls", "ws", "wss")
RETRY_SECONDS = 0.3
CONNECT_SECONDS = 2
LOOK_SECONDS = 0.5  # between two looks whether there still is a wire
PING_SECONDS = 1  # two without an answer, and the wire is dead
MAX_WAITING = 16 * 2**20  # bytes that the wire has not taken
# Workers serve all clusters of a NATS. The number is that of the words: only those who speak alike meet.
WORK, DROPS, GROUP = "claimeven.work.1", "claimeven.work.1.drops", "workers"
log = logging.getLogger("claimeven.server")
Reply = Callable[[Word], None]


class OutOfReachError(Exception):
    """No answer: the wire is broken, or the other server is gone."""


class Listener(Protocol):
    def heard(self, word: Words, reply: Reply) -> None: ...
    def wired(self, run: int) -> None:
        """There is a wire, the `run`th; 0: there is none, and all that was under way is lost."""


def check_address(text: str) -> list[str]:
    """One or more, separated by commas; InputError for what is no address, and where nats-py is missing."""
    addresses = [part.strip() for part in text.split(",")]
    for address in addresses:
        try:
            url = urlsplit(address)
            is_good = url.scheme in SCHEMES and bool(url.hostname) and (url.port or 1) > 0
        except ValueError:
            is_good = False
        if not is_good:
            raise InputError("cluster.address", text=notation.quote(text))
    try:
        import nats.aio.client  # noqa: F401
    except ModuleNotFoundError:
        raise InputError("needs.nats") from None
    return addresses


class Bus:
    """Belongs to the event loop."""

    def __init__(self, address: str, cluster: str) -> None:
        self._addresses = check_address(address)
        self._cluster = cluster
        self.counters: Counter[str] = Counter()
        self.run = 0  # of the wire that there is; 0: none
        self._runs = 0
        self._is_told = False  # in the log, that there is none
        self._id = 0
        self._works = False
        self._listener: Listener | None = None
        self._client: Client | None = None
        self._outbox: deque[tuple[str, bytes]] = deque()
        self._waiting = 0
        self._asked = Once()
        self._has_more = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, id: int, listener: Listener) -> None:
        self._id, self._listener = id, listener
        self._begin()

    def work(self, listener: Listener) -> None:
        """Hear questions of any server, each of which goes to one of all who do."""
        self._listener, self._works = listener, True
        self._begin()

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._stay()), loop.create_task(self._send_all())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(client.close(), CONNECT_SECONDS)

    async def flush(self, seconds: float) -> None:
        """Let what was said go out."""
        end = asyncio.get_running_loop().time() + seconds
        while self._outbox and self.run and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)
        if self._client is not None and self.run:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._client.flush(), seconds)

    def move(self, id: int) -> None:
        """This server has another number: what is for the old one is not heard any more."""
        if id != self._id:
            self._id = id
            self._drop()

    def _subject(self, server: int) -> str:
        return f"claimeven.{self._cluster}.{server}"

    @property
    def own(self) -> str:
        """Where this server is heard."""
        return self._subject(self._id)

    @property
    def unsent(self) -> int:
        """Words that the wire has not taken yet."""
        return len(self._outbox)

    def tell(self, server: int, word: Word) -> None:
        """Without an answer. In the order in which it is told, if it comes at all."""
        self.tell_at(self._subject(server), word)

    def tell_at(self, subject: str, word: Word) -> None:
        if self.run:
            self._put(subject, written(word))

    def tell_workers(self, word: Word) -> None:
        """All of them."""
        self.tell_at(DROPS, word)

    def _put(self, subject: str, data: bytes) -> None:
        self._outbox.append((subject, data))
        self._waiting += len(data)
        self._has_more.set()
        if self._waiting > MAX_WAITING:
            log.error("the wire takes nothing")
            self._drop()

    async def ask(self, server: int, word: Word, seconds: float) -> Words | None:
        """None where nobody hears: then it was not done."""
        return await self._ask(self._subject(server), word, seconds)

    async def ask_worker(self, word: Word, seconds: float) -> Words | None:
        """One of all; None where there is none."""
        return await self._ask(WORK, word, seconds)

    async def _ask(self, subject: str, word: Word, seconds: float) -> Words | None:
        from nats.errors import Error, NoRespondersError

        if self._client is None or not self.run:
            raise OutOfReachError
        self.counters["asked"] += 1
        try:
            message = await self._client.request(subject, written(word), timeout=seconds)
            return read(message.data)
        except NoRespondersError:
            return None
        except (Error, TimeoutError, OSError, msgspec.MsgspecError) as error:
            raise OutOfReachError(repr(error)) from None

    # The wire ------------------------------------------------------------------------------------------

    async def _stay(self) -> None:
        while True:
            ended = asyncio.Event()
            client = await self._connect(ended.set)
            if client is None:
                await asyncio.sleep(RETRY_SECONDS)
                continue
            self._client = client
            self._runs += 1
            self._set_run(self._runs)
            # Its client does not always tell that it has ended, above all when it is closed twice at once.
            while self._client is client and not client.is_closed and not ended.is_set():
                await _within(ended, LOOK_SECONDS)
            if self._client is client:
                self._client = None
                self._set_run(0)

    async def _connect(self, ended: Callable[[], None]) -> "Client | None":
        from nats.aio.client import Client

        async def gone() -> None:
            ended()

        async def failed(error: Exception) -> None:
            self.counters["errors"] += 1
            log.debug("NATS", extra={"error": repr(error)})

        client = Client()
        try:
            await client.connect(
                self._addresses,
                closed_cb=gone,
                error_cb=failed,
                allow_reconnect=False,  # what was said before must not come late: the wires begin anew
                connect_timeout=CONNECT_SECONDS,
                ping_interval=PING_SECONDS,
            )
            if self._works:
                await client.subscribe(WORK, GROUP, cb=self._hear)
                await client.subscribe(DROPS, cb=self._hear)
            else:
                await client.subscribe(self.own, cb=self._hear)
            await client.flush(CONNECT_SECONDS)  # from now on it is heard
        except Exception as error:
            if not self._is_told:  # it is tried three times a second
                self._is_told = True
                log.warning("no connection to NATS", extra={"error": repr(error)})
            with contextlib.suppress(Exception):
                await client.close()
            return None
        return client

    def _set_run(self, run: int) -> None:
        self.run = run
        self._is_told = False
        self._outbox.clear()
        self._waiting = 0
        if run:
            log.info("connected to NATS", extra={"run": run})
        else:
            log.warning("the connection to NATS is broken")
        if self._listener is not None:
            self._listener.wired(run)

    def _drop(self) -> None:
        """Begin with a new wire."""
        client, self._client = self._client, None
        if client is not None:
            self._set_run(0)
            task = asyncio.get_running_loop().create_task(_closed(client))
            self._tasks.append(task)
            task.add_done_callback(self._tasks.remove)

    async def _send_all(self) -> None:
        from nats.errors import Error

        while True:
            await self._has_more.wait()
            self._has_more.clear()
            while self._outbox and (client := self._client) is not None:
                subject, data = self._outbox.popleft()
                self._waiting -= len(data)
                self.counters["told"] += 1
                try:
                    await client.publish(subject, data)
                except (Error, OSError) as error:
                    log.warning("not told", extra={"error": repr(error)})
                    self._drop()

    async def _hear(self, message: "Msg") -> None:
        self.counters["heard"] += 1
        if message.reply and not self._asked.is_new(message.reply):
            return  # a copy: it was answered, or is just being done
        try:
            word = read(message.data)
        except msgspec.MsgspecError as error:
            log.warning("nonsense from NATS", extra={"error": str(error)})
            return
        if self._listener is not None:
            try:
                self._listener.heard(word, lambda said: self._reply(message.reply, said))
            except Exception:  # a mistake at one wire: the others are heard all the same
                log.exception("not heard")

    def _reply(self, subject: str, word: Word) -> None:
        if subject and self.run:
            self._put(subject, written(word))


async def _within(event: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


async def _closed(client: "Client") -> None:
    closing: Awaitable[None] = client.close()
    with contextlib.suppress(Exception):
        await asyncio.wait_for(closing, CONNECT_SECONDS)
