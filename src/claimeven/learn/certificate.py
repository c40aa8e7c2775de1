"""What a deterministic agent can be made to do: its games against every reply, to the end.

Breadth first: all positions of one ply at once, each once, whatever line leads to it; mirror images are one
where the agent says that it answers them alike (`is_symmetric`). No solver is asked. A file keeps every
choice, so that anybody can check it without the agent: docs/examples/check_certificate.py does, and shares no
code with this.
"""

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from claimeven.agents import Agent, make_agent
from claimeven.board import Board
from claimeven.errors import InputError
from claimeven.learn.labels.bits import Geometry
from claimeven.learn.many import columns_of
from claimeven.position import Position
from claimeven.runner import Execute, run, write_whole

if TYPE_CHECKING:
    from claimeven.arrays import Values, Words

FIRST = b"claimeven-certificate 1\n"
SHARD = 20_000  # positions

Counting = Callable[[int], None]  # called with the positions met so far


@dataclass
class Certificate:
    """How all games of an agent with one side end; each end is counted once for every position before it."""

    agent: str
    board: str
    side: int
    mirrors: bool  # a position and its mirror image were met as one
    met: int = 0  # positions in which the agent had to move
    won: int = 0
    drawn: int = 0
    lost: int = 0
    start: str = ""  # the moves before: only games that begin with them are played
    # By ply, ascending: the keys of the positions met and the columns that the agent took.
    levels: "list[tuple[int, Words, Values]]" = field(default_factory=list, repr=False)

    @property
    def never_loses(self) -> bool:
        return self.lost == 0

    def counts(self) -> dict[str, object]:
        told = asdict(self)
        return {name: told[name] for name in told if name != "levels" and (name != "start" or self.start)}

    def write(self, path: Path) -> None:
        about = {**self.counts(), "levels": [[ply, len(keys)] for ply, keys, _ in self.levels]}
        data = FIRST + json.dumps(about).encode() + b"\n"
        data += b"".join(keys.astype("<u8").tobytes() + taken.tobytes() for _, keys, taken in self.levels)
        write_whole(path, data + hashlib.sha256(data).digest())


def certify(
    spec: str,
    side: int,
    board: Board | None = None,
    *,
    start: str = "",
    workers: int = 1,
    folder: Path | None = None,
    progress: Counting | None = None,
    execute: Execute | None = None,
) -> Certificate:
    """Play the agent against every reply, from the start or after some moves.

    With a folder, what is done is kept there and goes on from it."""
    import numpy as np

    board = board or Board()
    geometry = Geometry(board)
    agent = make_agent(spec, 0)
    mirrors = getattr(agent, "is_symmetric", False)
    found = Certificate(agent.name, str(board), side, mirrors, start=start)
    first = Position.parse(start, board)
    if first.is_over:
        raise InputError("match.opening_over", opening=start)
    keys = np.array([min(first.key, first.mirror().key) if mirrors else first.key], np.uint64)
    for ply in range(len(start), board.cells):
        if not len(keys):
            break
        mine, mask = geometry.stones_of(keys)
        if ply % 2 == side:
            found.met += len(keys)
            if progress is not None:
                progress(found.met)
            part = None if folder is None else folder / f"ply-{ply:02}"
            taken = _taken(found, keys, workers, part, execute)
            found.levels.append((ply, keys, taken))
            columns = np.array([geometry.column(c) for c in range(board.columns)], np.uint64)
            cells = geometry.landing(mask) & columns[taken]
        else:
            cells, mine, mask = _replies(geometry, mine, mask)
        mine, mask = mine ^ mask, mask | cells
        is_won = geometry.is_won(mine ^ mask)
        is_drawn = ~is_won & (mask == np.uint64(geometry.full))
        found.won += int(is_won.sum()) if ply % 2 == side else 0
        found.lost += int(is_won.sum()) if ply % 2 != side else 0
        found.drawn += int(is_drawn.sum())
        after = (mine + mask)[~is_won & ~is_drawn]
        keys = np.unique(np.minimum(after, geometry.mirror(after)) if mirrors else after)
    return found


def _replies(geometry: Geometry, mine: "Words", mask: "Words") -> "tuple[Words, Words, Words]":
    """Every legal cell, and the position in which it is played."""
    import numpy as np

    columns = np.array([geometry.column(c) for c in range(geometry.board.columns)], np.uint64)
    cells = geometry.landing(mask)[:, None] & columns
    is_open = cells != 0
    repeated = (np.broadcast_to(half[:, None], cells.shape)[is_open] for half in (mine, mask))
    return cells[is_open], *repeated


def _taken(
    found: Certificate, keys: "Words", workers: int, folder: Path | None, execute: Execute | None
) -> "Values":
    import numpy as np

    items = [
        (found.agent, found.board, base64.b85encode(keys[i : i + SHARD].astype("<u8").tobytes()).decode())
        for i in range(0, len(keys), SHARD)
    ]
    about = {"agent": found.agent, "board": found.board, **({"start": found.start} if found.start else {})}
    texts = run(
        _columns, items, workers=workers, folder=folder, name="certify", parameters=about, execute=execute
    )
    return np.frombuffer(b"".join(map(base64.b85decode, texts)), np.int8)


def _columns(item: tuple[str, str, str], _seed: int) -> str:
    """The task: the agent's columns in these positions."""
    import numpy as np

    spec, size, text = item
    board, agent = Board.parse(size), _agent(spec)
    mine, mask = Geometry(board).stones_of(np.frombuffer(base64.b85decode(text), "<u8"))
    return base64.b85encode(columns_of(agent, board, mine, mask).tobytes()).decode()


@lru_cache(maxsize=1)
def _agent(spec: str) -> Agent:
    return make_agent(spec, 0)
