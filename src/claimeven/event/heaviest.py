"""The heaviest matching of a graph: Edmonds' primal-dual method (1965), in about n**3 steps.

Weights are whole numbers of any size: one of them may hold a list of wishes, the more important ones in its
higher digits. Nobody has to be matched; a pair of weight 0 or less is never made.
"""

from collections.abc import Sequence

# Whether a place is in a tree that grows from somebody alone, and how far from them.
FREE, EVEN, ODD = -1, 0, 1


def heaviest_pairs(weights: Sequence[Sequence[int]]) -> list[int | None]:
    """The partner of each; `weights` is symmetric."""
    return _Search(weights).run()


class _Search:
    """Places are people, from 1 on, and behind them blossoms: odd circles that count as one place. Each
    person and blossom has a dual; a pair is tight when the duals of both leave nothing of its weight."""

    def __init__(self, weights: Sequence[Sequence[int]]) -> None:
        n = self.n = len(weights)
        size = 2 * n + 2
        # The heaviest pair between two places, as the two people in it.
        self.ends = [[(u, v) for v in range(size)] for u in range(size)]
        self.weight = [[0] * (n + 1) for _ in range(n + 1)]
        for u, row in enumerate(weights, 1):
            self.weight[u][1:] = [2 * max(0, w) for w in row]
            self.weight[u][u] = 0
        self.joined = [[False] * size for _ in range(size)]
        for u in range(1, n + 1):
            self.joined[u][1 : n + 1] = [w > 0 for w in self.weight[u][1:]]
        start = max((w for row in self.weight for w in row), default=0) // 2
        self.dual = [start if 1 <= u <= n else 0 for u in range(size)]
        self.match = [0] * size
        # The outermost blossom of a place; 0: not in use.
        self.top = [u if u <= n else 0 for u in range(size)]
        self.parent = [0] * size  # the person from whom a tree came to this place
        self.state = [FREE] * size
        self.nearest = [0] * size  # of those in a tree, the person with the least slack to a place
        self.circle: list[list[int]] = [[] for _ in range(size)]
        self.through = [[0] * (n + 1) for _ in range(size)]  # the part of a blossom in which a person is
        for u in range(1, n + 1):
            self.through[u][u] = u
        self.last = n
        self.queue: list[int] = []

    def run(self) -> list[int | None]:
        while self._grow():
            pass
        return [self.match[u] - 1 if self.match[u] else None for u in range(1, self.n + 1)]

    def _slack(self, u: int, v: int) -> int:
        a, b = self.ends[u][v]
        return self.dual[a] + self.dual[b] - self.weight[a][b]

    # Trees -----------------------------------------------------------------------------------------------

    def _grow(self) -> bool:
        """From all who are alone at once, until two trees meet: then there is one pair more. False: none."""
        for place in range(1, self.last + 1):
            self.state[place], self.nearest[place] = FREE, 0
        self.queue = []
        for place in range(1, self.last + 1):
            if self.top[place] == place and not self.match[place]:
                self.parent[place], self.state[place] = 0, EVEN
                self._push(place)
        if not self.queue:
            return False
        while True:
            if self._look():
                return True
            if not self._adjust():
                return False
            self.queue = []
            for place in range(1, self.last + 1):
                near = self.nearest[place]
                is_reached = self.top[place] == place and near and self.top[near] != place
                if is_reached and not self._slack(near, place) and self._meet(*self.ends[near][place]):
                    return True
            for blossom in range(self.n + 1, self.last + 1):
                if self.top[blossom] == blossom and self.state[blossom] == ODD and not self.dual[blossom]:
                    self._expand(blossom)

    def _look(self) -> bool:
        """Along tight pairs, as far as they lead."""
        top, state = self.top, self.state
        while self.queue:
            u = self.queue.pop(0)
            if state[top[u]] == ODD:
                continue
            row, dual, own = self.weight[u], self.dual, self.dual[u]
            for v in range(1, self.n + 1):
                if row[v] and top[u] != top[v]:
                    if own + dual[v] == row[v]:
                        if self._meet(u, v):
                            return True
                    else:
                        self._come_near(u, top[v])
        return False

    def _adjust(self) -> bool:
        """Change the duals until another pair is tight; False: somebody alone is best left alone."""
        steps = [
            self.dual[b] // 2
            for b in range(self.n + 1, self.last + 1)
            if self.top[b] == b and self.state[b] == ODD
        ]
        for place in range(1, self.last + 1):
            if self.top[place] == place and self.nearest[place] and self.state[place] != ODD:
                slack = self._slack(self.nearest[place], place)
                steps.append(slack if self.state[place] == FREE else slack // 2)
        step = min(steps, default=None)
        alone = min(self.dual[u] for u in range(1, self.n + 1) if self.state[self.top[u]] == EVEN)
        if step is None or alone <= step:
            return False
        for u in range(1, self.n + 1):
            state = self.state[self.top[u]]
            if state != FREE:
                self.dual[u] += -step if state == EVEN else step
        for b in range(self.n + 1, self.last + 1):
            if self.top[b] == b and self.state[b] != FREE:
                self.dual[b] += 2 * step if self.state[b] == EVEN else -2 * step
        return True

    def _meet(self, u: int, v: int) -> bool:
        """Two people of a tight pair, the first in a tree. Whether this leads to one pair more."""
        one, two = self.top[u], self.top[v]
        if self.state[two] == FREE:
            self.parent[two], self.state[two] = u, ODD
            follower = self.top[self.match[two]]
            self.nearest[two] = self.nearest[follower] = 0
            self.state[follower] = EVEN
            self._push(follower)
        elif self.state[two] == EVEN:
            common = self._common(one, two)
            if not common:
                self._augment(one, two)
                self._augment(two, one)
                return True
            self._contract(one, common, two)
        return False

    def _push(self, place: int) -> None:
        if place <= self.n:
            self.queue.append(place)
        else:
            for part in self.circle[place]:
                self._push(part)

    def _come_near(self, u: int, place: int) -> None:
        near = self.nearest[place]
        if not near or self._slack(u, place) < self._slack(near, place):
            self.nearest[place] = u

    def _find_nearest(self, place: int) -> None:
        self.nearest[place] = 0
        for u in range(1, self.n + 1):
            if self.joined[u][place] and self.top[u] != place and self.state[self.top[u]] == EVEN:
                self._come_near(u, place)

    def _common(self, one: int, two: int) -> int:
        """Where the ways of both to their roots meet; 0: they have two roots."""
        seen = set()
        while one or two:
            if one:
                if one in seen:
                    return one
                seen.add(one)
                one = self.top[self.match[one]]
                if one:
                    one = self.top[self.parent[one]]
            one, two = two, one
        return 0

    # Pairs -----------------------------------------------------------------------------------------------

    def _augment(self, one: int, two: int) -> None:
        """Exchange partners from here to the root."""
        while True:
            before = self.top[self.match[one]]
            self._join(one, two)
            if not before:
                return
            above = self.top[self.parent[before]]
            self._join(before, above)
            one, two = above, before

    def _join(self, one: int, two: int) -> None:
        mine, theirs = self.ends[one][two]
        self.match[one] = theirs
        if one > self.n:
            part = self.through[one][mine]
            place = self._even_place(one, part)
            circle = self.circle[one]
            for i in range(place):
                self._join(circle[i], circle[i ^ 1])
            self._join(part, two)
            self.circle[one] = circle[place:] + circle[:place]

    def _even_place(self, blossom: int, part: int) -> int:
        """Of a part in its circle, which is turned round if need be."""
        circle = self.circle[blossom]
        place = circle.index(part)
        if place % 2:
            circle[1:] = circle[:0:-1]
            place = len(circle) - place
        return place

    # Blossoms --------------------------------------------------------------------------------------------

    def _place(self, place: int, top: int) -> None:
        self.top[place] = top
        if place > self.n:
            for part in self.circle[place]:
                self._place(part, top)

    def _contract(self, one: int, common: int, two: int) -> None:
        b = next((b for b in range(self.n + 1, self.last + 1) if not self.top[b]), self.last + 1)
        self.last = max(self.last, b)
        self.dual[b], self.state[b], self.match[b] = 0, EVEN, self.match[common]
        ways = []
        for end in (one, two):
            way = []
            while end != common:
                follower = self.top[self.match[end]]
                way += [end, follower]
                self._push(follower)
                end = self.top[self.parent[follower]]
            ways.append(way)
        self.circle[b] = [common, *reversed(ways[0]), *ways[1]]
        self._place(b, b)
        for x in range(1, self.last + 1):
            self.joined[b][x] = self.joined[x][b] = False
        self.through[b] = [0] * (self.n + 1)
        for part in self.circle[b]:
            for x in range(1, self.last + 1):
                if self.joined[part][x] and (
                    not self.joined[b][x] or self._slack(part, x) < self._slack(b, x)
                ):
                    self.joined[b][x] = self.joined[x][b] = True
                    self.ends[b][x], self.ends[x][b] = self.ends[part][x], self.ends[x][part]
            for x in range(1, self.n + 1):
                if self.through[part][x]:
                    self.through[b][x] = part
        self._find_nearest(b)

    def _expand(self, b: int) -> None:
        for part in self.circle[b]:
            self._place(part, part)
        entry = self.through[b][self.ends[b][self.top[self.parent[b]]][0]]
        place = self._even_place(b, entry)
        circle = self.circle[b]
        for odd, even in zip(circle[:place:2], circle[1 : place + 1 : 2], strict=True):
            self.parent[odd] = self.ends[even][odd][0]
            self.state[odd], self.state[even] = ODD, EVEN
            self.nearest[odd] = 0
            self._find_nearest(even)
            self._push(even)
        self.state[entry], self.parent[entry] = ODD, self.parent[b]
        for part in circle[place + 1 :]:
            self.state[part] = FREE
            self._find_nearest(part)
        self.top[b] = 0
