"""A trained network as the file that the core plays, and back."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from claimeven.agents.kinds.network import NetworkFile, Part
from claimeven.neural.model import Network, Size, step_of


def exported(net: Network, weigh: float, slope: float, card: Mapping[str, Any] | None = None) -> NetworkFile:
    size = net.size
    parts = [_matrix(net, net.stem), _plain(net.place)]
    for block in range(size.blocks + 1):
        parts += [_matrix(net, net.even[block]), _matrix(net, net.odd[block]), _plain(net.bias[block])]
        if block < size.blocks:
            parts.append(_matrix(net, net.mix[block]))
    parts += [_matrix(net, net.head), _plain(net.head_bias)]
    weights = b"".join(parts)
    part = Part(size.channels, size.groups, size.blocks, size.is_rounded, weights, weigh)
    return NetworkFile((part,), slope, card or {})


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


def imported(part: Part) -> Network:
    """The network of a part of a file: its outputs are those of the one that was written. What was rounded
    there is not rounded again: training might give its rows other steps."""
    net = Network(Size(part.channels, part.groups, part.blocks))
    left = memoryview(part.weights)

    def taken(count: int, kind: torch.dtype) -> Tensor:
        nonlocal left
        size = count * kind.itemsize
        data, left = left[:size], left[size:]
        return torch.frombuffer(bytearray(data), dtype=kind)

    def plain(weights: Tensor) -> None:
        weights.copy_(taken(weights.numel(), torch.float16).view_as(weights))

    def matrix(weights: Tensor) -> None:
        if not part.is_rounded:
            plain(weights)
            return
        steps = taken(weights.numel() // weights.shape[-1], torch.float16).float()
        weights.copy_(
            taken(weights.numel(), torch.int8).view_as(weights) * steps.view(*weights.shape[:-1], 1)
        )

    with torch.no_grad():
        matrix(net.stem)
        plain(net.place)
        for block in range(part.blocks + 1):
            matrix(net.even[block])
            matrix(net.odd[block])
            plain(net.bias[block])
            if block < part.blocks:
                matrix(net.mix[block])
        matrix(net.head)
        plain(net.head_bias)
    return net
