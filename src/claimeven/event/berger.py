"""Round robin: everybody meets everybody, by the tables of Berger (FIDE Handbook C.05, annex 1)."""

from claimeven.event.values import Pairing


def rounds_of(entrants: int, cycles: int = 1) -> int:
    return cycles * (entrants - 1 + entrants % 2)


def pairings(entrants: int, number: int) -> list[Pairing]:
    """Of a round, from 1. Of an odd number one has a bye. A second cycle swaps who begins.

    >>> [tuple(pair) for pair in pairings(4, 2)]
    [(4, 3), (1, 2)]
    """
    even = entrants + entrants % 2
    cycle, index = divmod(number - 1, even - 1)
    table = [_named(entrants, *pair) for pair in _table(even, index)]
    if cycle % 2:
        table = [pair if pair.second is None else Pairing(pair.second, pair.first) for pair in table]
    return sorted(table, key=lambda pair: pair.second is None)


def _named(entrants: int, first: int, second: int) -> Pairing:
    """The highest number of an even table is nobody where there is an odd number of entrants."""
    if second > entrants:
        return Pairing(first, None)
    return Pairing(second, None) if first > entrants else Pairing(first, second)


def _table(even: int, index: int) -> list[tuple[int, int]]:
    """The last one stays; all others move on by half a table from round to round."""
    others = even - 1
    start = index * (even // 2) % others
    seats = [(start + place) % others + 1 for place in range(others)]
    pairs = [(seats[place], seats[-place]) for place in range(1, even // 2)]
    fixed = (seats[0], even) if index % 2 == 0 else (even, seats[0])
    return [fixed, *pairs]
