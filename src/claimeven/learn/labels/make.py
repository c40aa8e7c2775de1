"""Labelled positions made on many cores: resumable, and the same bytes for the same seed."""

import base64
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from claimeven.agents.kinds.network import network_of
from claimeven.board import Board
from claimeven.errors import InputError
from claimeven.learn.labels.bits import Geometry
from claimeven.learn.labels.exact import label, label_value
from claimeven.learn.labels.file import Labels, merged
from claimeven.learn.labels.sample import Player, all_positions, canonical, games
from claimeven.runner import Execute, Progress, run
from claimeven.solver import Solver

if TYPE_CHECKING:
    import numpy as np

    from claimeven.arrays import Values, Words

SHARD = 2000  # positions
GAMES = 400  # played side by side for them
MEGABYTES = 128
TRIES = 200  # rounds of games for one shard: a board may have too few positions


@dataclass(frozen=True)
class Wanted:
    """Which positions, and how they are labelled."""

    board: str
    plies: tuple[int, int]  # the fewest and the most stones
    only_outcome: bool = False
    only_value: bool = False  # of the position, not of its columns: what the opening book has
    every: bool = False  # not drawn: every position of so many stones
    network: str | None = None  # positions that it is unsure of
    unsure: float = 0.0


def make_labels(
    wanted: Wanted,
    count: int,
    seed: int = 0,
    *,
    workers: int = 1,
    folder: Path | None = None,
    progress: Progress | None = None,
    execute: Execute | None = None,
) -> Labels:
    """So many labelled positions, or fewer where the same one was drawn twice; all, for `every`."""
    board = Board.parse(wanted.board)
    geometry = Geometry(board)
    if not 0 <= wanted.plies[0] <= wanted.plies[1] < board.cells:
        raise InputError("label.plies", most=board.cells - 1)
    if wanted.network is not None:
        network_of(Path(wanted.network))  # refused here, not by a worker
    if wanted.every:
        keys = _every(geometry, wanted.plies)
        count = len(keys)
    sizes = [min(SHARD, count - first) for first in range(0, count, SHARD)]
    items = [(asdict(wanted), number * SHARD, size) for number, size in enumerate(sizes)]
    texts = run(
        _shard,
        items,
        workers=workers,
        seed=seed,
        folder=folder,
        name="label",
        parameters={**asdict(wanted), "plies": list(wanted.plies)},
        progress=progress,
        execute=execute,
    )
    about = {"seed": seed, **{name: value for name, value in asdict(wanted).items() if name != "board"}}
    return merged(board, [_part(text, board) for text in texts], about)


@lru_cache(maxsize=1)
def _every(geometry: Geometry, plies: tuple[int, int]) -> "Words":
    """Counted once by every worker, not once for every shard."""
    import numpy as np

    mine, mask = all_positions(geometry, plies[1])
    keys = mine + mask
    found: Words = keys[np.bitwise_count(mask) >= plies[0]]
    return found


def _shard(item: tuple[dict[str, object], int, int], seed: int) -> str:
    """The task: keys and scores of so many positions, as text."""
    fields, first, size = item
    wanted = Wanted(**fields)  # type: ignore[arg-type]
    board = Board.parse(wanted.board)
    geometry = Geometry(board)
    if wanted.every:
        keys = _every(geometry, (wanted.plies[0], wanted.plies[1]))[first : first + size]
    else:
        keys = _drawn(geometry, wanted, size, seed)
    solver = Solver(megabytes=MEGABYTES)
    stones = geometry.stones_of(keys)
    if wanted.only_value:
        scores = label_value(geometry, *stones, solver)
    else:
        scores = label(geometry, *stones, solver, only_outcome=wanted.only_outcome)
    return base64.b85encode(keys.astype("<u8").tobytes() + scores.tobytes()).decode()


def _part(text: str, board: Board) -> "tuple[Words, Values]":
    import numpy as np

    data = base64.b85decode(text)
    count = len(data) // (8 + board.columns)
    return np.frombuffer(data, "<u8", count), np.frombuffer(data, np.int8, offset=8 * count).reshape(
        count, board.columns
    )


def _drawn(geometry: Geometry, wanted: Wanted, size: int, seed: int) -> "Words":
    """Different positions, by their canonical keys, spread over the plies as games spread them."""
    import numpy as np

    player = None if wanted.network is None else unsure_player(Path(wanted.network), wanted.plies)
    found = np.zeros(0, np.uint64)
    for number in range(TRIES):
        mine, mask, doubts = games(geometry, GAMES, seed + number, player)
        plies = np.bitwise_count(mask)
        is_wanted = (plies >= wanted.plies[0]) & (plies <= wanted.plies[1]) & (doubts >= wanted.unsure)
        found = np.concatenate([found, canonical(geometry, mine[is_wanted], mask[is_wanted])])
        _, places = np.unique(found, return_index=True)
        found = found[np.sort(places)]
        if len(found) >= size:
            break
    # Those of one game lie together: drawn evenly over all of them.
    return found[np.linspace(0, len(found) - 1, min(size, len(found))).astype(np.int64)]


def unsure_player(path: Path, plies: Sequence[int]) -> Player:
    """A network's moves at these plies, and the chance that another column has a better outcome."""
    import numpy as np

    network = network_of(path)

    def player(mine: "Words", mask: "Words") -> "tuple[np.ndarray | None, np.ndarray]":
        if not plies[0] <= int(mask[0]).bit_count() <= plies[1]:  # all are of one ply
            return None, np.zeros(len(mine))
        data = network.views(mine.astype("<u8").tobytes(), mask.astype("<u8").tobytes())
        views = np.frombuffer(data, np.float32).reshape(-1, 7, 5)
        chosen = views[:, :, 0].argmax(axis=1)
        own = np.take_along_axis(views, chosen[:, None, None], axis=1)
        is_open = np.isfinite(views[:, :, 0])
        better = (views[:, :, 1] * (1 - own[:, :, 1]) + views[:, :, 2] * own[:, :, 3]) * is_open
        np.put_along_axis(better, chosen[:, None], 0, axis=1)
        return chosen, better.max(axis=1)

    return player
