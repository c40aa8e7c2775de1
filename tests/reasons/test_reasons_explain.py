"""Explanations: every claim is checked by a kit that shares no code with the generator."""

import random
import re
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest

from claimeven.agents import make_agent
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.reasons import Explanation, certify, explain
from claimeven.reasons.planned import replay
from claimeven.reasons.planned.column_plan import find_column_plan
from claimeven.reasons.planned.plan import Plan
from claimeven.reasons.told import steps
from claimeven.reasons.told.line import clear_line
from claimeven.reasons.told.tell import Teller
from claimeven.reasons.words import LANGUAGES
from claimeven.solver import Analysis, OutOfTimeError, Solver, TimedSolver
from kit.coach import claims
from kit.coach.explained import check_explanation
from kit.coach.plans import PlanReading

BOARDS = ["7x6"] * 6 + ["5x4", "4x4x3", "6x5", "5x5", "4x6", "35x1x2", "2x3x9"]
PLAYERS = ["random", "level:1", "level:3", "level:5", "level:7", "minimax:depth=6"]
OTHERS = [language for language in LANGUAGES if language != "en"]
PLAN_BOARDS = ["7x6"] * 4 + ["5x4", "4x4x3", "6x5", "5x5", "4x6"]


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


def some_position(chance: random.Random) -> Position:
    """From games of agents, random to good ones: openings, middle games and endings of several boards."""
    position = Position(Board.parse(chance.choice(BOARDS)))
    agents = [make_agent(chance.choice(PLAYERS), chance.getrandbits(32)) for _ in range(2)]
    for ply in range(chance.randrange(position.board.cells)):
        after = position.play(agents[ply % 2].choose(position).column)
        if after.is_over:
            break
        position = after
    return position


def check_many(seed: int, count: int, solver: Solver) -> int:
    chance, checked = random.Random(seed), 0
    for number in range(count):
        position = some_position(chance)
        column = chance.choice(position.legal)
        explanation = explain(position, column, solver)
        try:
            checked += check_explanation(explanation, solver)
            check_translation(explanation, explain(position, column, solver, OTHERS[number % len(OTHERS)]))
        except AssertionError as error:
            raise AssertionError(f"{position} column {column + 1}: {error}\n{explanation.text}") from error
    return checked


def check_translation(english: Explanation, other: Explanation) -> None:
    """The same facts, cells and numbers in as many sentences, and no sentence twice."""
    assert other.facts == english.facts
    sentences = [re.split(r"(?<=\.) |\n", told.text) for told in (english, other)]
    assert len(sentences[0]) == len(sentences[1]) == len(set(sentences[1])), other.text
    numbers = [Counter(re.findall(r"\b[a-z]?\d+\b", told.text)) for told in (english, other)]
    assert numbers[0] == numbers[1], other.text


@pytest.mark.parametrize("seed", range(5))
def test_every_claim_is_true(seed: int, solver: Solver) -> None:
    print(f"{check_many(seed, 40, solver)} claims of 40 explanations checked")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_every_claim_of_many_explanations_is_true(seed: int, solver: Solver) -> None:
    print(f"{check_many(seed, 500, solver)} claims of 500 explanations checked")


def test_certificates_are_true(solver: Solver) -> None:
    chance = random.Random(5)
    found: dict[str, int] = {}
    for _ in range(600):
        position = Position(Board.parse(chance.choice(PLAN_BOARDS)))
        for _ in range(position.board.cells * chance.randrange(60, 95) // 100):
            safe = [column for column in position.legal if not position.play(column).is_over]
            if not safe:
                break
            position = position.play(chance.choice(safe))
        plan = certify(position)
        if plan is not None:
            assert claims.plan_is_true(plan, solver)
            found[plan.theorem] = found.get(plan.theorem, 0) + 1
    assert set(found) == {"T1", "T2", "T3", "T4"}


def rules_of(plan: Plan) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", plan.to_json()["rules"])


def test_the_pairs_of_a_theorem_have_the_names_of_rules() -> None:
    plan = certify(Position.parse("27235357431611455164774414"))
    assert plan is not None
    rules = rules_of(plan)
    assert {"rule": "baseinverse", "cells": ["a6", "c4"]} in rules
    assert all(entry["cells"][1][1] in "246" for entry in rules if entry["rule"] == "claimeven")
    odd = certify(Position.parse("726555534444344655333737766662" + "2"))
    assert odd is not None
    assert (odd.theorem, [str(key) for key in odd.keys]) == ("T4", ["a3"])
    assert {"rule": "vertical", "cells": ["a2", "a3"]} in rules_of(odd)


def check_words(plan: Plan) -> None:
    """Whoever does what the words say, and nothing else, keeps the promise."""
    teller = Teller(plan.position.board, "en")
    told = [*steps.count(teller, plan), *steps.instructions(teller, plan)]
    PlanReading(plan.position, [step.text for step in told]).check()


def test_plans_by_columns_are_true(solver: Solver) -> None:
    chance = random.Random(6)
    kinds: set[str] = set()
    for _ in range(400):
        position = Position(Board.parse(chance.choice(PLAN_BOARDS)))
        for _ in range(position.board.cells * chance.randrange(50, 90) // 100):
            safe = [column for column in position.legal if not position.play(column).is_over]
            if not safe:
                break
            position = position.play(chance.choice(safe))
        value = int(solver.score(position))
        if value > 0 or certify(position) is not None:
            continue
        for is_watchful in (False, True):
            plan = find_column_plan(position, min(value, 0), is_watchful=is_watchful)
            if plan is not None:
                assert claims.plan_is_true(plan, solver)
                if steps.can_tell(plan):
                    check_words(plan)
                kinds |= {kind for _, _, kind in plan.links} | {"key" for _ in plan.keys}
                kinds |= {"watchful" for _ in range(is_watchful)}
    assert kinds >= {"swap", "together", "across", "watchful"}


KINDS = {
    "win": ("4455224427675", 6),
    "block": ("12121", 1),
    "open_three": ("4131", 5),
    "lost_anyway": ("41315", 2),
    "only_draw": ("4444426", 5),
    "first_move": ("", 4),
    "second_player": ("4", 4),
    "slow_win": ("4131", 1),
    "blunder": ("4131", 2),
    "lose_later": ("4453", 3),
}


@pytest.mark.parametrize("name", KINDS)
def test_what_it_says(name: str, golden: Callable[[str, str], None], solver: Solver) -> None:
    moves, column = KINDS[name]
    explanation = explain(Position.parse(moves), column - 1, solver)
    check_explanation(explanation, solver)
    golden(f"explain_{name}.txt", explanation.text + "\n")


def test_a_limit_that_comes_too_early_leaves_what_the_rules_show() -> None:
    position = Position.parse("44", Board.parse("9x7"))
    explanation = explain(position, 3, Solver(megabytes=16), limit=Limit(nodes=100))
    assert explanation.score is None
    assert explanation.why_not == ()
    assert "There was no time" in explanation.text


def test_a_limit_is_for_the_whole_explanation(monkeypatch: pytest.MonkeyPatch, solver: Solver) -> None:
    """When time is up after the scores, they are told without lines and plans, and it is still all true."""
    position = Position.parse("4444426")
    asked = []

    def check(self: TimedSolver) -> None:
        asked.append(self)
        if len(asked) > 1:
            raise OutOfTimeError

    monkeypatch.setattr(TimedSolver, "check", check)
    told = explain(position, 4, solver, limit=Limit(seconds=1000))
    assert told.score is not None
    assert (told.line, told.plan) == (None, None)
    assert len(told.why_not) == 6
    assert all(other.line is None for other in told.why_not)
    check_explanation(told, solver)


def test_a_limit_that_does_not_come_changes_nothing(solver: Solver) -> None:
    for moves, column in (("4444426", 4), ("4453", 2), ("4131", 4)):
        position = Position.parse(moves)
        assert explain(position, column, solver, limit=Limit(seconds=1000)) == explain(
            position, column, solver
        )
    stop = threading.Event()
    stop.set()
    assert explain(Position(), 3, solver, limit=Limit(stop=stop)).score is None


def test_a_limit_that_cuts_the_line_of_an_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scores are known, best play is not: then no line is told."""
    solver = Solver(megabytes=16)
    analyse = solver.analyse

    def cut(position: Position, limit: Limit | None = None, progress: object = None) -> Analysis:
        return replace(analyse(position), line=())

    monkeypatch.setattr(solver, "analyse", cut)
    told = explain(Position.parse("4444426"), 0, solver, limit=Limit(seconds=60))
    assert told.score is not None
    assert (told.line, told.plan) == (None, None)


def test_without_a_solver_only_the_rules_are_told() -> None:
    position = Position.parse("12121")
    told = explain(position, 2, None)
    assert (told.score, told.why_not, told.line, told.plan) == (None, (), None, None)
    assert told.reason == "It leaves a4 to them, and they win there at once."
    assert told == explain(position, 2, Solver(megabytes=16, book=False), limit=Limit(nodes=1))


@pytest.mark.parametrize(
    ("board", "moves", "rows"),
    [("8x7", "", "even"), ("9x7", "", "odd"), ("9x7", "5", "even"), ("9x8", "", "odd")],
)
def test_whose_rows_are_told_where_nothing_is_proved(board: str, moves: str, rows: str) -> None:
    told = explain(Position.parse(moves, Board.parse(board)), 4, None)
    assert told.text.startswith("Column 5: the cell e")
    assert f"{rows.capitalize()} rows are yours here" in told.text


def test_a_plan_that_only_holds_is_not_called_a_win(solver: Solver) -> None:
    """It sets a column apart because of a winning cell, but nobody has to play below that cell."""
    told = explain(Position.parse("64"), 3, solver)
    assert told.plan is not None
    assert (int(solver.score(told.plan.position)), told.plan.bound, told.plan.keys) == (0, 0, ())
    assert "comes down to" not in told.text
    assert "you win" not in told.text


def words_of(moves: str, column: int | None, solver: Solver) -> str:
    told = explain(Position.parse(moves), None if column is None else column - 1, solver)
    check_explanation(told, solver)
    return told.text


# What a coach would say of these positions.
COACHED = [
    ("445566", 1, "you can win at once on c1 or g1"),
    ("5455174361263362", None, "take b3, or they play d3 and threaten b3 and d4 at once"),
    ("44444343311312", None, "it sets a seven trap with a3–d3 and a3–d6"),
    ("44444343311312", None, "Play b2 next; they have to block b3, and you win on b4"),
    ("3275225373553", None, "Play d1 next; they have to block d2, and you win on d3"),
    ("546445664565544151123133177773122", None, "now every column has an even number of free cells"),
    ("546445664565544151123133177773122", None, "they must play c5, and you win on c6. Even rows are yours"),
    ("6566555233333226566737752244", 4, "Your new winning cell a3 is worthless, right above theirs, a2"),
    ("54554544355336643423", 7, "it lies right under your own winning cell g2, and now they can fill it"),
    ("54554544355336643423", 7, "Column 3 is better: then both b4 and b5, right above it"),
    ("", None, "Look for a winning cell in an odd row, such as a5; odd rows are yours"),
    ("", None, "very horizontal four uses column 4"),
    ("274552224131661", None, "it blocks a3–d3"),
    ("4122354", 5, "only column 4 wins"),  # a better column that loses too is not named beside it
    ("14644535", 3, "After 2 3 they threaten to win on b2 and f2"),  # of column 7, too, but by another answer
    ("6634444324", 3, "they answer in column 2 and block a1–d4 and b2–e5, where you had 2 discs each"),
    ("373433", 4, "they answer in column 4 and prepare f1, which would give them two winning cells, e1"),
    ("5444454", 6, "the only answer that saves them after column 6"),
    ("664544444651655", None, "a disc on c3 or g3 would win for you, right under c4 or g4"),
    ("425", None, "they would play f1 and threaten c1 and g1 at once"),
    ("5744444", 1, "they answer in column 3 and threaten to win on b1 and f1"),
    ("5744444", 1, "Column 3 stops that"),
    ("445566", 1, "instead.\nIt wins in 2 moves."),  # nothing is as good as a win
    ("4444447557557675", 6, "in the end they must play f2, and you win on f3"),
    ("464444", 4, "it takes b1, which would be a good answer to column 4"),
    ("444444", None, "it prepares b1, from where you would threaten a1 and e1 at once"),
    ("4456454644233", None, "a disc on g2 would win for you: it completes d2–g2"),
    ("244645", None, "they already threaten to win on c1 and g1"),
    ("444444563226", None, "if you play column 1, 2 or 6, they take e2 and force a win"),
    ("644322244426524655556656271", 1, "Column 7 lies right under your winning cell g3"),
    ("3444434", 2, "it lets slip a win that is 13 moves away"),  # it draws: nothing is refuted
    ("4444442333233376777752222517116", 6, "after 1 5 5 they must play f3 in the end, and you win on f4"),
    ("445664444755", 5, "it takes f3, which would be another good answer to column 5"),
    ("454444334232522332636", None, "Now they must take e4, or you win there."),
    ("454444334232522332636", None, "If they take e4, take b6. Win"),
    ("4444443225", None, "After 2 2 2 3 3 a disc on a3 or e3 would win for you"),
    ("447444435655515571", None, "a disc on b2 would win for them, too, as on f4"),
    ("434444334336663666", None, "both of you win on e2. Apart from e1"),
    ("4444443223232236626633667", None, "both of you win on e5, so neither may play right under it"),
    ("434443433243371117177", None, "Then every column has an even number of free cells"),
    ("424442", None, "one best line ends with your line a4–d1, and this disc is part of it"),
    ("444444233332126726232776666311771711", None, "they win right above, on e2"),
    ("4244447", 4, "threaten to win on f1, so you have to answer there"),
    ("464444", 4, "after 4 2 3 3 3 3 a disc on e2 would win for them"),
    ("424444656724153551", 5, "in column 6 and win on c3 too, where only you could win"),
    ("44447", 3, "Column 6 is better: it takes f1, the only answer that beats column 3"),
    ("4414424422", 7, "Column 3 is better: a disc on c3 would win for you. Apart from c2"),
    ("4544444555", 3, "Column 2 is better: it blocks b1–e4"),
    ("44444435515515611", None, "One best line ends with their line"),
    ("2344444334", None, "Column 5 is worse: they answer in column 5 and make f2 a winning cell"),
]
NEVER = [
    ("445566", 1, "three in a row"),
    ("44446654", 1, "three in a row"),
    ("44446654", 2, "three in a row"),
    ("37313333717124171162542", None, "b5"),
    ("444444536755655573", None, "b4"),
    ("5455174361263362", None, "sooner"),
    ("4122354", 5, "are better"),
    ("22", 4, "take e1"),  # what they would take after other columns is no reason against this one
    ("664544444651655", None, "rows are yours"),
    ("2664564545", None, "They have"),
    ("1511243673544343357415131724", None, "e6"),  # they have it only after another move of yours
    ("544336561666554322", 3, "dd rows are yours"),
    ("45", None, "…"),
    ("424442", None, "g5"),  # the game ends elsewhere
    ("44444453333555535766717662222612211377", None, "look for a winning cell"),  # there is no room for one
    ("3543445", None, "You have e4"),  # the disc gives it, so that is said
    ("4244424542255525", None, "open lines"),  # a count decides
    ("444444355155167577752222212111", None, "If they take f2"),  # that lets you win at once
]


@pytest.mark.parametrize(("moves", "column", "said"), COACHED)
def test_what_a_coach_says(moves: str, column: int | None, said: str, solver: Solver) -> None:
    assert said in words_of(moves, column, solver)


@pytest.mark.parametrize(("moves", "column", "unsaid"), NEVER)
def test_what_a_coach_does_not_say(moves: str, column: int | None, unsaid: str, solver: Solver) -> None:
    assert unsaid not in words_of(moves, column, solver)


def test_a_plan_begins_where_the_reader_stands(solver: Solver) -> None:
    """On the board, or after moves that are all written out."""
    for moves in ("", "45", "43", "444442", "2464644446777", "165713352355467777", "37313333717124171162542"):
        told = explain(Position.parse(moves), None, solver)
        assert told.line is not None
        if told.steps and len(told.line.columns) > 1:
            line = " ".join(str(column + 1) for column in told.line.columns)
            assert told.steps[0].text == f"After {line} you only have to answer."
        assert not told.steps or len(told.line.columns) <= 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_carries_its_values(language: str, solver: Solver) -> None:
    """The text follows from the fields, and the cells that a sentence names are values beside it."""
    for moves in (
        "",
        "4131",
        "4444426",
        "726555534444344655333737766662",
        "4153673443443566",
        "165713352355467777",
    ):
        position = Position.parse(moves)
        for column in position.legal:
            told = explain(position, column, solver, language)
            reasons = [reason for reason in (told.rank, *told.reasons) if reason is not None]
            why = [" ".join(part.text for part in told.reasons)] if told.reasons else []
            plan = [" ".join(step.text for step in told.steps)] if told.steps else []
            proved = [told.proof if why or plan else told.verdict]
            is_said = any(reason.kind == "misses_win" for reason in told.reasons)
            proved += [told.rank.text] if told.rank is not None and not is_said else []
            proved += list(dict.fromkeys(other.text for other in told.why_not if other.is_told))
            better = [] if told.better is None else [told.better.text]
            paragraphs = [*why, *plan, *better, " ".join(proved)]
            lines = told.text.split("\n")
            assert len(lines) == len(paragraphs)
            assert lines[1:] == paragraphs[1:]
            assert lines[0].endswith(paragraphs[0][1:])
            assert told.opening == " ".join([lines[0], told.proved]) if why or plan else told.proved
            for reason in (*reasons, *told.steps, *(told.better.reasons if told.better else ())):
                values = {*reason.cells, *(cell for four in reason.fours for cell in four)}
                assert set(re.findall(r"\b[a-g][1-6]\b", reason.text)) <= set(map(str, values)), reason
                shown = reason.to_json(position.board)
                assert (shown["kind"], shown["text"]) == (reason.kind, reason.text)


def test_a_pair_that_the_holder_may_open_promises_no_line(solver: Solver) -> None:
    """Found by 20,000 explanations: b3 can become theirs, so that the line a4–d1 is not certain."""
    told = explain(Position.parse("7/7/7/7/3oo1x/1x1ox1x o 7x6x4"), 4, solver)
    check_explanation(told, solver)
    assert "a4–d1" not in told.text


@pytest.mark.parametrize("moves", ["4444464667777", "44444646677776", "4444443223232236626633667"])
def test_the_lowest_winning_cell_of_a_column_decides(moves: str, solver: Solver) -> None:
    """Once told: "you have e3, right under their e4, so they cannot play below", where they win on e2."""
    check_explanation(explain(Position.parse(moves), None, solver), solver)


def test_looking_for_a_plan_comes_to_an_end(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here none is found, and there are many thousands to try."""
    tried = []
    refute = replay.Refutations.refute

    def counted(*asked: Any) -> bool:
        tried.append(asked)
        return refute(*asked)

    monkeypatch.setattr(replay.Refutations, "refute", counted)
    position = Position.parse("7/7/5o1/5x1/3o1x1/xo1oxxo x 7x6x4")
    clear_line(position, 5, TimedSolver(solver))
    assert 0 < len(tried) <= 1000
