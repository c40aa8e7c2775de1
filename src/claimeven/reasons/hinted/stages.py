"""A hint in three stages: what to look at, the idea, the column. Each is made of what an explanation found.

No stage says how long a game lasts that nobody can see the end of. The disc is not on the board yet: what is
true only after it is told as that.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from claimeven.position import Cell
from claimeven.reasons.hinted.column import ANSWERS, column_stage
from claimeven.reasons.hinted.look import look_stage
from claimeven.reasons.hinted.stage import Stage
from claimeven.reasons.seen.geometry import region
from claimeven.reasons.told.explanation import Explanation
from claimeven.reasons.told.reason import Reason, ReasonKind
from claimeven.reasons.told.tell import Teller

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
    "threatens": "threatens",
    "safe_replies": "safe_replies",
    "gains_odd": "closes",
    "gains_even": "closes",
    "kills": "stops_line",
    "joins": "joins",
    "most_lines": "lines",
}
# The same of reasons that say less, and of the steps of a plan: told when there are no others.
LATER: dict[ReasonKind, str] = {
    "plan_key": "stacked",
    "count_end": "parity",
    "plan_swap": "follow",
    "plan_link": "follow",
    "plan_follow": "follow",
    "gains_wrong_odd": "closes",
    "gains_wrong_even": "closes",
    "worse": "worse",
    "line": "decides",
    "standing": "parity",
}
HIGHER = ("own_win", "their_win")  # what is said of them speaks of the cell below
LISTED: dict[str, Literal["and", "or"]] = {"own_win": "or", "their_win": "or", "below": "or"}
FAINT = ("joins", "lines", "closes", "stops_line", "prepares")  # ideas that wait while they are about to win


def stages(
    told: Explanation, looks: int | None = None, answers: Sequence[Cell] = ()
) -> tuple[Stage, Stage, Stage]:
    """Of the column that an explanation speaks for.

    `looks`: how many plies ahead, if it is not proved; `answers`: where they would win after it, if it loses.
    """
    teller = Teller(told.position.board, told.language)
    reason = _first(told)
    is_lost = told.score is not None and told.score.value < 0
    idea = (IDEAS | LATER)[reason.kind] if reason is not None else "worse"
    if is_lost and (reason is None or reason.kind not in IDEAS or (idea in FAINT and _they_stand(told))):
        reason, idea = None, "lost"
    shown = "lost.hard" if idea == "lost" and 1 <= len(answers) <= ANSWERS else idea
    warned = _handing_over(told) if is_lost and idea not in ("wins_now", "stop") else ()
    is_early = len(told.position.legal) - len(warned) > 1  # else to warn is to tell the column
    look = look_stage(told, reason, idea, teller)
    column = column_stage(told, reason, looks, answers, () if is_early else warned, teller)
    is_answered = reason is not None and reason.kind == "threatens"  # else their answers are told
    is_told = (idea == "lost" and not (warned and is_early)) or (
        1 <= len(answers) <= ANSWERS and not is_answered
    )
    if is_lost and not is_told:  # once
        column = replace(column, text=f"{column.text} {teller.words.say('hint.lost.all')}")
    return look, _idea(told, shown, look, reason, warned if is_early else (), teller), column


def _first(told: Explanation) -> Reason | None:
    """The reason that a hint is made of: one that speaks for its column, not for the other side."""
    said = [one for one in (*told.reasons, *told.steps) if not is_theirs(told, one)]
    found = (next((one for one in said if one.kind in ideas), None) for ideas in (IDEAS, LATER))
    return next(filter(None, found), None) or _shape(told)


def is_theirs(told: Explanation, reason: Reason) -> bool:
    """It says what the other side has or where it wins: true, but no reason to play here."""
    match reason.kind:
        case "line":
            return told.line is None or told.line.winner != told.position.side
        case "gains_wrong_odd" | "gains_wrong_even":
            return told.score is not None and told.score.value < 0
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


def _they_stand(told: Explanation) -> bool:
    """They have a winning cell already."""
    position = told.position
    return bool(position.board.winning_cells(position.theirs, position.mask))


def _handing_over(told: Explanation) -> tuple[Cell, ...]:
    """Where a disc would let them win right above it, unless the disc that is told does so, too."""
    position, board = told.position, told.position.board
    above = board.winning_cells(position.theirs, position.mask) & ~board.landings(position.mask)
    found = board.cells_of(board.landings(position.mask) & above >> 1)
    return () if any(cell.column == told.column for cell in found) else found


def _idea(
    told: Explanation,
    idea: str,
    look: Stage,
    reason: Reason | None,
    warned: tuple[Cell, ...],
    teller: Teller,
) -> Stage:
    """In one breath: where a disc would lose at once, that is the idea; else it goes on about the cells that
    the first stage pointed at."""
    say = teller.words.say
    if warned:
        return Stage("idea", say("hint.not", cells=teller.cells(warned, "or")), warned)
    about, cells = f"hint.{idea}.{look.point}", teller.cells(look.cells, LISTED.get(look.point, "and"))
    if idea == "closes" and not _makes(told, look.cells, reason):
        about = ""
    if about in teller.words.messages:
        return Stage("idea", say(about, n=len(look.cells), cells=cells), look.cells)
    is_aside = idea == "lines" and region(told.position.board, told.column) != "middle"
    plain = Stage("idea", say("hint.lines.side" if is_aside else f"hint.{idea}"))
    found = _stacked(told, teller) if idea == "stacked" else plain
    more, shown = f"hint.with.{look.point}", _higher(told, look) if look.point in HIGHER else look.cells
    if found.cells or not shown or more not in teller.words.messages:
        return found
    cells = teller.cells(shown, LISTED.get(look.point, "and"))
    return Stage("idea", f"{found.text} {say(more, cells=cells)}", shown)


def _higher(told: Explanation, look: Stage) -> tuple[Cell, ...]:
    """Those that no disc can fall on now: there is something right below them."""
    return tuple(cell for cell in look.cells if cell.row > told.position.height(cell.column))


def _makes(told: Explanation, discs: Sequence[Cell], reason: Reason | None) -> bool:
    """The disc and those of the first stage lack one cell: the winning cell of the reason."""
    board, spot = told.position.board, told.position.board.landing(told.position.mask, told.column)
    held = sum(board.bit(*cell) for cell in discs) | spot
    made = () if reason is None else [board.bit(*cell) for cell in reason.cells]
    return any(four & held == held and four & ~held in made for four in board.fours_by_cell[spot])


def _stacked(told: Explanation, teller: Teller) -> Stage:
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
        return Stage("idea", say("hint.stacked"))
    if not old:
        return Stage("idea", say("hint.stacked.aim"))
    lower = board.cells_of(old)[0]
    upper = Cell(lower.column, lower.row + 1)
    text = say("hint.stacked.stands", lower=teller.cell(lower), upper=teller.cell(upper))
    return Stage("idea", text, (lower, upper))
