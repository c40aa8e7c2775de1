"""Goes through an explanation: every fact, line, plan and number, and every sentence if it is English."""

import re
from collections.abc import Mapping

from claimeven.position import Position
from claimeven.reasons.seen.fact import Fact, FactKind
from claimeven.reasons.told.explanation import Explanation, explain
from claimeven.solver import Solver
from kit.coach import claims
from kit.coach.sentences import Reading
from kit.coach.words import CELLS, LINE, C, digits, spot, spots

TAKEN = (
    "(the only answer that beats|the only answer that saves them after|which would be a good answer to"
    "|which would be another good answer to)"
)
ABOVE = "(right above, )?"


def prevents(reading: Reading, fact: Fact) -> bool:
    """What a move takes from the opponent."""
    if fact.kind in ("stops_fork", "stops_stacked"):
        taken, there, *cells = ((cell.column, cell.row) for cell in fact.cells)
        columns = ", ".join("123456789abcdefghijklmnopqrstuvwxyz"[c] for c in fact.columns)
        others = [column for column in reading.others if not reading.loses_at_once(column)]
        kind: FactKind = "fork" if fact.kind == "stops_fork" else "stacked"
        return fact.count == len(others) and reading.stops_double(kind, there, cells, columns, taken)
    if fact.kind == "stops_force":
        return reading.stops_force((fact.cells[0].column, fact.cells[0].row), list(fact.columns))
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
        elif fact.kind in (
            "takes_only",
            "takes_one",
            "stops_line",
            "stops_fork",
            "stops_stacked",
            "stops_force",
        ):
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
        assert explanation.text.split("\n")[explanation.better is not None].startswith(explanation.verdict)
    assert explanation.reason[1:] in explanation.text
    if explanation.better is not None and explanation.language == "en":
        checked += check_better(explanation, scores, reading, solver)
    if explanation.language == "en":
        checked += reading.read()
    return checked


def check_better(told: Explanation, scores: Mapping[int, int], reading: Reading, solver: Solver) -> int:
    """The better column is a best one, and what is said for it is true: a sentence of its own explanation."""
    assert told.better is not None
    column, text = told.better.column, told.better.text
    assert scores[column] == max(scores.values()) > scores[told.column], text
    if found := re.fullmatch(r"Column (\w) stops that\.", text):
        fault = re.match(
            rf"They answer in column (\w) and threaten (?:to win on )?{CELLS}", told.reasons[0].text
        )
        assert digits(found[1]) == [column], text
        assert fault is not None, told.reasons[0].text
        there = digits(fault[1])[0]
        after = told.position.play(column)
        cells = told.reasons[0].cells
        kind: FactKind = "stacked" if "right above" in told.reasons[0].text else "fork"
        fact = Fact(kind, there, cells)
        assert there not in after.legal or not claims.check(after, fact), text
        return 1
    if rows := re.search(r" (Odd|Even) rows are yours\.$", text):
        assert reading.rows_are(rows[1], "yours"), text
        text = text[: rows.start()]
    text, *rest = re.split(r"(?<=\.) ", text)
    found = re.fullmatch(r"Column (\w) is better: (.*)", text)
    assert found is not None, text
    assert digits(found[1]) == [column], text
    said = found[2][:1].upper() + found[2][1:]
    cell = (column, told.position.height(column))
    if taken := re.fullmatch(rf"It takes ({C}), {TAKEN} column (\w)\.", said):
        replies = claims.column_scores(told.position.play(told.column), solver)
        keeping = [c for c, v in replies.items() if claims.sign(v) == claims.sign(max(replies.values()))]
        assert (spot(taken[1]), digits(taken[3])) == (cell, [told.column]), text
        assert column in keeping, text
        assert taken[2].startswith("which") or keeping == [column], text
        first = told.reasons[0].text if told.reasons else ""
        answer = re.match(r"They answer in column (\w)", first) or re.match(r"After \w (\w)\b", first)
        is_other = answer is not None and digits(answer[1]) != [column]
        assert ("another" in taken[2]) == is_other, f"two answers: {text}"
        assert ("beats" in taken[2]) <= (scores[told.column] < 0), text
        assert ("saves" in taken[2]) <= (scores[told.column] == 0), text
        return 1
    other = explain(told.position, column, solver)
    checked = check_explanation(other, solver)
    told_there = [reason.text for reason in (*other.reasons, *other.steps)]
    if said == "From then on you can answer everything.":
        assert other.steps, text
    elif end := re.fullmatch(
        rf"In the end they must play {CELLS}, and you win (right above, )?on {CELLS}\.", said
    ):
        same = f"They run out first: they must play {end[1]}, and you win {end[2] or ''}on {end[3]}."
        assert same in told_there, text
        referee, stone = claims.referee_of(told.position.play(column)), "xo"[told.position.side]
        assert all(claims.wins_on(referee, stone, cell) for cell in spots(end[3])), f"not yet: {text}"
    elif end := re.fullmatch(
        rf"After {LINE} they must play {CELLS} in the end, and you win (right above, )?on {CELLS}\.", said
    ):
        same = f"They run out first: they must play {end[2]}, and you win {end[3] or ''}on {end[4]}."
        assert {same, f"After {end[1]} you only have to answer."} <= set(told_there), text
    else:
        assert said.replace("Then both", "Both") in told_there, text
    assert set(rest) <= set(told_there), text
    return checked + 1


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
