"""Knock-out: who loses a match is out. The strongest meet last.

A match is two games, each begins one. If it is even, a third decides: the stronger begins, and a draw is
enough for the other. So it always ends, and nobody has to be asked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimeven.event.values import Entrant, Meeting, Pairing

GAMES = 2  # of a match, before the one that decides


def bracket(entrants: int) -> list[int | None]:
    """Places of the first round, two and two of them meet; None is a bye, for the strongest.

    >>> bracket(6)
    [1, None, 4, 5, 2, None, 3, 6]
    """
    places = [1]
    while len(places) < entrants:
        size = 2 * len(places)
        places = [number for place in places for number in (place, size + 1 - place)]
    order: list[int | None] = [place if place <= entrants else None for place in places]
    if len(order) == 1:
        order.append(None)
    return order


def rounds_of(entrants: int) -> int:
    """Of the bracket."""
    return max(1, (entrants - 1).bit_length())


def next_games(entrants: Sequence[Entrant], meetings: Sequence[Meeting]) -> tuple[int, list[Pairing]] | None:
    """What is played next: the round and its pairings. None when one is left, nothing while a match goes on.

    A round here is one game of every match that is not decided: 1 to 3 are the games of the first matches,
    4 to 6 those of the second, and so on.
    """
    for stage in _stages(entrants, meetings):
        if any(meeting.points is None for meeting in stage.games):
            return stage.first_round, []
        open_ones = [match for match, winner in stage.winners.items() if winner is None]
        if open_ones:
            played = len({meeting.round for meeting in stage.games})
            return stage.first_round + played, [_game(match, played) for match in open_ones]
    return None


def reached(entrants: Sequence[Entrant], meetings: Sequence[Meeting]) -> dict[int, int]:
    """How many matches each has left behind, by a win or a bye."""
    found = {one.number: 0 for one in entrants}
    for number, stage in enumerate(_stages(entrants, meetings), 1):
        for winner in (*stage.winners.values(), *stage.byes):
            if winner is not None:
                found[winner] = number
    return found


@dataclass(frozen=True)
class Tie:
    """A match as a bracket draws it: the upper and the lower place, None where it is not known who comes."""

    one: int | None
    two: int | None
    points: tuple[float, float] = (0.0, 0.0)
    winner: int | None = None
    is_bye: bool = False


def tree(entrants: Sequence[Entrant], meetings: Sequence[Meeting]) -> list[list[Tie]]:
    """Every round from the first to the final, matches that wait for their players among them."""
    seeds = _seeds(entrants)
    places: list[int | None] = [None if place is None else seeds[place - 1] for place in bracket(len(seeds))]
    found: list[list[Tie]] = []
    while len(places) > 1:
        first = 1 + len(found) * (GAMES + 1)
        games = [meeting for meeting in meetings if first <= meeting.round <= first + GAMES]
        pairs = list(zip(places[::2], places[1::2], strict=True))
        found.append([_tie(one, two, games, seeds, is_first=not found) for one, two in pairs])
        places = [tie.winner for tie in found[-1]]
    return found


def _tie(
    one: int | None, two: int | None, games: Sequence[Meeting], seeds: Sequence[int], *, is_first: bool
) -> Tie:
    if one is None or two is None:
        alone = two if one is None else one
        is_bye = is_first and alone is not None
        return Tie(one, two, winner=alone if is_bye else None, is_bye=is_bye)
    own = [game for game in games if game.has(one) and game.has(two) and game.points is not None]
    points = sum(game.of(one) for game in own), sum(game.of(two) for game in own)
    stronger, other = sorted((one, two), key=seeds.index)
    return Tie(one, two, points, _winner(stronger, other, games))


def _seeds(entrants: Sequence[Entrant]) -> list[int]:
    return [one.number for one in sorted(entrants, key=lambda one: (-one.rating, one.number))]


Match = tuple[int, int]  # the stronger first


@dataclass(frozen=True)
class _Stage:
    first_round: int
    games: Sequence[Meeting]
    winners: dict[Match, int | None]  # None while it is open
    byes: Sequence[int]


def _stages(entrants: Sequence[Entrant], meetings: Sequence[Meeting]) -> Iterator[_Stage]:
    """From the first matches to those that are not all decided yet."""
    seeds = _seeds(entrants)
    places: list[int | None] = [None if place is None else seeds[place - 1] for place in bracket(len(seeds))]
    first = 1
    while len(places) > 1:
        games = [meeting for meeting in meetings if first <= meeting.round <= first + GAMES]
        pairs = [_known(pair, seeds) for pair in zip(places[::2], places[1::2], strict=True)]
        winners = {(pair[0], pair[1]): _winner(pair[0], pair[1], games) for pair in pairs if len(pair) == 2}
        byes = [pair[0] for pair in pairs if len(pair) == 1]
        yield _Stage(first, games, winners, byes)
        if None in winners.values():
            return
        places = [
            winners[pair[0], pair[1]] if len(pair) == 2 else pair[0] if pair else None for pair in pairs
        ]
        first += GAMES + 1


def _known(pair: tuple[int | None, int | None], seeds: Sequence[int]) -> list[int]:
    return sorted((number for number in pair if number is not None), key=seeds.index)


def _game(match: Match, played: int) -> Pairing:
    one, two = match
    return Pairing(two, one) if played == 1 else Pairing(one, two)


def _winner(one: int, two: int, games: Sequence[Meeting]) -> int | None:
    own = sorted((game for game in games if game.has(one) and game.has(two)), key=lambda game: game.round)
    if any(game.points is None for game in own) or len(own) < GAMES:
        return None
    lead = sum(game.of(one) - game.of(two) for game in own[:GAMES])
    if lead:
        return one if lead > 0 else two
    if len(own) == GAMES:
        return None
    return one if own[GAMES].of(one) > own[GAMES].of(two) else two
