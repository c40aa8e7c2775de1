"""A table of Q-values with all that is known about how it was learned, and its file.

The file (docs/learning.md) is a line that names the format, a line of JSON, the entries by ascending key, and
the SHA-256 of all that. Nothing in it is ever executed.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, Self, get_args

from claimeven import _core
from claimeven.agents.kinds.qcurve import Point
from claimeven.errors import InputError
from claimeven.notation import quote
from claimeven.position import Board, Position
from claimeven.runner import write_whole
from claimeven.shapes import read

MAGIC = b"claimeven-q-table 1\n"
DIGEST = 32  # bytes
HEADER = 10_000_000  # bytes at most
MEGABYTES = 1024
SELF = "self"  # the opponent of who trains alone

Backup = Literal["negamax", "own"]


@dataclass(frozen=True)
class Rule:
    """How values are learned. The defaults are those of a game without chance, seen from both sides."""

    backup: Backup = "negamax"  # or own: from one own move to the next, as system A did
    alpha: float = 1.0  # how much of the difference is learned at once; in a game without chance, all of it
    gamma: float = 0.95  # what the same is worth a move later: wins are hurried, losses delayed
    initial: float = 0.0  # of a column never tried
    win: float = 1.0
    draw: float = 0.0
    loss: float = -1.0
    epsilon: float = 1.0  # share of random moves in the first game,
    epsilon_end: float = 0.1  # never less than this,
    half_life: float = 20_000.0  # halved after so many games
    openings: int = 0  # at most so many random moves begin a game
    mirror: bool = True  # a position and its mirror image are one

    def __post_init__(self) -> None:
        if self.backup not in get_args(Backup):
            raise InputError("training.backup", backup=f"{self.backup!r:.40}")
        for name in ("alpha", "gamma", "epsilon", "epsilon_end"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError("training.rate", name=name, value=getattr(self, name))
        if not self.half_life > 0:
            raise InputError("training.half_life", half_life=self.half_life)
        if not 0 <= self.openings <= 128:
            raise InputError("training.openings", openings=self.openings)

    def native(self) -> _core.QRule:
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("backup", "mirror")}
        return _core.QRule(negamax=self.backup == "negamax", **values)


# System A's rule, as its source has it: no random move ever, two players with a table each.
A = Rule("own", 0.9, 0.95, 0.6, 1.0, 0.5, 0.0, epsilon=0.0, epsilon_end=0.0, openings=0, mirror=False)
PRESETS = ("claimeven", "a")


def preset(name: str, board: Board) -> Rule:
    if name not in PRESETS:
        raise InputError("training.preset", known=" or ".join(PRESETS), name=quote(name))
    return A if name == "a" else Rule(openings=board.cells // 2)


@dataclass
class Table:
    """What was learned, and how."""

    board: Board
    rule: Rule
    opponent: str = SELF  # or a spec
    seed: int = 0
    megabytes: int = MEGABYTES  # there are no more entries than fit
    checkpoint: int = 0  # games between two points of the curve
    against: tuple[str, ...] = ()  # the opponents of the curve
    games: int = 0  # played so far
    curve: list[Point] = field(default_factory=list)
    parts: tuple[_core.QTable, ...] = ()  # two when each of two players has its own; the first one plays

    def __post_init__(self) -> None:
        if not self.parts:
            count = 2 if self.rule.backup == "own" and self.opponent == SELF else 1
            self.parts = tuple(self._empty(count) for _ in range(count))

    def _empty(self, count: int) -> _core.QTable:
        board = self.board
        word = 8 if board.columns * (board.rows + 1) <= 64 else 16
        each = word + 4 * board.columns + 12  # with the slots that find it
        most = max(1, (self.megabytes << 20) // each // count)
        return _core.QTable(board.columns, board.rows, board.reach, mirrors=self.rule.mirror, most=most)

    @property
    def states(self) -> int:
        return sum(part.states for part in self.parts)

    @property
    def is_full(self) -> bool:
        return any(part.is_full for part in self.parts)

    def values(self, position: Position) -> dict[int, float]:
        """What the columns are worth to the side to move, as far as they were tried."""
        found = self.parts[0].values(position.mine, position.mask)
        return {column: value for column in position.legal if (value := found[column]) is not None}

    def best(self, position: Position) -> int:
        """The column of the greatest value; what was tried before what was not, then as the rule has it."""
        values, by_left = self.values(position), self.rule.backup == "own"
        order = range(position.board.columns) if by_left else position.board.from_centre

        def rank(column: int) -> tuple[float, ...]:
            is_tried = not by_left and column in values
            return (values.get(column, self.rule.initial), is_tried, -order.index(column))

        return max(position.legal, key=rank)

    def settings(self) -> dict[str, object]:
        """What makes two trainings the same."""
        return {
            "board": str(self.board),
            **asdict(self.rule),
            "opponent": self.opponent,
            "seed": self.seed,
            "megabytes": self.megabytes,
            "checkpoint": self.checkpoint,
            "against": list(self.against),
        }

    # Files --------------------------------------------------------------------------------------------

    def write(self, path: Path) -> None:
        header = {
            **self.settings(),
            "games": self.games,
            "states": [part.states for part in self.parts],
            "curve": [asdict(point) for point in self.curve],
        }
        content = MAGIC + json.dumps(header, ensure_ascii=False).encode() + b"\n"
        content += b"".join(part.save() for part in self.parts)
        write_whole(path, content + hashlib.sha256(content).digest())

    @classmethod
    def read(cls, path: Path) -> Self:
        try:
            return cls.parse(path.read_bytes(), str(path))
        except FileNotFoundError:
            raise InputError("no_file", path=quote(str(path))) from None

    @classmethod
    def parse(cls, content: bytes, name: str) -> Self:
        """The table in a file of this name."""
        if not content.startswith(MAGIC):
            raise InputError("table.other", name=name)
        body, digest = content[:-DIGEST], content[-DIGEST:]
        if hashlib.sha256(body).digest() != digest:
            raise InputError("table.checksum", name=name)
        end = body.find(b"\n", len(MAGIC), len(MAGIC) + HEADER)
        try:
            header = json.loads(body[len(MAGIC) : end])
            table = cls._from(header)
            at = end + 1
            for part, states in zip(table.parts, header["states"], strict=True):
                size = states * _entry(table.board)
                part.load(body[at : at + size])
                if part.states != states:
                    raise ValueError("entries are missing")
                at += size
            if at != len(body):
                raise ValueError("something follows the entries")
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
            raise InputError("table.unusable", name=name, reason=str(error)) from None
        return table

    @classmethod
    def _from(cls, header: Mapping[str, Any]) -> Self:
        names = [f.name for f in fields(Rule)]
        rule = replace(Rule(), **{name: type(getattr(A, name))(header[name]) for name in names})
        return cls(
            board=Board.parse(header["board"]),
            rule=rule,
            opponent=str(header["opponent"]),
            seed=int(header["seed"]),
            megabytes=int(header["megabytes"]),
            checkpoint=int(header["checkpoint"]),
            against=tuple(map(str, header["against"])),
            games=int(header["games"]),
            curve=[read(point, Point) for point in header["curve"]],
        )


def _entry(board: Board) -> int:
    """Bytes of an entry: the key, then a number for every column."""
    return (8 if board.columns * (board.rows + 1) <= 64 else 16) + 4 * board.columns
