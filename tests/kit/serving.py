"""Servers for tests: in a thread of this process, and clients that wait for what they want to hear."""

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from claimeven.server.app import Options
from claimeven.server.doors.limits import Limits
from claimeven.server.doors.tcp import TcpDoor
from claimeven.server.hub import Hub
from claimeven.server.run import Ports, Server, address_of, listen, make_server
from claimeven.server.storage.store import Store

PATIENCE = 20.0
# Nobody speaks TLS here, and a client that reads the certificates of the system takes 30 ms for it.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class Served:
    """A running server."""

    def __init__(self, server: Server, url: str, text_port: int | None, limits: Limits) -> None:
        self.server = server
        self.url = url
        self.text_port = text_port
        self.limits = limits
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, verify=NO_TLS)
        self.headers: dict[str, str] = {}
        self._elsewhere: list[Served] = []

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def hub(self) -> Hub:
        hub: Hub = self.server.app.state.hub
        return hub

    @property
    def door(self) -> TcpDoor:
        """That for text."""
        assert self.server._door is not None
        return self.server._door

    def at(self, address: str) -> "Served":
        """The same server, seen from another address: through a proxy that it believes."""
        away = Served(self.server, self.url, self.text_port, self.limits)
        away.headers = {"X-Forwarded-For": address}
        away.http.headers.update(away.headers)
        self._elsewhere.append(away)
        return away

    def close(self) -> None:
        for served in (self, *self._elsewhere):
            served.http.close()

    def new(self, *kinds: str, **wishes: Any) -> dict[str, Any]:
        """Begin a game: "me", "friend" or the spec of an agent on each side."""
        seats = [
            {"kind": kind} if kind in ("me", "friend") else {"kind": "agent", "agent": kind} for kind in kinds
        ]
        answer = self.http.post("/api/games", json={"seats": seats, **wishes})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def pair(self, **wishes: Any) -> tuple[str, str, str]:
        """A game of two people: its id and their tokens."""
        made = self.new("me", "friend", **wishes)
        answer = self.http.post(f"/api/games/{made['game']}/join", json={"invite": made["invite"]})
        assert answer.status_code == 200, answer.text
        return made["game"], made["token"], answer.json()["token"]

    def sit(self, game: str, token: str | None = None, **options: Any) -> "Talker":
        return Talker(self.knock(f"/ws/{game}", **options), token)

    def knock(self, path: str, **options: Any) -> ClientConnection:
        """A WebSocket on which nothing was said."""
        options.setdefault("additional_headers", self.headers)
        url = f"{self.url.replace('http', 'ws')}{path}"
        connection: ClientConnection = connect(url, **options).__enter__()
        return connection

    def state(self, game: str) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get(f"/api/games/{game}").json()
        return found


class Talker:
    """One WebSocket, after hello."""

    def __init__(self, socket: ClientConnection, token: str | None = None, is_quiet: bool = False) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self._count = 0
        if not is_quiet:
            self.say(t="hello", protocol=1, **({"token": token} if token else {}))
            self.first = self.hear("state")

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def next(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        self.heard.append(message)
        return message

    def hear(self, kind: str, **parts: Any) -> dict[str, Any]:
        """Wait for a message of this kind with these parts."""
        while True:
            message = self.next()
            if message["t"] == kind and all(message.get(name) == value for name, value in parts.items()):
                return message

    def ask(self, **message: Any) -> dict[str, Any]:
        """Say something with a new id; its ack or error."""
        self._count += 1
        id = f"{id_of(self)}-{self._count}"
        self.say(id=id, **message)
        while True:
            answer = self.next()
            if answer.get("id") == id:
                return answer

    def move(self, ply: int, column: int, take: int = 0) -> dict[str, Any]:
        return self.ask(t="move", take=take, ply=ply, column=column)

    def closing(self) -> int:
        """Hear what comes until the server closes; its code."""
        try:
            while True:
                self.next()
        except ConnectionClosed as closed:
            self.close()
            return 1006 if closed.rcvd is None else closed.rcvd.code

    def is_silent(self, seconds: float) -> bool:
        """Nothing but presence comes for a while."""
        try:
            while json.loads(self.socket.recv(timeout=seconds))["t"] == "presence":
                pass
        except TimeoutError:
            return True
        return False

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> "Talker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def wait_until(is_true: Callable[[], bool], patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.02)


def id_of(thing: object) -> str:
    return f"{id(thing):x}"


@contextmanager
def serving(
    folder: Path | str, text: bool = False, proxies: tuple[str, ...] = (), **options: Any
) -> Iterator[Served]:
    """A server over a database in a folder, or at a URL."""
    url = folder if isinstance(folder, str) else f"sqlite:///{folder}/games.db"
    wish = Options(url, **options)
    taken = listen("127.0.0.1", 0)
    door = listen("127.0.0.1", 0) if text else None
    text_port = door.getsockname()[1] if door is not None else None
    is_up = threading.Event()
    server = make_server(wish, Store(url), Ports(proxies=proxies), door, lambda _: is_up.set())
    thread = threading.Thread(target=server.run, args=([taken],))
    thread.start()
    try:
        assert is_up.wait(PATIENCE)
        served = Served(server, address_of(taken), text_port, wish.limits)
        with closing(served):
            yield served
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()
