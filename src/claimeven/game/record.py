"""The shape of a game record, and its JSON: one game, one line, strictly read.

These values are what `Game` stores and what the JSON holds: the types below *are* the format, and
game.schema.json is made from them. Nothing here knows the rules: whether the moves are legal and the
result fits them is for game.py to say.
"""

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal, get_args

from claimeven import notation, shapes
from claimeven.errors import RecordError
from claimeven.position import Position
from claimeven.shapes import Bound, ShapeError

FORMAT, VERSION = "c4game", 1
MAX_VARIATIONS = 1000  # in one game, and
MAX_DEPTH = 16  # inside each other: enough for any analysis, small enough for any reader
TAG_NAME = "[A-Za-z][A-Za-z0-9_]{0,63}"
_MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z"

# Tags of the text record that hold other parts of the game, so that no free tag may take their name.
RESERVED_TAGS = frozenset(
    ["Board", "Start", "Pie", "TimeControl", "Result", "Termination", "Id", "Created"]
    + [side + part for side in ("First", "Second") for part in ("", "Kind", "Spec", "Seed", "Rating")]
)

# The pie rule: no, yes, or the second player has taken the first disc, and with it the first side.
Pie = Literal["no", "yes", "swapped"]
Score = Literal["1-0", "0-1", "1/2-1/2", "*"]
Reason = Literal[
    "connect",  # a complete line
    "full",  # no free cell, no line
    "resign",
    "time",
    "abandon",  # a player left
    "disconnect",  # a connection was lost for too long
    "illegal",  # an agent chose a column it could not play
    "crash",  # an agent failed
    "agreement",  # a draw by agreement
    "abort",  # ended without a result
]

_DRAWN, _UNSCORED = ("full", "agreement"), ("abort",)
_SCORE_OF = {0: "1-0", 1: "0-1", None: "1/2-1/2"}

# The same sentence for Python (checked in __post_init__, with the character's place) and for the schema.
_LINE_PATTERN = r"^(?![\s\S]*[\u0000-\u001f\u007f-\u009f\ud800-\udfff])"
_TEXT_PATTERN = r"^(?![\s\S]*[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff])"
_END = r"(?![\s\S])"  # where Python's $ would also allow a line end


def _line(length: int, description: str) -> Bound:
    return Bound(longest=length, description=description, schema={"pattern": _LINE_PATTERN})


Ply = Annotated[int, Bound(least=0, most=127)]
Milliseconds = Annotated[int, Bound(least=0, most=10**12)]
Columns = Annotated[
    str,
    Bound(
        longest=127,
        description="one base-36 digit per move, columns from 1",
        schema={"pattern": f"^[1-9a-z]*{_END}"},
    ),
]
Times = Annotated[
    tuple[Milliseconds | None, ...],
    Bound(
        longest=127,
        description="milliseconds each move took; null where unknown; none at all or one per move",
    ),
]


@dataclass(frozen=True)
class Player:
    FORBIDS_OTHERS: ClassVar = True
    name: Annotated[str, _line(200, "as shown to people")] = ""
    kind: Literal["human", "agent"] = "human"
    spec: Annotated[str, _line(2000, "agent spec, like mcts:simulations=800")] = ""
    seed: Annotated[int, Bound(least=-(2**63), most=2**63 - 1)] | None = None
    rating: Annotated[int, Bound(least=-10_000, most=10_000)] | None = None

    def __post_init__(self) -> None:
        notation.check_line(self.name, "name")
        notation.check_line(self.spec, "spec")


@dataclass(frozen=True)
class Clock:
    FORBIDS_OTHERS: ClassVar = True
    initial_ms: Milliseconds
    increment_ms: Milliseconds = 0


@dataclass(frozen=True)
class Note:
    """A comment after the move that made `ply` stones, or, on the ply of the start, before all moves."""

    FORBIDS_OTHERS: ClassVar = True
    ply: Ply
    text: Annotated[str, Bound(longest=10_000, schema={"pattern": _TEXT_PATTERN})] = ""
    nag: Annotated[
        int,
        Bound(
            least=0, most=255, description="1 good, 2 mistake, 3 great, 4 blunder, 5 risky, 6 slow; 0 none"
        ),
    ] = 0

    def __post_init__(self) -> None:
        notation.check_text(self.text, "text")
        if not self.text and not self.nag:
            raise RecordError("record.empty_note")


@dataclass(frozen=True)
class Variation:
    """What could have been played instead of the move that made `ply` stones."""

    FORBIDS_OTHERS: ClassVar = True
    ply: Annotated[int, Bound(least=1, most=127)]
    moves: Columns
    notes: tuple[Note, ...] = ()
    variations: tuple["Variation", ...] = ()

    def __post_init__(self) -> None:
        _put_in_order(self)


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    FORBIDS_OTHERS: ClassVar = True
    score: Score
    reason: Reason

    def __post_init__(self) -> None:
        if self.reason in _UNSCORED:
            allowed: tuple[str, ...] = ("*",)
        elif self.reason in _DRAWN:
            allowed = ("1/2-1/2",)
        else:
            allowed = ("1-0", "0-1")
        if self.score not in allowed:
            raise RecordError(
                "record.result_means", reason=self.reason, allowed=" or ".join(allowed), score=self.score
            )

    @classmethod
    def of(cls, winner: int | None, reason: str) -> "Result":
        """The result when side `winner` (None: nobody) won for this reason."""
        if reason not in get_args(Reason):
            raise RecordError(
                "record.no_reason", reason=notation.quote(str(reason)), known=", ".join(get_args(Reason))
            )
        if winner not in _SCORE_OF:
            raise RecordError("record.winner", winner=repr(winner))
        score = "*" if reason in _UNSCORED and winner is None else _SCORE_OF[winner]
        return cls(score, reason)  # type: ignore[arg-type]

    @classmethod
    def shown(cls, position: Position) -> "Result | None":
        """The result that stands on the board; None when the game can go on."""
        if position.winner is not None:
            return cls.of(position.winner, "connect")
        return cls.of(None, "full") if position.is_over else None

    @property
    def winner(self) -> int | None:
        """0 or 1, or None when nobody won."""
        return {"1-0": 0, "0-1": 1}.get(self.score)


@dataclass(frozen=True, kw_only=True)
class Record:
    """One game of Connect Four, on a board of any size."""

    FORBIDS_OTHERS: ClassVar = True
    format: Literal["c4game"]
    version: Literal[1]
    board: Annotated[
        str,
        Bound(
            longest=32,
            description="columns x rows x connect",
            schema={"pattern": f"^[1-9][0-9]*x[1-9][0-9]*(x[1-9][0-9]*)?{_END}"},
        ),
    ]
    id: Annotated[str, _line(200, "unique where the game is kept")] = ""
    created: Annotated[
        str,
        Bound(
            description="the moment the game began, UTC",
            schema={"pattern": f"^({_MOMENT})?{_END}"},
        ),
    ] = ""
    start: Annotated[str, Bound(longest=300, description="moves or position text before the first move")] = ""
    pie: Annotated[
        Pie,
        Bound(
            description="whether the second player may take the first disc, and swap sides, or has done so"
        ),
    ] = "no"
    players: tuple[Player, Player] = (Player(), Player())
    clock: Clock | None = None
    moves: Columns = ""
    times_ms: Times = ()
    notes: tuple[Note, ...] = ()
    variations: tuple[Variation, ...] = ()
    result: Annotated[Result | None, Bound(description="null while the game is running")] = None
    tags: Annotated[
        dict[str, Annotated[str, _line(2000, "one line")]],
        Bound(
            longest=100,
            description="anything else, like Event, Site, Round",
            schema={
                "propertyNames": {"pattern": f"^{TAG_NAME}{_END}", "not": {"enum": sorted(RESERVED_TAGS)}}
            },
        ),
    ] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _put_in_order(self)
        notation.check_line(self.id, "id")
        if self.created:
            _check_moment(self.created)
        for name, value in self.tags.items():
            if not re.fullmatch(TAG_NAME, name):
                raise RecordError("record.tag_name", name=notation.quote(name))
            if name in RESERVED_TAGS:
                raise RecordError("record.tag_taken", name=name)
            notation.check_line(value, f"tag {name}")


def _put_in_order(line: Variation | Record) -> None:
    """Sort by ply, so that lines that mean the same are equal; variations of one ply keep their order."""
    for name in ("notes", "variations"):
        object.__setattr__(line, name, tuple(sorted(getattr(line, name), key=lambda part: part.ply)))


def _check_moment(text: str) -> None:
    if not re.fullmatch(_MOMENT, text):
        raise RecordError("record.moment_form", text=notation.quote(text))
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise RecordError("record.moment", text=notation.quote(text), reason=str(error)) from None


def make(**parts: Any) -> Record:
    """A record of these parts, checked: Python code may have set them to anything."""
    try:
        return _checked(shapes.plain({"format": FORMAT, "version": VERSION, **parts}))
    except (TypeError, RecursionError) as error:
        raise RecordError("record.parts", reason=str(error)) from None


def parse_json(text: str) -> Record:
    return _checked(notation.parse_json(text, "game record"))


def json_text(record: Record) -> str:
    """One line, without a line end."""
    return json.dumps(shapes.plain(record), ensure_ascii=False, separators=(",", ":"))


def json_schema() -> shapes.Schema:
    """The JSON Schema of a record, as published in game.schema.json."""
    schema = shapes.json_schema(Record)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A game of Connect Four"}
    return head | schema


def _checked(value: Any) -> Record:
    if isinstance(value, dict) and value.get("format") != FORMAT:
        raise RecordError("record.format", format=FORMAT)
    if isinstance(value, dict) and value.get("version") != VERSION:
        raise RecordError("record.version", version=VERSION)
    _check_nesting(value)
    try:
        return shapes.read(value, Record)
    except ShapeError as error:
        raise RecordError("record.shape", reason=str(error)) from None
    except RecursionError:
        raise RecordError("record.deep", what="game record") from None


def _check_nesting(value: Any) -> None:
    """Said before anything is read: a reader that goes down by itself has a limit of its own, less clear."""
    level = [value]
    for _ in range(MAX_DEPTH + 2):
        parts = [part["variations"] for part in level if isinstance(part, dict) and "variations" in part]
        level = [variation for part in parts if isinstance(part, list) for variation in part]
    if level:
        raise RecordError("record.depth", most=MAX_DEPTH)
