"""The pictures of docs/players.md: `python docs/player_pictures.py` draws them anew.

What each player gets wrong is asked of it and the solver; strength against time is docs/data/strength.jsonl,
of bench/players/strength.py. tests/house/test_players_page.py holds them, and the page, against both.
"""

import json
import math
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from claimeven import Position, Solver, make_agent
from claimeven.overlay import Overlay, overlay_svg

FOLDER = Path(__file__).parent
SEEDS = range(40)
WRONG = {  # a picture, who is asked, and after which moves
    "wrong-neural.svg": ("neural", "562272544415"),
    "wrong-tiny.svg": ("neural:network=tiny", "53741262"),
    "wrong-ntuple.svg": ("ntuple", "33774"),
    "wrong-human.svg": ("human:rating=900", "56"),
    "wrong-mcts.svg": ("mcts:simulations=1000", "21"),
    "wrong-level.svg": ("level:7", "27526"),
}

WIDTH, HEIGHT, LEFT, BOTTOM, RIGHT, TOP = 640, 380, 48, 44, 70, 16
LEAST, MOST = 88, 100  # percent
COLOURS = ("#1b6ca8", "#c8452f", "#2f8f4e", "#8a5cb8", "#b8860b", "#5c6770")
LINES = {  # what varies along a line, and its players
    "neural": ("", ",simulations=50", ",simulations=200"),
    "neural:network=tiny": ("", ",simulations=50", ",simulations=200"),
    "neural:network=zero": ("", ",simulations=50", ",simulations=200"),
    "ntuple": ("", ",depth=2"),
    "minimax": (",depth=4", ",depth=6", ",depth=8", ",depth=10"),
    "mcts": (",simulations=100", ",simulations=1000", ",simulations=10000"),
}


def played(spec: str, moves: str) -> tuple[int, int]:
    """The column it plays most often, and with how many of the seeds."""
    position = Position.parse(moves)
    columns = Counter(make_agent(spec, seed).choose(position).column for seed in SEEDS)
    return min(columns.items(), key=lambda each: (-each[1], each[0]))


def mistake(spec: str, moves: str) -> str:
    position = Position.parse(moves)
    scores = Solver(megabytes=64).analyse(position).scores
    return overlay_svg(position, Overlay(scores=scores, chosen=played(spec, moves)[0]))


def rows() -> dict[str, dict[str, Any]]:
    lines = (FOLDER / "data" / "strength.jsonl").read_text().splitlines()
    return {row["agent"]: row for row in map(json.loads, lines)}


def told(row: dict[str, Any]) -> str:
    """A row of the page's table, without the name."""
    keeps = f"{row['keeps']:.2f} % ({row['low']:.1f}-{row['high']:.1f})"
    return f"{keeps} | {row['optimal']:.2f} % | {row['milliseconds']:.2f}"


def spec_of(name: str, more: str) -> str:
    return name + more if ":" in name or not more else f"{name}:{more[1:]}"


def strength() -> str:
    """Milliseconds of the processor for a move to the right, each mark ten times the one before."""
    known = rows()
    times = [row["milliseconds"] for row in known.values()]
    first, last = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))

    def place(milliseconds: float, keeps: float) -> tuple[float, float]:
        across = (math.log10(milliseconds) - first) / (last - first)
        up = (keeps - LEAST) / (MOST - LEAST)
        return LEFT + (WIDTH - LEFT - RIGHT) * across, HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * up

    parts = []
    for keeps in range(LEAST, MOST + 1, 2):
        _, y = place(10**first, keeps)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ccc"/>')
        parts.append(_text(LEFT - 6, y + 4, f"{keeps} %", "end"))
    for power in range(first, last + 1):
        x, _ = place(10**power, LEAST)
        parts.append(_text(x, HEIGHT - BOTTOM + 16, f"{10**power:g}", "middle"))
    under = "milliseconds of one core for a move"
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, under, "middle"))
    for (name, more), colour in zip(LINES.items(), COLOURS, strict=True):
        found = [known[spec_of(name, each)] for each in more]
        dots = [place(row["milliseconds"], row["keeps"]) for row in found]
        parts += _line(dots, colour, [each.rpartition("=")[2] for each in more])
        x, y = dots[0]
        parts.append(_text(x - 4, y + 14, name.rpartition("=")[2], "end", colour))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="11"><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f"{''.join(parts)}</svg>\n"
    )


def _line(dots: Sequence[tuple[float, float]], colour: str, beside: Sequence[str]) -> list[str]:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in dots)
    parts = [f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
    for (x, y), words in zip(dots, beside, strict=True):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
        parts.append(_text(x + 5, y - 5, words, "start", colour))
    return parts


def _text(x: float, y: float, words: str, anchor: str, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def pictures() -> dict[str, str]:
    return {name: mistake(*asked) for name, asked in WRONG.items()} | {"strength.svg": strength()}


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (FOLDER / "images" / name).write_text(drawn)
