"""How much one connection and one address may ask for."""

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any

from claimeven.server.errors import RefusedError

MAX_ADDRESSES = 10_000  # remembered; the one not heard of for longest is forgotten


class Bucket:
    """So many at once, then so many per second."""

    __slots__ = ("_level", "_rate", "_since", "_size")

    def __init__(self, size: float, rate: float) -> None:
        self._size = self._level = size
        self._rate = rate
        self._since = time.monotonic()

    def take(self, count: float = 1) -> bool:
        now = time.monotonic()
        self._level = min(self._size, self._level + (now - self._since) * self._rate)
        self._since = now
        if self._level < count:
            return False
        self._level -= count
        return True


@dataclass
class Limits:
    """The numbers, and what has been used of them."""

    trusts_local: bool = True  # this machine itself is bound by the limits of connections only
    hello_seconds: float = 10.0  # until the first message of a WebSocket
    header_seconds: float = 10.0  # until a request is whole
    write_seconds: float = 30.0  # until an answer is read
    keep_alive_seconds: float = 5.0  # until the next request on the same line
    ping_seconds: float = 10.0  # between two pings of a WebSocket
    pong_seconds: float = 20.0  # until one is answered
    messages_burst: float = 40  # of one connection
    messages_per_second: float = 10
    frames_burst: float = 100  # of one WebSocket: messages, their parts, pings, pongs
    frames_per_second: float = 20
    address_burst: float = 400  # messages of one address: several people may sit behind it
    address_per_second: float = 100
    requests_burst: float = 200  # over HTTP, of one address
    requests_per_second: float = 20
    games_burst: float = 60  # new games of one address
    games_per_second: float = 0.5
    connections_per_address: int = 100
    max_connections: int = 20_000
    max_unsent: int = 128 * 1024  # characters that a client has not read yet
    max_body: int = 16 * 1024
    counters: Counter[str] = field(default_factory=Counter)
    sockets: set[Any] = field(default_factory=set)  # the WebSockets
    open_connections: int = 0
    _open: Counter[str] = field(default_factory=Counter)
    _buckets: OrderedDict[tuple[str, str], Bucket] = field(default_factory=OrderedDict)

    def address(self, scope: MutableMapping[str, Any]) -> str:
        client = scope.get("client")
        return client[0] if client else ""

    def visitor(self, scope: MutableMapping[str, Any]) -> str:
        """For whom work is done: an address, or "" for this machine itself, which is not counted."""
        return self.visitor_at(self.address(scope))

    def visitor_at(self, address: str) -> str:
        return "" if self._is_free(address) else address

    def enter(self, address: str) -> None:
        """A connection comes; RefusedError if there are too many. Each that came in must `leave`."""
        is_many = self._open[address] >= self.connections_per_address and not self._is_free(address)
        if is_many or self.open_connections >= self.max_connections:
            self.counters["turned_away"] += 1
            if not self._open[address]:
                del self._open[address]
            if is_many:
                raise RefusedError("rate", "too many connections from this address; close one")
            raise RefusedError("busy", "the server is full; come back soon")
        self._open[address] += 1
        self.open_connections += 1

    def leave(self, address: str) -> None:
        self.open_connections -= 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    @property
    def addresses(self) -> dict[str, int]:
        """How many connections each address has open."""
        return dict(self._open)

    def take_message(self, address: str) -> bool:
        return self._take("messages", address, self.address_burst, self.address_per_second)

    def take_request(self, address: str) -> bool:
        return self._take("requests", address, self.requests_burst, self.requests_per_second)

    def take_game(self, address: str) -> bool:
        return self._take("games", address, self.games_burst, self.games_per_second)

    def _is_free(self, address: str) -> bool:
        return self.trusts_local and is_local(address)

    def _take(self, what: str, address: str, size: float, rate: float) -> bool:
        if self._is_free(address):
            return True
        key = what, address
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(size, rate)
            if len(self._buckets) > MAX_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket.take()


def is_local(address: str) -> bool:
    """Whether an address is this machine."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
