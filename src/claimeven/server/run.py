"""Start a server: open the database, take the ports, serve until told to stop."""

import socket
from collections.abc import Callable
from dataclasses import dataclass

import uvicorn

from claimeven.errors import InputError
from claimeven.server.app import Options, guarded, make_app
from claimeven.server.messages import MAX_BYTES
from claimeven.server.store import Store

DEFAULT_PORT = 8080


@dataclass(frozen=True)
class Ports:
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT  # 0: any free one


def listen(host: str, port: int) -> socket.socket:
    """Take a port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
    except OSError as error:
        taken.close()
        raise InputError(
            f"port {port} of {host} cannot be taken: {(error.strerror or str(error)).lower()}"
        ) from None
    taken.listen(2048)
    taken.setblocking(False)
    return taken


def is_free(port: int) -> bool:
    try:
        listen("127.0.0.1", port).close()
    except InputError:
        return False
    return True


def address_of(taken: socket.socket) -> str:
    """The address for a browser."""
    host, port = taken.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve(options: Options, ports: Ports, started: Callable[[str], None]) -> None:
    """Serve until a signal comes; `started` gets the address once the server answers."""
    store = Store(options.database)
    taken = listen(ports.host, ports.port)
    app = make_app(options, store)
    config = uvicorn.Config(
        guarded(app, options),
        http="h11",
        ws="websockets-sansio",
        ws_max_size=MAX_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=10.0,
        ws_ping_timeout=20.0,
        h11_max_incomplete_event_size=16 * 1024,
        proxy_headers=False,
        server_header=False,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=5,
        lifespan="on",
    )
    Served(config, lambda: started(address_of(taken))).run(sockets=[taken])


class Served(uvicorn.Server):
    """Says when it has started."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()
