"""Swiss rounds: nobody meets twice, equal scores meet, and both begin about as often.

Paired after the Dutch system of FIDE (brackets.py). Where its rules allow no round at all, as in small fields
with many rounds, sides give way first, then the rule that a bye is had once; who has met does not meet again.
"""

from collections.abc import Sequence

from claimeven.event.brackets import Rules, paired
from claimeven.event.cards import FIRST, Card, cards_of
from claimeven.event.values import Entrant, Meeting, Pairing

GIVING_WAY = (Rules(), Rules(are_colours_free=True), Rules(are_colours_free=True, is_bye_free=True))


def pairings(
    entrants: Sequence[Entrant], meetings: Sequence[Meeting], is_last: bool = False
) -> list[Pairing]:
    """The next round, which may be the last one: the highest scores first, a bye last; nothing where no two
    can meet any more."""
    cards = cards_of(entrants, meetings, is_last)
    for rules in GIVING_WAY:
        found = paired(cards, rules)
        if found is not None:
            pairs, bye = found
            pairs.sort(key=lambda pair: (-pair[0].points, -pair[1].points, pair[0].place))
            tables = [_sides(*pair) for pair in pairs]
            return tables if bye is None else [*tables, Pairing(bye.number, None)]
    return []


def _sides(one: Card, other: Card) -> Pairing:
    """Who begins (E1 to E5); `one` has the higher rank."""
    begins = one if _side(one, other) == FIRST else other
    return Pairing(begins.number, other.number if begins is one else one.number)


def _side(one: Card, other: Card) -> int:
    """Of the first of both."""
    if one.due is not None and other.due is not None and one.due != other.due:
        return one.due
    if one.strength != other.strength:
        return _granted(one, other, one.strength > other.strength)
    if one.strength == 3 and abs(one.balance) != abs(other.balance):
        return _granted(one, other, abs(one.balance) > abs(other.balance))
    for mine, theirs in zip(reversed(one.colours), reversed(other.colours), strict=False):
        if mine != theirs:
            return theirs
    return one.due if one.due is not None else 1 - one.place % 2


def _granted(one: Card, other: Card, is_first: bool) -> int:
    """The wish of one of both, which it has."""
    wish = one.due if is_first else other.due
    assert wish is not None
    return wish if is_first else 1 - wish


def rounds_for(entrants: int) -> int:
    """How many rounds tell the best from the rest: one more than halving the field takes, but three for five
    and six. So many can always be paired without a second meeting or bye, as nobody has met half of the
    others before the last one (Dirac 1952); of four, what two rounds leave is a round."""
    return max(1, min(entrants - 1, (max(entrants, 2) - 1).bit_length() + 1, max(3, (entrants + 1) // 2)))
