"""Weights of the one evaluator, and named sets of them: the presets.

The presets a, d and e give the numbers of those systems' own programs, b those of its text (docs/agents.md
says where its source differs); `claimeven` is our own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from claimeven import _core
from claimeven.agents.option import Option, weights, word
from claimeven.position import Position

LARGEST = 10_000.0  # of a weight
SCALE = 1000  # the core counts in thousandths

Pair = tuple[float, ...]  # own, opponent's; the second may be left out: 0
PAIRS = ("center", "height", "drop", "parity", "zugzwang")  # the weights that are such pairs


@dataclass(frozen=True)
class Evaluation:
    """What a feature is worth to the side from whose view a position is seen.

    A window is a possible line: `connect` cells in one direction. Weights of windows and runs are listed from
    1 stone upwards and end at connect - 1 stones, whatever connect is.
    """

    own: Pair = ()  # windows with 1, 2, … own stones and no other
    their: Pair = ()
    own_runs: Pair = ()  # 1, 2, … own stones next to each other, once for each free cell at an end
    their_runs: Pair = ()
    threats: str = "all"  # windows that lack one stone: all, only playable ones, or that on level lines
    vertical: str = "windows"  # or top: only the run on top of a column, at its full length
    center: Pair = ()  # a stone in the middle column
    height: Pair = ()  # a stone, times the rows from its own to the top one
    drop: Pair = ()  # a landing cell that makes threats in two or more directions, times the directions
    drop_windows: str = "through"  # windows through the dropped stone, or start: only those that start at it
    parity: Pair = ()  # the lowest winning cell of a column, on its owner's rows (odd: first player)
    zugzwang: Pair = ()  # the second player's, while the first has no such cell

    def swapped(self) -> "Evaluation":
        """The same judgement, seen by the other side."""

        def pair(numbers: Pair) -> Pair:
            own, their = (*numbers, 0.0, 0.0)[:2]
            return -their, -own

        return replace(
            self,
            own=_negative(self.their),
            their=_negative(self.own),
            own_runs=_negative(self.their_runs),
            their_runs=_negative(self.own_runs),
            center=pair(self.center),
            height=pair(self.height),
            drop=pair(self.drop),
            parity=pair(self.parity),
            zugzwang=pair(self.zugzwang),
        )

    def native(
        self, noise: float = 0.0, miss: tuple[float, float] = (0.0, 0.0), seed: int = 0
    ) -> _core.Weights:
        return _core.Weights(
            windows=(_scaled(self.own), _scaled(self.their)),
            runs=(_scaled(self.own_runs), _scaled(self.their_runs)),
            threats=self.threats,
            vertical=self.vertical,
            center=_pair(self.center),
            height=_pair(self.height),
            drop=_pair(self.drop),
            drop_windows=self.drop_windows,
            parity=_pair(self.parity),
            zugzwang=_pair(self.zugzwang),
            noise=noise * SCALE,
            miss=miss,
            seed=seed,
        )

    def value(self, position: Position, side: int) -> float:
        """The static value of a position that is not over, seen by a side."""
        board = position.board
        value = _core.evaluate(
            board.columns,
            board.rows,
            board.reach,
            position.mine,
            position.mask,
            side == position.side,
            self.native(),
        )
        return value / SCALE


def _negative(numbers: Pair) -> Pair:
    return tuple(-number for number in numbers)


def _scaled(numbers: Pair) -> list[int]:
    return [round(number * SCALE) for number in numbers]


def _pair(numbers: Pair) -> tuple[int, int]:
    own, their = _scaled((*numbers, 0.0, 0.0))[:2]
    return own, their


A = Evaluation(
    own=(0, 10, 100),
    their=(0, -5, -80),
    threats="level",
    center=(3,),
    height=(0.5,),
    drop=(100, -120),
    drop_windows="start",
)
PRESETS: Mapping[str, Evaluation] = {
    "claimeven": Evaluation(own=(0, 1, 3), their=(0, -1, -3), parity=(10, -10), zugzwang=(10, -10)),
    "a": A,
    "a-source": A,  # an older name
    "a-playable": replace(A, threats="playable", drop_windows="through"),  # looks more careful, plays worse
    "b": Evaluation(own_runs=(0, 1, 3), their_runs=(0, -1, -3)),
    "b10": Evaluation(own_runs=(0, 1, 10), their_runs=(0, -1, -10)),
    "d": Evaluation(own=(0, 1, 2), their=(0, -1, -2), vertical="top"),
    "e": Evaluation(own=(0, 0, 1), their=(0, 0, -100)),
}

DEFAULT_PRESET = "claimeven"
_PAIR = "own/opponent's"
OPTIONS: tuple[Option, ...] = (
    word("preset", DEFAULT_PRESET, "a set of weights; those below replace single ones", tuple(PRESETS)),
    weights("own", None, "windows with 1/2/…/connect-1 own stones and no other", LARGEST),
    weights("their", None, "the same for the opponent's stones (negative numbers)", LARGEST),
    weights("own_runs", None, "1/2/…/connect-1 own stones next to each other, per free end", LARGEST),
    weights("their_runs", None, "the same for the opponent's stones", LARGEST),
    word("threats", None, "which windows that lack one stone count", ("all", "level", "playable")),
    word("vertical", None, "windows, or only the run on top of a column", ("windows", "top")),
    weights("center", None, f"a stone in the middle column, {_PAIR}", LARGEST),
    weights("height", None, f"a stone, times the rows up to the top one, {_PAIR}", LARGEST),
    weights("drop", None, f"a landing cell with threats in 2 or more directions, {_PAIR}", LARGEST),
    word("drop_windows", None, "windows through that cell, or starting at it", ("through", "start")),
    weights("parity", None, f"the lowest winning cell of a column, on its owner's rows, {_PAIR}", LARGEST),
    weights("zugzwang", None, f"no such cell of the first player: the second's, {_PAIR}", LARGEST),
)


def evaluation_of(values: Mapping[str, Any]) -> Evaluation:
    """The evaluation that the options of a spec describe."""
    preset = PRESETS[values["preset"]]
    changes = {option.name: values[option.name] for option in OPTIONS[1:] if values[option.name] is not None}
    return replace(preset, **changes)
