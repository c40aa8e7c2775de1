"""The kinds of entries and what fits them; `make types` tells the page (ENTRIES in contract.ts).

An entry stays the plain value that it was read as: one from a newer version may say more.
"""

from typing import Annotated, Literal, TypedDict

from claimeven.board import MAX_COLUMNS
from claimeven.shapes import Bound

PuzzleMode = Literal["train", "daily", "streak", "timed", "card"]
RunMode = Literal["streak", "timed"]
MOST = 20_000  # entries kept; the oldest are forgotten first

Text = Annotated[str, Bound(shortest=1, longest=64)]
Grade = Literal[1, 2, 3, 4]  # 1 wrong, 2 with help, 3 right, 4 right and quickly
Moves = Annotated[str, Bound(pattern="^[1-9a-z]{0,128}$")]

Day = Annotated[
    str, Bound(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="where the person is, like 2026-11-16")
]


class _Fact(TypedDict):
    id: Text  # unlike any other
    at: Annotated[int, Bound(least=0, most=8_640_000_000_000_000)]  # milliseconds


class TriedEntry(_Fact):
    """A puzzle was tried, for the first time on this board: solved without an error or help, or not."""

    kind: Literal["puzzle"]
    puzzle: Text
    theme: Text
    rating: Annotated[int, Bound(least=0, most=4000, description="of the puzzle as it is shipped")]
    grade: Grade
    mode: PuzzleMode
    day: Day


class FoundEntry(_Fact):
    """The puzzle of a day was missed at first, or a hint was taken, and then it was solved."""

    kind: Literal["found"]
    puzzle: Text
    day: Day


class MissedEntry(_Fact):
    """A moment of an own game that could have gone better: a card to find it again."""

    kind: Literal["moment"]
    card: Text
    moves: Moves  # up to the moment
    better: Annotated[
        list[Annotated[int, Bound(least=1, most=MAX_COLUMNS)]],
        Bound(shortest=1, description="columns, from 1"),
    ]
    what: Text  # the kind of mistake


class GradedEntry(_Fact):
    """A card of a moment was seen again."""

    kind: Literal["grade"]
    card: Text
    grade: Grade


class RunEntry(_Fact):
    """A run is over: so many in a row, or within the time."""

    kind: Literal["run"]
    mode: RunMode
    count: Annotated[int, Bound(least=0, most=100_000)]


class GameEntry(_Fact):
    """A game against an agent is over."""

    kind: Literal["game"]
    game: Text
    moves: Moves
    start: Annotated[str, Bound(longest=400, description="what was on the board before, if anything")]
    size: Text
    side: Annotated[int, Bound(least=1, most=2)]
    opponent: Annotated[str, Bound(shortest=1, longest=200, description="level:3")]
    score: Annotated[float, Bound(one_of=(0, 0.5, 1))]


class LookedEntry(_Fact):
    """The moments of a game have been looked for."""

    kind: Literal["looked"]
    game: Text


Entry = TriedEntry | FoundEntry | MissedEntry | GradedEntry | RunEntry | GameEntry | LookedEntry
KINDS: dict[str, type[Entry]] = {
    "puzzle": TriedEntry,
    "found": FoundEntry,
    "moment": MissedEntry,
    "grade": GradedEntry,
    "run": RunEntry,
    "game": GameEntry,
    "looked": LookedEntry,
}
