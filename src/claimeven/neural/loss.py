"""What a network is told by exact labels, and how its choices are judged by them."""

import torch
from torch import Tensor
from torch.nn import functional

from claimeven.learn.labels import ILLEGAL, LOST, VALUE, WON
from claimeven.neural.model import BINS

VALUE_WON = 127  # all that is known: it is won
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


def is_value(labels: Tensor) -> Tensor:
    """Whether only the value of a position is known, by rows."""
    best = labels.long().amax(-1)
    return (best >= VALUE - MOST) & (best <= VALUE + MOST) | (best == VALUE_WON)


def is_exact(labels: Tensor) -> Tensor:
    """Whether the score of every column is known, by rows."""
    labels = labels.long().masked_fill(labels == ILLEGAL, 0)
    return labels.abs().amax(-1) <= MOST


def loss_of(found: Tensor, labels: Tensor, allowed: Tensor) -> Tensor:
    """The mean over positions, of whose columns all are known or only the value of the best one."""
    is_short = is_value(labels)
    known = labels.masked_fill(is_short[:, None] & (labels != ILLEGAL), 0)
    columns = loss_of_columns(found, known, allowed)
    return torch.where(is_short, loss_of_values(found, labels), columns).mean()


def loss_of_columns(found: Tensor, labels: Tensor, allowed: Tensor) -> Tensor:
    """Of positions: scores of all legal columns, and the columns that keep outcome and score."""
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
    is_scored = (best.abs() < WON).squeeze(-1)
    # The score is most of what can be learned, but an outcome let slip is what is judged.
    return -(0.5 * scores + outcomes + 2 * keeping + 0.5 * optimal * is_scored)


def loss_of_values(found: Tensor, labels: Tensor) -> Tensor:
    """Of positions whose value alone is known: how likely the best of their columns has it.

    Columns are taken to be independent. What is wanted follows the columns that are likely to have it.
    """
    is_legal = labels != ILLEGAL
    best = labels.long().amax(-1)
    value = (best - VALUE).clamp(-MOST, MOST)
    chances = found[..., 1:].softmax(-1)
    most = chances.cumsum(-1).clamp(1e-7, 1.0)  # that a column has at most this score
    together = most.log().masked_fill(~is_legal[..., None], 0).sum(-2).exp()
    together = functional.pad(together, (1, 0))  # its place: the score, plus 22

    def between(low: Tensor, high: Tensor) -> Tensor:
        """The logarithm of the chance that the best score is above `low` and at most `high`."""
        chance = together.gather(-1, high[:, None] + MOST + 1) - together.gather(-1, low[:, None] + MOST + 1)
        return (chance.squeeze(-1).clamp_min(0) + 1e-6).log()

    lowest = torch.where(value > 0, 0, torch.where(value < 0, -MOST - 1, -1))
    highest = torch.where(value > 0, MOST, torch.where(value < 0, -1, 0))
    with torch.no_grad():
        bins = torch.arange(-MOST, MOST + 1, device=found.device)
        is_kept = ((bins > lowest[:, None]) & (bins <= highest[:, None]))[:, None]
        keeping = (chances * is_kept).sum(-1).masked_fill(~is_legal, 0)
        keeping = keeping / keeping.sum(-1, keepdim=True).clamp_min(1e-6)
    wanted = found[..., 0].masked_fill(~is_legal, -1e4).log_softmax(-1)
    # Nothing is chosen where all columns lose.
    choice = (wanted * keeping).sum(-1) * (value >= 0)
    score = between(value - 1, value) * (best != VALUE_WON)
    return -(0.5 * score + between(lowest, highest) + choice)


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
