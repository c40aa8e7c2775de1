"""What a network thinks of many positions at once, as the search asks for it."""

from threading import Lock

import numpy as np
import torch
from torch import Tensor

from claimeven.neural.loss import MOST
from claimeven.neural.model import Network
from claimeven.neural.zero.frame import Frame
from claimeven.neural.zero.play import Array

LEAST = 256  # positions of the smallest graph


def kind_of(device: str) -> torch.dtype:
    """The precision of a network at work: its weights stay in single precision."""
    return torch.bfloat16 if device == "cuda" else torch.float32


def worth_of(found: Tensor) -> Tensor:
    """The chance to win less the chance to lose, by column."""
    chances = found[..., 1:].softmax(-1)
    return chances[..., MOST + 1 :].sum(-1) - chances[..., :MOST].sum(-1)


class Thinker:
    """A GPU starts hundreds of small kernels for one batch, which takes longer than they run: there the work
    is recorded once for a few sizes of batches, and replayed. Several threads may ask."""

    def __init__(self, frame: Frame, net: Network, device: str, most: int) -> None:
        self.frame, self.net, self.device, self.most = frame, net, device, most
        self.lock = Lock()
        self.graphs: dict[int, tuple[torch.cuda.CUDAGraph, Tensor, Tensor]] = {}
        if device == "cuda":
            size = LEAST
            while size < 2 * most:
                self.graphs[size] = self._recorded(size)
                self.most = size
                size *= 2

    def __call__(self, mine: Array, mask: Array) -> tuple[Array, Array]:
        """Wishes and values by column."""
        parts = [
            self._answered(np.stack([mine[i : i + self.most], mask[i : i + self.most]]).astype("int64"))
            for i in range(0, len(mine), self.most)
        ]
        found = np.concatenate(parts, axis=1)
        return found[0], found[1]

    @torch.no_grad()
    def _answered(self, words: Array) -> Array:
        asked, count = torch.from_numpy(words), words.shape[1]
        if not self.graphs:
            return self._found(asked.to(self.device)).cpu().numpy()
        graph, given, found = self.graphs[max(LEAST, 1 << (count - 1).bit_length())]
        with self.lock:
            given[:, :count] = asked.to(self.device)
            graph.replay()
            answer: Array = found[:, :count].cpu().numpy()
        return answer

    def _found(self, words: Tensor) -> Tensor:
        found = self.frame.outputs(self.net, words[0], words[1], kind_of(self.device))
        return torch.stack([found[..., 0], worth_of(found)])

    @torch.no_grad()
    def _recorded(self, size: int) -> "tuple[torch.cuda.CUDAGraph, Tensor, Tensor]":
        given = torch.zeros((2, size), dtype=torch.int64, device=self.device)
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):  # what is set up at the first use must not be recorded
            for _ in range(3):
                self._found(given)
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            found = self._found(given)
        return graph, given, found
