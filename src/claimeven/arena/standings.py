"""What a tournament says: totals, intervals, ratings and tests, all counted from its games.

The result is one JSON value, `result.json`. The same games give the same bytes: nothing in it depends on
time, on the machine or on the number of workers.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from claimeven.arena.elo import LEAST, elo, moments, normalized_elo, score_interval, superiority
from claimeven.arena.played import FAULTS, Played, pair_points
from claimeven.arena.ratings import Pair, rate
from claimeven.arena.schedule import Plan
from claimeven.arena.statistics import holm, sign_test

FORMAT, VERSION = "claimeven-tournament", 1
MAX_CRASHES = 3  # an agent that fails more often says nothing about its strength,
MAX_LATE = 0.1  # nor does one that loses a larger share of its games on time,
LATE_FROM = 20  # when it has played more games than this


def result(plan: Plan, games: Sequence[Played], quality: Mapping[int, Any] | None = None) -> dict[str, Any]:
    """Everything that can be said of the games. `quality`: of every agent's moves, by number (quality.py)."""
    pairs = list(zip(games[::2], games[1::2], strict=True))
    by_pairing: dict[tuple[int, int], list[tuple[Played, Played]]] = {p: [] for p in plan.pairings}
    for pair in pairs:
        by_pairing[pair[0].players].append(pair)
    ratings = rate(
        len(plan.specs),
        {who: [_points(pair, who[0]) for pair in some] for who, some in by_pairing.items()},
        seed=plan.seed,
    )
    pairings = [_pairing(who, some) for who, some in by_pairing.items()]
    for pairing, p in zip(pairings, holm([pairing["p"] for pairing in pairings]), strict=True):
        pairing["p_holm"] = round(p, 6)
    agents = [
        _agent(number, name, pairs) | {"rating": _rating(ratings.players[number])}
        for number, name in enumerate(plan.names)
    ]
    for number, agent in enumerate(agents):
        agent["spec"] = plan.specs[number]
        agent["quality"] = (quality or {}).get(number)
    return {
        "format": FORMAT,
        "version": VERSION,
        "plan": plan.parameters(),
        "games": len(games),
        "agents": agents,
        "pairings": pairings,
        "first_player": _wins(games, lambda game: game.players[0]),
        "first_move": _rating(ratings.first_move),
        "endings": dict(sorted(Counter(game.reason for game in games).items())),
        "sprt": _sprt(plan, pairings[0]["pairs"]),
    }


def _points(pair: tuple[Played, Played], agent: int) -> Pair:
    return pair[0].points(agent), pair[1].points(agent)


def _agent(number: int, name: str, pairs: Iterable[tuple[Played, Played]]) -> dict[str, Any]:
    own = [pair for pair in pairs if number in pair[0].players]
    games = [game for pair in own for game in pair]
    tally = [0] * 5
    for pair in own:
        tally[pair_points(pair, number)] += 1
    faults = Counter(game.fault for game in games if game.fault and game.winner != number)
    late = faults["time"] / len(games) if len(games) > LATE_FROM else 0
    return {
        "name": name,
        **_wins(games, lambda _: number),
        **_score(tally),
        "as_first": _wins([game for game in games if game.players[0] == number], lambda _: number),
        "as_second": _wins([game for game in games if game.players[1] == number], lambda _: number),
        "faults": {fault: faults[fault] for fault in FAULTS},
        "is_reliable": faults["crash"] <= MAX_CRASHES and late <= MAX_LATE,
    }


def _pairing(who: tuple[int, int], pairs: Sequence[tuple[Played, Played]]) -> dict[str, Any]:
    one = who[0]
    games = [game for pair in pairs for game in pair]
    tally = [0] * 5
    for pair in pairs:
        tally[pair_points(pair, one)] += 1
    mean, variance, _ = moments(tally)
    # A clean score has no difference of strength that could be told; pairs all alike do not tell its error.
    is_measured = LEAST < mean < 1 - LEAST and variance > 0
    return {
        "agents": list(who),
        **_wins(games, lambda _: one),
        **_score(tally),
        "pairs": tally,
        "elo": _rounded(elo(tally)) if is_measured else None,
        "normalized_elo": _rounded(normalized_elo(tally)) if is_measured else None,
        "superiority": round(superiority(tally), 6),
        # Pairs, not games: the two games of a pair are one trial.
        "p": round(sign_test(tally[3] + tally[4], tally[0] + tally[1]), 6),
        "as_first": _wins([game for game in games if game.players[0] == one], lambda _: one),
        "as_second": _wins([game for game in games if game.players[1] == one], lambda _: one),
        "distinct": len({(game.record.start, game.record.moves, game.players) for game in games}),
    }


def _sprt(plan: Plan, tally: Sequence[int]) -> dict[str, Any] | None:
    if plan.sprt is None:
        return None
    low, high = plan.sprt.bounds
    return {
        "elo0": plan.sprt.elo0,
        "elo1": plan.sprt.elo1,
        "alpha": plan.sprt.alpha,
        "beta": plan.sprt.beta,
        "bounds": [round(low, 6), round(high, 6)],
        "llr": round(plan.sprt.llr(tally), 6),
        "verdict": plan.sprt.verdict(tally) or "none",
    }


def verdict_words(sprt: Mapping[str, Any]) -> str:
    """What a test found. To accept one hypothesis is to rule out the other, no more."""
    return {
        "elo0": f"the difference is less than {sprt['elo1']:g} Elo",
        "elo1": f"the difference is more than {sprt['elo0']:g} Elo",
        "none": "no verdict within the games allowed",
    }[sprt["verdict"]]


def _wins(games: Iterable[Played], who: Any) -> dict[str, int]:
    """Wins, draws and losses of the agent that `who` names in each game."""
    ends = Counter(None if game.winner is None else game.winner == who(game) for game in games)
    return {"wins": ends[True], "draws": ends[None], "losses": ends[False]}


def _score(tally: Sequence[int]) -> dict[str, Any]:
    low, high = score_interval(tally)
    return {"score": round(moments(tally).mean, 6), "interval": [round(low, 6), round(high, 6)]}


def _rating(rating: Any) -> dict[str, Any]:
    return {"value": round(rating.value, 1), "interval": [round(bound, 1) for bound in rating.interval]}


def _rounded(estimate: tuple[float, float]) -> dict[str, float]:
    return {"value": round(estimate[0], 2), "error": round(estimate[1], 2)}
