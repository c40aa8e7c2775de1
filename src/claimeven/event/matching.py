"""Whether all can be paired at all: a largest matching in a graph, by Edmonds' blossoms (1965)."""

from collections import deque
from collections.abc import Mapping, Sequence, Set


def can_pair_all(people: Sequence[int], allowed: Mapping[int, Set[int]]) -> bool:
    """Whether each of an even number can have a partner of their own."""
    if len(people) % 2:
        return False
    here = set(people)
    graph = {one: [other for other in allowed[one] if other in here] for one in people}
    match: dict[int, int] = {}
    for one in people:
        if one not in match:  # most of it, greedily
            partner = next((other for other in graph[one] if other not in match), None)
            if partner is not None:
                match[one], match[partner] = partner, one
    return all(one in match or _augment(graph, match, one) for one in people)


def _augment(graph: Mapping[int, Sequence[int]], match: dict[int, int], root: int) -> bool:
    """Find a way from one who is alone to another, along which partners can be exchanged."""
    parent: dict[int, int] = {}
    base = {one: one for one in graph}
    reached, queue = {root}, deque([root])
    while queue:
        here = queue.popleft()
        for there in graph[here]:
            if base[here] == base[there] or match.get(here) == there:
                continue
            if there == root or (there in match and match[there] in parent):
                _contract(graph, match, parent, base, reached, queue, here, there)
            elif there not in parent:
                parent[there] = here
                if there not in match:
                    _exchange(match, parent, there)
                    return True
                reached.add(match[there])
                queue.append(match[there])
    return False


def _exchange(match: dict[int, int], parent: Mapping[int, int], end: int) -> None:
    one: int | None = end
    while one is not None:
        before = parent[one]
        then = match.get(before)
        match[one], match[before] = before, one
        one = then


def _contract(
    graph: Mapping[int, Sequence[int]],
    match: Mapping[int, int],
    parent: dict[int, int],
    base: dict[int, int],
    reached: set[int],
    queue: deque[int],
    one: int,
    two: int,
) -> None:
    """An odd circle counts as one place from here on."""
    top = _common(match, parent, base, one, two)
    blossom: set[int] = set()
    for end, other in ((one, two), (two, one)):
        child = other
        while base[end] != top:
            blossom |= {base[end], base[match[end]]}
            parent[end] = child
            child = match[end]
            end = parent[child]
    for place in graph:
        if base[place] in blossom:
            base[place] = top
            if place not in reached:
                reached.add(place)
                queue.append(place)


def _common(
    match: Mapping[int, int], parent: Mapping[int, int], base: Mapping[int, int], one: int, two: int
) -> int:
    seen: set[int] = set()
    place = one
    while True:
        place = base[place]
        seen.add(place)
        if place not in match or match[place] not in parent:
            break
        place = parent[match[place]]
    place = base[two]
    while place not in seen:
        place = base[parent[match[place]]]
    return place
