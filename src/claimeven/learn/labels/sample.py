"""Positions to be labelled, out of games that are played side by side in numpy.

Every game has its own share of moves by chance; the others are sensible: win, block, and hand nothing over.
What is drawn follows from the seed alone, on every machine and with every version of numpy: the numbers are
SplitMix64's (native/board/random.hpp), not numpy's.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from claimeven.learn.labels.bits import Geometry

if TYPE_CHECKING:
    import numpy as np

    from claimeven.arrays import Words

WILD = (1.0, 0.5, 0.25, 0.1, 0.05)  # shares of moves by chance; a game has one of them
MORE = 0x9E3779B97F4A7C15

# The columns that a player wants in these positions (`mine`, `mask`), if any, and how unsure it is of them.
Player = Callable[["Words", "Words"], "tuple[np.ndarray | None, np.ndarray]"]


class Draws:
    """SplitMix64, an array at a time."""

    def __init__(self, seed: int) -> None:
        self._state = seed % 2**64

    def words(self, count: int) -> "Words":
        import numpy as np

        word = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(MORE) + np.uint64(self._state)
        self._state = (self._state + count * MORE) % 2**64
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return word ^ (word >> np.uint64(31))

    def below(self, count: int, limits: "np.ndarray | int") -> "np.ndarray":
        """`count` numbers from 0, each below its limit."""
        import numpy as np

        found: np.ndarray = (
            (self.words(count) >> np.uint64(32)) * np.asarray(limits, np.uint64)
        ) >> np.uint64(32)
        return found

    def shares(self, count: int) -> "np.ndarray":
        import numpy as np

        found: np.ndarray = (self.words(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        return found


def games(
    geometry: Geometry, count: int, seed: int, player: Player | None = None
) -> "tuple[Words, Words, np.ndarray]":
    """`mine`, `mask` of all unfinished positions of so many games, and how unsure the player was of each.

    With a player, half of the moves that are not by chance are its own; in a third of the games one side's
    are its own throughout.
    """
    import numpy as np

    draws = Draws(seed)
    mine = np.zeros(count, np.uint64)
    mask = np.zeros(count, np.uint64)
    wild = np.array(WILD)[draws.below(count, len(WILD)).astype(np.int64)]
    owner = draws.below(count, 6)  # the side whose moves are the player's throughout; 2 to 5: none
    found: list[tuple[Words, Words, np.ndarray]] = []
    for ply in range(geometry.board.cells):
        if not len(mine):
            break
        wanted, unsure = (None, np.zeros(len(mine))) if player is None else player(mine, mask)
        found.append((mine, mask, unsure))
        cells = _moves(geometry, draws, mine, mask, wild, wanted, owner == ply % 2)
        mine, mask = mine ^ mask, mask | cells
        goes_on = ~geometry.is_won(mine ^ mask) & (mask != np.uint64(geometry.full))
        mine, mask, wild, owner = mine[goes_on], mask[goes_on], wild[goes_on], owner[goes_on]
    ours, all_stones, doubts = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return ours, all_stones, doubts


def _moves(
    geometry: Geometry,
    draws: Draws,
    mine: "Words",
    mask: "Words",
    wild: "np.ndarray",
    wanted: "np.ndarray | None",
    is_owned: "np.ndarray",
) -> "Words":
    """The cell where each game goes on."""
    import numpy as np

    landing = geometry.landing(mask)
    theirs = geometry.winning(mine ^ mask, mask)
    choices = landing & ~(theirs >> np.uint64(1))  # do not lift the other side onto its winning cell
    choices = np.where(choices == 0, landing, choices)
    choices = np.where(theirs & landing != 0, theirs & landing, choices)
    wins = geometry.winning(mine, mask) & landing
    choices = np.where(wins != 0, wins, choices)
    choices = np.where(draws.shares(len(mine)) < wild, landing, choices)
    if wanted is not None:
        columns = np.array([geometry.column(c) for c in range(geometry.board.columns)], np.uint64)
        own = landing & columns[wanted]
        is_own = (draws.words(len(mine)) >> np.uint64(63) != 0) & (choices != landing)
        choices = np.where((is_own | is_owned) & (own != 0), own, choices)
    left = draws.below(len(mine), np.bitwise_count(choices)).astype(np.int64)
    cells = np.zeros_like(mine)
    for column in range(geometry.board.columns):
        cell = choices & np.uint64(geometry.column(column))
        is_there = cell != 0
        cells = np.where(is_there & (left == 0), cell, cells)
        left = left - is_there
    return cells


def all_positions(geometry: Geometry, plies: int) -> "tuple[Words, Words]":
    """Every unfinished position of at most so many stones; of two mirror images one."""
    import numpy as np

    keys = np.zeros(1, np.uint64)
    levels = [keys]
    for _ in range(plies):
        mine, mask = geometry.stones_of(keys)
        landing, after = geometry.landing(mask), []
        for column in range(geometry.board.columns):
            cell = landing & np.uint64(geometry.column(column))
            played, stones = (mine ^ mask)[cell != 0], (mask | cell)[cell != 0]
            goes_on = ~geometry.is_won(played ^ stones) & (stones != np.uint64(geometry.full))
            after.append(canonical(geometry, played[goes_on], stones[goes_on]))
        keys = np.unique(np.concatenate(after))
        levels.append(keys)
    return geometry.stones_of(np.concatenate(levels))


def canonical(geometry: Geometry, mine: "Words", mask: "Words") -> "Words":
    """`Position.canonical_key` of every row."""
    import numpy as np

    key = mine + mask
    found: Words = np.minimum(key, geometry.mirror(key))
    return found
