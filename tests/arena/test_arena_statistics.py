"""Tournament statistics against published numbers: those of fastchess, fishtest and OpenBench."""

import math
import random

import pytest

from claimeven.arena.elo import (
    elo,
    elo_of,
    expected_score,
    moments,
    normalized_elo,
    score_interval,
    superiority,
)
from claimeven.arena.ratings import Pair, rate
from claimeven.arena.sprt import Sprt, bayesian_llr, llr
from claimeven.arena.statistics import holm, sign_test, wilson
from claimeven.errors import InputError

Tally = tuple[int, ...]


def pairs(ll: int, ld: int, wl: int, dd: int, wd: int, ww: int) -> Tally:
    """As others write it, a win and a loss apart from two draws; both are one point."""
    return ll, ld, wl + dd, wd, ww


def games(wins: int, losses: int, draws: int) -> Tally:
    return losses, draws, wins


@pytest.mark.parametrize(
    ("tally", "model", "elo0", "elo1", "expected"),
    [
        (games(36433, 36027, 68692), "normalized", 0, 2, 0.9233),
        (games(10871, 10650, 20431), "normalized", -1.75, 0.25, 2.2975),
        (games(4250, 0, 0), "normalized", 0, 10, 120.548),
        (games(21404, 21184, 40708), "logistic", 0.5, 2.5, -1.5719),
        (games(57433, 57030, 106593), "logistic", 0, 2, -2.5930),
        (pairs(365, 16618, 36029, 200, 16974, 390), "normalized", 0, 2, 2.2504),
        (pairs(127, 4883, 10311, 401, 5150, 104), "normalized", -1.75, 0.25, 3.0102),
        (pairs(0, 0, 0, 0, 0, 5550), "normalized", 0, 5, 111.798),
        (pairs(223, 9863, 20279, 1000, 10037, 246), "logistic", 0.5, 2.5, -3.0741),
        (pairs(871, 26175, 55003, 980, 26678, 821), "logistic", 0, 2, -4.9787),
        ((39, 8843, 26675, 9240, 44), "normalized", 0.5, 2.5, 2.9417),
    ],
)
def test_log_likelihood_ratios(tally: Tally, model: str, elo0: float, elo1: float, expected: float) -> None:
    tolerance = 5.1e-4 if expected > 100 else 5.1e-5
    assert llr(tally, elo0, elo1, model) == pytest.approx(expected, abs=tolerance)  # type: ignore[arg-type]


def test_the_bayesian_model() -> None:
    assert bayesian_llr(68965, 128429, 68526, 0, 2) == pytest.approx(-1.2622, abs=5e-5)
    assert bayesian_llr(21629, 41111, 21484, 0.5, 2.5) == pytest.approx(-1.1306, abs=5e-5)


@pytest.mark.parametrize(
    ("tally", "value", "error", "normalized", "normalized_error", "superior", "score"),
    [
        (games(136, 96, 111), 40.70, 30.43, 49.77, 36.77, 0.9960, 0.558),
        (games(76, 89, 123), None, None, -20.76, 40.13, 0.1553, 0.477),
        (pairs(34, 54, 31, 32, 64, 75), 55.58, 27.65, 57.94, 28.28, None, 0.579),
        (pairs(332, 433, 457, 41, 333, 334), -8.64, 10.33, -9.17, 10.96, 0.0505, None),
        (pairs(7895, 8757, 5485, 200, 568, 9999), -21.04, 2.95, -19.01, 2.65, None, None),
    ],
)
def test_elo_differences(
    tally: Tally,
    value: float | None,
    error: float | None,
    normalized: float,
    normalized_error: float,
    superior: float | None,
    score: float | None,
) -> None:
    def near(expected: float) -> object:
        return pytest.approx(expected, abs=0.00501)

    if value is not None and error is not None:
        assert elo(tally) == (near(value), near(error))
    assert normalized_elo(tally) == (near(normalized), near(normalized_error))
    if superior is not None:
        assert superiority(tally) == pytest.approx(superior, abs=5.1e-5)
    if score is not None:
        assert moments(tally).mean == pytest.approx(score, abs=5.1e-4)


def test_pairs_tell_more_than_games_when_the_first_player_has_the_advantage() -> None:
    """Two equal agents, the mover wins 80 %: +-12.5 by pairs, +-15.2 by games (1000 pairs)."""
    assert elo((160, 0, 680, 0, 160)).error == pytest.approx(12.2, abs=0.5)
    assert elo((1000, 0, 1000)).error == pytest.approx(15.2, abs=0.05)


def test_simple_shares() -> None:
    assert wilson(60, 100) == pytest.approx((0.5020, 0.6906), abs=5e-5)
    assert wilson(0, 50).high == pytest.approx(0.0713, abs=5.1e-5)
    assert sign_test(60, 40) == pytest.approx(0.0569, abs=5e-5)
    assert sign_test(0, 0) == 1
    # The exact test on the totals of a report that used another: 106-58 and 108-68.
    assert sign_test(106, 58) == pytest.approx(0.0002, abs=5.1e-5)
    assert sign_test(108, 68) == pytest.approx(0.003, abs=5e-4)


def test_holm() -> None:
    assert holm([]) == []
    assert holm([0.04]) == [0.04]
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([0.02, 0.001, 0.02]) == pytest.approx([0.04, 0.003, 0.04])


def test_elo_and_score_are_inverse() -> None:
    for difference in (-600, -3.5, 0, 120):
        assert elo_of(expected_score(difference)) == pytest.approx(difference)
    assert (elo_of(0), elo_of(1)) == pytest.approx((-1199.8, 1199.8), abs=0.1)


def test_intervals_hold_what_they_say() -> None:
    """Simulated matches with a known score: the interval covers it 95 times in 100."""
    rng = random.Random(5)
    weights = (10, 15, 30, 25, 20)
    truth = moments(weights).mean
    for length in (10, 200):
        covered = 0
        for _ in range(600):
            drawn = rng.choices(range(5), weights, k=length)
            low, high = score_interval(tuple(drawn.count(i) for i in range(5)))
            covered += low <= truth <= high
        assert covered / 600 == pytest.approx(0.95, abs=0.03)


def test_intervals_are_never_a_point() -> None:
    for tally in ((0, 0, 8, 0, 0), (8, 0, 0, 0, 0), (0, 0, 0, 0, 8), (0, 0, 1, 0, 0), (0, 0, 0, 0, 0)):
        low, high = score_interval(tally)
        assert 0 <= low < high <= 1
        assert low <= moments(tally).mean <= high
    # With many results it is the usual one.
    tally = (34, 54, 63, 64, 75)
    mean, variance, results = moments(tally)
    half = 1.95996 * math.sqrt(variance / results)
    assert score_interval(tally) == pytest.approx((mean - half, mean + half), abs=0.002)


def test_bounds_and_verdicts() -> None:
    assert Sprt().bounds == pytest.approx((-2.944, 2.944), abs=5e-4)
    assert Sprt().verdict((0, 0, 0, 0, 0)) == ""
    assert Sprt(0, 20).verdict((5, 30, 80, 90, 60)) == "elo1"
    assert Sprt(0, 20).verdict((60, 90, 80, 30, 5)) == "elo0"
    assert str(Sprt.parse("-10,0")) == "-10,0"
    assert Sprt.parse("0,10,0.01,0.1") == Sprt(0, 10, 0.01, 0.1)
    assert str(Sprt.parse("0,10,0.01,0.1")) == "0,10,0.01,0.1"
    assert Sprt(alpha=0.01).bounds[1] > Sprt().bounds[1]


@pytest.mark.parametrize("text", ["", "0", "10,0", "5,5", "a,b", "0,10,20", "0,inf", "nan,1"])
def test_bad_tests_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="SPRT"):
        Sprt.parse(text)


def test_error_rates() -> None:
    """At elo0 the test says elo1 about as seldom as alpha allows."""
    rng = random.Random(11)
    test = Sprt(0, 100)
    verdicts = []
    for _ in range(120):
        tally = [0] * 5
        while not (verdict := test.verdict(tally)):
            for result in rng.choices(range(5), (1, 2, 4, 2, 1), k=4):
                tally[result] += 1
        verdicts.append(verdict)
    assert verdicts.count("elo1") <= 12


# Ratings


def simulated(
    truth: list[float], first_move: float, length: int, seed: int
) -> dict[tuple[int, int], list[Pair]]:
    rng = random.Random(seed)

    def points(difference: float) -> float:
        return float(rng.random() < expected_score(difference))

    return {
        (i, j): [
            (points(truth[i] - truth[j] + first_move), 1 - points(truth[j] - truth[i] + first_move))
            for _ in range(length)
        ]
        for i in range(len(truth))
        for j in range(i)
    }


def test_ratings_find_the_truth() -> None:
    truth = [-150.0, 0.0, 150.0]
    ratings = rate(3, simulated(truth, 80, 2000, seed=1), samples=50)
    assert [player.value for player in ratings.players] == pytest.approx(truth, abs=15)
    assert ratings.first_move.value == pytest.approx(80, abs=15)
    for player, true in zip(ratings.players, truth, strict=True):
        assert player.interval.low - 8 <= true <= player.interval.high + 8
        assert 5 < player.interval.high - player.interval.low < 40
    assert sum(player.value for player in ratings.players) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("truth", "pairs", "tournaments"),
    [
        ([-50.0, 50.0], 60, 150),
        ([-350.0, 350.0], 25, 150),  # four in ten end with a clean score
        ([-600.0, -300.0, 0.0, 300.0, 600.0], 25, 20),  # who is at an end wins or loses nearly everything
    ],
)
def test_rating_intervals_hold_what_they_say(truth: list[float], pairs: int, tournaments: int) -> None:
    covered, lean, width = 0, 0.0, 0.0
    for seed in range(tournaments):
        ratings = rate(len(truth), simulated(truth, 60, pairs, seed), samples=80, seed=seed)
        for true, player in zip(truth, ratings.players, strict=True):
            covered += player.interval.low <= true <= player.interval.high
        best = ratings.players[-1]
        lean += (best.interval.low + best.interval.high) / 2 - best.value
        width += best.interval.high - best.interval.low
    assert covered / (tournaments * len(truth)) >= 0.88
    assert abs(lean) < 0.15 * width, "the interval of the best leans to one side"


def test_the_interval_of_a_clean_score_has_two_sides() -> None:
    winner, loser = rate(2, {(0, 1): [(1, 1)] * 50}).players
    assert 250 < winner.interval.low < winner.value - 80
    assert winner.value + 80 < winner.interval.high < 800
    assert loser.interval == pytest.approx((-winner.interval.high, -winner.interval.low))


def test_pairs_all_alike_do_not_make_a_rating_exact() -> None:
    ratings = rate(2, {(0, 1): [(1, 0.5)] * 10})
    for rating in (*ratings.players, ratings.first_move):
        assert rating.interval.low + 40 < rating.value < rating.interval.high - 40


def test_who_always_wins_has_a_finite_rating() -> None:
    ratings = rate(3, {(0, 1): [(1, 1)] * 50, (0, 2): [(1, 1)] * 50, (1, 2): []}, samples=20)
    best, *others = (player.value for player in ratings.players)
    assert 300 < best - others[0] < 1500
    assert others[0] == pytest.approx(others[1])


def test_ratings_depend_on_the_seed_only() -> None:
    pairs = simulated([0, 100], 0, 20, 3)
    assert rate(2, pairs, seed=4) == rate(2, pairs, seed=4) != rate(2, pairs, seed=5)
