"""The network, as PyTorch trains it; native/agents/network/layers.hpp evaluates the same without PyTorch.

A board is 48 *tokens*: columns 0, 1, 2, 3 and then 6, 5, 4, 3, six cells each. So a mirror image is the same
with its halves exchanged, and every layer is built to commute with that: what is learned of one board is
learned of its mirror image. The centre column is there twice, which costs little and needs no exceptions.

A block mixes the tokens of every channel by matrices of its own (`even` on the sum of the halves, `odd` on
their difference), cuts off what is negative, and then mixes the channels of every token:

    x = x + channels(relu(tokens(x)))

Token matrices cost few multiplications and hold most of the weights: a small file, and quick on a processor.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

HALF = 24
TOKENS = 2 * HALF
PLANES = 6  # own, other, landing, own winning cells, the other's, who began
BINS = 43  # scores -21 to 21
OUTPUTS = 1 + BINS  # of a column: how much it is wanted, and its score
COLUMNS = (0, 1, 2, 3, 6, 5, 4, 3)
BITS = [7 * column + row for column in COLUMNS for row in range(6)]


@dataclass(frozen=True)
class Size:
    channels: int
    groups: int  # channels of a group share their token matrices
    blocks: int
    is_rounded: bool = False  # weights are signed bytes

    @property
    def weights(self) -> int:
        token = 2 * self.groups * HALF * HALF + self.channels * HALF
        head = OUTPUTS * self.channels * 6 + OUTPUTS * 4
        return self.blocks * (token + self.channels**2) + token + head + self.channels * (PLANES + HALF)

    @property
    def products(self) -> int:
        """Multiplications for one position."""
        tokens = 2 * HALF * HALF * self.channels
        head = 8 * OUTPUTS * self.channels * 6
        return self.blocks * (tokens + TOKENS * self.channels**2) + tokens + head


BEST = Size(80, 80, 14)
PART = Size(80, 80, 14, is_rounded=True)  # of a network of several parts: half the bytes
TINY = Size(64, 8, 9, is_rounded=True)


def rounded(weights: Tensor) -> Tensor:
    """As a file of signed bytes has them, by rows; the gradient passes as if nothing had been done."""
    step = step_of(weights)
    return weights + ((weights / step).round().clamp(-127, 127) * step - weights).detach()


def step_of(weights: Tensor) -> Tensor:
    """What 1 stands for, by rows; a half-precision number, as in the file."""
    return (weights.detach().abs().amax(-1, keepdim=True) / 127).clamp_min(1e-4).half().float()


class Network(nn.Module):
    def __init__(self, size: Size) -> None:
        super().__init__()
        self.size = size
        c, g, n = size.channels, size.groups, size.blocks
        self.stem = nn.Parameter(torch.randn(c, PLANES) * 0.5)
        self.place = nn.Parameter(torch.randn(c, HALF) * 0.1)
        spread = (4 / TOKENS) ** 0.5
        self.even = nn.Parameter(torch.randn(n + 1, g, HALF, HALF) * spread)
        self.odd = nn.Parameter(torch.randn(n + 1, g, HALF, HALF) * spread)
        self.bias = nn.Parameter(torch.zeros(n + 1, c, HALF))
        self.mix = nn.Parameter(torch.randn(n, c, c) * (0.5 / (c * n)) ** 0.5)
        self.head = nn.Parameter(torch.randn(OUTPUTS, c * 6) * 0.3 / (c * 6) ** 0.5)
        self.head_bias = nn.Parameter(torch.zeros(OUTPUTS, 4))

    def forward(self, planes: Tensor) -> Tensor:
        """Planes (PLANES, positions, TOKENS) to (positions, 7, OUTPUTS)."""
        seen = self.seen(planes)
        found = (seen @ self._fit(self.head).to(seen.dtype).T).float() + self.head_bias.T.repeat(2, 1)
        return columns_of(found)

    def seen(self, planes: Tensor) -> Tensor:
        """What the head is told of every column: (positions, 8, channels times rows)."""
        kind = planes.dtype
        size, count = self.size, planes.shape[1]
        c = size.channels
        even, odd = self._fit(self.even), self._fit(self.odd)
        same, other = (even + odd) / 2, (even - odd) / 2
        tokens = torch.cat([torch.cat([same, other], -1), torch.cat([other, same], -1)], -2)
        # A row of a matrix makes one new token: transposed, it multiplies from the right.
        tokens = tokens.transpose(-1, -2).repeat_interleave(c // size.groups, 1).to(kind)
        bias = torch.cat([self.bias, self.bias], -1).unsqueeze(2).to(kind)
        mix = self._fit(self.mix).to(kind)
        x = (self._fit(self.stem).to(kind) @ planes.reshape(PLANES, -1)).view(c, count, TOKENS)
        x = x + torch.cat([self.place, self.place], -1).unsqueeze(1).to(kind)
        for block in range(size.blocks):
            hidden = torch.baddbmm(bias[block], x, tokens[block]).relu_()
            x = torch.addmm(x.view(c, -1), mix[block], hidden.view(c, -1)).view(c, count, TOKENS)
        hidden = torch.baddbmm(bias[-1], x, tokens[-1]).relu_()
        return hidden.view(c, count, 8, 6).permute(1, 2, 0, 3).reshape(count, 8, c * 6)

    def _fit(self, weights: Tensor) -> Tensor:
        return rounded(weights) if self.size.is_rounded else weights


def columns_of(found: Tensor) -> Tensor:
    """The eight columns of both halves, of which the centre is there twice, as the seven of the board."""
    centre = (found[:, 3:4] + found[:, 7:8]) / 2
    return torch.cat([found[:, 0:3], centre, found[:, 4:7].flip(1)], 1)


BOTTOM = sum(1 << 7 * column for column in range(7))
FULL = BOTTOM * 63


def winning(stones: Tensor, mask: Tensor) -> Tensor:
    """The empty cells that complete a four, on arrays of words."""
    cells = torch.zeros_like(stones)
    for d in (1, 6, 7, 8):
        before = [torch.full_like(stones, -1)]
        for _ in range(3):
            before.append((stones & before[-1]) << d)
        after = before[0]
        for i in range(4):
            cells |= before[3 - i] & after
            after = (stones & after) >> d
    return cells & FULL & ~mask


def features(mine: Tensor, mask: Tensor) -> Tensor:
    """Six words for every position, one per plane; their bits are the planes."""
    theirs = mine ^ mask
    is_second = stones_of(mask) & 1
    return torch.stack(
        [mine, theirs, (mask + BOTTOM) & FULL, winning(mine, mask), winning(theirs, mask), -is_second & FULL]
    )


def stones_of(mask: Tensor) -> Tensor:
    count = torch.zeros_like(mask)
    for bit in range(49):
        count += (mask >> bit) & 1
    return count


def plies_of(words: Tensor) -> Tensor:
    """How many stones the positions of these words have."""
    return stones_of(words[0] | words[1])


def planes_of(words: Tensor, kind: torch.dtype) -> Tensor:
    """The bits of (PLANES, positions) words as (PLANES, positions, TOKENS)."""
    bits = torch.tensor(BITS, device=words.device)
    return ((words.unsqueeze(-1) >> bits) & 1).to(kind)
