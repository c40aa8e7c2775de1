"""Pairings, tie-breaks and standings, held against what others have published."""

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest

from claimeven.event import Entrant, Meeting, Pairing, berger, knockout, swiss, timed
from claimeven.event.matching import can_pair_all
from claimeven.event.standings import standings
from claimeven.event.tiebreaks import adjusted, buchholz, direct, sonneborn_berger, wins
from claimeven.event.values import BYE, points_of

# FIDE Handbook C.05, annex 1.
BERGER = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | 3-8 4-2 5-1 6-7 |"
    " 8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1",
    10: "1-10 2-9 3-8 4-7 5-6 | 10-6 7-5 8-4 9-3 1-2 | 2-10 3-1 4-9 5-8 6-7 | 10-7 8-6 9-5 1-4 2-3 |"
    " 3-10 4-2 5-1 6-9 7-8 | 10-8 9-7 1-6 2-5 3-4 | 4-10 5-3 6-2 7-1 8-9 | 10-9 1-8 2-7 3-6 4-5 |"
    " 5-10 6-4 7-3 8-2 9-1",
}


@pytest.mark.parametrize("entrants", BERGER)
def test_round_robins_are_the_tables_of_berger(entrants: int) -> None:
    rounds = [round.split() for round in BERGER[entrants].split("|")]
    for number, wanted in enumerate(rounds, 1):
        found = [f"{first}-{second}" for first, second in berger.pairings(entrants, number)]
        assert sorted(found) == sorted(wanted), number
    assert berger.rounds_of(entrants) == len(rounds)


@pytest.mark.parametrize("entrants", [2, 3, 5, 7, 12, 31])
@pytest.mark.parametrize("cycles", [1, 2])
def test_everybody_meets_everybody(entrants: int, cycles: int) -> None:
    met: Counter[tuple[int, int]] = Counter()
    for number in range(1, berger.rounds_of(entrants, cycles) + 1):
        pairs = berger.pairings(entrants, number)
        here = [one for pair in pairs for one in pair if one is not None]
        assert sorted(here) == list(range(1, entrants + 1))
        met.update((first, second) for first, second in pairs if second is not None)
    for one, two in combinations(range(1, entrants + 1), 2):
        assert met[one, two] + met[two, one] == cycles
        assert cycles == 1 or met[one, two] == met[two, one] == 1


# UzChess Cup, Masters 2025 (chess-results.com/tnr1175851): ten players, all results, and the tie-breaks as
# published there: direct encounter, Sonneborn-Berger, wins.
UZCHESS = """
C=P Y<E M=R N<S A>V  P>V S=A R=N E=M C<Y  Y=P M=C N=E A>R V=S  P>S R=V E=A C=N Y<M  M>P N=Y A>C V<E S>R
P<R E=S C=V Y>A M=N  N=P A>M V=Y S>C R=E  P>E C<R Y=S M<V N=A  A<P V>N S=M R=Y E=C
"""
UZCHESS_TABLE = """
P 5.5 2.0 25.25 4
A 5.5 0.5 22.5 4
S 5.5 0.5 22.25 3
E 5.0 0.0 21.5 2
M 4.5 1.5 20.5 2
R 4.5 1.0 18.75 2
Y 4.5 0.5 19.5 2
V 4.0 0.0 16.5 2
N 3.5 0.0 16.0 0
C 2.5 0.0 11.25 0
"""
POINTS = {">": (1.0, 0.0), "=": (0.5, 0.5), "<": (0.0, 1.0)}


def test_a_published_round_robin() -> None:
    names = sorted({name for game in UZCHESS.split() for name in (game[0], game[2])})
    number = {name: index for index, name in enumerate(names, 1)}
    meetings = [
        Meeting(index // 5 + 1, number[game[0]], number[game[2]], POINTS[game[1]])
        for index, game in enumerate(UZCHESS.split())
    ]
    entrants = [Entrant(index, 2700) for index in number.values()]
    found = standings("round-robin", entrants, meetings)
    table = [
        [names[place.number - 1], place.points, place.breaks[0], place.breaks[1], place.breaks[2]]
        for place in found
    ]
    wanted = [line.split() for line in UZCHESS_TABLE.split("\n") if line]
    assert table == [[name, *map(float, numbers)] for name, *numbers in wanted]
    assert [place.place for place in found] == list(range(1, 11))


def test_sonneborn_berger_of_a_double_round() -> None:
    """Sensei's Library, Sonneborn-Berger: four players, everybody twice: 11, 9, 6 and 4."""
    first = {(1, 2): 1, (1, 3): 1, (1, 4): 1, (2, 3): 1, (2, 4): 1, (3, 4): 1}
    second = {(1, 2): 0, (1, 3): 1, (1, 4): 0, (2, 3): 0, (2, 4): 1, (3, 4): 1}
    meetings = [
        Meeting(n, one, two, (float(won), 1.0 - won))
        for n, games in enumerate((first, second))
        for (one, two), won in games.items()
    ]
    points = {number: points_of(meetings, number) for number in range(1, 5)}
    assert points == {1: 4, 2: 4, 3: 3, 4: 1}
    assert [sonneborn_berger(number, meetings, points) for number in range(1, 5)] == [11, 9, 6, 4]


def test_buchholz_and_sonneborn_berger_of_swiss_players() -> None:
    """Hult Chess Club: three wins over the first three of opponents with 1, 3, 2, 2, 2 points: 6; with
    1, 2, 2, 2, 2 it is 5. Buchholz (there: Solkoff) is their sum."""
    for scores, sb, all_of_them, cut in (((1, 3, 2, 2, 2), 6, 10, 9), ((1, 2, 2, 2, 2), 5, 9, 8)):
        results = ((1.0, 0.0),) * 3 + ((0.0, 1.0),) * 2
        meetings = [Meeting(n + 1, 1, n + 2, result) for n, result in enumerate(results)]
        points = {1: 3.0} | {n + 2: float(score) for n, score in enumerate(scores)}
        assert sonneborn_berger(1, meetings, points) == sb
        assert buchholz(1, meetings, points) == all_of_them
        assert buchholz(1, meetings, points, 1) == cut


def test_a_round_without_a_game_counts_as_one_against_oneself() -> None:
    meetings = [
        Meeting(1, 1, None, BYE, False),
        Meeting(2, 1, 2, (1.0, 0.0)),
        Meeting(3, 3, 1, (0.0, 1.0), False),
    ]
    points = {1: 3.0, 2: 1.0, 3: 0.0}
    assert buchholz(1, meetings, points) == 3 + 1 + 3
    assert sonneborn_berger(1, meetings, points) == 3 + 1 + 3
    assert wins(1, meetings) == 1


# The exercise on tie-breaks that FIDE's Technical Commission published on 18 March 2024, with its answers:
# sixteen players, five rounds. + = - is what a round brought; W and B are games, F is one to which somebody
# did not come, BYE is one that was drawn (+) or asked for (=), -- a round in which somebody was away.
EXERCISE = """
+W9 =B13 =W2 +B15 =W4     +B10 +W7 =B1 +W16 =B3     =W11 +B6 +W8 =B4 =W2       +B12 =BYE +W13 =W3 =B1
-W13 -B15 +W11 =B7 +W10   -B14 -W3 +BYE +W10 +B8    +W15 -B2 -B16 =W5 -B11     =B16 +W14 -B3 +W13 -W6
-B1 -W10 =BYE -F11 +BYE   -W2 +B9 -W15 -B6 -B5      =B3 -W16 -B5 +F9 +W7       -W4 +BYE +F14 -- --
+B5 =W1 -B4 -B8 -W14      +W6 -B8 -F12 -- +B13      -B7 +W5 +B10 -W1 -B16      =W8 +B11 +W7 -B2 +W15
"""
BUCHHOLZ = {1: 12.5, 2: 13, 3: 15.5, 4: 15, 5: 8.5, 8: 13.5, 11: 13.5, 16: 12.5}
CUT = {1: 11, 3: 13, 4: 11.5, 5: 7.5, 7: 12.5, 8: 12, 9: 7.5, 11: 12, 12: 9.5, 13: 12, 14: 9, 15: 11, 16: 11}


def exercise() -> list[Meeting]:
    value = {"+": 1.0, "=": 0.5, "-": 0.0}
    meetings: list[Meeting] = []
    for place, text in enumerate(EXERCISE.split()):
        number, round = place // 5 + 1, place % 5 + 1
        if text.endswith("BYE"):
            meetings.append(Meeting(round, number, None, (value[text[0]], 0.0), False))
        elif text != "--" and number < int(text[2:]):
            points = value[text[0]], 1 - value[text[0]]
            meetings.append(Meeting(round, number, int(text[2:]), points, text[1] != "F"))
    return meetings


def test_rounds_without_a_game_as_in_the_exercise_of_the_rule_book() -> None:
    meetings = exercise()
    points = {number: points_of(meetings, number) for number in range(1, 17)}
    assert {number: buchholz(number, meetings, points, 0, 5) for number in BUCHHOLZ} == BUCHHOLZ
    assert {number: buchholz(number, meetings, points, 1, 5) for number in CUT} == CUT
    entrants = [Entrant(number, 2000) for number in points]
    breaks = {place.number: place.breaks for place in standings("swiss", entrants, meetings)}
    assert {number: breaks[number][0] for number in CUT} == CUT
    assert {number: breaks[number][1] for number in BUCHHOLZ} == BUCHHOLZ


def test_a_game_that_goes_on_is_no_round_that_was_missed() -> None:
    """Nor is a late guest's first round: it counts as a game against oneself, and goes first."""
    meetings = [Meeting(1, 1, 2, (1.0, 0.0)), Meeting(2, 1, 3, None), Meeting(2, 2, None, BYE, False)]
    points = {1: 1.0, 2: 1.0, 3: 0.0}
    assert adjusted(3, meetings, points, 2) == 0, "it plays"
    assert buchholz(1, meetings, points, 0, 2) == 1
    assert buchholz(2, meetings, points, 0, 2) == 1 + 1
    assert buchholz(3, meetings, points, 0, 2) == 0
    gone = [Meeting(1, 1, 2, (1.0, 0.0)), Meeting(2, 1, 3, (1.0, 0.0))]
    assert adjusted(2, gone, {1: 2.0, 2: 0.0, 3: 0.0}, 2) == 0.5, "who does not come any more"
    assert adjusted(3, gone, {1: 2.0, 2: 0.0, 3: 0.0}, 2) == 0, "who came late"


def test_direct_encounter_only_where_all_have_met() -> None:
    meetings = [Meeting(1, 1, 2, (1.0, 0.0)), Meeting(2, 2, 3, (0.5, 0.5))]
    assert direct([1, 2], meetings) == {1: 1, 2: 0}
    assert direct([1, 2, 3], meetings) == {1: 0, 2: 0, 3: 0}


# Swiss --------------------------------------------------------------------------------------------------


def test_the_first_round_of_forty() -> None:
    """FIDE Handbook C.04.2, brief examples: 1 v 21, 22 v 2, 3 v 23, 24 v 4, … 40 v 20."""
    entrants = [Entrant(number, 2500 - number) for number in range(1, 41)]
    wanted = [(n, n + 20) if n % 2 else (n + 20, n) for n in range(1, 21)]
    assert swiss.pairings(entrants, []) == wanted


def test_an_odd_number_gives_the_last_a_bye_once() -> None:
    entrants = [Entrant(number, 2500 - number) for number in range(1, 6)]
    first = swiss.pairings(entrants, [])
    assert first == [(1, 3), (4, 2), (5, None)]
    meetings = played(1, first, random.Random(1))
    assert swiss.pairings(entrants, meetings)[-1].second is None
    assert swiss.pairings(entrants, meetings)[-1].first != 5


def played(number: int, pairs: list[Pairing], rng: random.Random) -> list[Meeting]:
    return [
        Meeting(number, *pair, BYE, False)
        if pair.second is None
        else Meeting(number, *pair, rng.choice(list(POINTS.values())))
        for pair in pairs
    ]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 30, 31])
def test_swiss_rounds_of_any_size(count: int) -> None:
    rng = random.Random(count)
    entrants = [Entrant(number, rng.choice((900, 1000, 1100))) for number in range(1, count + 1)]
    meetings: list[Meeting] = []
    rounds = swiss.rounds_for(count)
    for number in range(1, rounds + 1):
        pairs = swiss.pairings(entrants, meetings)
        here = [one for pair in pairs for one in pair if one is not None]
        assert sorted(here) == list(range(1, count + 1))
        meetings += played(number, pairs, rng)
    games = [meeting for meeting in meetings if not meeting.is_bye]
    assert max(Counter(frozenset((m.first, m.second)) for m in games).values()) == 1
    assert max(Counter(m.first for m in meetings if m.is_bye).values(), default=1) == 1
    for number in range(1, count + 1):
        began = [m.first == number for m in games if m.has(number)]
        assert abs(2 * sum(began) - len(began)) <= 2 + (count < 7)


def test_equal_scores_meet() -> None:
    rng = random.Random(7)
    entrants = [Entrant(number, 1000 - number) for number in range(1, 33)]
    meetings: list[Meeting] = []
    for number in range(1, 6):
        pairs = swiss.pairings(entrants, meetings)
        apart = [abs(points_of(meetings, a) - points_of(meetings, b)) for a, b in pairs if b is not None]
        assert max(apart) <= 1
        groups = {points_of(meetings, one.number) for one in entrants}
        assert sum(gap > 0 for gap in apart) < len(groups) or not meetings
        meetings += played(number, pairs, rng)


def test_every_round_there_is_is_found() -> None:
    """Also when everybody has met nearly everybody; and where there is none, none is made up."""
    entrants = [Entrant(number, 1000) for number in range(1, 7)]
    for seed in range(20):
        rng, meetings = random.Random(seed), list[Meeting]()
        for number in range(1, 6):
            pairs = swiss.pairings(entrants, meetings)
            if not pairs:
                break
            meetings += played(number, pairs, rng)
        left = [
            {a, b}
            for a, b in combinations(range(1, 7), 2)
            if not any(m.has(a) and m.has(b) for m in meetings)
        ]
        if number < 5 or not pairs:
            assert not any(len(set.union(*three)) == 6 for three in combinations(left, 3))


def test_who_is_away_is_not_paired() -> None:
    entrants = [Entrant(number, 1000 - number, is_here=number != 2) for number in range(1, 6)]
    assert swiss.pairings(entrants, []) == [(1, 4), (3, 5)], "an odd number begins first, as FIDE has it (E5)"


def test_a_matching_is_found_if_and_only_if_there_is_one() -> None:
    for seed in range(400):
        rng = random.Random(seed)
        people = list(range(rng.choice((2, 4, 6, 8))))
        edges = {pair for pair in combinations(people, 2) if rng.random() < 0.35}
        allowed = {
            one: frozenset(two for two in people if (min(one, two), max(one, two)) in edges) for one in people
        }
        assert can_pair_all(people, allowed) == brute_force(people, edges), seed


def brute_force(people: list[int], edges: set[tuple[int, int]]) -> bool:
    if not people:
        return True
    one, *rest = people
    return any(
        (one, two) in edges and brute_force([other for other in rest if other != two], edges) for two in rest
    )


# Knock-out and arena --------------------------------------------------------------------------------------


def test_the_strongest_meet_last() -> None:
    assert knockout.bracket(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert knockout.bracket(5) == [1, None, 4, 5, 2, None, 3, None]


def check_tree(tree: list[list[knockout.Tie]], count: int, open_ones: set[frozenset[int | None]]) -> None:
    """Halved from round to round; who won a match stands in the next; open are the ones that are played."""
    assert len(tree) == knockout.rounds_of(count)
    for stage, after in pairwise(tree):
        assert len(stage) == 2 * len(after)
        assert [tie.winner for tie in stage] == [number for tie in after for number in (tie.one, tie.two)]
    ties = [tie for stage in tree for tie in stage]
    first = [number for tie in tree[0] for number in (tie.one, tie.two) if number is not None]
    assert sorted(first) == list(range(1, count + 1))
    assert {frozenset((t.one, t.two)) for t in ties if t.one and t.two and t.winner is None} >= open_ones
    for tie in ties:
        assert tie.winner in (None, tie.one, tie.two)
        assert tie.is_bye == (tie in tree[0] and None in (tie.one, tie.two))
        if tie.winner is not None and not tie.is_bye and sum(tie.points) == 2:
            assert tie.points[(tie.one, tie.two).index(tie.winner)] > 1


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 13, 30])
def test_a_knockout_ends_with_one(count: int) -> None:
    rng = random.Random(count)
    entrants = [Entrant(number, 2000 - number) for number in range(1, count + 1)]
    meetings: list[Meeting] = []
    while (found := knockout.next_games(entrants, meetings)) is not None:
        number, pairs = found
        assert pairs
        check_tree(knockout.tree(entrants, meetings), count, {frozenset(pair) for pair in pairs})
        meetings += played(number, pairs, rng)
    tree = knockout.tree(entrants, meetings)
    check_tree(tree, count, set())
    assert tree[-1][0].winner == standings("knockout", entrants, meetings)[0].number
    assert max(meeting.round for meeting in meetings) <= 3 * knockout.rounds_of(count)
    places = standings("knockout", entrants, meetings)
    assert [place.place for place in places[:2]] == [1, 2]
    last = max(meeting.round for meeting in meetings)
    assert {places[0].number, places[1].number} == {
        number for m in meetings if m.round == last for number in (m.first, m.second)
    }


def test_a_match_is_two_games_and_one_that_decides() -> None:
    entrants = [Entrant(1, 1200), Entrant(2, 1000)]
    draw, games = (0.5, 0.5), list[Meeting]()
    assert knockout.next_games(entrants, games) == (1, [(1, 2)])
    games.append(Meeting(1, 1, 2, draw))
    assert knockout.next_games(entrants, games) == (2, [(2, 1)])
    games.append(Meeting(2, 2, 1))
    assert knockout.next_games(entrants, games) == (1, []), "it goes on"
    games[-1] = Meeting(2, 2, 1, draw)
    assert knockout.next_games(entrants, games) == (3, [(1, 2)])
    games.append(Meeting(3, 1, 2, draw))
    assert knockout.next_games(entrants, games) is None
    assert standings("knockout", entrants, games)[0].number == 2, "a draw is enough for who followed"


def test_an_arena_of_a_club() -> None:
    """Woodseats chess club, online arena 2: the sheets of its six players as lichess.org showed them. Which
    games were won and drawn follows from them: the fifth of the first was a draw worth two."""
    sheets = {
        "202222": "1 0 1 1 ½ 1",
        "220201": "1 1 0 1 0 ½",
        "002022": "0 0 1 0 1 1",
        "2200": "1 1 0 0",
        "02200": "0 1 1 0 0",
        "00020": "0 0 0 1 0",
    }
    values = {"1": 1.0, "½": 0.5, "0": 0.0}
    for sheet, results in sheets.items():
        meetings = [
            Meeting(n, 1, 2, (values[result], 1 - values[result])) for n, result in enumerate(results.split())
        ]
        assert "".join(map(str, timed.score_sheet(meetings, 1))) == sheet


def test_an_arena_pairs_whoever_is_free() -> None:
    entrants = [Entrant(number, 1000 - number) for number in range(1, 6)]
    rng, meetings, last = random.Random(3), list[Meeting](), list[Pairing]()
    for number in range(1, 12):
        pairs = timed.pairings(entrants, meetings)
        assert len(pairs) == 2
        assert not {frozenset(pair) for pair in pairs} & {frozenset(pair) for pair in last}
        last = pairs
        meetings += played(number, pairs, rng)
    games = Counter(one for m in meetings for one in (m.first, m.second))
    assert max(games.values()) - min(games.values()) <= 1
    two = entrants[:2]
    assert timed.pairings(two, [Meeting(1, 1, 2, (1.0, 0.0))]) == [(2, 1)], "there is nobody else"
