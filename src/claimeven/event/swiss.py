"""Swiss rounds: nobody meets twice, equal scores meet, and both begin about as often.

As in the Dutch system of FIDE (C.04.3) the top half of each score group meets its bottom half, floaters go
down, nobody begins (or follows) three times in a row if it can be helped, and of an odd number one from the
lowest score has a bye, once. It is not that system to the letter: it goes from the top, and gives each the
first opponent in that order with whom all below can still be paired, which a matching tells. So a round is
found whenever there is one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claimeven.event.matching import can_pair_all
from claimeven.event.values import Entrant, Meeting, Pairing, points_of


@dataclass(frozen=True)
class _Card:
    """What is known of an entrant before a round."""

    number: int
    place: int  # by strength
    points: float
    colours: tuple[int, ...]  # 0: began, 1: followed; round by round
    met: frozenset[int]
    had_bye: bool

    @property
    def balance(self) -> int:
        """How much more often they began than followed."""
        return self.colours.count(0) - self.colours.count(1)

    @property
    def due(self) -> int | None:
        """The side that they should have: what they had less often, or else not last."""
        if self.balance:
            return int(self.balance > 0)
        return None if not self.colours else 1 - self.colours[-1]

    @property
    def must(self) -> int | None:
        """The side without which it would be three in a row, or two too many."""
        is_twice = len(self.colours) > 1 and self.colours[-1] == self.colours[-2]
        if abs(self.balance) > 1 or is_twice:
            return self.due if abs(self.balance) > 1 else 1 - self.colours[-1]
        return None


def pairings(entrants: Sequence[Entrant], meetings: Sequence[Meeting]) -> list[Pairing]:
    """The next round: the highest scores first, a bye last; nothing where no two can meet any more."""
    strength = sorted((one for one in entrants if one.is_here), key=lambda one: (-one.rating, one.number))
    cards = [_card(one.number, place, meetings) for place, one in enumerate(strength)]
    cards.sort(key=lambda card: (-card.points, card.place))
    for is_strict in (True, False):  # colours give way before anything else does
        allowed = {card.number: _allowed(card, cards, is_strict) for card in cards}
        found = _paired(cards, allowed)
        if found is not None:
            return found
    return []


def _card(number: int, place: int, meetings: Sequence[Meeting]) -> _Card:
    own = [meeting for meeting in meetings if meeting.has(number)]
    played = [meeting for meeting in own if meeting.is_played and not meeting.is_bye]
    return _Card(
        number,
        place,
        points_of(own, number),
        tuple(int(meeting.second == number) for meeting in sorted(played, key=lambda one: one.round)),
        # Who was paired and did not come has been met all the same: the round would be empty again.
        frozenset(other for meeting in own if (other := meeting.opponent(number)) is not None),
        # Points without a game, by a bye or because nobody came, are had once (C.04.1).
        any(not meeting.is_played and meeting.of(number) > 0 for meeting in own),
    )


def _allowed(card: _Card, cards: Sequence[_Card], is_strict: bool) -> frozenset[int]:
    return frozenset(
        other.number
        for other in cards
        if other is not card
        and other.number not in card.met
        and not (is_strict and card.must is not None and card.must == other.must)
    )


def _paired(cards: Sequence[_Card], allowed: Mapping[int, frozenset[int]]) -> list[Pairing] | None:
    left = list(cards)
    bye: _Card | None = None
    if len(left) % 2:
        bye = _bye(left, allowed)
        if bye is None:
            return None
        left.remove(bye)
    elif not can_pair_all([card.number for card in left], allowed):
        return None
    found: list[Pairing] = []
    while left:
        card = left[0]
        for other in _wished(card, left[1:]):
            if other.number not in allowed[card.number]:
                continue
            rest = [one.number for one in left if one is not card and one is not other]
            if can_pair_all(rest, allowed):
                found.append(_sides(card, other, len(found)))
                left.remove(card)
                left.remove(other)
                break
    return found if bye is None else [*found, Pairing(bye.number, None)]


def _bye(cards: Sequence[_Card], allowed: Mapping[int, frozenset[int]]) -> _Card | None:
    """The last of the lowest score who has had none, such that all others can be paired."""
    for is_fair in (True, False):
        for card in reversed(cards):
            if is_fair and card.had_bye:
                continue
            if can_pair_all([one.number for one in cards if one is not card], allowed):
                return card
    return None


def _wished(card: _Card, others: Sequence[_Card]) -> list[_Card]:
    """Opponents in the order in which they are tried: the bottom half of one's score group from its top, then
    the rest of the group from below, then lower scores."""
    group = [other for other in others if other.points == card.points]
    half = (len(group) + 1) // 2
    bottom, top = group[half - 1 :] if group else [], group[: half - 1] if group else []
    lower = [other for other in others if other.points != card.points]
    return [*_by_colour(card, bottom), *reversed(top), *lower]


def _by_colour(card: _Card, others: Sequence[_Card]) -> list[_Card]:
    """The first in the order, unless it is due the same side and the next is not."""
    return sorted(
        others, key=lambda other: card.due is not None and card.due == other.due and other.must is not None
    )


def _sides(card: _Card, other: _Card, table: int) -> Pairing:
    """Who begins: who must, who should more, and in the first round the stronger at every other table."""
    for wish in ("must", "due"):
        mine, theirs = getattr(card, wish), getattr(other, wish)
        if mine != theirs:
            begins = card if mine == 0 or theirs == 1 else other
            return _pair(begins, card, other)
    if card.balance != other.balance:
        return _pair(min(card, other, key=lambda one: one.balance), card, other)
    for mine, theirs in zip(reversed(card.colours), reversed(other.colours), strict=False):
        if mine != theirs:
            return _pair(card if mine == 1 else other, card, other)
    if not card.colours and not other.colours:
        return _pair(card if table % 2 == 0 else other, card, other)
    return _pair(card if card.due == 0 or card.due is None else other, card, other)


def _pair(begins: _Card, one: _Card, two: _Card) -> Pairing:
    return Pairing(begins.number, two.number if begins is one else one.number)


def rounds_for(entrants: int) -> int:
    """How many rounds tell the best from the rest: one more than halving the field takes."""
    return max(1, min(entrants - 1, (max(entrants, 2) - 1).bit_length() + 1))
