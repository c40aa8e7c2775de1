"""Somebody at a game of a server that is about to lose its database: what it acknowledges then is a lie."""

import contextlib
import json
import urllib.request

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from faults.process import ServerProcess

PATIENCE = 15.0  # seconds for an answer
WISH = {"seats": [{"kind": "me"}, {"kind": "me"}]}


class Witness:
    """Sits down at a game of its own, not through the proxy."""

    def __init__(self, server: ServerProcess) -> None:
        request = urllib.request.Request(
            f"{server.address}/api/games", json.dumps(WISH).encode(), {"Content-Type": "application/json"}
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=PATIENCE) as answer:
            made = json.load(answer)
        self._used = contextlib.ExitStack()
        place = f"ws://127.0.0.1:{server.port}/ws/{made['game']}"
        self._socket = self._used.enter_context(connect(place, proxy=None))
        self._say(t="hello", protocol=1, token=made["token"])
        while self._hear()["t"] != "state":
            pass

    @classmethod
    def at(cls, server: ServerProcess) -> "Witness | None":
        """None if the server is not in a state for it."""
        with contextlib.suppress(OSError, WebSocketException):
            return cls(server)
        return None

    def ask(self) -> None:
        """For something that collides with nothing in the database."""
        with contextlib.suppress(OSError, WebSocketException):  # it may have ended by itself
            self._say(t="name", id="late", name="Late")

    def was_acknowledged(self) -> bool:
        try:
            while True:
                heard = self._hear()
                if heard.get("id") == "late":
                    return bool(heard["t"] == "ack")
        except (OSError, WebSocketException):
            return False
        finally:
            self._used.close()

    def _say(self, **message: object) -> None:
        self._socket.send(json.dumps(message))

    def _hear(self) -> dict[str, object]:
        heard: dict[str, object] = json.loads(self._socket.recv(timeout=PATIENCE))
        return heard
