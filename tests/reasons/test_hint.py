"""Hints in three stages: where to look, the idea, the column; the same at every door."""

import json
import random
import re

import pytest

from claimeven import cli
from claimeven.position import Position
from claimeven.reasons import advise
from claimeven.reasons.told.advice import Advice
from claimeven.reasons.words import LANGUAGES
from claimeven.solver import Solver
from claimeven.terminal.advice import Advisor
from kit.coach.claims import column_scores
from kit.coach.sentences import Reading


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


TOLD = {
    "445566": [
        "One of your lines lacks a single disc.",
        "You can complete a line with this disc.",
        "Column 3 wins at once. It completes the line c1–f1.",
    ],
    "41414": [
        "They threaten to win with their next disc. Where?",
        "Put your disc where they would complete their line.",
        "Best try: column 4. It takes d4, where they would win with their next disc.",
    ],
    "4131": [
        "Look at b1 and f1.",
        "You can threaten to win on two cells at the same time.",
        "Column 5 wins in 2 moves. It makes three in a row with both ends open, b1 and f1, "
        "and they can close only one.",
    ],
    "5455174361263362": [
        "Look at d3 and d4. What could they do there?",
        "They are about to make two threats at once: take that away.",
        "Best try: column 2. Take b3, or they play d3 and threaten b3 and d4 at once.",
    ],
}


@pytest.mark.parametrize("moves", TOLD)
def test_three_stages(moves: str, solver: Solver) -> None:
    advice = advise(Position.parse(moves), solver)
    assert [stage.text for stage in advice.stages] == TOLD[moves]
    assert [stage.kind for stage in advice.stages] == ["look", "idea", "column"]
    assert advice.text == TOLD[moves][-1]


@pytest.mark.parametrize(
    ("moves", "idea"),
    [
        ("44444456622226626261555551711", "Find the move after which it is enough to answer."),
        ("4334334747", "Make a winning cell, so that they cannot play right under it."),
        ("47444443333337", "Find out which rows are yours, and build there."),
        ("653233774556447", "Which winning cell will decide in the end?"),
        ("1771356316317444633347", "Who will have to play below a winning cell? Count the empty cells."),
        ("244645", "Nothing stops them any more."),
    ],
)
def test_the_second_stage_has_an_idea(moves: str, idea: str, solver: Solver) -> None:
    assert advise(Position.parse(moves), solver).stages[1].text == idea


def test_the_first_stage_names_what_is_within_reach(solver: Solver) -> None:
    """Every cell of it can be filled now, or lies right above one that can."""
    named, chance = 0, random.Random(7)
    for _ in range(150):
        position = Position.parse("")
        for _ in range(chance.randint(0, 24)):
            after = position.play(chance.choice(position.legal))
            position = position if after.is_over else after
        advice = advise(position, solver)
        look, answer = advice.stages[0], (advice.column, position.height(advice.column))
        for cell in look.cells:
            above = cell.row - position.height(cell.column)
            below = (cell.column, cell.row - 1)
            assert above == 0 or below == answer or below in set(look.cells), (str(position), look)
            named += 1
    assert named > 40


# What the other side has, or where it wins: true of some columns, and a reason for none.
AGAINST = (
    "would win for them.",
    "would win for them:",
    "their line",
    "rows are theirs",
    "you must play",
    "for both of you",
)


def test_the_last_stage_speaks_for_its_column_and_is_true(solver: Solver) -> None:
    said, chance = 0, random.Random(11)
    for _ in range(150):
        position = Position.parse("")
        for _ in range(chance.randint(0, 26)):
            after = position.play(chance.choice(position.legal))
            position = position if after.is_over else after
        advice = advise(position, solver)
        scores = column_scores(position, solver)
        sentence = re.split(r"(?<=\.) ", advice.text, maxsplit=1)
        if len(sentence) == 1 or sentence[1] == "Nothing holds out longer.":
            assert len(sentence) == 1 or 0 > scores[advice.column] == max(scores.values())
            continue
        assert not any(words in sentence[1] for words in AGAINST), (str(position), advice.text)
        reading = Reading(advice.explanation, scores, solver)
        if advice.explanation.steps:  # the words of a plan are carried out with the explanation
            check_when(advice)
            continue
        reading.check(sentence[1])
        said += 1
    assert said > 90


def check_when(advice: Advice) -> None:
    """A step of a plan that begins later is told with what comes before it."""
    begin, *steps = advice.explanation.steps
    if begin.moves and any(step.text in advice.text for step in steps):
        assert begin.text in advice.text, advice.text


def test_a_plan_that_begins_later_is_not_told_as_if_it_stood(solver: Solver) -> None:
    advice = advise(Position.parse("444444326555567635333537"), solver)
    assert advice.explanation.steps[0].moves
    assert "Apart from b2 and what lies above, 8 cells are free" in advice.text
    check_when(advice)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("moves", ["", "4", "44444", "4444422226666246", "4244442145155511552", *TOLD])
def test_no_stage_frightens_or_tells_too_early(moves: str, language: str, solver: Solver) -> None:
    """No length beyond four moves, and no column before the last stage."""
    position = Position.parse(moves)
    advice = advise(position, solver, language)
    numbers = [re.findall(r"(?<![a-g])\b\d+\b", stage.text) for stage in advice.stages]
    assert numbers[:2] == [[], []]
    score = advice.explanation.score
    assert score is not None
    if score.moves is not None and score.moves > 4:
        assert str(score.moves) not in numbers[2]
    answer = (advice.column, position.height(advice.column))
    assert answer not in [tuple(cell) for stage in advice.stages[:2] for cell in stage.cells]
    assert str(advice.column + 1) in numbers[2]


def test_the_table_goes_on_stage_by_stage() -> None:
    advisor, position = Advisor(), Position.parse("41414")
    assert [advisor.hint(position) for _ in range(4)] == [*TOLD["41414"], TOLD["41414"][0]]
    assert advisor.hint(Position.parse("445566")) == TOLD["445566"][0]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    for stage in (1, 2, 3):
        assert cli.run(["hint", "4131", "--stage", str(stage)]) == 0
        assert capsys.readouterr().out == TOLD["4131"][stage - 1] + "\n"
    assert cli.run(["hint", "4131"]) == 0
    assert capsys.readouterr().out.splitlines() == TOLD["4131"]
    assert cli.run(["hint", "4131", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["best"] == ["5"]
    assert [stage["kind"] for stage in told["stages"]] == ["look", "idea", "column"]
    for line in ("hint 4131 --stage 4", "hint 4131 --stage 0", "hint 1122334", "hint 4 --language xx"):
        assert cli.run(line.split()) == 2
        assert capsys.readouterr().err.startswith("claimeven: ")
