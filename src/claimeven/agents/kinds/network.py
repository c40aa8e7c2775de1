"""The file of a network, and what the core makes of it.

First line `claimeven-network 2`; second line JSON: of every part the stones from which it is asked, its size,
how its choices are made (`weigh`, and `ahead` where it looks at the boards that follow) and how many bytes of
weights it has; how scores count, and the card; then the weights of all parts, one after the other, as
native/agents/network/layers.hpp reads them, packed by zlib; at the end SHA-256 of all that. A file of before,
`claimeven-network 1`, is one part, its weights as they are.
"""

import hashlib
import io
import json
import math
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from claimeven import _core
from claimeven.errors import InputError
from claimeven.runner import unpacked, write_whole

FIRST, BEFORE = b"claimeven-network 2\n", b"claimeven-network 1\n"
SHIPPED = ("best", "tiny", "zero")
BOARD = "7x6x4"  # the only one that the core plays
MOST_BYTES = 1 << 28  # of weights: a hundred times what is shipped


@dataclass(frozen=True)
class Part:
    """Layers that are asked about positions of so many stones, and more.

    With `ahead`, a column counts as they see it and that many times as the board that follows it.
    """

    channels: int
    groups: int
    blocks: int
    is_rounded: bool
    weights: bytes = field(repr=False)
    weigh: float = 0.0
    stones: int = 0
    ahead: float = 0.0


@dataclass(frozen=True)
class NetworkFile:
    """Everything that a file of a network says."""

    parts: tuple[Part, ...]
    slope: float = 0.0
    card: Mapping[str, Any] = field(default_factory=dict)
    board: str = BOARD

    def native(self) -> _core.Network:
        network = _core.Network(slope=self.slope)
        for part in self.parts:
            size = part.stones, part.channels, part.groups, part.blocks, part.is_rounded
            network.add(*size, weigh=part.weigh, weights=part.weights, ahead=part.ahead)
        return network

    def write(self, path: Path) -> None:
        parts = [asdict(replace(part, weights=b"")) | {"weights": len(part.weights)} for part in self.parts]
        for part in parts:
            if not part["ahead"]:
                del part["ahead"]  # versions of before do not know it
        about = {"parts": parts, "slope": self.slope, "card": self.card, "board": self.board}
        weights = zlib.compress(b"".join(part.weights for part in self.parts), 9)
        data = FIRST + json.dumps(about).encode() + b"\n" + weights
        write_whole(path, data + hashlib.sha256(data).digest())


def joined(
    files: Mapping[int, NetworkFile],
    card: Mapping[str, Any] | None = None,
    ahead: Mapping[int, float] | None = None,
) -> NetworkFile:
    """One network of several, each of them asked from so many stones on; the first of them from 0.

    `ahead`, by these stones: of parts that shall choose otherwise than their files say. Scores count as the
    first one has them: networks differ little in that.
    """
    first = files.get(0)
    if first is None:
        raise InputError("network.first")
    for file in files.values():
        if len(file.parts) != 1 or file.board != first.board:
            raise InputError("network.join")
    ahead = ahead or {}
    parts = (
        replace(file.parts[0], stones=stones, ahead=ahead.get(stones, file.parts[0].ahead))
        for stones, file in sorted(files.items())
    )
    cards = {"parts": [file.card for _, file in sorted(files.items())]}
    return replace(first, parts=tuple(parts), card=card or cards)


def read_network(path: Path) -> NetworkFile:
    data = path.read_bytes()
    if not data.startswith((FIRST, BEFORE)):
        raise InputError("network.kind", path=path)
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise InputError("network.damaged", path=path)
    line, _, weights = data[len(FIRST) : -32].partition(b"\n")
    try:
        about = json.loads(line)
        if data.startswith(BEFORE):
            common = {name: about.pop(name) for name in ("slope", "card", "board") if name in about}
            return _checked(NetworkFile((Part(**about, weights=weights),), **common))
        left = io.BytesIO(unpacked(weights, MOST_BYTES))
        parts = [Part(**part | {"weights": left.read(part["weights"])}) for part in about.pop("parts")]
        return _checked(NetworkFile(tuple(parts), **about))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InputError("network.damaged", path=path) from None


def _checked(file: NetworkFile) -> NetworkFile:
    """ValueError where numbers are none: compared with them, the first column would always be best."""
    numbers = [file.slope, *(number for part in file.parts for number in (part.weigh, part.ahead))]
    if not file.parts or not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers):
        raise ValueError("network: numbers are missing")
    for part in file.parts:
        sizes = part.stones, part.channels, part.groups, part.blocks
        if not all(isinstance(size, int) for size in sizes):
            raise ValueError("network: sizes are whole numbers")
    return file


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
