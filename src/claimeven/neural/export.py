"""A trained network as the file that the core plays."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from claimeven.agents.kinds.network import NetworkFile
from claimeven.neural.model import Network, step_of


def exported(net: Network, weigh: float, slope: float, card: Mapping[str, Any] | None = None) -> NetworkFile:
    size = net.size
    parts = [_matrix(net, net.stem), _plain(net.place)]
    for block in range(size.blocks + 1):
        parts += [_matrix(net, net.even[block]), _matrix(net, net.odd[block]), _plain(net.bias[block])]
        if block < size.blocks:
            parts.append(_matrix(net, net.mix[block]))
    parts += [_matrix(net, net.head), _plain(net.head_bias)]
    return NetworkFile(
        size.channels, size.groups, size.blocks, size.is_rounded, b"".join(parts), weigh, slope, card or {}
    )


def _plain(weights: Tensor) -> bytes:
    data: bytes = weights.detach().to("cpu", torch.float16).contiguous().numpy().astype("<f2").tobytes()
    return data


def _matrix(net: Network, weights: Tensor) -> bytes:
    if not net.size.is_rounded:
        return _plain(weights)
    weights = weights.detach().float().cpu()
    step = step_of(weights)
    whole = (weights / step).round().clamp(-127, 127).to(torch.int8)
    data: bytes = _plain(step) + whole.contiguous().numpy().tobytes()
    return data
