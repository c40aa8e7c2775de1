"""Start a server: open the database, take the ports, serve until told to stop."""

import asyncio
import gc
import select
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI

from claimeven.errors import InputError
from claimeven.server import messages as m
from claimeven.server.app import Options, guarded, make_app
from claimeven.server.cluster.bus import check_address
from claimeven.server.cluster.cluster import Cluster
from claimeven.server.doors.addresses import Proxies
from claimeven.server.doors.socket import RESTART
from claimeven.server.doors.tcp import TcpDoor
from claimeven.server.doors.wires.guard import protocols
from claimeven.server.storage.cluster import SharedStore
from claimeven.server.storage.database import is_sqlite, read_url
from claimeven.server.storage.hold import Hold, held
from claimeven.server.storage.store import Store

DEFAULT_PORT = 8080
LAST_WORDS_SECONDS = 2.0
COMING_SECONDS = 0.5  # for those who are at the door when it is closed
WAITING_WIRES = 2048  # that the system keeps until they are taken
TAKEN_WIRES = 8  # in one round of the loop: asyncio would take as many as wait, and games wait meanwhile
MANY_FILES = 65_536
OTHER_FILES = 200  # open files that are no connections


@dataclass(frozen=True)
class Ports:
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT  # 0: any free one
    tcp_port: int | None = None  # of the text door; None: closed
    proxies: tuple[str, ...] = ()  # addresses and networks whose X-Forwarded-For is believed


def listen(host: str, port: int, is_open: bool = True) -> socket.socket:
    """Take a port. Not `is_open`: who comes is not let in yet, and may go to another server."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        # With the protocol named, asyncio switches Nagle's algorithm off: answers leave at once.
        taken = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise InputError("server.no_address", host=host, reason=error.strerror) from None
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind(address)
    except OSError as error:
        taken.close()
        raise InputError("server.port", port=port, host=host, reason=(error.strerror or "").lower()) from None
    if is_open:
        taken.listen(WAITING_WIRES)
    taken.setblocking(False)
    return taken


def is_free(port: int, host: str = "127.0.0.1") -> bool:
    try:
        listen(host, port).close()
    except InputError:
        return False
    return True


def address_of(taken: socket.socket) -> str:
    """The address for a browser."""
    host, port = taken.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def lan_address(taken: socket.socket) -> str | None:
    """The address for other machines of the network; None where only this machine gets in."""
    host, port = taken.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # nothing is sent: it only chooses the way out
                host = probe.getsockname()[0]
            except OSError:
                return None
    if host in ("127.0.0.1", "::1", "0.0.0.0"):
        return None
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve(options: Options, ports: Ports, started: Callable[[str, int | None], None]) -> None:
    """Serve until a signal comes; `started` gets the address and the port of the text door."""
    limits = options.limits
    limits.proxies = Proxies(ports.proxies)  # before anything is opened: it may be refused
    limits.max_connections = min(limits.max_connections, _allow_many_files() - OTHER_FILES)
    with ExitStack() as used:
        # At one of several servers nobody waits for it to start: the others are there.
        taken = used.enter_context(listen(ports.host, ports.port, is_open=options.nats is None))
        text = None if ports.tcp_port is None else used.enter_context(listen(ports.host, ports.tcp_port))
        if options.nats is not None:
            cluster, store, hold = _join(options, options.nats, address_of(taken), used)
        else:
            cluster = None
            hold = used.enter_context(held(options.database, address_of(taken)))  # before anything is changed
            store = Store(options.database)
            used.callback(store.close)
            store.claim()

        def begun(port: int | None) -> None:
            _keep_what_is_loaded()
            started(address_of(taken), port)

        server = make_server(options, store, ports, text, begun, hold, cluster)
        server.app.state.lan = lan_address(taken)
        server.run([taken])


def _join(options: Options, nats: str, address: str, used: ExitStack) -> tuple[Cluster, Store, Hold]:
    """Be one of several servers on a database."""
    check_address(nats)
    if is_sqlite(read_url(options.database)):
        raise InputError("cluster.sqlite")
    hold = used.enter_context(held(options.database, address, is_shared=True))
    store = SharedStore(options.database, address)
    used.callback(store.close)
    store.claim()
    return Cluster(store, options.database, nats, address), store, hold


def make_server(
    options: Options,
    store: Store,
    ports: Ports,
    text: socket.socket | None = None,
    started: Callable[[int | None], None] = lambda _: None,
    hold: Hold | None = None,
    cluster: Cluster | None = None,
) -> "Server":
    options.limits.proxies = Proxies(ports.proxies)
    app = make_app(options, store, hold, cluster)
    http, ws = protocols(options.limits)
    config = uvicorn.Config(
        guarded(app, options),
        http=http,
        ws=ws,
        ws_max_size=m.MAX_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=options.limits.ping_seconds,
        ws_ping_timeout=options.limits.pong_seconds,
        h11_max_incomplete_event_size=16 * 1024,
        backlog=TAKEN_WIRES,
        timeout_keep_alive=options.limits.keep_alive_seconds,  # type: ignore[arg-type]
        proxy_headers=False,  # limits.py does that: it must know the wires of proxies from others
        server_header=False,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=3,
        lifespan="on",
    )
    return Server(config, app, text, started)


class Server(uvicorn.Server):
    """Opens the text door with the rest, says when it has started, and says goodbye."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: FastAPI,
        text: socket.socket | None,
        started: Callable[[int | None], None],
    ) -> None:
        super().__init__(config)
        self.app = app
        self._text = text
        self._door: TcpDoor | None = None
        self._is_hurried = False
        self._on_start = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().startup(sockets)
        except OSError as error:  # another program was quicker
            host, port = (sockets or [])[0].getsockname()[:2]
            reason = (error.strerror or "").lower()
            raise InputError("server.port", port=port, host=host, reason=reason) from None
        for taken in sockets or ():
            taken.listen(WAITING_WIRES)  # asyncio took one number for both
        port = None
        if self._text is not None:
            self._door = self.app.state.door = TcpDoor(self.app.state.hub, self.app.state.limits)
            port = await self._door.open(self._text)
        self._on_start(port)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._let_nobody_in()
        cluster: Cluster | None = self.app.state.cluster
        if cluster is not None:
            await cluster.drain(self.app.state.director, lambda: self._is_hurried or self.force_exit)
        await self._say_goodbye()
        await super().shutdown(sockets)

    async def _let_nobody_in(self) -> None:
        """Who has come already is still taken: to close the door on them would cut their wires."""
        if self._door is not None:
            self._door.shut()
        end = asyncio.get_running_loop().time() + COMING_SECONDS
        while _are_coming(self.servers) and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0)
        for server in self.servers:
            server.close()

    async def _say_goodbye(self) -> None:
        """What was asked before is stored and acknowledged; then everybody is sent home for a moment."""
        await self.app.state.hub.settle(LAST_WORDS_SECONDS)
        if self._door is not None:
            await self._door.close()
        notice = m.Outgoing(m.Notice("restart"))
        connections: set[Any] = self.app.state.limits.sockets
        for connection in list(connections):
            connection.send(notice)
            connection.close(RESTART)
        loop = asyncio.get_running_loop()
        end = loop.time() + LAST_WORDS_SECONDS
        while connections and loop.time() < end:
            await asyncio.sleep(0.02)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._is_hurried = self.should_exit  # told twice to stop: nothing is handed over gently any more
        super().handle_exit(sig, frame)

    async def _serve(self, sockets: list[socket.socket] | None = None) -> None:
        await super()._serve(sockets)
        self._captured_signals.clear()  # a signal to stop was heard: to die of it now would be an error


def _are_coming(servers: Iterable[asyncio.Server]) -> bool:
    """Whether wires wait that the system has taken for us."""
    doors = [door.fileno() for server in servers for door in server.sockets]
    return bool(doors and select.select(doors, (), (), 0)[0])


def _keep_what_is_loaded() -> None:
    """It stays to the end of the process: a look through all of it would only make games wait."""
    gc.collect()
    gc.freeze()
    # A look through everything takes 0.2 s in a full house: seldom. One through what is not quite new
    # makes games wait too, the longer the more has gathered: soon.
    gc.set_threshold(5_000, 3, 30)


def _allow_many_files() -> int:
    """Every connection is an open file, and the usual limit is low; how many there may be."""
    if sys.platform == "win32":
        return MANY_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MANY_FILES if hard == resource.RLIM_INFINITY else min(MANY_FILES, hard)
    if soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (ValueError, OSError):  # macOS says "unlimited" and allows fewer
            return soft
    return max(soft, wanted)
