"""Checks a file of `claimeven map build` and shares no code with what wrote it: the rules are its own.

    python check.py FILE

From the empty board, or after the moves that the file names, it plays the map against every reply. In a
node every reply needs a column, except where the holder wins at once; in a leaf the plan is played against
everything, to the end of every game.
"""

import hashlib
import json
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

FIRST = b"claimeven-map 2\n"
BEFORE = b"claimeven-map 1\n"  # nothing is urgent or spare, and exceptions are counted in pairs


class FaultError(Exception):
    """What is wrong with the map."""


class Rules:
    """Stones as bits, column by column from the bottom up, one bit left free on top of each column."""

    def __init__(self, board: str) -> None:
        self.columns, self.rows, self.connect = map(int, board.split("x"))
        self.height = self.rows + 1
        self.cells = [c * self.height + r for c in range(self.columns) for r in range(self.rows)]
        self.full = sum(1 << cell for cell in self.cells)
        self.bottom = sum(1 << c * self.height for c in range(self.columns))
        lines: dict[int, list[int]] = {cell: [] for cell in self.cells}
        for c in range(self.columns):
            for r in range(self.rows):
                for across, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    places = [(c + i * across, r + i * up) for i in range(self.connect)]
                    if all(0 <= x < self.columns and 0 <= y < self.rows for x, y in places):
                        line = [x * self.height + y for x, y in places]
                        for cell in line:
                            lines[cell].append(sum(1 << other for other in line if other != cell))
        self.others = {cell: sorted(set(masks)) for cell, masks in lines.items()}  # besides the cell itself
        # By two cells, what else lies on each line through both: what a stone on the one adds to the other.
        self.shared: dict[int, dict[int, list[int]]] = {cell: {} for cell in self.cells}
        for x in self.cells:
            for others in self.others[x]:
                for cell in self.cells:
                    if others >> cell & 1:
                        self.shared[x].setdefault(cell, []).append(others ^ 1 << cell)

    def completes(self, stones: int, cell: int) -> bool:
        """Whether a stone on this cell makes a line of these stones."""
        for others in self.others[cell]:  # noqa: SIM110 - asked for every move of every game
            if stones & others == others:
                return True
        return False

    def landings(self, mask: int) -> list[int]:
        """The lowest free cell of every column that has one."""
        found, open_cells = [], mask + self.bottom & self.full  # stones in a column carry to the next cell
        while open_cells:
            lowest = open_cells & -open_cells
            found.append(lowest.bit_length() - 1)
            open_cells ^= lowest
        return found

    def turned(self, stones: int) -> int:
        column, found = (1 << self.height) - 1, 0
        for number in range(self.columns):
            found |= (stones >> number * self.height & column) << (self.columns - 1 - number) * self.height
        return found

    def turned_cell(self, cell: int) -> int:
        return (self.columns - 1 - cell // self.height) * self.height + cell % self.height


def read(data: bytes) -> tuple[dict[str, Any], Iterator[int], bool]:
    """What the file says of itself, the bytes of plans and nodes, and whether it is of the first version."""
    if not data.startswith((FIRST, BEFORE)) or hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise FaultError("this is no map, or it is damaged")
    line, _, packed = data[len(FIRST) : -32].partition(b"\n")
    try:
        return json.loads(line), iter(zlib.decompress(packed)), data.startswith(BEFORE)
    except (ValueError, zlib.error) as error:
        raise FaultError(str(error)) from None


def byte(body: Iterator[int]) -> int:
    for value in body:
        return value
    raise FaultError("the file ends too early")


def number(body: Iterator[int]) -> int:
    value = shift = 0
    while True:
        part = byte(body)
        value |= (part & 127) << shift
        shift += 7
        if part < 128:
            return value


class Checker:
    """Both sides' stones are `ours`, those of the holder of the map, and `theirs`."""

    def __init__(self, about: dict[str, Any], body: Iterator[int], is_old: bool) -> None:
        self.rules, self.body, self.is_old = Rules(about["board"]), body, is_old
        self.needs_win = about["goal"] != "draw"
        self.plans = [self._plan() for _ in range(number(body))]
        self.used = set[int]()
        self.leaves = self.replies = 0

    def _plan(self) -> tuple[list[int], list[int], list[int]]:
        """What is urgent, after each x (one cell, the other) what answers it, and what is spare."""
        if self.is_old:
            urgent, pairs, spare = (
                list[int](),
                [byte(self.body) for _ in range(2 * number(self.body))],
                list[int](),
            )
        else:
            urgent, pairs, spare = (
                [byte(self.body) for _ in range(number(self.body))] for _ in ("urgent", "pairs", "spare")
            )
        if len(pairs) % 2 or any(cell not in self.rules.others for cell in urgent + pairs + spare):
            raise FaultError("a plan names a cell that is not on the board, or half a pair")
        answers = list(zip(pairs[::2], pairs[1::2], strict=True))
        if any(len(set(said)) < len(said) for said in (urgent, answers, spare)):
            raise FaultError("a plan says the same twice")
        return urgent, pairs, spare

    def walk(self, ours: int, theirs: int) -> int:
        """Everything from here on; the number of nodes."""
        rules = self.rules
        waiting, seen = [(ours, theirs)], set[tuple[int, int]]()
        while waiting:
            ours, theirs = waiting.pop()
            ours, theirs = self._upright(ours, theirs)
            if (ours, theirs) in seen:
                continue
            seen.add((ours, theirs))
            kind = number(self.body)
            if kind:
                self._leaf(ours, theirs, kind - 1)
                continue
            after = []
            is_own_image = (rules.turned(ours), rules.turned(theirs)) == (ours, theirs)
            for x in rules.landings(ours | theirs):
                if is_own_image and rules.turned_cell(x) < x:
                    continue
                open_cells = self._after(ours, theirs, x)
                if any(rules.completes(ours, cell) for cell in open_cells):
                    continue
                column = byte(self.body)
                y = next((cell for cell in open_cells if cell // rules.height == column), None)
                if y is None:
                    raise FaultError(f"column {column + 1} cannot be played")
                after.append((ours | 1 << y, theirs | 1 << x))
                if self.needs_win and ours | theirs | 1 << x | 1 << y == rules.full:
                    raise FaultError("the board is full")
            waiting.extend(reversed(after))
        return len(seen)

    def _upright(self, ours: int, theirs: int) -> tuple[int, int]:
        """The position or its image: the one with the smaller sum of the opponent's stones and all stones."""
        image = self.rules.turned(ours), self.rules.turned(theirs)
        return image if image[0] + 2 * image[1] < ours + 2 * theirs else (ours, theirs)

    def _after(self, ours: int, theirs: int, x: int) -> list[int]:
        """The open cells after the opponent's x, which must not win nor end the game without a win."""
        self.replies += 1
        if self.rules.completes(theirs, x):
            raise FaultError("the opponent wins")
        open_cells = self.rules.landings(ours | theirs | 1 << x)
        if not open_cells and self.needs_win:
            raise FaultError("the board is full")
        return open_cells

    def _leaf(self, ours: int, theirs: int, kind: int) -> None:
        index, is_turned = divmod(kind, 2)
        if index >= len(self.plans):
            raise FaultError("a leaf names a plan that is not there")
        self.leaves += 1
        self.used.add(index)
        urgent, pairs, spare = (
            [self.rules.turned_cell(cell) if is_turned else cell for cell in cells]
            for cells in self.plans[index]
        )
        # What is tried after x, in this order, when no four is to be completed or stopped.
        plan = {
            x: urgent
            + [y for after, y in zip(pairs[::2], pairs[1::2], strict=True) if after == x]
            + [x + 1]  # on top; above the board it is never open
            + spare
            for x in self.rules.cells
        }
        waiting, seen = [(ours, theirs)], {(ours, theirs)}
        while waiting:
            ours, theirs = waiting.pop()
            open_cells = self.rules.landings(ours | theirs)
            wins = [cell for cell in open_cells if self.rules.completes(ours, cell)]
            if any(self.rules.completes(theirs, x) for x in open_cells):
                raise FaultError("the opponent wins")
            self.replies += len(open_cells)
            for place, x in enumerate(open_cells):
                after_x = open_cells.copy()  # what opens is on top of x
                after_x[place : place + 1] = [x + 1] if x + 1 in self.rules.others else []
                y = self._answer(plan, ours, theirs, x, after_x, wins)
                if y is None:
                    continue
                after = ours | 1 << y, theirs | 1 << x
                if after[0] | after[1] == self.rules.full:
                    if self.needs_win:
                        raise FaultError("the board is full")
                elif after not in seen:
                    seen.add(after)
                    waiting.append(after)

    def _answer(
        self,
        plan: dict[int, list[int]],
        ours: int,
        theirs: int,
        x: int,
        open_cells: list[int],
        wins: list[int],
    ) -> int | None:
        """What the plan plays after x; None when the game is over. `wins`: what won before x."""
        if not open_cells:
            if self.needs_win:
                raise FaultError("the board is full")
            return None
        completes, top = self.rules.completes, x + 1
        for cell in wins:  # they win still, unless x lies there; beside them only what is on top of x is new
            if cell != x:
                return None
        if top in open_cells and completes(ours, top):
            return None
        shared = self.rules.shared[x]
        for cell in open_cells:  # the opponent had no line to complete: one goes through x or its top
            for others in shared.get(cell, ()):
                if theirs & others == others:
                    return cell
            if cell == top and completes(theirs, top):
                return cell
        for cell in plan[x]:
            if cell in open_cells:
                return cell
        raise FaultError("a plan has no answer")


def check(data: bytes, tell: Callable[[str], None] = lambda _: None) -> dict[str, int]:
    """The counts of a map that is right; what is wrong with it is a FaultError."""
    about, body, is_old = read(data)
    try:
        checker = Checker(about, body, is_old)
        column, side = about["column"], about["side"]
        moves = [int(digit, 36) - 1 for digit in about.get("start", "")]
    except (KeyError, ValueError, TypeError) as error:
        raise FaultError(f"it says too little of itself: {error}") from None
    if side not in (0, 1):
        raise FaultError("it is of nobody's side")
    if (column is None) != (len(moves) % 2 != side):
        raise FaultError("the first column is missing, or one too many")
    stones = [0, 0]  # of the first player, of the second
    for ply, played in enumerate(moves if column is None else [*moves, column]):
        cells = checker.rules.landings(stones[0] | stones[1])
        cell = next((cell for cell in cells if cell // checker.rules.height == played), None)
        if cell is None or checker.rules.completes(stones[ply % 2], cell):
            raise FaultError("it starts with moves that cannot be played, or that end the game")
        stones[ply % 2] |= 1 << cell
    nodes = checker.walk(stones[side], stones[1 - side])
    if next(body, None) is not None:
        raise FaultError("the file has more than is ever met")
    if len(checker.used) < len(checker.plans):
        raise FaultError("a plan is never used")
    found = {"nodes": nodes, "leaves": checker.leaves, "plans": len(checker.plans)}
    said = {name: about.get(name) for name in found}
    if said != found:
        raise FaultError(f"the file says {said}, but there are {found}")
    return {**found, "replies": checker.replies}


if __name__ == "__main__":
    try:
        print(check(Path(sys.argv[1]).read_bytes()))
    except FaultError as error:
        raise SystemExit(f"{sys.argv[1]}: {error}") from None
