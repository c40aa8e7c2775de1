"""Goes through an explanation: every fact, line, plan and number, and every sentence if it is English."""

from collections.abc import Mapping

from claimeven.position import Position
from claimeven.reasons.seen.fact import Fact, FactKind
from claimeven.reasons.told.explanation import Explanation
from claimeven.solver import Solver
from kit.coach import claims
from kit.coach.sentences import Reading


def prevents(reading: Reading, fact: Fact) -> bool:
    """What a move takes from the opponent."""
    if fact.kind in ("stops_fork", "stops_stacked"):
        taken, there, *cells = ((cell.column, cell.row) for cell in fact.cells)
        columns = ", ".join("123456789abcdefghijklmnopqrstuvwxyz"[c] for c in fact.columns)
        others = [column for column in reading.others if not reading.loses_at_once(column)]
        kind: FactKind = "fork" if fact.kind == "stops_fork" else "stacked"
        return fact.count == len(others) and reading.stops_double(kind, there, cells, columns, taken)
    if fact.count != len(reading.others) or not fact.columns:
        return False
    if fact.kind == "stops_line":
        return reading.stops_line(list(fact.fours[0]), fact.columns)
    return reading.takes_answer(fact.cells[0], fact.columns, is_only=fact.kind == "takes_only")


def check_explanation(explanation: Explanation, solver: Solver) -> int:
    """Every claim of an explanation; how many there were."""
    position, column = explanation.position, explanation.column
    scores = claims.column_scores(position, solver)
    reading = Reading(explanation, scores, solver)
    assert explanation.score is not None
    assert int(explanation.score) == scores[column]
    checked = 1
    for fact in explanation.facts:
        if fact.kind == "score":
            assert fact.value == scores[column]
        elif fact.kind.startswith("forced_"):
            assert claims.forced_is_true(position, fact), fact
        elif fact.kind in claims.CHECKS:
            assert claims.check(position, fact), fact
        elif fact.kind in ("takes_only", "takes_one", "stops_line", "stops_fork", "stops_stacked"):
            assert prevents(reading, fact), fact
        else:
            assert claims.rank_is_true(fact, scores), fact
        checked += 1
    is_forced = any(fact.kind.startswith("forced_") for fact in explanation.facts)
    if explanation.line is not None and not is_forced:
        assert claims.line_is_true(position, explanation.line, solver), explanation.line
        checked += 1
    for other in explanation.why_not:
        assert int(other.score) == scores[other.column]
        assert other.fact is None or claims.check(position, other.fact), other.fact
        assert other.line is None or claims.line_is_true(position, other.line, solver), other.line
        assert (other.text in explanation.text.split("\n")[-1]) == other.is_told, other.text
        checked += 2
    assert explanation.goal == goal(column, scores, position), explanation.goal
    if not explanation.reasons and not explanation.steps:
        assert explanation.text.startswith(explanation.verdict)
    assert explanation.reason[1:] in explanation.text
    if explanation.language == "en":
        checked += reading.read()
    return checked


def goal(column: int, scores: Mapping[int, int], position: Position) -> str | None:
    """What the choice serves."""
    own, others = scores[column], [value for other, value in scores.items() if other != column]
    if position.play(column).winner is not None:
        return "win_now"
    if not others or own < max(others):
        return None
    if own > 0:
        return "win_sooner"
    if own == 0:
        return "avoid_losing" if min(others) < 0 else None
    return "lose_later" if min(others) < own else None
