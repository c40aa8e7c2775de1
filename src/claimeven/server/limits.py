"""How much one connection and one address may ask for."""

import time
from collections import Counter, OrderedDict
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any


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
    hello_seconds: float = 10.0
    messages_burst: float = 40  # of one connection
    messages_per_second: float = 10
    address_burst: float = 4_000  # of one address: many people may sit behind it
    address_per_second: float = 2_000
    requests_burst: float = 200  # over HTTP, of one address
    requests_per_second: float = 50
    games_burst: float = 600  # new games of one address
    games_per_second: float = 20
    max_unsent: int = 128 * 1024  # characters that a client has not read yet
    max_body: int = 16 * 1024
    connections_per_address: int = 2_000
    header_seconds: float = 10.0  # until a request must be complete
    counters: Counter[str] = field(default_factory=Counter)
    connections: set[Any] = field(default_factory=set)
    _messages: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)
    _requests: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)
    _games: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)

    def address(self, scope: MutableMapping[str, Any]) -> str:
        client = scope.get("client")
        return client[0] if client else ""

    def take_message(self, address: str) -> bool:
        return _bucket(self._messages, address, self.address_burst, self.address_per_second).take()

    def take_request(self, address: str) -> bool:
        return _bucket(self._requests, address, self.requests_burst, self.requests_per_second).take()

    def take_game(self, address: str) -> bool:
        return _bucket(self._games, address, self.games_burst, self.games_per_second).take()


MAX_ADDRESSES = 10_000


def _bucket(buckets: OrderedDict[str, Bucket], address: str, size: float, rate: float) -> Bucket:
    bucket = buckets.get(address)
    if bucket is None:
        bucket = buckets[address] = Bucket(size, rate)
        if len(buckets) > MAX_ADDRESSES:
            buckets.popitem(last=False)
    else:
        buckets.move_to_end(address)
    return bucket
