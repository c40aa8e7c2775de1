"""Where games start: the same agents would otherwise play the same game again and again.

A *suite* has a name: `short` (every position of the first ply that has enough of them), `N-ply` (every
position with N stones), `balanced-N` (those that are drawn with best play), `balanced` (plies 6 and 8 in
turn), or it is a file. Mirror images count once. Which openings are taken, and their order, follows from a
seed. At most 2000 balanced ones are taken, then they begin anew.
"""

import random
import re
from collections.abc import Iterator
from itertools import chain, islice, zip_longest
from pathlib import Path

from claimeven.errors import InputError
from claimeven.notation import quote
from claimeven.position import Board, Position
from claimeven.solver import Solver

SUITES = "short, N-ply, balanced, balanced-N or a file"
BALANCED_PLIES = (6, 8)
MAX_PLY = 8  # there are 91,295 positions with eight stones, and three times as many with each further one
MAX_BALANCED = 2000  # are looked for at once: each takes a millisecond, and a test may need few
MAX_CELLS = 42  # of a board on which it can be known in good time what is drawn


def suite(name: str, board: Board, count: int, seed: int = 0) -> list[Position]:
    """Up to `count` openings of the suite; fewer when it has no more.

    >>> [opening.moves for opening in suite("balanced-6", Board(), 3, seed=1)]
    ['636354', '511714', '751644']
    """
    rng = random.Random(f"openings/{seed}")
    if name == "short":
        found = short_openings(board, count)
    elif match := re.fullmatch(r"([0-9]+)-ply", name):
        found = layer(board, _ply(match[1], name))
    elif match := re.fullmatch(r"balanced(?:-([0-9]+))?", name):
        plies = BALANCED_PLIES if match[1] is None else (_ply(match[1], name),)
        return balanced(board, plies, min(count, MAX_BALANCED), rng)
    else:
        found = from_file(Path(name), board)
    if not found:
        raise InputError("openings.none", name=quote(name), board=board)
    rng.shuffle(found)
    return found[:count]


def layer(board: Board, ply: int) -> list[Position]:
    """Every unfinished position with so many stones, mirror images once.

    >>> [len(layer(Board(), ply)) for ply in range(5)]
    [1, 4, 25, 121, 568]
    """
    positions = [Position(board)]
    for _ in range(ply):
        positions = _children(positions)
    return positions


def short_openings(board: Board, count: int) -> list[Position]:
    """All positions, up to reflection, of the first ply that has so many; the last such ply if none has."""
    found = [Position(board)]
    while len(found) < count:
        deeper = _children(found)
        if not deeper:
            break
        found = deeper
    return found


def balanced(board: Board, plies: tuple[int, ...], count: int, rng: random.Random) -> list[Position]:
    """Positions that are drawn with best play, of these plies in turn."""
    if board.cells > MAX_CELLS:
        raise InputError("openings.cells", most=MAX_CELLS, board=board)
    solver = Solver(megabytes=64)
    streams = [_drawn(board, ply, solver, rng) for ply in plies]
    in_turn = (position for group in zip_longest(*streams) for position in group if position is not None)
    found = list(islice(in_turn, count))
    if not found:
        raise InputError("openings.no_draw", plies=" or ".join(map(str, plies)), board=board)
    return found


def _drawn(board: Board, ply: int, solver: Solver, rng: random.Random) -> Iterator[Position]:
    """One position from every ancestor two plies before, then the others: varied from the beginning, and
    without looking at all positions when a few are wanted."""
    before = min(2, ply)
    ancestors = layer(board, ply - before)
    rng.shuffle(ancestors)
    seen: set[int] = set()
    others: list[Position] = []
    for ancestor in ancestors:
        heirs = [ancestor]
        for _ in range(before):
            heirs = _children(heirs)
        new = [heir for heir in heirs if heir.canonical_key not in seen]
        drawn = [heir for heir, score in zip(new, solver.scores(new), strict=True) if score.value == 0]
        seen.update(heir.canonical_key for heir in new)
        rng.shuffle(drawn)
        yield from drawn[:1]
        others += drawn[1:]
    rng.shuffle(others)
    yield from others


def from_file(path: Path, board: Board) -> list[Position]:
    """One opening per line, moves or a position; what follows a # is a remark."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise InputError("openings.unknown", path=quote(str(path)), known=SUITES) from None
    except UnicodeDecodeError:
        raise InputError("openings.not_text", path=quote(str(path))) from None
    found: dict[int, Position] = {}
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            position = Position.parse(text, board)
            if position.is_over:
                raise InputError("over.text", text=quote(text))
        except InputError as error:
            raise error.wrapped("line_of", line=number, name=path) from None
        found.setdefault(position.key, position)
    return list(found.values())


def _children(positions: list[Position]) -> list[Position]:
    children = chain.from_iterable((position.play(c) for c in position.legal) for position in positions)
    return list({child.canonical_key: child for child in children if not child.is_over}.values())


def _ply(text: str, name: str) -> int:
    if len(text) > 3 or int(text) > MAX_PLY:
        raise InputError("openings.stones", name=quote(name), most=MAX_PLY)
    return int(text)
