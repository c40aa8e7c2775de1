"""A tournament as the files of `claimeven arena --out`, which `claimeven report` and the page read."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

from claimeven.arena.measure import Share
from claimeven.arena.play.schedule import Settings
from claimeven.arena.result import (
    AgentResult,
    Ends,
    Faults,
    PairingResult,
    Rated,
    TournamentResult,
)
from claimeven.board import STANDARD
from claimeven.game import Record
from claimeven.game.record import json_text
from claimeven.server.events.rows import Event, Table
from claimeven.server.storage.rating import LEVEL_DEVIATION

Z95 = 1.959964
Ended = tuple[Table, Record]  # a game with its record


def names_of(event: Event) -> list[str]:
    """Each once: two levels may be alike."""
    seen: Counter[str] = Counter()
    names = []
    for person in event.people:
        seen[person.name] += 1
        names.append(person.name if seen[person.name] == 1 else f"{person.name} ({seen[person.name]})")
    return names


def games_text(event: Event, games: Sequence[Ended]) -> str:
    """A line for every game, as a record with its round."""
    names = names_of(event)
    lines = []
    for table, record in games:
        assert table.second is not None
        first, second = (names[number - 1] for number in (table.first, table.second))
        one, two = record.players
        players = replace(one, name=first), replace(two, name=second)
        tags = {**record.tags, "Event": event.name, "Round": str(table.round)}
        lines.append(json_text(replace(record, players=players, tags=tags)))
    return "".join(f"{line}\n" for line in lines)


def result_text(event: Event, games: Sequence[Ended], deviations: dict[int, tuple[float, float]]) -> str:
    """`deviations`: rating and deviation of every entrant as they are now."""
    names = names_of(event)
    clock = f"{event.initial / 60_000:g}+{event.increment / 1000:g}"
    result = TournamentResult(
        format="claimeven-tournament",
        version=1,
        plan=Settings(
            agents=tuple(names),
            games=len(games),
            format=event.format,
            openings="start",
            openings_digest="",
            limit="",
            clock=clock,
            seed=0,
            board=str(STANDARD),
            sprt=None,
        ),
        games=len(games),
        agents=tuple(
            _agent(names[person.number - 1], person.agent or "human", person.number, games, deviations)
            for person in event.people
        ),
        pairings=tuple(_pairings(games)),
        first_player=_ends(table.meeting.of(table.first) for table, _ in games),
        first_move=_first_move(games),
        endings=dict(Counter(record.result.reason for _, record in games if record.result is not None)),
        sprt=None,
    )
    return json.dumps(asdict(result), indent=1, ensure_ascii=False) + "\n"


def _ends(points: Iterable[float]) -> Ends:
    counts = Counter(points)
    return Ends(counts[1.0], counts[0.5], counts[0.0])


def _score(ends: Ends) -> tuple[float, tuple[float, float]]:
    """Points for each game, and between what they lie: half points as two trials each."""
    games = sum(ends.all)
    if not games:
        return 0.0, (0.0, 1.0)
    share = Share(2 * ends.wins + ends.draws, 2 * games)
    low, high = share.interval
    return round(share.value, 6), (round(low, 6), round(high, 6))


def _agent(
    name: str, spec: str, number: int, games: Sequence[Ended], deviations: dict[int, tuple[float, float]]
) -> AgentResult:
    own = [(table, record) for table, record in games if number in (table.first, table.second)]
    all_ends = _ends(table.meeting.of(number) for table, _ in own)
    score, interval = _score(all_ends)
    lost = Counter(
        record.result.reason for table, record in own if record.result and table.meeting.of(number) == 0
    )
    rating, deviation = deviations.get(number, (0.0, float(LEVEL_DEVIATION)))
    width = Z95 * deviation
    return AgentResult(
        name=name,
        wins=all_ends.wins,
        draws=all_ends.draws,
        losses=all_ends.losses,
        score=score,
        interval=interval,
        as_first=_ends(table.meeting.of(number) for table, _ in own if table.first == number),
        as_second=_ends(table.meeting.of(number) for table, _ in own if table.second == number),
        faults=Faults(lost["illegal"], lost["crash"], lost["time"]),
        is_reliable=True,
        rating=Rated(round(rating, 1), (round(rating - width, 1), round(rating + width, 1))),
        spec=spec,
        quality=None,
    )


def _pairings(games: Sequence[Ended]) -> Iterable[PairingResult]:
    by_pair: dict[tuple[int, int], list[Ended]] = {}
    for table, record in games:
        assert table.second is not None
        pair = min(table.first, table.second), max(table.first, table.second)
        by_pair.setdefault(pair, []).append((table, record))
    for (one, two), own in sorted(by_pair.items()):
        ends = _ends(table.meeting.of(one) for table, _ in own)
        score, interval = _score(ends)
        yield PairingResult(
            agents=(one - 1, two - 1),
            wins=ends.wins,
            draws=ends.draws,
            losses=ends.losses,
            score=score,
            interval=interval,
            pairs=(0, 0, 0, 0, 0),  # people do not play openings with both colours
            elo=None,
            normalized_elo=None,
            superiority=0.5,
            p=1.0,
            as_first=_ends(table.meeting.of(one) for table, _ in own if table.first == one),
            as_second=_ends(table.meeting.of(one) for table, _ in own if table.second == one),
            distinct=len({record.moves for _, record in own}),
            p_holm=1.0,
        )


def _first_move(games: Sequence[Ended]) -> Rated:
    """What moving first was worth, in Elo."""
    ends = _ends(table.meeting.of(table.first) for table, _ in games)
    value, (low, high) = _score(ends)

    def elo(share: float) -> float:
        kept = min(max(share, 0.001), 0.999)
        return round(-400 * math.log10(1 / kept - 1), 1)

    return Rated(elo(value if games else 0.5), (elo(low), elo(high)))
