"""The Dutch system of FIDE (C.04.3, as it was until 31 January 2026): who meets whom in a round.

Score groups are paired from the top, each together with those who were left over above (a bracket). All that
the rules want of a bracket is a sum over its pairs, so the best pairing is the heaviest matching: each weight
is a number whose digits are the criteria C5 to C19, the first one highest, and below them, for pairings that
are equally good, the order in which the rules would come upon them (D1 to D3).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby

from claimeven.event.cards import DOWN, UP, Card
from claimeven.event.heaviest import heaviest_pairs
from claimeven.event.matching import can_pair_all

NOBODY = 0  # the opponent of who has the bye
Pair = tuple[Card, Card]  # the one with the higher rank first
MayMeet = Callable[[Card, Card], bool]


@dataclass(frozen=True)
class Rules:
    """What must be in any case; more than one round may need them to give way."""

    are_colours_free: bool = False  # C3: who must have the same side may meet
    is_bye_free: bool = False  # C2: who has had a bye may have another one

    def may_meet(self, one: Card, other: Card) -> bool:
        if other.number in one.met:
            return False
        is_same = one.must is not None and one.must == other.must
        return not is_same or one.is_top or other.is_top or self.are_colours_free

    def may_rest(self, card: Card) -> bool:
        return self.is_bye_free or not card.had_bye


def paired(cards: Sequence[Card], rules: Rules) -> tuple[list[Pair], Card | None] | None:
    """All pairs and who has a bye; None: the rules allow none. `cards` are in the order of their rank."""
    if not _can_complete(cards, rules):
        return None
    if not any(card.met or card.had_bye or any(card.floats) for card in cards):  # the first round
        half = len(cards) // 2
        return list(zip(cards[:half], cards[half:], strict=False)), cards[-1] if len(cards) % 2 else None
    groups = [list(group) for _, group in groupby(cards, key=lambda card: card.points)]
    pairs: list[Pair] = []
    left: list[Card] = []
    index, must_complete = 0, False
    while index < len(groups):
        below = groups[index + 1] if index + 1 < len(groups) else []
        bracket = Bracket(left, groups[index], below, rules, must_complete or not below)
        found, rest = bracket.paired()
        if below and not must_complete and not _can_complete([*rest, *chain(*groups[index + 1 :])], rules):
            # This bracket has to leave what all below need; who has less is one group (A9).
            groups[index + 1 :] = [list(chain(*groups[index + 1 :]))]
            must_complete = True
            continue
        pairs += found
        left = rest
        index += 1
    return pairs, left[0] if left else None


def _can_complete(cards: Sequence[Card], rules: Rules) -> bool:
    allowed = {
        one.number: {other.number for other in cards if other is not one and rules.may_meet(one, other)}
        for one in cards
    }
    numbers = [card.number for card in cards]
    if len(cards) % 2:
        resting = {card.number for card in cards if rules.may_rest(card)}
        for number in resting:
            allowed[number].add(NOBODY)
        allowed[NOBODY] = resting
        numbers.append(NOBODY)
    return can_pair_all(numbers, allowed)


class Bracket:
    """`left` came from above, `below` is the next group: what floats down to it counts (C7). Where it
    `must_complete`, everybody in it and below must find somebody, but one."""

    def __init__(
        self, left: list[Card], own: list[Card], below: list[Card], rules: Rules, must_complete: bool
    ) -> None:
        self.left, self.own, self.below = left, own, below
        self.here = [*left, *own]
        self.all = [*self.here, *below]
        self.rules, self.must_complete = rules, must_complete
        self.base = 4 * (len(self.all) + 2)  # more than twice what any digit can sum up to
        low = own[-1].points
        gaps = {card.points - low + 1 for card in self.here}
        gaps |= {one.points - other.points for one in self.here for other in self.here}
        self._gap = {
            gap: int(self.base**place) for place, gap in enumerate(sorted(g for g in gaps if g >= 0))
        }
        self._gap_size = int(self.base ** len(self._gap))
        self._down = {card.number: self._gap[card.points - low + 1] for card in self.here}
        self._worth = [[0] * len(self.all) for _ in self.all]
        for i, one in enumerate(self.all):
            for j, other in enumerate(self.all[:i]):
                if rules.may_meet(other, one):
                    self._worth[i][j] = self._worth[j][i] = self._value(other, one)

    def paired(self) -> tuple[list[Pair], list[Card]]:
        """The best pairs, and those who are left."""
        upper, p = self._from_above()
        lower = self._among_themselves({card.number for pair in upper for card in pair}, p)
        pairs = [*upper, *lower]
        gone = {card.number for pair in pairs for card in pair}
        return pairs, [card for card in self.here if card.number not in gone]

    # Criteria ----------------------------------------------------------------------------------------------

    def _value(self, one: Card, other: Card) -> int:
        """What a pair is worth, the more important digits first; `one` has the higher rank."""
        digit, gaps = self.base, self._gap_size
        is_here = other.number in self._down
        down = [self._down.get(card.number, 0) for card in (one, other)]
        parts: list[tuple[int, int]] = []
        if self.must_complete:
            parts += [(1 + one.had_bye + other.had_bye, digit)]
        # C5, C6: as many pairs as can be; who floats, and how far.
        parts += [(int(is_here), digit), (sum(down) - self._between(one, other) if is_here else 0, gaps)]
        if not self.must_complete:  # C7: the same of the next group
            parts += [(int(not is_here), digit), (sum(down), gaps)]
        value = 0
        for part, size in [*parts, *(self._manners(one, other) if is_here else [])]:
            value = value * size + part
        return value if is_here else value * self._manners_size

    def _manners(self, one: Card, other: Card) -> list[tuple[int, int]]:
        """C8 to C19: colours, and that nobody floats again and again."""
        digit, gaps = self.base, self._gap_size
        is_top = one.is_top or other.is_top
        is_same = one.due is not None and one.due == other.due
        is_far = abs(one.balance) > 1 and abs(other.balance) > 1
        parts = [
            (-(is_top and is_same and is_far), digit),
            (-(is_top and is_same and one.is_twice and other.is_twice), digit),
            (-is_same, digit),
            (-(is_same and one.strength > 1 and other.strength > 1), digit),
        ]
        floats = one.points > other.points  # `one` down and `other` up
        for ago in (0, 1):
            was_down = [card.floats[ago] == DOWN for card in (one, other)]
            parts += [
                ((was_down[0] and not floats) + was_down[1], digit),
                (-(floats and other.floats[ago] == UP), digit),
            ]
        for ago in (0, 1):
            was_down = [card.floats[ago] == DOWN for card in (one, other)]
            kept = sum(
                self._down[card.number] for card, was in zip((one, other), was_down, strict=True) if was
            )
            far = self._between(one, other) if floats else 0
            parts += [(kept - far * was_down[0], gaps), (-far * (other.floats[ago] == UP), gaps)]
        return parts

    @cached_property
    def _manners_size(self) -> int:
        return int(self.base**8 * self._gap_size**4)

    def _between(self, one: Card, other: Card) -> int:
        return self._gap[one.points - other.points]

    # The order of candidates -------------------------------------------------------------------------------

    def _from_above(self) -> tuple[list[Pair], int]:
        """Who came from above meets whom: as many as can, the first ones first (D3), each the first opponent
        that is possible (D1). And how many other pairs there will be."""
        m, r = len(self.left), len(self.own)

        def order(i: int, j: int) -> int:
            if i >= m or not m <= j < m + r:
                return 0
            return int((1 << (m - 1 - i)) * (r + 1) ** m + (m + r - j) * (r + 1) ** (m - 1 - i))

        mates = self._solved(order, (2 << m) * (r + 1) ** m)
        found = [(i, mate) for i in range(m) if (mate := mates[i]) is not None and m <= mate < m + r]
        others = sum(mates[i] is not None and mates[i] in range(m, i) for i in range(m, m + r))
        return [(self.all[i], self.all[j]) for i, j in found], others

    def _among_themselves(self, taken: set[int], p: int) -> list[Pair]:
        """The rest of the group: its first half against the second, with as few and as small exchanges
        between both as will do (D2), each against the first opponent that is possible (D1)."""
        rest = [i for i, card in enumerate(self.all) if card in self.own and card.number not in taken]
        place = {i: at for at, i in enumerate(rest)}
        n = len(rest)

        def order(i: int, j: int) -> int:
            if i not in place or j not in place:
                return 0
            upper, mate = place[i], place[j]
            value = int(upper < p)
            value = value * 4 * (n * n + 1) - upper
            value = (value << (n + 2)) - ((1 << upper) if upper < p else 0)
            value = (value << (n + 2)) + ((1 << (n - 1 - upper)) if upper >= p else 0)
            return int(value * 2 * (n + 1) ** n + (n - mate) * (n + 1) ** (n - 1 - upper))

        size = 4 * (n + 1) * 4 * (n * n + 1) * (1 << (2 * n + 4)) * 2 * (n + 1) ** n
        mates = self._solved(order, size, skipped=taken)
        return [
            (self.all[i], self.all[mate])
            for i in rest
            if (mate := mates[i]) is not None and mate in place and i < mate
        ]

    def _solved(
        self, order: Callable[[int, int], int], size: int, skipped: set[int] | None = None
    ) -> list[int | None]:
        """`order` prefers pairs among those that the criteria leave; its sums are smaller than `size`."""
        m, r = len(self.left), len(self.own)
        worth = [[value * size for value in row] for row in self._worth]
        for i in range(m + r):
            for j in range(i + 1, m + r):
                if worth[i][j]:
                    worth[i][j] += order(i, j)
                    worth[j][i] = worth[i][j]
        if skipped is not None:  # who is left from above goes on down
            for i, card in enumerate(self.here):
                if card.number in skipped:
                    for j in range(len(worth)):
                        worth[i][j] = worth[j][i] = 0
                elif i < m:
                    for j in range(m, m + r):
                        worth[i][j] = worth[j][i] = 0
        return heaviest_pairs(worth)
