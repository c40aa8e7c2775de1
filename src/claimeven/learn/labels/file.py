"""The file of labelled positions, written and read as numpy's arrays.

| part | what |
|---|---|
| first line | `claimeven-labels 1` |
| second line | JSON: board, seed, and how many positions |
| keys | `Position.canonical_key` of every position, ascending, little-endian, 8 bytes each |
| scores | for every position a signed byte per column, as the position with that key has them |
| last 32 bytes | SHA-256 of all that |

A byte is the score for the side to move; -128 is a full column; 100 and -100 are a win and a loss whose score
was not asked for. Where only the value of the position is known, every open column has 64 more than that.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimeven.board import Board
from claimeven.errors import InputError
from claimeven.learn.labels.bits import Geometry
from claimeven.learn.labels.exact import ILLEGAL, VALUE
from claimeven.runner import write_whole

if TYPE_CHECKING:
    from claimeven.arrays import Values, Words

FIRST = b"claimeven-labels 1\n"
TAIL = 32  # bytes of the checksum
MERE_VALUES = VALUE // 2  # are above that; scores of boards that can be labelled below


@dataclass(frozen=True)
class Labels:
    """Positions of one board with the scores of their columns: rows that belong together."""

    board: Board
    keys: "Words"
    scores: "Values"
    about: dict[str, Any]

    def words(self) -> "Words":
        """As `arrays` has positions: `mine`, `mask`."""
        import numpy as np

        return np.stack(Geometry(self.board).stones_of(self.keys), axis=1)

    def write(self, path: Path) -> None:
        about = {"board": str(self.board), **self.about, "positions": len(self.keys)}
        data = FIRST + json.dumps(about).encode() + b"\n"
        data += self.keys.astype("<u8").tobytes() + self.scores.astype("i1").tobytes()
        write_whole(path, data + hashlib.sha256(data).digest())


def read_labels(path: Path) -> Labels:
    import numpy as np

    data = path.read_bytes()
    if not data.startswith(FIRST):
        raise InputError("label.kind", path=path)
    if hashlib.sha256(data[:-TAIL]).digest() != data[-TAIL:]:
        raise InputError("file.damaged", path=path)
    line, _, rows = data[len(FIRST) : -TAIL].partition(b"\n")
    about = json.loads(line)
    board, count = Board.parse(about.pop("board")), about.pop("positions")
    keys = np.frombuffer(rows, "<u8", count)
    scores = np.frombuffer(rows, np.int8, count * board.columns, 8 * count).reshape(count, board.columns)
    return Labels(board, keys, scores, about)


def merged(board: Board, parts: "list[tuple[Words, Values]]", about: dict[str, Any]) -> Labels:
    """One file of many parts: by ascending key, every position once, the label that says most of it."""
    import numpy as np

    keys = np.concatenate([keys for keys, _ in parts])
    scores = np.concatenate([scores for _, scores in parts])
    # Exact scores are small, then come mere values, then outcomes; but an outcome of every column says more.
    most = np.where(scores == ILLEGAL, 0, np.abs(scores.astype(np.int16))).max(axis=1)
    roughness = np.select([most == 100, most >= MERE_VALUES], [1, 2], 0)
    order = np.lexsort((roughness, keys))
    keys, scores = keys[order], scores[order]
    is_first = np.ones(len(keys), np.bool_)
    is_first[1:] = keys[1:] != keys[:-1]
    return Labels(board, keys[is_first], scores[is_first], about)
