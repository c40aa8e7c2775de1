"""The file of a network, and what the core makes of it.

First line `claimeven-network 1`; second line JSON: its size, how its choices are made, and its card; then the
weights as native/agents/network.hpp reads them; at the end SHA-256 of all that.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from claimeven import _core
from claimeven.errors import InputError
from claimeven.runner import write_whole

FIRST = b"claimeven-network 1\n"
SHIPPED = ("best", "tiny", "zero")
BOARD = "7x6x4"  # the only one that the core plays


@dataclass(frozen=True)
class NetworkFile:
    """Everything that a file of a network says."""

    channels: int
    groups: int
    blocks: int
    is_rounded: bool
    weights: bytes = field(repr=False)
    weigh: float = 0.0
    slope: float = 0.0
    card: Mapping[str, Any] = field(default_factory=dict)
    board: str = BOARD

    def native(self) -> _core.Network:
        return _core.Network(
            self.channels,
            self.groups,
            self.blocks,
            self.is_rounded,
            weigh=self.weigh,
            slope=self.slope,
            weights=self.weights,
        )

    def write(self, path: Path) -> None:
        about = {name: value for name, value in asdict(self).items() if name != "weights"}
        data = FIRST + json.dumps(about).encode() + b"\n" + self.weights
        write_whole(path, data + hashlib.sha256(data).digest())


def read_network(path: Path) -> NetworkFile:
    data = path.read_bytes()
    if not data.startswith(FIRST):
        raise InputError("network.kind", path=path)
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise InputError("network.damaged", path=path)
    line, _, weights = data[len(FIRST) : -32].partition(b"\n")
    try:
        return NetworkFile(**json.loads(line), weights=weights)
    except (ValueError, TypeError):
        raise InputError("network.damaged", path=path) from None


@cache
def shipped_path(name: str) -> Path:
    return Path(str(files("claimeven") / "data" / "networks" / f"{name}.network"))


def network_of(path: Path) -> _core.Network:
    try:
        file = read_network(path)
        if file.board != BOARD:
            raise InputError("network.board", path=path, board=file.board)
        return file.native()
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("network.damaged", path=path) from None
