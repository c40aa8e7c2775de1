"""What a network is told by exact labels, and how its choices are judged by them."""

import torch
from torch import Tensor
from torch.nn import functional

from claimeven.neural.model import BINS

ILLEGAL, WON, LOST = -128, 100, -100
MOST = BINS // 2


def _allowed() -> Tensor:
    """By label (plus 128): the scores that it allows."""
    scores = torch.arange(-MOST, MOST + 1)
    table = torch.zeros(256, BINS, dtype=torch.bool)
    for score in range(-MOST, MOST + 1):
        table[score + 128, score + MOST] = True
    table[WON + 128] = scores > 0
    table[LOST + 128] = scores < 0
    return table


ALLOWED = _allowed()


def loss_of(found: Tensor, labels: Tensor, allowed: Tensor) -> Tensor:
    """The mean over positions: scores of all legal columns, and the columns that keep outcome and score."""
    labels = labels.long()
    is_legal = labels != ILLEGAL
    chances = functional.log_softmax(found[..., 1:], -1)
    legal = is_legal.sum(-1)

    def right(wanted: Tensor) -> Tensor:
        likely = chances.masked_fill(~allowed[wanted + 128], -1e4).logsumexp(-1)
        return (likely * is_legal).sum(-1) / legal

    scores, outcomes = right(labels), right(labels.sign() * WON)
    wanted = found[..., 0].masked_fill(~is_legal, -1e4).log_softmax(-1)
    best = labels.amax(-1, keepdim=True)
    keeping = wanted.masked_fill(labels.sign() != best.sign(), -1e4).logsumexp(-1)
    optimal = wanted.masked_fill(labels != best, -1e4).logsumexp(-1)
    is_exact = (best.abs() < WON).squeeze(-1)
    # The score is most of what can be learned, but an outcome let slip is what is judged.
    return -(0.5 * scores + outcomes + 2 * keeping + 0.5 * optimal * is_exact).mean()


def wishes(found: Tensor, scores_weigh: float, slope: float) -> Tensor:
    """How much every column is wanted: the wish of the network and the worth of its scores."""
    scores = torch.arange(-MOST, MOST + 1, device=found.device)
    worth = scores.sign() * (1 + slope * scores.abs() / MOST)
    return found[..., 0] + scores_weigh * (found[..., 1:].softmax(-1) @ worth)


def judged(wished: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Whether each choice keeps the outcome, and whether it is optimal."""
    labels = labels.long()
    chosen = wished.masked_fill(labels == ILLEGAL, -1e9).argmax(-1, keepdim=True)
    got, best = labels.gather(-1, chosen).squeeze(-1), labels.amax(-1)
    return got.sign() == best.sign(), got == best
