"""A map drawn anew with plans that are known: other columns where they lead to leaves, and fewer nodes.

Where an inner node follows an answer, all answers that keep the result are looked at: after some of them a
plan of several leaves holds, after others a node of the map stands. The cheapest is taken, by the nodes that
follow it.
"""

from collections import Counter, deque
from dataclasses import replace

from claimeven.map.build import EMPTY, Question, Search, Steps
from claimeven.map.gather import SMALL, Gathering, Group, gathered, groups_of, told_by
from claimeven.map.plan import Plan
from claimeven.map.share import first_holding
from claimeven.map.stones import Stones, canonical, questions
from claimeven.map.walk import Map, Node, children
from claimeven.runner import Progress

SOON = 40  # leaves below a node whose plans are looked at
TRIED = 4  # of these plans


class _Redrawing:
    def __init__(self, found: Map) -> None:
        self.map, self.board = found, found.board
        self.is_draw = found.goal == "draw"
        groups = groups_of(self.board, found.leaves)
        plans = [group.plan for group in groups if len(group.members) > SMALL] or [g.plan for g in groups]
        self.plans = sorted(plans, key=lambda plan: (len(plan), plan))
        self.search = Search(Question(found.board, self.is_draw))
        self.closed: dict[Stones, Plan | None] = dict(found.leaves)
        self.nodes: dict[Stones, Node] = {}
        self.costs: dict[Stones, int] = {}

    def close(self, positions: list[Stones]) -> None:
        """Look which of these positions some plan closes, and remember it."""
        new = [stones for stones in dict.fromkeys(positions) if stones not in self.closed]
        if not new:
            return
        turned = [each for plan in self.plans for each in (plan, plan.mirrored(self.board))]
        found = first_holding(self.board, new, turned, self.is_draw)
        self.closed |= dict(zip(new, found, strict=True))

    def answers(self, stones: Stones, node: dict[int, int]) -> dict[int, dict[int, Stones]]:
        """By reply and answer the positions that keep the result; where a leaf follows already, only that."""
        found: dict[int, dict[int, Stones]] = {}
        after = children(self.board, stones, node)
        for x, (_, column, child) in zip(questions(self.board, stones), after, strict=True):
            is_leaf = isinstance(self.map.nodes[child], Plan)
            y = self.board.landing(stones.mask | x, column)
            found[x] = {y: child} if is_leaf else self.search.kept(stones, x)
        return found

    def redraw(self) -> Map:
        columns = {stones: node for stones, node in self.map.nodes.items() if not isinstance(node, Plan)}
        inner = sorted(columns, key=lambda stones: -stones.mask.bit_count())
        after = {stones: self.answers(stones, columns[stones]) for stones in inner}
        self.close([*inner, *(c for each in after.values() for kept in each.values() for c in kept.values())])
        for stones in inner:
            self._settle(stones, after[stones])
        for stones, plan in self.closed.items():
            if plan is not None:
                self.nodes[stones] = plan
        whole = replace(self.map, nodes=self.nodes)
        return replace(whole, nodes=dict(whole.walk()))

    def _settle(self, stones: Stones, after: dict[int, dict[int, Stones]]) -> None:
        """Choose the columns of a node, those of the nodes that follow it being chosen."""
        if self.closed[stones] is not None:
            self.costs[stones] = 1
            return
        columns, total = dict[int, int](), 1
        for x, kept in after.items():
            y = min(kept, key=lambda y: (self._cost(kept[y]), y))
            columns[self.board.column_of(x)] = self.board.column_of(y)
            total += self._cost(kept[y])
        self.nodes[stones], self.costs[stones] = columns, total

    def _cost(self, stones: Stones) -> int:
        if self.closed.get(stones) is not None:
            return 1
        return self.costs.get(stones, 10**9)


class _Closing:
    """Inner nodes that a plan of the leaves below them closes, too, once it is changed."""

    def __init__(self, found: Map) -> None:
        self.map, self.board = found, found.board
        self.work = Gathering(found.board, list(found.leaves), found.goal == "draw")
        self.groups = dict(enumerate(groups_of(found.board, found.leaves)))
        # Of the group of a leaf.
        self.numbers = {leaf: number for number, group in self.groups.items() for leaf in group.members}

    def close(self, progress: Progress | None = None) -> Map:
        """From the root down: what follows a node that is closed is not asked for."""
        waiting, seen = [canonical(self.board, self.map.root)[0]], set[Stones]()
        while waiting:
            stones = waiting.pop()
            node = self.map.nodes[stones]
            if stones in seen or isinstance(node, Plan):
                continue
            seen.add(stones)
            if progress is not None:
                progress(len(seen), len(self.map.nodes) - len(self.map.leaves))
            if self.board.cells - stones.mask.bit_count() > EMPTY or not self._closes(stones):
                waiting.extend(child for _, _, child in children(self.board, stones, node))
        nodes = dict(self.map.nodes)
        for group in self.groups.values():
            plan, image = group.plan, group.plan.mirrored(self.board)
            nodes |= {leaf: image if turned else plan for leaf, turned in group.members.items()}
        whole = replace(self.map, nodes=nodes)
        return replace(whole, nodes=dict(whole.walk()))

    def _closes(self, stones: Stones) -> bool:
        image = stones.mirrored(self.board)
        for number in self._below(stones):
            group = self.groups[number]
            for is_turned, seen in ((False, stones), (True, image)):
                changed = self.work.joined(group, seen)
                if changed is None:
                    continue
                held = self.work.held(changed, list(group.members))
                if len(held) == len(group.members):
                    self.groups[number] = Group(changed, {**held, stones: is_turned})
                    self.work.images[stones] = image
                    return True
        return False

    def _below(self, stones: Stones) -> list[int]:
        """The groups of the leaves that follow soonest, the most frequent first."""
        often, waiting, seen = Counter[int](), deque([stones]), {stones}
        while waiting and often.total() < SOON:
            now = waiting.popleft()
            node = self.map.nodes[now]
            if isinstance(node, Plan):
                often[self.numbers[now]] += 1
                continue
            after = dict.fromkeys(child for _, _, child in children(self.board, now, node))
            waiting.extend(child for child in after if child not in seen)
            seen |= after.keys()
        return [number for number, _ in often.most_common(TRIED)]


def improved(found: Map, steps: Steps | None = None) -> Map:
    """The same strategy told with fewer plans and fewer nodes."""
    is_draw = found.goal == "draw"
    gathering, dissolving = steps and steps("gathering plans"), steps and steps("dissolving small groups")
    plans = gathered(found.board, found.leaves, is_draw, gathering, dissolving)
    drawn = _Redrawing(replace(found, nodes={**found.nodes, **plans})).redraw()
    drawn = _Closing(drawn).close(steps and steps("closing nodes"))
    again = _told_again(drawn, steps and steps("dissolving again"))
    return _told_again(_Redrawing(again).redraw(), steps and steps("dissolving what is left"))


def _told_again(found: Map, progress: Progress | None = None) -> Map:
    """The same nodes, with as few of its plans as are needed, in few words."""
    is_draw, leaves = found.goal == "draw", found.leaves
    work = Gathering(found.board, list(leaves), is_draw)
    groups = work.dissolved(work.on_top(groups_of(found.board, leaves)), progress)
    return replace(found, nodes={**found.nodes, **told_by(found.board, groups, is_draw)})
