"""A large solve in parts: positions some stones on are solved apart, on many machines, and merged.

To solve all of them would cost many times what the position itself does. So they are asked in rounds. Each
round asks what two proofs would rest on if the best guesses so far are right: one that the side to move gets
at least its value (its best move, every reply), one that it gets no more (every move, the best reply). First
only who wins; then scores, where they still decide. The last round leaves nothing open: the value is exact.
"""

import shutil
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from claimeven.errors import InputError
from claimeven.position import Board, Position
from claimeven.runner import Execute, Progress, run
from claimeven.solver import Bounds, SavingSolver, Solver

PLIES = 4  # some hundred positions on 7x6
MOST_PLIES = 8
IN_WORK = "in-work"  # in the folder of a solve
Steps = Callable[[str], Progress]  # progress for each round, by its name
Told = Callable[[Bounds], None]
Range = tuple[int, int]
# A position, whether only who wins counts, megabytes, the book, the file that keeps what is found meanwhile.
Part = tuple[Position, bool, int, bool, Path | None]


class Tree:
    """All positions up to some stones on, mirror images and other orders of moves being one."""

    def __init__(self, root: Position, plies: int) -> None:
        self.root = root.canonical_key
        self.positions = {self.root: root}
        self.below: dict[int, list[int]] = {}  # what follows each, by key; nothing where it is solved apart
        self.known: dict[int, Range] = {}  # of those at the end of the tree
        layer = [root]
        for left in range(plies, -1, -1):
            following: dict[int, Position] = {}
            for position in layer:
                key = position.canonical_key
                if left == 0 or position.is_over:
                    self.known[key] = _widest(position)
                    continue
                columns = (column for column in position.board.from_centre if column in position.legal)
                children = {child.canonical_key: child for child in map(position.play, columns)}
                self.below[key] = list(children)
                following |= children
            self.positions |= following
            layer = list(following.values())

    def bounds(self) -> dict[int, Range]:
        """Of every position, from those at the end of the tree: the deepest come first."""
        found = dict(self.known)
        for key in reversed(self.below):
            children = [found[child] for child in self.below[key]]
            found[key] = max(-high for _, high in children), max(-low for low, _ in children)
        return found

    def asked(self, *, only_outcome: bool) -> list[Position]:
        """What the next round asks: nothing when the position is settled."""
        bounds = self.bounds()
        wanted: dict[int, None] = {}

        def collect(key: int, *, is_choosing: bool, seen: set[int]) -> None:
            if key in seen or is_settled(bounds[key], only_outcome=only_outcome):
                return
            seen.add(key)
            if key not in self.below:
                wanted[key] = None
                return
            # Those that can still be better for who moves here than what is sure.
            open_ones = [
                child
                for child in self.below[key]
                if -bounds[child][0] > bounds[key][0]
                and not is_settled(bounds[child], only_outcome=only_outcome)
            ]
            if is_choosing:  # the best guess; of equals, the one nearest to the middle
                open_ones = [min(open_ones, key=lambda child: sum(bounds[child]))]
            for child in open_ones:
                collect(child, is_choosing=not is_choosing, seen=seen)

        for is_choosing in (True, False):
            collect(self.root, is_choosing=is_choosing, seen=set())
        return [self.positions[key] for key in wanted]


def solve_apart(
    position: Position,
    plies: int = PLIES,
    *,
    only_outcome: bool = False,
    workers: int = 1,
    megabytes: int = 256,
    book: bool = True,
    folder: Path | None = None,
    steps: Steps | None = None,
    told: Told | None = None,
    execute: Execute | None = None,
) -> Bounds:
    """The exact score, or with `only_outcome` who wins, and the nodes it took.

    Each worker has a table of `megabytes`. `folder` keeps every part that is done, and what is found of those
    in work on this machine: the same call goes on from there. `told` hears before every round what is proved
    by then. `execute=on_ray("auto")` works on a cluster.

    >>> from claimeven.position import Board
    >>> solve_apart(Position(Board(5, 4)), 3)[:2]
    (0, 0)
    """
    if not 0 <= plies <= MOST_PLIES:
        raise InputError("solver.split", most=MOST_PLIES)
    tree, nodes, number = Tree(position, plies), 0, 0
    for is_first in (True, False):
        if not is_first and only_outcome:
            break
        while asked := tree.asked(only_outcome=is_first):
            number += 1
            if told:
                told(Bounds(*tree.bounds()[tree.root], nodes))
            in_work = None if folder is None or execute is not None else folder / IN_WORK / f"{number:04}"
            parts: list[Part] = [
                (one, is_first, megabytes, book, in_work and in_work / f"{at}.saved")
                for at, one in enumerate(asked)
            ]
            answers = run(
                _ask,
                parts,
                workers=workers,
                folder=None if folder is None else folder / f"{number:04}",
                name="subtrees",
                parameters={
                    "position": position.text,
                    "board": str(position.board),
                    "plies": plies,
                    "asked": [one.text for one in asked],
                    "only_outcome": is_first,
                },
                progress=steps and steps(f"round {number}"),
                execute=execute,
            )
            for one, (low, high, searched) in zip(asked, answers, strict=True):
                before = tree.known[one.canonical_key]
                tree.known[one.canonical_key] = max(low, before[0]), min(high, before[1])
                nodes += searched
    _solver.cache_clear()  # its table is large
    _savers.clear()
    if folder is not None:
        shutil.rmtree(folder / IN_WORK, ignore_errors=True)
    return Bounds(*tree.bounds()[tree.root], nodes)


def is_settled(bounds: Range, *, only_outcome: bool) -> bool:
    low, high = bounds
    return low == high or (only_outcome and (low > 0 or high < 0))


def _widest(position: Position) -> Range:
    """What the number of stones allows; all there is to know when the game is over."""
    cells, ply = position.board.cells, position.ply
    if position.is_over:
        value = 0 if position.winner is None else -((cells + 2 - ply) // 2)
        return value, value
    return -((cells - ply) // 2), (cells + 1 - ply) // 2


def _ask(part: Part, seed: int) -> list[int]:
    position, only_outcome, megabytes, book, file = part
    if file is None:
        return list(_solver(megabytes, book).solve(position, only_outcome=only_outcome))
    saver = _saver(file, position.board, megabytes, book)
    low, high, _ = saver.solve(position, only_outcome=only_outcome)
    file.unlink(missing_ok=True)  # who asked keeps the answer
    return [low, high, saver.nodes]


@lru_cache(maxsize=1)
def _solver(megabytes: int, book: bool) -> Solver:
    """One for all that a worker is given: what it has learned stays useful."""
    return Solver(megabytes=megabytes, book=book)


_savers: dict[tuple[Board, int, bool], SavingSolver] = {}  # at most one, for the same reason


def _saver(file: Path, board: Board, megabytes: int, book: bool) -> SavingSolver:
    saver = _savers.get((board, megabytes, book))
    if saver is None:
        _savers.clear()
        file.parent.mkdir(parents=True, exist_ok=True)
        saver = _savers[board, megabytes, book] = SavingSolver(file, board, megabytes=megabytes, book=book)
    elif saver.path != file:
        file.parent.mkdir(parents=True, exist_ok=True)
        saver.turn_to(file)
    return saver
