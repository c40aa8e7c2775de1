"""The learning curve as one SVG that needs nothing else; it follows the reader's light or dark scheme."""

from collections.abc import Sequence
from html import escape

from claimeven.agents.kinds.qcurve import Measured, Point

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 56, 20, 64, 52
COLOURS = ("#2563eb", "#d97706", "#059669", "#db2777", "#7c3aed", "#0891b2")
STYLE = """
text{font:13px system-ui,sans-serif;fill:#334155}.soft{fill:#64748b}.title{font-size:16px;font-weight:600}
.grid{stroke:#e2e8f0}.line{fill:none;stroke-width:2.5;stroke-linejoin:round}.band{opacity:.13}
svg{background:#fff}
@media(prefers-color-scheme:dark){text{fill:#e2e8f0}.soft{fill:#94a3b8}.grid{stroke:#334155}svg{background:#0f172a}}
"""


def plot(title: str, points: Sequence[Point]) -> str:
    """Shares from 0 to 1 over the games played: good moves first, then the score against each opponent."""
    series: dict[str, list[Measured]] = {"good moves in decisive positions": [p.kept for p in points]}
    for opponent in points[0].scores if points else ():
        series[f"score against {opponent}"] = [point.scores[opponent] for point in points]
    games = [point.games for point in points]
    most = max(games, default=0) or 1
    parts = [_grid(most), f'<text class="title" x="{LEFT}" y="24">{escape(title)}</text>']
    key = LEFT
    for number, (name, values) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        middle = [(_x(n, most), _y(value.value)) for n, value in zip(games, values, strict=True)]
        low, high = (
            [(_x(n, most), _y(value.interval[i])) for n, value in zip(games, values, strict=True)]
            for i in range(2)
        )
        parts.append(f'<polygon class="band" fill="{colour}" points="{_points(low + high[::-1])}"/>')
        parts.append(f'<polyline class="line" stroke="{colour}" points="{_points(middle)}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in middle]
        parts.append(f'<rect x="{key}" y="36" width="12" height="12" rx="3" fill="{colour}"/>')
        parts.append(f'<text x="{key + 17}" y="47">{escape(name)}</text>')
        key += 30 + round(6.8 * len(name))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>{''.join(parts)}</svg>\n"
    )


def _x(games: float, most: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * games / most


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _grid(most: int) -> str:
    lines = []
    for step in range(5):
        y = _y(step / 4)
        lines.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        lines.append(
            f'<text class="soft" text-anchor="end" x="{LEFT - 8}" y="{y + 4:.1f}">{25 * step} %</text>'
        )
        x, anchor = _x(step / 4, 1), "end" if step == 4 else "middle"
        games = round(most * step / 4)
        lines.append(
            f'<text class="soft" text-anchor="{anchor}" x="{x:.1f}" y="{HEIGHT - 30}">{games:,}</text>'
        )
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    lines.append(f'<text class="soft" text-anchor="middle" x="{middle:.0f}" y="{HEIGHT - 10}">games</text>')
    return "".join(lines)
