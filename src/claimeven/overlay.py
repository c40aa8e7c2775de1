"""What can be drawn over a position: values of columns, winning cells, the pairs of a plan, a line of play.

Everything is told by shape as well as by colour, and the colours are those of Okabe and Ito, which are told
apart with every kind of colour vision:

- above the board: an arrow up with the moves to a win, one down with the moves to a loss, "=" for a draw; the
  best columns are filled, the others outlined, the chosen one stands on a bar;
- winning cells: the sign of the side, in a diamond on odd rows, in a square on even rows;
- a plan: capsules hold a cell and its answer above; bows join cells of different columns; a star decides;
- a line: discs with numbers in the order of play, and arrows from each to the next while the eye can follow;
- a completed line is struck through;
- a note is a text on a free cell.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import hypot
from typing import Literal, Protocol

from claimeven import notation
from claimeven.picture import CELL, FILL, OUTLINE, middle_of, position_svg, struck
from claimeven.position import Board, Cell, Position

WIN, DRAW, LOSS, PLAN, INK, PAPER = "#0072b2", "#767676", "#d55e00", "#009e73", "#111111", "#ffffff"
MAX_ARROWS = 9  # moves of a line; of a longer one the numbers tell enough
DISC = 40  # the radius of a disc, as picture.py draws it


class Worth(Protocol):
    """What playing a column is worth, in words too: a `Score` of the solver is one."""

    @property
    def value(self) -> int: ...
    @property
    def moves(self) -> int | None: ...
    @property
    def outcome(self) -> Literal["win", "draw", "loss"]: ...


@dataclass(frozen=True)
class Overlay:
    """What to draw; nothing of it is checked here."""

    scores: Mapping[int, Worth] = field(default_factory=dict)  # of playing each column
    chosen: int | None = None  # the column that it is about
    threats: tuple[tuple[Cell, int], ...] = ()  # winning cells and the side that wins there
    line: tuple[int, ...] = ()  # columns in turn, from the position on
    pairs: tuple[tuple[Cell, Cell], ...] = ()  # lower, upper
    swaps: tuple[tuple[Cell, Cell], ...] = ()  # cells of two columns that belong together
    keys: tuple[Cell, ...] = ()  # cells that decide
    fours: tuple[tuple[Cell, Cell], ...] = ()  # the ends of lines that the line of play completes
    notes: Mapping[Cell, str] = field(default_factory=dict)  # a few characters on a free cell


def overlay_svg(position: Position, overlay: Overlay, size: int = 56) -> str:
    """A picture of the position with the overlay, as SVG that stands alone."""
    board = position.board
    line = list(_line(position, overlay.line))
    taken = {cell for cell, _ in line}
    over = [_pair(board, *pair) for pair in overlay.pairs if not taken & set(pair)]
    over += [_swap(board, *swap) for swap in overlay.swaps if not taken & set(swap)]
    hidden = taken | set(overlay.keys) | {cell for swap in overlay.swaps for cell in swap}
    winners = Counter(cell for cell, _ in overlay.threats)
    over += [
        _threat(board, cell, side, winners[cell] > 1) for cell, side in overlay.threats if cell not in hidden
    ]
    over += [_key(board, cell) for cell in overlay.keys if cell not in taken]
    if len(line) <= MAX_ARROWS:  # under the discs, so that no number is hidden
        over += [_arrow(board, one, two) for (one, _), (two, _) in pairwise(line)]
    over += [struck(board, *ends) for ends in overlay.fours]
    over += [_note(board, cell, text) for cell, text in overlay.notes.items() if cell not in taken]
    over += [_ghost(board, cell, side, number) for number, (cell, side) in enumerate(line, start=1)]
    best = max((score.value for score in overlay.scores.values()), default=0)
    head = [_value(board, c, score, score.value == best) for c, score in overlay.scores.items()]
    if overlay.chosen is not None:
        x, _ = middle_of(board, Cell(overlay.chosen, 0))
        bar = f'<rect x="{x - 30}" y="-12" width="60" height="8" rx="4" fill="{INK}"/>'
        head.append(f"<g><title>column {notation.column_digit(overlay.chosen)}</title>{bar}</g>")
    return position_svg(position, size, over, head)


def _line(position: Position, columns: tuple[int, ...]) -> Iterator[tuple[Cell, int]]:
    for column in columns:
        yield Cell(column, position.height(column)), position.side
        position = position.play(column)


# Marks ----------------------------------------------------------------------------------------------


def _value(board: Board, column: int, score: Worth, is_best: bool) -> str:
    """A pill with an arrow and the moves to the end."""
    x, _ = middle_of(board, Cell(column, 0))
    colour = {"win": WIN, "draw": DRAW, "loss": LOSS}[score.outcome]
    fill, ink = (colour, PAPER) if is_best else (PAPER, colour)
    shape = {
        "win": f"M{x - 32} -35l12 -20l12 20z",
        "loss": f"M{x - 32} -55l12 20l12 -20z",
        "draw": f"M{x - 13} -54h26v6h-26zm0 12h26v6h-26z",
    }[score.outcome]
    moves = "" if score.moves is None else str(score.moves)
    text = f'<text x="{x + 14}" y="-33" font-family="sans-serif" font-size="34" font-weight="700"'
    return (
        f"<g><title>{notation.column_digit(column)}: {escape(str(score))}</title>"
        f'<rect x="{x - 44}" y="-72" width="88" height="54" rx="27" fill="{fill}" stroke="{colour}"'
        f' stroke-width="4"/><path d="{shape}" fill="{ink}"/>'
        + (f'{text} text-anchor="middle" fill="{ink}">{moves}</text>' if moves else "")
        + "</g>"
    )


def _sign(x: float, y: float, side: int, reach: float, width: float) -> str:
    """A cross for the first side, a ring for the second: as on the discs."""
    stone = notation.STONES[side]
    colour = OUTLINE[stone]
    if stone == notation.FIRST:
        across = f"l{2 * reach:g} {2 * reach:g}m0 {-2 * reach:g}l{-2 * reach:g} {2 * reach:g}"
        cross = f'<path d="M{x - reach:g} {y - reach:g}{across}"'
        return f'{cross} stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round"/>'
    ring = f'<circle cx="{x:g}" cy="{y:g}" r="{reach:g}" fill="none"'
    return f'{ring} stroke="{colour}" stroke-width="{width:g}"/>'


def _threat(board: Board, cell: Cell, side: int, is_shared: bool) -> str:
    """A cell where both would win has room for both, side by side."""
    x, y = middle_of(board, cell)
    stone, is_odd = notation.STONES[side], cell.row % 2 == 0
    shape = f"M{x} {y - 33}l33 33l-33 33l-33 -33z" if is_odd else f"M{x - 25} {y - 25}h50v50h-50z"
    name = f"{stone} wins on {_name(board, cell)}, in an {'odd' if is_odd else 'even'} row"
    shift = f"translate({0.4 * x + (20 if side else -20):g} {0.4 * y:g}) scale(0.6)"
    group = f'<g transform="{shift}">' if is_shared else "<g>"
    return (
        f'{group}<title>{escape(name)}</title><path d="{shape}" fill="{FILL[stone]}" fill-opacity="0.38"'
        f' stroke="{OUTLINE[stone]}" stroke-width="5" stroke-linejoin="round"/>'
        f"{_sign(x, y, side, 10, 6)}</g>"
    )


def _pair(board: Board, lower: Cell, upper: Cell) -> str:
    """A capsule around two cells, with a small arrow from the lower to the upper one."""
    x, low = middle_of(board, lower)
    _, high = middle_of(board, upper)
    return (
        f"<g><title>{_name(board, lower)} is answered on {_name(board, upper)}</title>"
        f'<rect x="{x - 45}" y="{high - 45}" width="90" height="{low - high + 90}" rx="45" fill="none"'
        f' stroke="{PLAN}" stroke-width="7" stroke-dasharray="16 9"/>'
        f"{_bent(x, low - 22, x, low - 30, x, high + 26, PLAN, 6)}</g>"
    )


def _swap(board: Board, one: Cell, two: Cell) -> str:
    """A bow between two cells, with a knot at each end."""
    (x1, y1), (x2, y2) = middle_of(board, one), middle_of(board, two)
    bow = max(60, abs(x2 - x1) // 4)
    d = f"M{x1} {y1}Q{(x1 + x2) / 2:g} {min(y1, y2) - bow} {x2} {y2}"
    ends = "".join(
        f'<path d="M{x} {y - 17}l15 26h-30z" fill="{PLAN}" stroke="{PAPER}" stroke-width="4"/>'
        for x, y in ((x1, y1), (x2, y2))
    )
    return (
        f"<g><title>{_name(board, one)} and {_name(board, two)} belong together</title>"
        f'<path d="{d}" fill="none" stroke="{PAPER}" stroke-width="13" stroke-linecap="round"/>'
        f'<path d="{d}" fill="none" stroke="{PLAN}" stroke-width="7" stroke-linecap="round"/>{ends}</g>'
    )


def _key(board: Board, cell: Cell) -> str:
    """A star."""
    x, y = middle_of(board, cell)
    star = "l8.5 20.5l22 1.7l-16.8 14.3l5.2 21.5l-18.9 -11.6l-18.9 11.6l5.2 -21.5l-16.8 -14.3l22 -1.7z"
    return (
        f"<g><title>{_name(board, cell)} decides</title>"
        f'<path d="M{x} {y - 31}{star}" fill="{PLAN}" stroke="{PAPER}" stroke-width="4"'
        ' stroke-linejoin="round"/></g>'
    )


def _note(board: Board, cell: Cell, text: str) -> str:
    x, y = middle_of(board, cell)
    return (
        f"<g><title>{_name(board, cell)}: {escape(text)}</title>"
        f'<text x="{x}" y="{y + 14}" font-family="sans-serif" font-size="38" font-weight="700"'
        f' text-anchor="middle" fill="{INK}">{escape(text)}</text></g>'
    )


def _ghost(board: Board, cell: Cell, side: int, number: int) -> str:
    """A disc still to be played, with its number."""
    x, y = middle_of(board, cell)
    stone = notation.STONES[side]
    ink = PAPER if stone == notation.FIRST else INK
    size = 42 if number < 10 else 34
    return (
        f"<g><title>{number}: {stone} on {_name(board, cell)}</title>"
        f'<circle cx="{x}" cy="{y}" r="{DISC - 3}" fill="{FILL[stone]}" stroke="{PAPER}" stroke-width="3"/>'
        f'<circle cx="{x}" cy="{y}" r="{DISC - 3}" fill="none" stroke="{OUTLINE[stone]}" stroke-width="5"'
        ' stroke-dasharray="11 8"/>'
        f'<text x="{x}" y="{y + size * 0.36:g}" font-family="sans-serif" font-size="{size}" font-weight="700"'
        f' text-anchor="middle" fill="{ink}">{number}</text></g>'
    )


def _arrow(board: Board, one: Cell, two: Cell) -> str:
    """From one disc to the edge of the next; slightly bent, so that it does not run along a row of discs."""
    (x1, y1), (x2, y2) = middle_of(board, one), middle_of(board, two)
    far = hypot(x2 - x1, y2 - y1)
    bend = 0.0 if one.column == two.column else 0.14
    xm, ym = (x1 + x2) / 2 + (y2 - y1) * bend, (y1 + y2) / 2 - (x2 - x1) * bend
    # Where it ends, it points at the middle of the disc.
    reach = hypot(x2 - xm, y2 - ym)
    edge = (DISC + 1) / reach
    xe, ye = x2 - (x2 - xm) * edge, y2 - (y2 - ym) * edge
    if far <= CELL:  # neighbours: only the head has room
        xe, ye = x2 - (x2 - x1) * 0.36, y2 - (y2 - y1) * 0.36
    return _bent(x1, y1, xm, ym, xe, ye, PAPER, 12) + _bent(x1, y1, xm, ym, xe, ye, INK, 6)


def _bent(x1: float, y1: float, xm: float, ym: float, x2: float, y2: float, colour: str, width: float) -> str:
    """A bent arrow; drawn out, because many pictures share a page and names in them would clash."""
    far = hypot(x2 - xm, y2 - ym) or 1
    right, down = (x2 - xm) / far, (y2 - ym) / far
    size = 11 + width
    xb, yb = x2 - right * size, y2 - down * size
    wing = down * size * 0.62, right * size * 0.62
    head = f"M{x2:.1f} {y2:.1f}L{xb + wing[0]:.1f} {yb - wing[1]:.1f}L{xb - wing[0]:.1f} {yb + wing[1]:.1f}z"
    shaft = f"M{x1:.1f} {y1:.1f}Q{xm:.1f} {ym:.1f} {xb:.1f} {yb:.1f}"
    return (
        f'<path d="{shaft}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round"/>'
        f'<path d="{head}" fill="{colour}"/>'
    )


def _name(board: Board, cell: Cell) -> str:
    if board.columns <= len(notation.LETTERS):
        return str(cell)
    return f"{notation.column_digit(cell.column)}/{cell.row + 1}"
