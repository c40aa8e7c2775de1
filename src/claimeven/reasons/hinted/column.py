"""The last stage: the column, and why in a sentence that can be used at the board."""

from collections.abc import Iterator, Sequence

from claimeven.position import Cell
from claimeven.reasons.hinted.stage import Stage
from claimeven.reasons.planned.plan import decisive
from claimeven.reasons.planned.stack import StackPlan
from claimeven.reasons.told.explanation import Explanation
from claimeven.reasons.told.reason import Reason
from claimeven.reasons.told.tell import Teller

SOON = 4  # moves: a win that a person can see coming
FOLLOWED = 3  # discs in turn that a person follows
ANSWERS = 2  # of theirs: more are not hard to find
RANKS = ("only_win", "only_draw", "avoids_losing", "win_sooner", "all_draw")  # comparisons that are a reason
GAINS = ("gains_odd", "gains_even", "gains_wrong_odd", "gains_wrong_even")


def column_stage(
    told: Explanation,
    reason: Reason | None,
    looks: int | None,
    answers: Sequence[Cell],
    warned: tuple[Cell, ...],
    teller: Teller,
) -> Stage:
    """The verdict and why; of a lost position what they have to find."""
    say, digit, score = teller.words.say, teller.column(told.column), told.score
    said = [] if reason is None else list(_why(told, reason, teller))
    if score is None:
        verdict = say("hint.looks", n=looks or 0, column=digit)
    elif score.value < 0:
        is_answered = reason is not None and reason.kind == "threatens"  # there is but one answer
        said = [*said[:1], *([] if is_answered else _to_find(answers, teller))]
        verdict = say("hint.try" if said else "hint.try.longest", column=digit)
    elif score.value == 0 or (score.moves or 0) > SOON:
        verdict = say(f"hint.holds_{score.outcome}", column=digit)
        said = said or _waiting(told, teller)
        if not said and told.rank is not None and told.rank.kind in RANKS:
            said = [told.rank.text]
    else:
        verdict = teller.verdict(told.column, score)
    if warned:
        said.append(say("hint.not", cells=teller.cells(warned, "or")))
    cell = Cell(told.column, told.position.height(told.column))
    return Stage("column", " ".join([verdict, *said]), (cell,))


def _to_find(answers: Sequence[Cell], teller: Teller) -> list[str]:
    if not 1 <= len(answers) <= ANSWERS:
        return []
    return [teller.words.say("hint.find", cells=teller.cells(answers, "or"))]


def _waiting(told: Explanation, teller: Teller) -> list[str]:
    """Who wins late has a winning cell to wait for, the lowest of each column; if they are few."""
    if told.score is None or told.score.value <= 0:
        return []
    after = told.position.play(told.column)
    wins = after.board.cells_of(after.board.winning_cells(after.theirs, after.mask))
    lowest = {cell.column: cell for cell in sorted(wins, reverse=True)}
    if not 1 <= len(lowest) <= ANSWERS:
        return []
    return [teller.words.say("hint.then_wins", cells=teller.cells(sorted(lowest.values()), "or"))]


def _why(told: Explanation, reason: Reason, teller: Teller) -> Iterator[str]:
    """The reason, shorter than in an explanation where that is long, and without a long line of play."""
    say = teller.words.say
    cells, fours = reason.cells, teller.words.listed([teller.ends(four) for four in reason.fours[:2]])
    match reason.kind:
        case "takes_one" | "takes_only" | "stops_force" | "stops_fork" | "stops_stacked":
            yield _of_most(told, reason, teller) or reason.text
        case "stops_line" | "kills" if _are_theirs(told, reason):
            yield say("hint.cuts", n=len(reason.fours[:2]), fours=fours)
        case "joins" if reason.fours:
            yield say("hint.builds", n=len(reason.fours[:2]), fours=fours)
        case "most_lines":
            yield say("hint.many", n=_count(told), cells=teller.cells(cells))
        case "seven_trap" | "stacked_pair":
            lower, upper = map(teller.cell, sorted(cells)[:2])
            yield say("hint.pair", lower=lower, upper=upper)
        case kind if kind in GAINS:
            yield say("hint.then_wins", cells=teller.cells(cells, "or"))
        case "forced_fork" | "forced_stacked" | "forced_zugzwang":
            lower, upper = (*map(teller.cell, cells[:2]), "", "")[:2]
            yield say(f"hint.{reason.kind}", cells=teller.cells(cells), lower=lower, upper=upper)
        case "line":
            if _shown(told) <= FOLLOWED:
                yield reason.text
        case _ if reason in told.steps:
            yield from _of_plan(told, reason)
        case _:
            yield reason.text


def _are_theirs(told: Explanation, reason: Reason) -> bool:
    """Each of the lines that are named has a disc of theirs already."""
    board, theirs = told.position.board, told.position.theirs
    return bool(reason.fours) and all(
        any(board.bit(*cell) & theirs for cell in four) for four in reason.fours[:2]
    )


def _of_most(told: Explanation, reason: Reason, teller: Teller) -> str | None:
    """Of most other columns, without their names; None where they are few enough to be named."""
    fact = next(fact for fact in told.facts if fact.kind == reason.kind)
    others = len(told.position.legal) - 1
    if len(fact.columns) < FOLLOWED or not others / 2 < len(fact.columns) < others:
        return None
    taken = teller.cells(fact.cells[:1])
    if reason.kind not in ("stops_fork", "stops_stacked"):
        return teller.words.say(f"hint.most.{reason.kind}", cells=taken)
    reply, cells = teller.cell(fact.cells[1]), fact.cells[2:]
    return teller.words.say(f"hint.most.{reason.kind}", reply=reply, cells=teller.cells(cells))


def _count(told: Explanation) -> int:
    return next(fact.count or 0 for fact in told.facts if fact.kind == "most_lines")


def _shown(told: Explanation) -> int:
    """How many discs the sentence about where best play leads names in turn."""
    line = told.line
    if line is None:
        return 0
    if line.plan is None or isinstance(line.plan, StackPlan) or not decisive(line.plan):
        return len(line.columns)
    plies = line.known_after(told.position)
    return plies if plies > 1 else 0  # it stands on the board then


def _of_plan(told: Explanation, reason: Reason) -> Iterator[str]:
    """One step of a plan; if it begins later, after what: then it is true, not yet on the board."""
    begin = told.steps[0]
    if len(begin.moves) > FOLLOWED:
        return
    if begin.moves:
        yield begin.text
    end = next((step for step in told.steps if step.kind == "count_end"), reason)
    yield end.text
