"""Swiss rounds by FIDE's Dutch system, held against another program and against all that could have been."""

import random
from itertools import combinations

import pytest

from claimeven.event import Entrant, Meeting, Pairing, swiss
from claimeven.event.heaviest import heaviest_pairs
from claimeven.event.values import BYE

# Tournaments that py4swiss 0.3.1 paired (C.04.3 to the letter), round by round: who begins, how it ended, who
# follows; + is a bye. Players are numbered by strength.
PAIRED = {
    9: """1>5 6<2 3>7 8=4 9+ | 9<1 2<3 4<6 5>8 7+ | 1<3 7<2 6<9 4=5 8+ | 3>9 2>1 5>6 8<7 4+
        | 3<5 9<2 7<4 1>8 6+""",
    12: """1>7 8<2 3<9 10=4 5<11 12<6 | 6<1 2>9 11>10 4>3 8<5 7<12 | 1>11 4>2 5>12 9<6 10>7 3>8
        | 1>4 2>11 6<5 9>10 12<3 7=8 | 2<1 5=4 3>6 12<9 11<7 8<10""",
    15: """1<8 9<2 3=10 11<4 5>12 13<6 7>14 15+ | 2>7 4>15 6>5 8<3 10<1 12>9 14<11 13+
        | 4>2 3>6 1>11 5>13 7=12 15<8 9<10 14+ | 3<4 6<1 8<5 2>12 10=7 11>15 13<14 9+
        | 1>4 5<2 7>3 10<6 14<8 11>13 15<9 12+""",
}
POINTS = {">": (1.0, 0.0), "=": (0.5, 0.5), "<": (0.0, 1.0)}


def meeting(number: int, table: str) -> Meeting:
    if table.endswith("+"):
        return Meeting(number, int(table[:-1]), None, BYE, False)
    sign = next(sign for sign in POINTS if sign in table)
    first, second = table.split(sign)
    return Meeting(number, int(first), int(second), POINTS[sign])


@pytest.mark.parametrize("count", PAIRED)
def test_rounds_are_those_of_the_dutch_system(count: int) -> None:
    entrants = [Entrant(number, 2000 - number) for number in range(1, count + 1)]
    rounds = PAIRED[count].split("|")
    assert len(rounds) == swiss.rounds_for(count)
    meetings: list[Meeting] = []
    for number, tables in enumerate(rounds, 1):
        wanted = [meeting(number, table) for table in tables.split()]
        found = swiss.pairings(entrants, meetings, number == len(rounds))
        assert found == [Pairing(one.first, one.second) for one in wanted], number
        meetings += wanted


def test_the_heaviest_matching_is_that_of_all_matchings() -> None:
    for seed in range(400):
        rng = random.Random(seed)
        count = rng.choice((2, 3, 5, 6, 7, 8))
        weights = [[0] * count for _ in range(count)]
        for one, two in combinations(range(count), 2):
            weights[one][two] = weights[two][one] = rng.choice(
                (0, rng.randrange(1, 9), rng.randrange(10**30))
            )
        mates = heaviest_pairs(weights)
        pairs = [(one, two) for one, two in enumerate(mates) if two is not None and one < two]
        assert all(mates[two] == one and weights[one][two] for one, two in pairs)
        assert sum(weights[one][two] for one, two in pairs) == heaviest(weights, list(range(count))), seed


def heaviest(weights: list[list[int]], people: list[int]) -> int:
    if len(people) < 2:
        return 0
    one, *rest = people
    alone = heaviest(weights, rest)
    return max(alone, *(weights[one][two] + heaviest(weights, [x for x in rest if x != two]) for two in rest))


@pytest.mark.parametrize("count", [3, 5, 7, 9])
def test_a_second_bye_only_where_no_other_round_is_left(count: int) -> None:
    """With as many rounds as can be asked for; in the rounds there are unless more are asked for, never."""
    seconds = 0
    for seed in range(30):
        rng = random.Random(seed)
        entrants = [Entrant(number, 1000 - number) for number in range(1, count + 1)]
        meetings: list[Meeting] = []
        for number in range(1, count):
            pairs = swiss.pairings(entrants, meetings, number == count - 1)
            had = {one.first for one in meetings if one.is_bye}
            if not pairs or pairs[-1].first in had:
                seconds += 1
                assert number > swiss.rounds_for(count)
                met = {frozenset((one.first, one.second)) for one in meetings}
                for resting in set(range(1, count + 1)) - had:
                    assert not can_play([one for one in range(1, count + 1) if one != resting], met)
                if not pairs:
                    break
            meetings += [
                Meeting(number, *pair, BYE, False)
                if pair.second is None
                else Meeting(number, *pair, rng.choice(list(POINTS.values())))
                for pair in pairs
            ]
    assert (seconds > 0) == (count > 3)


def can_play(people: list[int], met: set[frozenset[int | None]]) -> bool:
    if not people:
        return True
    one, *rest = people
    return any(
        frozenset((one, two)) not in met and can_play([x for x in rest if x != two], met) for two in rest
    )
