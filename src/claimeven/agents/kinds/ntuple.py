"""A player from tables that each see a few cells (docs/ntuple.md), and the file of one.

First line `claimeven-ntuple 1`; second line JSON: the cells of every tuple, as bits of the board, the stones
from which other weights are asked, and the card; then the weights in the order of native/agents/ntuple.hpp,
as 16-bit multiples of `step`, packed by zlib; at the end SHA-256 of all that.
"""

import hashlib
import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimeven import _core
from claimeven.agents.agent import NO_LIMIT, Remade, open_columns, sure
from claimeven.agents.choice import Choice, Effort, Opinion
from claimeven.agents.kind import Kind, Values
from claimeven.agents.kinds.minimax import MinimaxAgent
from claimeven.agents.option import rest, whole, word
from claimeven.errors import InputError, SpecError
from claimeven.limit import Limit
from claimeven.notation import column_digit
from claimeven.position import Position
from claimeven.runner import unpacked, write_whole

if TYPE_CHECKING:
    from claimeven._core import NTuple

FIRST = b"claimeven-ntuple 1\n"
STEP = (
    1 / 128
)  # a thousand of them are added up, and rounded here and there: the sum is off by less than a tenth
STEP_BEFORE = 1 / 512  # of files that do not say
SHIPPED = ("exact", "self")
MOST_DEPTH = 4
MOST_BYTES = 1 << 30  # of weights


@dataclass(frozen=True)
class NTupleFile:
    """Everything that a file of tables says."""

    tuples: Sequence[Sequence[int]]
    steps: bytes = field(repr=False)  # the weights: 16 bits each
    card: Mapping[str, Any] = field(default_factory=dict)
    stages: Sequence[int] = ()  # stones from which on there are other weights
    step: float = STEP

    def native(self) -> "NTuple":
        net = _core.NTuple([list(cells) for cells in self.tuples], list(self.stages))
        net.set_steps(self.steps, self.step)
        return net

    def write(self, path: Path) -> None:
        about = {"tuples": self.tuples, "stages": self.stages, "step": self.step, "card": self.card}
        data = FIRST + json.dumps(about).encode() + b"\n" + zlib.compress(self.steps, 9)
        write_whole(path, data + hashlib.sha256(data).digest())


def read_ntuple(path: Path) -> NTupleFile:
    data = path.read_bytes()
    if not data.startswith(FIRST):
        raise InputError("ntuple.kind", path=path)
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise InputError("file.damaged", path=path)
    line, _, packed = data[len(FIRST) : -32].partition(b"\n")
    try:
        about, steps = json.loads(line), unpacked(packed, MOST_BYTES)
        step = float(about.get("step", STEP_BEFORE))
        if not 0 < step <= 1:  # nor is it no number at all
            raise ValueError("ntuple: the step of its weights")
        return NTupleFile(about["tuples"], steps, about["card"], about.get("stages", ()), step)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InputError("file.damaged", path=path) from None


def ntuple_of(path: Path) -> "NTuple":
    try:
        return read_ntuple(path).native()
    except (ValueError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("file.damaged", path=path) from None


class NTupleAgent(Remade):
    """Takes the column that is worth most to its tables, a win at hand first, and nothing that loses at once
    unless everything does. On other boards than 7x6x4 minimax answers for it."""

    is_symmetric = True  # a mirror image gets the mirrored answer

    def __init__(self, name: str = "ntuple", path: Path | None = None, *, depth: int = 0) -> None:
        self.name = name
        self._depth = depth
        path = shipped_tables(SHIPPED[0]) if path is None else path
        about = path.stat()
        self._net = _read(path.resolve(), about.st_size, about.st_mtime_ns)
        self._substitute = MinimaxAgent()

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        legal = open_columns(position)
        if not position.board.is_standard:
            return self._substitute.choose(position, limit)
        depth = self._depth if limit.depth is None else min(self._depth, limit.depth)
        words = struct.pack("<Q", position.mine), struct.pack("<Q", position.mask)
        column = self._net.choices(*words, depth)[0]
        values = struct.unpack("<7f", self._net.values(*words, depth))
        opinions = tuple(Opinion(c, value=round((1 + values[c]) / 2, 4)) for c in legal)
        text = f"column {column_digit(column)} is worth {values[column]:+.2f}, I guess"
        return sure(column, position, opinions, Effort(depth=depth or None), text)

    def choices(self, mine: bytes, mask: bytes) -> bytes:
        """Its columns in many positions of 7x6x4: arrays of words in, a byte each out."""
        return self._net.choices(mine, mask, self._depth)


def shipped_tables(name: str) -> Path:
    return Path(str(files("claimeven") / "data" / "ntuples" / f"{name}.ntuple"))


@lru_cache(maxsize=4)
def _read(path: Path, _size: int, _changed: int) -> "NTuple":
    return ntuple_of(path)


def _make(name: str, _seed: int | None, values: Values) -> NTupleAgent:
    path = Path(values["file"]) if values["file"] else shipped_tables(values["learned"])
    try:
        return NTupleAgent(name, path, depth=values["depth"])
    except FileNotFoundError:
        raise SpecError("agent.ntuple_file", file=f"{values['file']!r:.200}") from None
    except InputError as error:
        raise SpecError("agent.ntuple", cause=error) from None


KIND = Kind(
    "ntuple",
    "tables that each see a few cells, learned; off 7x6 minimax",
    _make,
    (
        word("learned", SHIPPED[0], "from exact scores, or from games against itself", SHIPPED),
        whole("depth", 0, "plies to look ahead; 0 is the tables alone", 0, MOST_DEPTH),
        rest("file", "other tables; made by claimeven train ntuple", ""),
    ),
    variants=("learned=self", "depth=2"),
)
