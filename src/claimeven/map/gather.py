"""Few plans for many leaves: a plan is changed, rule by rule, until it holds in as many as it can.

Leaves are taken hardest first (by the rules of their own plans). Each begins a group, unless some plan
holds there already; then the leaves that look most like it are tried one after the other: the core changes
the plan as little as it takes to hold there, too. A change stays when the group has grown by it.
"""

from dataclasses import dataclass

from claimeven.board import Board
from claimeven.map.plan import Plan, upright
from claimeven.map.share import first_holding, shorter
from claimeven.map.stones import Stones
from claimeven.runner import Progress
from claimeven.solver import Solver

FAILURES = 12  # in a row, and a group is left as it is
MINDED = 24  # members that a change must mind; the others are asked when it is made
BUDGET, TRIES = 20_000, 2
GROWTH = 6  # rules that a newcomer may add
SMALL = 2  # members of a group that is dissolved if they find a place elsewhere
NEAR = 6  # groups that are asked for one
MOST = 60  # rules of a plan that still grows


@dataclass
class Group:
    plan: Plan
    members: dict[Stones, bool]  # and whether the plan is turned there


class Gathering:
    def __init__(self, board: Board, leaves: list[Stones], draw_is_enough: bool) -> None:
        self.board, self.draw_is_enough = board, draw_is_enough
        self.images = {leaf: leaf.mirrored(board) for leaf in leaves}
        self.solver = Solver(megabytes=64)

    def held(self, plan: Plan, leaves: list[Stones]) -> dict[Stones, bool]:
        """Those of the leaves in which the plan holds, upright or else turned."""
        image = plan.mirrored(self.board)
        found = first_holding(self.board, leaves, [plan, image], self.draw_is_enough)
        pairs = zip(leaves, found, strict=True)
        return {leaf: each != plan for leaf, each in pairs if each is not None}

    def group(self, first: Stones, plan: Plan, left: list[Stones]) -> Group:
        """A plan for this leaf and as many others as can be."""
        found = Group(plan, self.held(plan, left))
        failures = 0
        for leaf, is_turned in self._nearest(first, left):
            if failures == FAILURES or len(found.plan) >= MOST:
                break
            if leaf in found.members:
                continue
            changed = self.joined(found, self.images[leaf] if is_turned else leaf, first)
            held = {} if changed is None else self.held(changed, left)
            if changed is None or len(held) <= len(found.members) or first not in held:
                failures += 1
            else:
                found, failures = Group(changed, held), 0
        return found

    def _nearest(self, to: Stones, leaves: list[Stones]) -> list[tuple[Stones, bool]]:
        """The leaves, those with the fewest different stones first, and whether their image has those."""
        found = []
        for place, leaf in enumerate(leaves):
            image = self.images[leaf]
            turned = ((image.theirs ^ to.theirs) | (image.mask ^ to.mask)).bit_count()
            upright = ((leaf.theirs ^ to.theirs) | (leaf.mask ^ to.mask)).bit_count()
            found.append((min(upright, turned), place, turned < upright))
        found.sort()
        return [(leaves[place], is_turned) for _, place, is_turned in found]

    def on_top(self, groups: list[Group]) -> list[Group]:
        """Where answering on top is enough, that is the plan."""
        found = Group(Plan(), self.held(Plan(), [leaf for group in groups for leaf in group.members]))
        others = [
            Group(
                group.plan,
                {leaf: turned for leaf, turned in group.members.items() if leaf not in found.members},
            )
            for group in groups
        ]
        return [group for group in (found, *others) if group.members]

    def dissolved(self, groups: list[Group], progress: Progress | None = None) -> list[Group]:
        """Without the small groups whose members all find a place in others; "on top" alone never grows."""
        kept = sorted(groups, key=lambda group: -len(group.members))
        smalls = [group for group in reversed(kept) if len(group.members) <= SMALL]
        for done, small in enumerate(smalls):
            if progress is not None:
                progress(done, len(smalls))
            others = [group for group in kept if group is not small]
            moved: dict[int, Group] = {}
            for leaf in small.members:
                if not self._finds_place(leaf, small, others, moved):
                    break
            else:
                kept = [moved.get(number, group) for number, group in enumerate(others)]
        if progress is not None:
            progress(len(smalls), len(smalls))
        return kept

    def _finds_place(self, leaf: Stones, own: Group, others: list[Group], moved: dict[int, Group]) -> bool:
        """Whether one of the groups with members most like this leaf takes it in; it is in `moved` then."""
        by_distance = sorted(
            (min(self._distance(leaf, member) for member in group.members), number)
            for number, group in enumerate(others)
            if 0 < len(group.plan) < MOST
        )
        for _, number in by_distance[:NEAR]:
            group = moved.get(number, others[number])
            for is_turned in (False, True):
                seen = self.images[leaf] if is_turned else leaf
                changed = self.joined(group, seen, growth=max(1, len(own.plan) - 1))
                members = [*group.members, leaf]
                held = {} if changed is None else self.held(changed, members)
                if changed is not None and len(held) == len(members):
                    moved[number] = Group(changed, held)
                    return True
        return False

    def _distance(self, one: Stones, other: Stones) -> int:
        """How many cells of one, or of its image, are not as those of the other."""
        image = self.images[one]
        return min(
            ((one.theirs ^ other.theirs) | (one.mask ^ other.mask)).bit_count(),
            ((image.theirs ^ other.theirs) | (image.mask ^ other.mask)).bit_count(),
        )

    def joined(
        self, group: Group, newcomer: Stones, first: Stones | None = None, growth: int = GROWTH
    ) -> Plan | None:
        """The plan of the group, changed so that it holds in one more position and in the members near it."""
        near = sorted(
            (self.images[leaf] if turned else leaf for leaf, turned in group.members.items()),
            key=lambda leaf: ((leaf.theirs ^ newcomer.theirs) | (leaf.mask ^ newcomer.mask)).bit_count(),
        )
        positions = [*([] if first is None else [first]), *near[:MINDED], newcomer]
        rules = self.solver.joined_plan(
            self.board,
            [each.theirs for each in positions],
            [each.mask for each in positions],
            group.plan.rules,
            most=len(group.plan) + growth,
            draw_is_enough=self.draw_is_enough,
            budget=BUDGET,
            tries=TRIES,
        )
        return None if rules is None else Plan.of(rules)


def gathered(
    board: Board,
    leaves: dict[Stones, Plan],
    draw_is_enough: bool,
    progress: Progress | None = None,
    dissolving: Progress | None = None,
) -> dict[Stones, Plan]:
    """The same leaves, with few different plans; answering on top, without any rule, is the first of them."""
    work = Gathering(board, list(leaves), draw_is_enough)
    left = sorted(leaves, key=lambda leaf: (-len(leaves[leaf]), leaf))
    groups = [Group(Plan(), work.held(Plan(), left))]
    while left := [leaf for leaf in left if leaf not in groups[-1].members]:
        groups.append(work.group(left[0], leaves[left[0]], left))
        if progress is not None:
            progress(len(leaves) - len(left), len(leaves))
    kept = work.dissolved([group for group in groups if group.members], dissolving)
    return told_by(board, kept, draw_is_enough)


def groups_of(board: Board, leaves: dict[Stones, Plan]) -> list[Group]:
    """The leaves by their plans."""
    found: dict[Plan, Group] = {}
    for leaf, plan in leaves.items():
        first = upright(board, plan)
        found.setdefault(first, Group(first, {})).members[leaf] = first != plan
    return list(found.values())


def told_by(board: Board, groups: list[Group], draw_is_enough: bool) -> dict[Stones, Plan]:
    """Each leaf with the plan of its group, in as few words as serve them all."""
    found: dict[Stones, Plan] = {}
    for group in groups:
        seen = [leaf.mirrored(board) if turned else leaf for leaf, turned in group.members.items()]
        plan = shorter(board, seen, group.plan, draw_is_enough)
        image = plan.mirrored(board)
        found |= {leaf: image if turned else plan for leaf, turned in group.members.items()}
    return found
