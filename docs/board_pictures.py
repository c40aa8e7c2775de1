"""The pictures of docs/boards.md: `python docs/board_pictures.py` draws them anew from docs/data.

tests/solver/test_boards_page.py holds them against the data.
"""

import json
import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
WIDTH, HEIGHT, LEFT, BOTTOM, RIGHT, TOP = 640, 360, 56, 44, 64, 16
COLOURS = ("#1b6ca8", "#c8452f", "#2f8f4e", "#8a5cb8", "#b8860b", "#5c6770", "#d1639b")

USUAL = 4  # in a row

Points = Sequence[tuple[float, float, str]]  # across, upwards, and what is written beside


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(row) for row in (FOLDER / "data" / name).read_text().splitlines()]


def chart(lines: Mapping[str, Points], across: str, step: int, *, least: int = 0, unit: str = "") -> str:
    """Nodes or seconds upwards, each line of the grid ten times the one below; the lowest is 10^`least`."""
    every = [point for points in lines.values() for point in points]
    most = math.ceil(math.log10(max(amount for _, amount, _ in every)))
    first, last = min(x for x, _, _ in every), max(x for x, _, _ in every)

    def place(x: float, amount: float) -> tuple[float, float]:
        right = LEFT + (WIDTH - LEFT - RIGHT) * (x - first) / (last - first)
        share = (math.log10(max(amount, 10.0**least)) - least) / (most - least)
        return right, HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share

    parts = []
    for power in range(least, most + 1):
        _, y = place(first, 10.0**power)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ccc"/>')
        plain = f"{10**power:,}" if power >= 0 else f"{10.0**power:.{-power}f}"
        parts.append(text(LEFT - 6, y + 4, (plain if power < 4 else f"10^{power}") + unit, "end"))
    for mark in range(math.ceil(first / step) * step, int(last) + 1, step):
        parts.append(text(place(mark, 10.0**least)[0], HEIGHT - BOTTOM + 16, str(mark), "middle"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, across, "middle"))
    for number, points in enumerate(lines.values()):
        colour = COLOURS[number % len(COLOURS)]
        dots = [(*place(x, nodes), beside) for x, nodes, beside in points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in dots)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y, beside in dots:
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
            if beside:
                parts.append(text(x + 5, y - 5, beside, "start", colour))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="11"><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f"{''.join(parts)}</svg>\n"
    )


def text(x: float, y: float, words: str, anchor: str, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def board_lines(what: str, least: float) -> dict[str, list[tuple[float, float, str]]]:
    """The empty boards of four in a row by their cells, one line for each number of columns."""
    lines: dict[str, list[tuple[float, float, str]]] = {}
    for row in rows("boards.jsonl"):
        columns, height, *other = map(int, row["board"].split("x"))
        if not other and row[what] >= least:
            lines.setdefault(f"{columns:2} columns", []).append((columns * height, row[what], row["board"]))
    return {name: sorted(lines[name]) for name in sorted(lines)}


def ply_lines(what: str, least: float) -> dict[str, Points]:
    """Random positions by the stones on them; each line is named at its left end."""
    lines: dict[str, list[tuple[float, float, str]]] = {}
    for row in rows("plies.jsonl"):
        if row[what] >= least:
            lines.setdefault(row["board"], []).append((row["ply"], row[what], ""))
    return {
        name: [(*point[:2], "" if number else name) for number, point in enumerate(sorted(points))]
        for name, points in lines.items()
    }


def pictures() -> dict[str, str]:
    """Nodes and seconds; what took too little to be measured is left out."""
    cells, stones = "cells of the empty board", "stones on the board (the mean of 20 positions)"
    return {
        "cost-by-board.svg": chart(board_lines("nodes", 1), cells, 4),
        "seconds-by-board.svg": chart(board_lines("seconds", 0.01), cells, 4, least=-2, unit=" s"),
        "cost-by-ply.svg": chart(ply_lines("mean", 0), stones, 5),
        "seconds-by-ply.svg": chart(ply_lines("seconds", 0.0001), stones, 5, least=-4, unit=" s"),
    }


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (FOLDER / "images" / name).write_text(drawn)
