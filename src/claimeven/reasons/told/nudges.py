"""A hint in three stages: where to look, the idea, the column. Each is made of what an explanation found.

No stage says how long a game lasts that nobody can see the end of.
"""

from dataclasses import dataclass
from typing import Literal, TypedDict

from claimeven.position import Board, Cell, Position
from claimeven.reasons.told.explanation import Explanation
from claimeven.reasons.told.reason import Reason, ReasonKind
from claimeven.reasons.told.tell import Teller

StageKind = Literal["look", "idea", "column"]
STAGES = 3
SOON = 4  # moves: a win that a person can see coming
MANY = 4  # cells: to look at more is to look at the board
# What a reason comes to, without its cells; the sentences are in the catalogue, as hint.*
IDEAS: dict[ReasonKind, str] = {
    "wins_now": "wins_now",
    "blocks": "stop",
    "blocks_one": "stop",
    "open_three": "fork",
    "fork": "fork",
    "forced_fork": "forced",
    "stacked": "stacked",
    "stacked_pair": "stacked",
    "seven_trap": "stacked",
    "forced_stacked": "forced",
    "zugzwang": "zugzwang",
    "forced_zugzwang": "forced",
    "stops_fork": "denies_fork",
    "stops_stacked": "denies_stacked",
    "stops_force": "takes",
    "prepares_fork": "prepares",
    "prepares_stacked": "prepares",
    "middle": "lines",
    "denies_fork": "denies_fork",
    "takes_only": "takes",
    "takes_one": "takes",
    "stops_line": "stops_line",
    "count": "parity",
    "count_end": "parity",
    "threatens": "threatens",
    "safe_replies": "safe_replies",
    "gains_odd": "gains_odd",
    "gains_even": "gains_even",
    "kills": "stops_line",
    "joins": "joins",
    "most_lines": "lines",
}
THEIRS: tuple[ReasonKind, ...] = ("stops_fork", "stops_stacked", "denies_fork")  # whose cells they want
# The same of reasons that say less, and of the steps of a plan: asked when there are no others.
LATER: dict[ReasonKind, str] = {
    "plan_key": "stacked",
    "plan_swap": "follow",
    "plan_link": "follow",
    "plan_follow": "follow",
    "wastes_threat": "threatens",
    "gains_wrong_odd": "closes",
    "gains_wrong_even": "closes",
    "worse": "worse",
    "line": "decides",
    "aim": "decides",
    "standing": "parity",
    "rows": "rows",
    "fault": "lost",
}


class StageJson(TypedDict):
    kind: StageKind
    text: str
    cells: list[str]


@dataclass(frozen=True)
class Stage:
    kind: StageKind
    text: str
    cells: tuple[Cell, ...] = ()

    def to_json(self, board: Board) -> StageJson:
        return {
            "kind": self.kind,
            "text": self.text,
            "cells": [board.cell_name(cell) for cell in self.cells],
        }


def stages(told: Explanation, looks: int | None = None) -> tuple[Stage, Stage, Stage]:
    """Of the column that an explanation speaks for; `looks`: how many plies ahead, if it is not proved."""
    teller = Teller(told.position.board, told.language)
    reason = _first(told)
    idea = "quiet" if reason is None else (IDEAS | LATER)[reason.kind]
    return (
        _look(told, reason, teller),
        Stage("idea", teller.words.say(f"hint.{idea}")),
        _column(told, looks, teller),
    )


def _first(told: Explanation) -> Reason | None:
    """The reason that a hint is made of: one that speaks for its column, not for the other side."""
    said = [one for one in (*told.reasons, *told.steps) if not _is_theirs(told, one)]
    found = (next((one for one in said if one.kind in ideas), None) for ideas in (IDEAS, LATER))
    return next(filter(None, found), None) or _shape(told)


def _is_theirs(told: Explanation, reason: Reason) -> bool:
    """It says what the other side has or where it wins: true, but no reason to play here."""
    is_lost = told.score is not None and told.score.value < 0
    match reason.kind:
        case "line" | "aim":
            return told.line is None or told.line.winner != told.position.side
        case "count" | "count_end" | "rows" | "gains_wrong_odd" | "gains_wrong_even":
            return is_lost
        case "standing":
            after = told.position.play(told.column)
            wins = after.board.winning_cells(after.mine, after.mask)
            return any(after.board.bit(*cell) & wins for cell in reason.cells)
    return False


def _shape(told: Explanation) -> Reason | None:
    """What a disc does for lines, where nothing else speaks for it: first what it stops."""
    teller = Teller(told.position.board, told.language)
    lines = [fact for fact in told.facts if fact.kind in ("kills", "joins") and (fact.stones or 0) > 1]
    lines.sort(key=lambda fact: (-(fact.stones or 0), fact.kind == "joins"))
    return teller.fact(lines[0]) if lines else None


def _look(told: Explanation, reason: Reason | None, teller: Teller) -> Stage:
    kind = None if reason is None else reason.kind
    if kind == "wins_now":
        return Stage("look", teller.words.say("hint.chance"))
    if kind in ("blocks", "blocks_one"):
        return Stage("look", teller.words.say("hint.blocks"))
    cells = () if reason is None or kind == "worse" else _near(told.position, told.column, reason.cells)
    if 0 < len(cells) <= MANY:
        code = "hint.keys_theirs" if kind in THEIRS else "hint.keys"
        return Stage("look", teller.words.say(code, cells=teller.cells(cells)), cells)
    return Stage("look", teller.words.say(f"hint.{region(told.position.board, told.column)}"))


def _near(position: Position, column: int, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Where a disc can fall now, or right above such a cell or the answer: who looks there sees why.

    Without the answer itself, from left to right; a cell high above everything tells nobody what to do.
    """
    answer = Cell(column, position.height(column))
    found: list[Cell] = []
    for cell in sorted(set(cells) - {answer}):
        below = Cell(cell.column, cell.row - 1)
        if cell.row == position.height(cell.column) or below == answer or below in found:
            found.append(cell)
    return tuple(found)


def region(board: Board, column: int) -> Literal["left", "middle", "right"]:
    """Which part of the board a column lies in; the middle is what is as far from both sides as it gets."""
    third = board.columns / 3
    if column + 1 <= third:
        return "left"
    return "right" if column >= board.columns - third else "middle"


def _column(told: Explanation, looks: int | None, teller: Teller) -> Stage:
    say, digit, score = teller.words.say, teller.column(told.column), told.score
    if score is None:
        verdict = say("hint.looks", n=looks or 0, column=digit)
    elif score.value < 0:
        verdict = say("hint.try", column=digit)
    elif score.value == 0 or (score.moves or 0) > SOON:
        verdict = say(f"hint.holds_{score.outcome}", column=digit)
    else:
        verdict = teller.verdict(told.column, score)
    cell = Cell(told.column, told.position.height(told.column))
    why = _first(told)
    if why is None and score is not None and score.value < 0:
        return Stage("column", f"{verdict} {say('hint.longest')}", (cell,))
    said = [] if why is None else [why.text]
    if why in told.steps and told.steps[0].moves:
        said = [told.steps[0].text, *said]  # the plan begins later: then it is true, not yet on the board
    return Stage("column", " ".join([verdict, *said]), (cell,))
