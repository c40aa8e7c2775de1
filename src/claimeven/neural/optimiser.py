"""Muon (Jordan and others 2024) for the matrices, Adam for the rest: steps are made orthogonal."""

from collections.abc import Iterable

import torch
from torch import Tensor


def orthogonal(steps: Tensor, rounds: int = 5) -> Tensor:
    """Newton and Schulz' iteration on a batch of matrices: their singular values come close to 1."""
    x = steps.bfloat16() if steps.is_cuda else steps.clone()
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    is_tall = x.shape[-2] > x.shape[-1]
    x = x.mT if is_tall else x
    for _ in range(rounds):
        square = x @ x.mT
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    x = x.mT if is_tall else x
    return x.to(steps.dtype)


class Muon:
    """Updates stacks of matrices; `rate` is the share of their usual size that a step may change."""

    def __init__(self, matrices: Iterable[Tensor], momentum: float = 0.95, decay: float = 0.01) -> None:
        self.matrices = list(matrices)
        self.momentum, self.decay = momentum, decay
        self.velocity = [torch.zeros_like(each) for each in self.matrices]

    @torch.no_grad()
    def step(self, rate: float) -> None:
        for weights, velocity in zip(self.matrices, self.velocity, strict=True):
            if weights.grad is None:
                continue
            velocity.lerp_(weights.grad, 1 - self.momentum)
            wanted = weights.grad.lerp(velocity, self.momentum)
            scale = max(1.0, weights.shape[-2] / weights.shape[-1]) ** 0.5
            weights.mul_(1 - rate * self.decay)
            weights.add_(orthogonal(wanted), alpha=-rate * scale)
