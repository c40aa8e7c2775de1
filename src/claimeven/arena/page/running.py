"""The part of the report about the course of a match: the share of the points after every pair of games."""

from collections.abc import Sequence

from claimeven.arena.page import charts
from claimeven.arena.page.markup import section, spec, table
from claimeven.arena.play.played import Played

MAX_POINTS = 400  # of one line: more cannot be told apart
PARTS = (0.1, 0.25, 0.5, 0.75, 1.0)  # of the games, in the table


def running_shares(games: Sequence[Played], agent: int) -> list[float]:
    """Which share of the points an agent had after each of its pairs of games, in the order of the plan."""
    points, shares = 0.0, []
    size = 2 if are_pairs(games) else 1
    units = [games[start : start + size] for start in range(0, len(games), size)]
    for played, unit in enumerate((unit for unit in units if agent in unit[0].players), 1):
        points += sum(game.points(agent) for game in unit)
        shares.append(points / (size * played))
    return shares


def are_pairs(games: Sequence[Played]) -> bool:
    """Whether two and two have the same players, as in an arena; people's tournaments have single games."""
    if len(games) % 2:
        return False
    both = zip(games[::2], games[1::2], strict=True)
    return all(set(one.players) == set(two.players) for one, two in both)


def running_section(names: Sequence[str], games: Sequence[Played]) -> str:
    """Nothing, when there is no course to show."""
    shares = [running_shares(games, agent) for agent in range(len(names))]
    if max(map(len, shares), default=0) < 2:
        return ""
    keys = "".join(
        f'<span><i class="key c{number % charts.COLOURS}"></i>{spec(name)}</span>'
        for number, name in enumerate(names)
    )
    rows = [
        [spec(name), *(f"{own[max(1, round(part * len(own))) - 1]:.1%}" for part in PARTS)]
        for name, own in zip(names, shares, strict=True)
        if own
    ]
    ends = ", ".join(f"{name} {own[-1]:.1%}" for name, own in zip(names, shares, strict=True) if own)
    what, each = ("pair", "pair of games") if are_pairs(games) else ("game", "game")
    return section(
        "Running score",
        f"The share of the points so far, after every {each}: from 0 % at the foot to 100 % at the top."
        " Early parts of the lines are mostly chance.",
        charts.lines(
            [_thinned(own) for own in shares], f"share of the points over the games; at the end {ends}"
        )
        + f'<div class="scale"><span>first {what}</span><span>last {what}</span></div>'
        f'<div class="keys">{keys}</div>'
        + table(["agent", *(f"after {part:.0%}" for part in PARTS[:-1]), "in the end"], rows),
    )


def _thinned(shares: Sequence[float]) -> list[tuple[float, float]]:
    """Points for a chart, evenly chosen, the last one among them."""
    count = min(len(shares), MAX_POINTS)
    chosen = [
        -(-number * len(shares) // count) for number in range(1, count + 1)
    ]  # rounded up: the last is last
    return [(number / len(shares), shares[number - 1]) for number in chosen]
