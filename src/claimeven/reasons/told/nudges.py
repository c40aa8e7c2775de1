"""A hint in three stages: what to look for, the idea, the column. Each is made of what an explanation found.

The first gives something to do: cells, a line, or a question that leads to the idea; never the column. No
stage says how long a game lasts that nobody can see the end of. The disc is not on the board yet: what is
true only after it is told as that.
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
# What is asked first where neither cells nor a line can be named: by the idea that comes then.
QUESTIONS: dict[str, str] = {
    "denies_fork": "theirs",
    "denies_stacked": "theirs",
    "takes": "theirs",
    "stops_line": "theirs",
    "lines": "cross",
    "joins": "mine",
    "fork": "mine",
    "stacked": "mine",
    "prepares": "mine",
    "threatens": "force",
    "forced": "force",
    "zugzwang": "safe",
    "safe_replies": "safe",
    "parity": "safe",
    "follow": "safe",
    "decides": "later",
    "gains_odd": "later",
    "gains_even": "later",
    "closes": "later",
    "rows": "later",
    "worse": "above",
    "lost": "hardest",
}
# The same of reasons that say less, and of the steps of a plan: asked when there are no others.
LATER: dict[ReasonKind, str] = {
    "plan_key": "stacked",
    "plan_swap": "follow",
    "plan_link": "follow",
    "plan_follow": "follow",
    "gains_wrong_odd": "closes",
    "gains_wrong_even": "closes",
    "worse": "worse",
    "line": "decides",
    "aim": "rows",
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
    is_lost = told.score is not None and told.score.value < 0
    idea = (IDEAS | LATER)[reason.kind] if reason is not None else "lost" if is_lost else "worse"
    warned = _handing_over(told) if is_lost and idea not in ("wins_now", "stop") else ()
    is_early = len(told.position.legal) - len(warned) > 1  # else to warn is to tell the column
    return (
        _look(told, reason, idea, teller),
        _idea(told, idea, warned if is_early else (), teller),
        _column(told, looks, () if is_early else warned, teller),
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


def _handing_over(told: Explanation) -> tuple[Cell, ...]:
    """Where a disc would let them win right above it, unless the disc that is told does so, too."""
    position, board = told.position, told.position.board
    above = board.winning_cells(position.theirs, position.mask) & ~board.landings(position.mask)
    found = board.cells_of(board.landings(position.mask) & above >> 1)
    return () if any(cell.column == told.column for cell in found) else found


def _idea(told: Explanation, idea: str, warned: tuple[Cell, ...], teller: Teller) -> Stage:
    say, board = teller.words.say, told.position.board
    text = say(f"hint.{idea}") if idea != "stacked" else _stacked(told, teller)
    if idea == "lines" and region(board, told.column) != "middle":
        text = say("hint.lines.side")
    if warned:
        text = f"{say('hint.not', cells=teller.cells(warned, 'or'))} {text}"
    return Stage("idea", text, warned)


def _stacked(told: Explanation, teller: Teller) -> str:
    """Two winning cells above each other: the disc makes them, or they stand already, or they come later."""
    position, board, say = told.position, told.position.board, teller.words.say
    after = position.play(told.column)
    old, new = (
        wins & wins >> 1  # the lower of two
        for wins in (
            board.winning_cells(position.mine, position.mask),
            board.winning_cells(after.theirs, after.mask),
        )
    )
    if new & ~old:
        return say("hint.stacked")
    if not old:
        return say("hint.stacked.aim")
    lower = board.cells_of(old)[0]
    upper = Cell(lower.column, lower.row + 1)
    return say("hint.stacked.stands", lower=teller.cell(lower), upper=teller.cell(upper))


def _look(told: Explanation, reason: Reason | None, idea: str, teller: Teller) -> Stage:
    say, question = teller.words.say, QUESTIONS.get(idea, "above")
    if idea == "wins_now":
        return Stage("look", say("hint.chance"))
    if idea == "stop":
        return Stage("look", say("hint.blocks"))
    whose = "theirs" if question == "theirs" else "mine"
    is_shown = reason is not None and idea not in ("worse", "safe_replies")
    cells = _near(told.position, told.column, reason.cells) if reason is not None and is_shown else ()
    if 0 < len(cells) <= MANY:
        asked = "either" if idea == "follow" else whose
        return Stage("look", say(f"hint.cells.{asked}", cells=teller.cells(cells)), cells)
    line = None if reason is None else _open_line(told.position, reason, is_theirs=whose == "theirs")
    if line is not None:
        return Stage("look", say(f"hint.line.{whose}", four=teller.ends(line)))
    if question == "cross" and not any(fact.kind == "most_lines" for fact in told.facts):
        question = "mine"  # more lines cross elsewhere
    return Stage("look", say(f"hint.ask.{_about_lines(told) if question == 'mine' else question}"))


def _about_lines(told: Explanation) -> str:
    """What can be asked of the lines on which the disc falls: open, with a disc of the player on each."""
    position, board = told.position, told.position.board
    cell = board.landing(position.mask, told.column)
    lines = [x for x in board.fours_by_cell[cell] if x & position.mine and not x & position.theirs]
    if any(one & other == cell for one in lines for other in lines):
        return "mine"
    return "line" if lines else "above"


def _open_line(position: Position, reason: Reason, *, is_theirs: bool) -> tuple[Cell, ...] | None:
    """A line of a reason that is still open, of the side that the reason is about, with two discs or more.

    It leaves at least two columns to choose from: so it does not tell the one to play.
    """
    stones, others = position.theirs, position.mine
    if not is_theirs:
        stones, others = others, stones
    for four in reason.fours:
        bits = [position.board.bit(*cell) for cell in four]
        free = {cell.column for cell, bit in zip(four, bits, strict=True) if not bit & position.mask}
        is_open = not any(bit & others for bit in bits)
        if is_open and len(free) > 1 and sum(bool(bit & stones) for bit in bits) > 1:
            return four
    return None


def _near(position: Position, column: int, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Where a disc can fall now, or right above such a cell: who looks there sees why.

    Without the column of the answer, from left to right; a cell high above everything helps nobody.
    """
    found: list[Cell] = []
    for cell in sorted(cell for cell in set(cells) if cell.column != column):
        if cell.row == position.height(cell.column) or Cell(cell.column, cell.row - 1) in found:
            found.append(cell)
    return tuple(found)


def region(board: Board, column: int) -> Literal["left", "middle", "right"]:
    """Which part of the board a column lies in; the middle is what is as far from both sides as it gets."""
    third = board.columns / 3
    if column + 1 <= third:
        return "left"
    return "right" if column >= board.columns - third else "middle"


def _column(told: Explanation, looks: int | None, warned: tuple[Cell, ...], teller: Teller) -> Stage:
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
    said = [] if why is None else [_of_then(why, teller)]
    if why is not None and why in told.steps and told.steps[0].moves:
        said = [told.steps[0].text, why.text]  # the plan begins later: then it is true, not yet on the board
    if warned:
        said.append(say("hint.not", cells=teller.cells(warned, "or")))
    return Stage("column", " ".join([verdict, *said, *_why_lost(told, teller)]), (cell,))


def _of_then(reason: Reason, teller: Teller) -> str:
    """A count is one of the board with the disc on it, and of their turn."""
    return teller.words.say("hint.after", text=_small(reason.text)) if reason.kind == "count" else reason.text


def _why_lost(told: Explanation, teller: Teller) -> list[str]:
    """Where best play leads, if they win."""
    if told.score is None or told.score.value >= 0:
        return []
    found = [one for one in told.reasons if one.kind == "line" and _is_theirs(told, one)]
    return [teller.words.say("hint.behind", text=_small(one.text)) for one in found[:1]]


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
