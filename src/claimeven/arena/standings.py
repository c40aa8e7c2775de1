"""The result of a tournament: totals, intervals, ratings and tests, all counted from its games.

The same games give the same bytes of `result.json`: nothing in it depends on time, on the machine or on the
number of workers.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from claimeven.arena.elo import LEAST, Estimate, elo, moments, normalized_elo, score_interval, superiority
from claimeven.arena.play.played import Played, pair_points
from claimeven.arena.play.schedule import Plan
from claimeven.arena.ratings import Pair, Rating, rate
from claimeven.arena.result import (
    AgentResult,
    Difference,
    Ends,
    Faults,
    PairingResult,
    Quality,
    Rated,
    SprtResult,
    TournamentResult,
)
from claimeven.arena.statistics import Interval, holm, sign_test

MAX_CRASHES = 3  # an agent that fails more often says nothing about its strength,
MAX_LATE = 0.1  # nor does one that loses a larger share of its games on time,
LATE_FROM = 20  # when it has played more games than this

PlayedPair = tuple[Played, Played]
Tally = tuple[int, int, int, int, int]


def result(
    plan: Plan, games: Sequence[Played], quality: Mapping[int, Quality] | None = None
) -> TournamentResult:
    """Everything that can be said of the games. `quality`: of every agent's moves, by number (quality.py)."""
    pairs = list(zip(games[::2], games[1::2], strict=True))
    by_pairing: dict[tuple[int, int], list[PlayedPair]] = {p: [] for p in plan.pairings}
    for pair in pairs:
        by_pairing[pair[0].players].append(pair)
    ratings = rate(
        len(plan.entrants),
        {who: [_points(pair, who[0]) for pair in some] for who, some in by_pairing.items()},
        seed=plan.seed,
    )
    tallies = {who: _tally(some, who[0]) for who, some in by_pairing.items()}
    # Pairs, not games: the two games of a pair are one trial.
    chances = [sign_test(tally[3] + tally[4], tally[0] + tally[1]) for tally in tallies.values()]
    rounded = [round(p, 6) for p in chances]
    return TournamentResult(
        format="claimeven-tournament",
        version=1,
        plan=plan.settings(),
        games=len(games),
        agents=tuple(
            _agent(plan, number, pairs, ratings.players[number], (quality or {}).get(number))
            for number in range(len(plan.entrants))
        ),
        pairings=tuple(
            _pairing(who, by_pairing[who], tallies[who], p, round(p_holm, 6))
            for who, p, p_holm in zip(by_pairing, rounded, holm(rounded), strict=True)
        ),
        first_player=_ends(games, lambda game: game.players[0]),
        first_move=_rated(ratings.first_move),
        endings=dict(sorted(Counter(game.reason for game in games).items())),
        sprt=_sprt(plan, tallies[plan.pairings[0]]),
    )


def _points(pair: PlayedPair, agent: int) -> Pair:
    return pair[0].points(agent), pair[1].points(agent)


def _tally(pairs: Iterable[PlayedPair], agent: int) -> Tally:
    counts = Counter(pair_points(pair, agent) for pair in pairs)
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def _agent(
    plan: Plan, number: int, pairs: Iterable[PlayedPair], rating: Rating, quality: Quality | None
) -> AgentResult:
    own = [pair for pair in pairs if number in pair[0].players]
    games = [game for pair in own for game in pair]
    ends, tally = _ends(games, lambda _: number), _tally(own, number)
    faults = Counter(game.fault for game in games if game.fault and game.winner != number)
    late = faults["time"] / len(games) if len(games) > LATE_FROM else 0
    return AgentResult(
        name=plan.names[number],
        wins=ends.wins,
        draws=ends.draws,
        losses=ends.losses,
        score=round(moments(tally).mean, 6),
        interval=_rounded(score_interval(tally)),
        as_first=_ends([game for game in games if game.players[0] == number], lambda _: number),
        as_second=_ends([game for game in games if game.players[1] == number], lambda _: number),
        faults=Faults(faults["illegal"], faults["crash"], faults["time"]),
        is_reliable=faults["crash"] <= MAX_CRASHES and late <= MAX_LATE,
        rating=_rated(rating),
        spec=plan.specs[number],
        quality=quality,
    )


def _pairing(
    who: tuple[int, int], pairs: Sequence[PlayedPair], tally: Tally, p: float, p_holm: float
) -> PairingResult:
    one = who[0]
    games = [game for pair in pairs for game in pair]
    ends = _ends(games, lambda _: one)
    mean, variance, _ = moments(tally)
    # A clean score has no difference of strength that could be told; pairs all alike do not tell its error.
    is_measured = LEAST < mean < 1 - LEAST and variance > 0
    return PairingResult(
        agents=who,
        wins=ends.wins,
        draws=ends.draws,
        losses=ends.losses,
        score=round(mean, 6),
        interval=_rounded(score_interval(tally)),
        pairs=tally,
        elo=_difference(elo(tally)) if is_measured else None,
        normalized_elo=_difference(normalized_elo(tally)) if is_measured else None,
        superiority=round(superiority(tally), 6),
        p=p,
        as_first=_ends([game for game in games if game.players[0] == one], lambda _: one),
        as_second=_ends([game for game in games if game.players[1] == one], lambda _: one),
        distinct=len({(game.record.start, game.record.moves, game.players) for game in games}),
        p_holm=p_holm,
    )


def _sprt(plan: Plan, tally: Tally) -> SprtResult | None:
    test = plan.sprt
    if test is None:
        return None
    low, high = test.bounds
    return SprtResult(
        elo0=test.elo0,
        elo1=test.elo1,
        alpha=test.alpha,
        beta=test.beta,
        bounds=(round(low, 6), round(high, 6)),
        llr=round(test.llr(tally), 6),
        verdict=test.verdict(tally) or "none",
    )


def _ends(games: Iterable[Played], who: Callable[[Played], int]) -> Ends:
    """Wins, draws and losses of the agent that `who` names in each game."""
    ends = Counter(None if game.winner is None else game.winner == who(game) for game in games)
    return Ends(ends[True], ends[None], ends[False])


def _rounded(interval: Interval) -> Interval:
    return Interval(round(interval.low, 6), round(interval.high, 6))


def _rated(rating: Rating) -> Rated:
    low, high = rating.interval
    return Rated(round(rating.value, 1), Interval(round(low, 1), round(high, 1)))


def _difference(estimate: Estimate) -> Difference:
    return Difference(round(estimate[0], 2), round(estimate[1], 2))
