"""Small pictures for the report: SVG that stretches to the width it is given, on a phone too.

Words stay outside the pictures, as HTML, so that they keep their size. Strokes do not scale either: a line of
no length with a round end is a dot that stays round.
"""

from collections.abc import Sequence
from html import escape
from itertools import pairwise

COLOURS = 8  # different lines that the style sheet knows


def shares(parts: Sequence[tuple[str, float]], title: str) -> str:
    """A bar divided into shares; each part has a class of the style sheet."""
    total = sum(share for _, share in parts) or 1
    left, rects = 0.0, []
    for name, share in parts:
        width = 100 * share / total
        rects.append(f'<rect class="{name}" x="{left:.3f}" width="{width:.3f}" height="10"/>')
        left += width
    return _svg("".join(rects), title, "bar", 10)


def interval(value: float, bounds: Sequence[float], span: tuple[float, float], title: str) -> str:
    """A dot on a line from low to high; the scale is the span, with a tick at 0 or in the middle."""

    def x(number: float) -> float:
        return 2 + 96 * (number - span[0]) / ((span[1] - span[0]) or 1)

    low, high = bounds
    middle = 0 if span[0] < 0 < span[1] else (span[0] + span[1]) / 2
    return _svg(
        f'<path class="axis" d="M2 5H98"/><path class="axis" d="M{x(middle):.2f} 1V9"/>'
        f'<path class="range" d="M{x(low):.2f} 5H{x(high):.2f}"/>'
        f'<path class="dot" d="M{x(value):.2f} 5h0"/>',
        title,
        "interval",
        10,
    )


def lines(series: Sequence[Sequence[tuple[float, float]]], title: str) -> str:
    """One line per series of (x, y); both from 0 to 1, y upwards. Broken where x jumps."""
    paths = []
    for number, points in enumerate(series):
        if not points:
            continue
        step = min((b[0] - a[0] for a, b in pairwise(points)), default=1)
        d, last = "", None
        for x, y in points:
            is_next = last is not None and x - last < 2.5 * step
            d += f"{'L' if is_next else 'M'}{100 * x:.2f} {39 - 38 * y:.2f}"
            last = x
        paths.append(f'<path class="line c{number % COLOURS}" d="{d}"/>')
    grid = "".join(f'<path class="axis" d="M0 {y}H100"/>' for y in (1, 20, 39))
    return _svg(grid + "".join(paths), title, "lines", 40)


def _svg(inside: str, title: str, kind: str, height: int) -> str:
    return (
        f'<svg class="{kind}" viewBox="0 0 100 {height}" preserveAspectRatio="none" role="img">'
        f"<title>{escape(title)}</title>{inside}</svg>"
    )
