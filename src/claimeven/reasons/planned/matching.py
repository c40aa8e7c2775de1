"""Pairing things up."""

from collections.abc import Iterator


def matchings(items: list[int]) -> Iterator[list[tuple[int, int]]]:
    """All ways to pair an even number of items: 1, 3 or 15 for two, four or six of them.

    >>> [len(list(matchings(list(range(n))))) for n in (2, 4, 6)]
    [1, 3, 15]
    """
    if not items:
        yield []
        return
    for i in range(1, len(items)):
        for rest in matchings(items[1:i] + items[i + 1 :]):
            yield [(items[0], items[i]), *rest]
