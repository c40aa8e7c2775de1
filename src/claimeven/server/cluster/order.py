"""What came over a wire, once each and in order, however it came."""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Generic, TypeVar

Item = TypeVar("Item")
MOST_AHEAD = 64  # that wait for one that is late
REMEMBERED = 10_000  # names of questions


class BrokenWireError(Exception):
    """Something was lost: the wire is of no use any more."""


class InOrder(Generic[Item]):
    """
    >>> wire = InOrder()
    >>> [list(wire.come(number, text)) for number, text in ((0, "a"), (0, "a"), (2, "c"), (1, "b"), (1, "b"))]
    [['a'], [], [], ['b', 'c'], []]
    """

    def __init__(self) -> None:
        self._next = 0
        self._ahead: dict[int, Item] = {}

    @property
    def has_hole(self) -> bool:
        return bool(self._ahead)

    @property
    def next(self) -> int:
        return self._next

    def come(self, number: int, item: Item) -> Iterator[Item]:
        """Those whose turn it is now."""
        if number >= self._next:
            self._ahead[number] = item
        if len(self._ahead) > MOST_AHEAD:
            raise BrokenWireError
        while self._next in self._ahead:
            yield self._ahead.pop(self._next)
            self._next += 1


class Once:
    """Of questions, which each have a name of their own: a copy is not asked again.

    >>> once = Once()
    >>> [once.is_new(name) for name in ("a", "b", "a")]
    [True, True, False]
    """

    def __init__(self) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()

    def is_new(self, name: str) -> bool:
        if name in self._known:
            return False
        self._known[name] = None
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return True
