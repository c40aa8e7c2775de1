"""The part of the report about time: how long the moves took, over the game and in all."""

from collections import defaultdict
from collections.abc import Sequence
from math import log
from statistics import median

from claimeven.arena.page import charts
from claimeven.arena.page.markup import section, spec, table
from claimeven.arena.play.played import Played
from claimeven.position import Board, Position

LEAST = 0.001  # ms: what is shorter is not told apart


def time_section(names: Sequence[str], games: Sequence[Played]) -> str:
    """Nothing, when no times are known."""
    by_ply: list[defaultdict[int, list[float]]] = [defaultdict(list) for _ in names]
    for game in games:
        start = Position.parse(game.record.start, Board.parse(game.record.board)).ply
        for ply, ms in enumerate(game.ms, start):
            by_ply[game.mover(ply)][ply].append(ms)
    if not any(by_ply):
        return ""
    medians = [{ply: median(times) for ply, times in sorted(own.items())} for own in by_ply]
    values = [max(value, LEAST) for own in medians for value in own.values()]
    shortest, longest = min(values), max(values)
    last = max(ply for own in medians for ply in own) or 1

    def height(ms: float) -> float:
        return log(max(ms, LEAST) / shortest) / (log(longest / shortest) or 1)

    series = [[(ply / last, height(ms)) for ply, ms in own.items()] for own in medians]
    keys = "".join(
        f'<span><i class="key c{number % charts.COLOURS}"></i>{spec(name)}</span>'
        for number, name in enumerate(names)
    )
    rows = [_row(name, own) for name, own in zip(names, by_ply, strict=True)]
    return section(
        "Time per move",
        "The median by the number of stones on the board, on a logarithmic scale from"
        f" {duration(shortest)} to {duration(longest)}.",
        f"{charts.lines(series, 'median time per move by ply')}"
        f'<div class="scale"><span>0 stones</span><span>{last} stones</span></div>'
        f'<div class="keys">{keys}</div>'
        + table(["agent", "moves", "median", "95 % within", "longest"], [row for row in rows if row]),
    )


def _row(name: str, by_ply: defaultdict[int, list[float]]) -> list[str]:
    times = sorted(ms for some in by_ply.values() for ms in some)
    if not times:
        return []
    shown = median(times), times[int(0.95 * (len(times) - 1))], times[-1]
    return [spec(name), str(len(times)), *map(duration, shown)]


def duration(ms: float) -> str:
    """
    >>> duration(0.0123), duration(45.6), duration(12_345)
    ('0.012 ms', '46 ms', '12 s')
    """
    return f"{ms / 1000:.2g} s" if ms >= 1000 else f"{ms:.2g} ms" if ms < 100 else f"{ms:.0f} ms"
