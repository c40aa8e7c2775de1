"""A fact: one claim about playing a column, small enough to be checked by a machine."""

from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from claimeven import notation
from claimeven.position import Board, Cell

# What the rules show of a move (move.py).
SeenKind = Literal[
    "wins_now",
    "misses_win",
    "blocks",
    "blocks_one",
    "leaves_win",
    "gives_win",
    "wastes_threat",
    "open_three",
    "fork",
    "stacked",
    "zugzwang",
    "threatens",
    "safe_replies",
    "gains_odd",
    "gains_even",
    "gains_wrong_odd",
    "gains_wrong_even",
    "stacked_pair",
    "seven_trap",
    "undercuts",
    "undercut_by",
    "denies_fork",
    "prepares_fork",
    "prepares_stacked",
    "middle",
    "most_lines",
    "joins",
    "kills",
    "runs",
    "their_runs",
    "tempo",
]
# How its exact score compares with those of the other columns (rank.py).
RankKind = Literal[
    "only_legal",
    "only_win",
    "win_sooner",
    "as_soon",
    "slow_win",
    "throws_win",
    "blunders",
    "all_draw",
    "only_draw",
    "avoids_losing",
    "walks_into_loss",
    "all_lose",
    "lose_later",
    "lose_sooner",
]
# What it prevents (told/prevention.py), and a line in which every answer is the only one (told/line.py).
PreventedKind = Literal["takes_only", "takes_one", "stops_line", "stops_fork", "stops_stacked", "stops_force"]
ForcedKind = Literal["forced_fork", "forced_stacked", "forced_zugzwang"]
PlanKind = Literal["plan_key", "plan_hold"]  # of a plan (told/steps.py)
FactKind = SeenKind | RankKind | PreventedKind | ForcedKind | PlanKind | Literal["score"]


class FactJson(TypedDict):
    kind: FactKind
    column: str
    cells: NotRequired[list[str]]
    fours: NotRequired[list[list[str]]]
    line: NotRequired[str]
    other: NotRequired[str]
    columns: NotRequired[list[str]]
    count: NotRequired[int]
    stones: NotRequired[int]
    value: NotRequired[int]
    moves: NotRequired[int]


@dataclass(frozen=True)
class Fact:
    """`kind` says what is claimed, the rest of what; docs/explanations.md lists the kinds.

    A fact belongs to a position and to the move `column` of its side to move ("you"; the other side is
    "they"). Which of the other fields a kind uses is fixed.
    """

    kind: FactKind
    column: int
    cells: tuple[Cell, ...] = ()
    fours: tuple[tuple[Cell, ...], ...] = ()  # lines of the board that show it
    line: tuple[int, ...] = ()  # columns played in turn, the first is `column`
    count: int | None = None
    stones: int | None = None  # in a run or line
    value: int | None = None  # a score of the side to move
    moves: int | None = None  # the winner's, still to be made
    other: int | None = None  # another column that is compared
    columns: tuple[int, ...] = ()  # several others

    def to_json(self, board: Board) -> FactJson:
        """Plain values; columns count from 1, as in every text. What a kind does not use is left out."""
        found: FactJson = {"kind": self.kind, "column": notation.column_digit(self.column)}
        if self.cells:
            found["cells"] = [board.cell_name(cell) for cell in self.cells]
        if self.fours:
            found["fours"] = [[board.cell_name(cell) for cell in four] for four in self.fours]
        if self.line:
            found["line"] = notation.moves_text(self.line)
        if self.other is not None:
            found["other"] = notation.column_digit(self.other)
        if self.columns:
            found["columns"] = [notation.column_digit(column) for column in self.columns]
        if self.count is not None:
            found["count"] = self.count
        if self.stones is not None:
            found["stones"] = self.stones
        if self.value is not None:
            found["value"] = self.value
        if self.moves is not None:
            found["moves"] = self.moves
        return found
