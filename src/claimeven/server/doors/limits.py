"""How much one connection and one address may ask for."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Literal

from claimeven.server.doors.addresses import Proxies, counted, is_direct, is_local
from claimeven.server.doors.bans import Bans, Blame
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
        self._fill()
        if self._level < count:
            return False
        self._level -= count
        return True

    def use(self, count: float) -> None:
        """What was used already: it may be more than there was, and then it is waited for."""
        self._fill()
        self._level = max(self._level - count, -self._size)

    @property
    def is_empty(self) -> bool:
        self._fill()
        return self._level <= 0

    def _fill(self) -> None:
        now = time.monotonic()
        self._level = min(self._size, self._level + (now - self._since) * self._rate)
        self._since = now


Together = Literal[
    "games", "players", "codes", "events", "reports"
]  # what servers of a cluster count together


@dataclass
class Limits:
    """The numbers, and what has been used of them."""

    proxies: Proxies = field(default_factory=Proxies)
    bans: Bans = field(default_factory=Bans)
    trusts_local: bool = True  # this machine itself is bound by the limits of connections only
    hello_seconds: float = 10.0  # until the first message of a WebSocket
    header_seconds: float = 10.0  # until a request is whole
    write_seconds: float = 30.0  # until an answer is read
    keep_alive_seconds: float = 5.0  # until the next request on the same wire
    ping_seconds: float = 10.0  # between two pings of a WebSocket
    pong_seconds: float = 20.0  # until one is answered
    messages_burst: float = 40  # of one connection
    messages_per_second: float = 10
    frames_burst: float = 100  # of one WebSocket: messages, their parts, pings, pongs
    frames_per_second: float = 20
    address_burst: float = 400  # messages of one address: several people may sit behind it
    address_per_second: float = 100
    requests_burst: float = 800  # over HTTP, of one address: a class comes at once
    requests_per_second: float = 60
    files_burst: float = 6000  # of the page, for one address: a first visit asks for about a hundred
    files_per_second: float = 60  # and then they count as any other request
    penalty_seconds: float = 0.3  # that who asks too often waits to be told so, at one of their places
    bytes_per_request: int = 4096  # of its body: more count as more requests
    time_burst: float = 1.0  # seconds that the loop works for requests of one address
    time_per_second: float = 0.15
    spent_seconds: float = 2.0  # that who used it up waits to be told so: to refuse takes time too
    games_burst: float = 60  # new games of one address
    games_per_second: float = 0.5
    players_burst: float = 60  # new players of one address: a class comes at once
    players_per_second: float = 0.05
    codes_burst: float = 20  # codes tried by one address
    codes_per_second: float = 0.05
    events_burst: float = 10  # new tournaments of one address
    events_per_second: float = 0.01
    reports_burst: float = 20
    reports_per_second: float = 0.05
    connections_per_address: int = 320  # forty browsers with six lines and a socket each
    max_connections: int = 20_000
    max_unsent: int = 128 * 1024  # bytes that a client has not read yet
    max_body: int = 16 * 1024
    counters: Counter[str] = field(default_factory=Counter)
    blame: Blame = field(default_factory=Blame)
    sockets: set[Any] = field(default_factory=set)  # the WebSockets
    open_connections: int = field(default=0, init=False)
    # In a cluster the other servers are told, and `spend` it, too.
    taken: Callable[[Together, str], None] = field(default_factory=lambda: _alone, init=False)
    _open: Counter[str] = field(default_factory=Counter)
    _buckets: OrderedDict[tuple[str, str], Bucket] = field(default_factory=OrderedDict)

    def address(self, scope: MutableMapping[str, Any]) -> str:
        """Who asks, as far as proxies are believed."""
        return counted(self.proxies.behind(_peer(scope), scope["headers"]))

    def visitor(self, scope: MutableMapping[str, Any]) -> str:
        """Who is counted: an address, or "" for this machine itself, which is not."""
        return "" if self.trusts_local and self.is_this_machine(scope) else self.address(scope)

    def is_this_machine(self, scope: MutableMapping[str, Any]) -> bool:
        return is_direct(_peer(scope), scope["headers"])

    def visitor_at(self, address: str) -> str:
        """The same for a wire without headers."""
        return "" if self.trusts_local and is_local(address) else counted(address)

    # Connections ---------------------------------------------------------------------------------------

    def enter(self, peer: str) -> None:
        """A wire comes; RefusedError if there are too many. Each that came in must `leave`. The wires of a
        proxy are those of many: each request on them is counted by `begin`."""
        if self.open_connections >= self.max_connections:
            self.counters["turned_away"] += 1
            raise RefusedError("busy.full")
        if peer not in self.proxies:
            self.check_ban(peer)
            self.begin(counted(peer), is_counted=bool(self.visitor_at(peer)))
        self.open_connections += 1

    def check_ban(self, address: str) -> None:
        if address in self.bans:
            self.counters["banned"] += 1
            raise RefusedError("banned.address")

    def leave(self, peer: str) -> None:
        self.open_connections -= 1
        if peer not in self.proxies:
            self.end(counted(peer))

    def is_of_a_proxy(self, scope: MutableMapping[str, Any]) -> bool:
        return _peer(scope) in self.proxies

    def begin(self, address: str, is_counted: bool = True) -> None:
        """One more that an address has open; RefusedError if it has too many. It must `end`."""
        if is_counted and self._open[address] >= self.connections_per_address:
            self.counters["turned_away"] += 1
            self.blame(address, "connections")
            raise RefusedError("rate.connections")
        self._open[address] += 1

    def end(self, address: str) -> None:
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    @property
    def addresses(self) -> dict[str, int]:
        """How many connections each address has open."""
        return dict(self._open)

    # Messages, requests, games: all by visitor -----------------------------------------------------------

    def take_message(self, visitor: str) -> bool:
        return self._take("messages", visitor, self.address_burst, self.address_per_second)

    def take_request(self, visitor: str, size: int = 0) -> bool:
        """A request with a body of so many bytes: to read them takes time that belongs to everybody."""
        cost = 1 + size // self.bytes_per_request
        return self._take("requests", visitor, self.requests_burst, self.requests_per_second, cost)

    def take_file(self, visitor: str) -> bool:
        """One of the page, which costs little: neither a request nor time is taken for it. It is nobody's
        fault to ask for more of them, only dearer."""
        return not visitor or self._bucket("files", visitor, self.files_burst, self.files_per_second).take()

    def take_game(self, visitor: str) -> bool:
        return self._take_shared("games", visitor)

    def take_player(self, visitor: str) -> bool:
        return self._take_shared("players", visitor)

    def take_code(self, visitor: str) -> bool:
        return self._take_shared("codes", visitor)

    def take_event(self, visitor: str) -> bool:
        return self._take_shared("events", visitor)

    def take_report(self, visitor: str) -> bool:
        return self._take_shared("reports", visitor)

    def _take_shared(self, what: Together, visitor: str) -> bool:
        is_taken = self._take(what, visitor, *self._size(what))
        if is_taken and visitor:
            self.taken(what, visitor)
        return is_taken

    def _size(self, what: Together) -> tuple[float, float]:
        sizes = {
            "games": (self.games_burst, self.games_per_second),
            "players": (self.players_burst, self.players_per_second),
            "codes": (self.codes_burst, self.codes_per_second),
            "events": (self.events_burst, self.events_per_second),
            "reports": (self.reports_burst, self.reports_per_second),
        }
        return sizes[what]

    def spend(self, what: Together, visitor: str) -> None:
        """A visitor took it at another server."""
        self._bucket(what, visitor, *self._size(what)).use(1)

    def charge(self, visitor: str, seconds: float) -> None:
        """The loop has worked for a visitor, whatever came of it."""
        if visitor:
            self._bucket("time", visitor, self.time_burst, self.time_per_second).use(seconds)

    def is_spent(self, visitor: str) -> bool:
        """Whether the loop has worked enough for a visitor: nothing new of theirs is even read."""
        bucket = self._buckets.get(("time", visitor))
        return bucket is not None and bucket.is_empty

    def _take(self, what: str, visitor: str, size: float, rate: float, cost: float = 1) -> bool:
        if not visitor or self._bucket(what, visitor, size, rate).take(cost):
            return True
        self.blame(visitor, what)
        return False

    def _bucket(self, what: str, visitor: str, size: float, rate: float) -> Bucket:
        key = what, visitor
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(size, rate)
            if len(self._buckets) > MAX_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket


def _alone(what: Together, visitor: str) -> None:
    """There is no other server."""


def _peer(scope: MutableMapping[str, Any]) -> str:
    client = scope.get("client")
    return client[0] if client else ""
