"""What a Swiss round asks about each player: score, colours (who began), floats, whom they have met."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from claimeven.event.values import Entrant, Meeting, points_of

FIRST, SECOND = 0, 1  # sides: who begins, who follows
DOWN, UP = -1, 1  # floats: against somebody with fewer points, or none; against somebody with more


@dataclass(frozen=True)
class Card:
    number: int
    place: int  # by strength, from 1: the pairing number
    points: float
    colours: tuple[int, ...]  # of the games that were played
    met: frozenset[int]
    had_bye: bool
    floats: tuple[int, int]  # in the last round, and in the one before; 0: none
    is_top: bool  # in the last round, with more than half of all points: colours matter less (A7)

    @cached_property
    def balance(self) -> int:
        """How much more often they began than followed."""
        return self.colours.count(FIRST) - self.colours.count(SECOND)

    @cached_property
    def is_twice(self) -> bool:
        """The same side in the last two games."""
        return len(self.colours) > 1 and self.colours[-1] == self.colours[-2]

    @cached_property
    def due(self) -> int | None:
        """The side that they should have: what they had less often, or else not last."""
        if abs(self.balance) < 2 and self.is_twice:
            return 1 - self.colours[-1]
        if self.balance:
            return int(self.balance > 0)
        return 1 - self.colours[-1] if self.colours else None

    @cached_property
    def strength(self) -> int:
        """Of that wish: 3 where it would be three in a row or the third too many, 2, 1, or 0 for none."""
        if abs(self.balance) > 1 or self.is_twice:
            return 3
        return 2 if self.balance else 1 if self.colours else 0

    @property
    def must(self) -> int | None:
        return self.due if self.strength == 3 else None


def cards_of(entrants: Sequence[Entrant], meetings: Sequence[Meeting], is_last: bool) -> list[Card]:
    """Of those who are here, in the order of their rank: points, then strength."""
    strength = sorted(entrants, key=lambda one: (-one.rating, one.number))
    played = max((meeting.round for meeting in meetings), default=0)
    before = {
        one.number: [
            points_of([each for each in meetings if each.round < number], one.number)
            for number in range(1, played + 2)
        ]
        for one in entrants
    }
    cards = [
        _card(one.number, place, meetings, before, is_last)
        for place, one in enumerate(strength, 1)
        if one.is_here
    ]
    return sorted(cards, key=lambda card: (-card.points, card.place))


def _card(
    number: int, place: int, meetings: Sequence[Meeting], before: dict[int, list[float]], is_last: bool
) -> Card:
    own = sorted((each for each in meetings if each.has(number)), key=lambda each: each.round)
    played = [each for each in own if each.is_played and not each.is_bye]
    rounds, points = len(before[number]) - 1, before[number][-1]
    return Card(
        number,
        place,
        points,
        tuple(FIRST if each.first == number else SECOND for each in played),
        # Who was paired and did not come has been met all the same: the round would be empty again.
        frozenset(other for each in own if (other := each.opponent(number)) is not None),
        # Points without a game, by a bye or because nobody came, are had once (C.04.1).
        any(not each.is_played and each.of(number) > 0 for each in own),
        (_float(number, rounds, played, before), _float(number, rounds - 1, played, before)),
        is_last and points > rounds / 2,
    )


def _float(number: int, round: int, played: Sequence[Meeting], before: dict[int, list[float]]) -> int:
    if round < 1:
        return 0
    meeting = next((each for each in played if each.round == round), None)
    other = None if meeting is None else meeting.opponent(number)
    if other is None:
        return DOWN  # whoever does not play, for whatever reason (A4)
    mine, theirs = before[number][round - 1], before[other][round - 1]
    return DOWN if mine > theirs else UP if mine < theirs else 0
