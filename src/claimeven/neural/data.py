"""Labelled positions on the device that trains, drawn by chance: plies where errors are made more often."""

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from claimeven.board import Board
from claimeven.learn.labels.bits import Geometry
from claimeven.learn.labels.sample import canonical
from claimeven.neural.loss import is_value
from claimeven.neural.model import PLANES, features

if TYPE_CHECKING:
    import numpy as np

    Keys = np.ndarray[Any, np.dtype[np.uint64]]

# The share of every ply in a batch, before it is bounded: those of plies 8 to 20 are the hard ones.
SHARES = [0.3] * 5 + [0.8] * 3 + [3.0, 4.0, 6.0, 8.0] + [5.0] * 8 + [4.0] * 4 + [2.0] * 6 + [0.7] * 12
VALUE_SHARES = [0.6 * share for share in SHARES]  # of positions of which only the value is known
MOST_OFTEN = 12.0  # times as often as if all were drawn alike
HELD_OUT = 128  # one of so many positions is not trained on


def is_held_out(keys: "Keys") -> "np.ndarray[Any, np.dtype[np.bool_]]":
    """By a number that follows from the canonical key, so that all trainings agree."""
    import numpy as np

    word = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    held: np.ndarray[Any, np.dtype[np.bool_]] = (word >> np.uint64(20)) % np.uint64(HELD_OUT) == 0
    return held


class Data:
    """Grows by `add`; `batch` draws from all that is there."""

    def __init__(self, most: int, device: str, without: "Keys") -> None:
        self.device = device
        self.without = without  # canonical keys of positions that judge
        self.geometry = Geometry(Board())
        self.count = 0
        self.words = torch.zeros(PLANES, most, dtype=torch.int64, device=device)
        self.labels = torch.zeros(most, 7, dtype=torch.int8, device=device)
        self.kinds = torch.zeros(most, dtype=torch.int64, device=device)  # the ply; 42 more for mere values
        self.held: list[tuple[Tensor, Tensor]] = []
        self._chances = torch.zeros(0)

    def add(self, mine: "Keys", mask: "Keys", labels: "np.ndarray[Any, np.dtype[np.int8]]") -> None:
        import numpy as np

        keys = canonical(self.geometry, mine, mask)
        held = is_held_out(keys)
        is_used = ~held & ~np.isin(keys, self.without)
        is_used &= np.cumsum(is_used) <= self.labels.shape[0] - self.count
        for chosen, is_kept in ((is_used, False), (held, True)):
            words = features(*(self._tensor(half[chosen].astype(np.int64)) for half in (mine, mask)))
            values = self._tensor(labels[chosen])
            if is_kept:
                self.held.append((words, values))
                continue
            part = slice(self.count, self.count + len(values))
            self.words[:, part], self.labels[part] = words, values
            plies = self._tensor(np.bitwise_count(mask[chosen]).astype(np.int64))
            self.kinds[part] = plies + len(SHARES) * is_value(values)
            self.count = part.stop
        self._weigh()

    def batch(self, size: int) -> tuple[Tensor, Tensor]:
        drawn = torch.rand(size, device=self.device, dtype=torch.float64) * self._chances[-1]
        chosen = torch.searchsorted(self._chances, drawn).clamp_max(self.count - 1)
        return self.words[:, chosen], self.labels[chosen]

    def held_out(self) -> tuple[Tensor, Tensor]:
        words, labels = zip(*self.held, strict=True)
        return torch.cat(words, 1), torch.cat(labels)

    def _tensor(self, values: "np.ndarray[Any, Any]") -> Tensor:
        return torch.from_numpy(values).to(self.device)

    def _weigh(self) -> None:
        kinds = self.kinds[: self.count]
        wanted = SHARES + VALUE_SHARES
        there = torch.bincount(kinds, minlength=len(wanted)).double()
        shares = torch.tensor(wanted, device=self.device, dtype=torch.float64) * (there > 0)
        each = shares / shares.sum() / there.clamp_min(1)
        self._chances = each.clamp_max(MOST_OFTEN / max(self.count, 1))[kinds].cumsum(0)
