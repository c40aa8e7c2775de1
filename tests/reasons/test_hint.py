"""Hints in three stages: where to look, the idea, the column; the same at every door."""

import json
import random
import re

import pytest

from claimeven import cli
from claimeven.agents import make_agent
from claimeven.position import Position
from claimeven.reasons import advise
from claimeven.reasons.hinted.advice import Advice
from claimeven.reasons.words import LANGUAGES
from claimeven.solver import Solver
from claimeven.terminal.advice import Advisor
from kit.coach.claims import column_scores
from kit.coach.hinted import HintReading
from kit.coach.sentences import Reading


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


TOLD = {
    "445566": [
        "Your discs d1, e1 and f1 need one more. Where?",
        "One disc more completes d1, e1 and f1: it wins at once.",
        "Column 3 wins at once. It completes the line c1–f1.",
    ],
    "41414": [
        "They threaten to win with their next disc. Where?",
        "Put your disc where they would complete their line.",
        "Best try: column 4. It takes d4, where they would win with their next disc. "
        "With best play they win.",
    ],
    "46": [
        "Look at a1 and e1. What could you make there?",
        "You can prepare two winning cells, a1 and e1.",
        "Play column 2: it keeps the win. It prepares c1, from where you would threaten a1 and e1 at once.",
    ],
    "34644443641611333355": [
        "A disc on b2 or g4 would win for them. How do you keep them away?",
        "Not b1: right above, they win.",
        "Best try: column 1; nothing else holds out longer. With best play they win.",
    ],
    "4131": [
        "Look at b1 and f1. Which disc would threaten both?",
        "You can threaten to win on b1 and f1 at once.",
        "Column 5 wins in 2 moves. It makes three in a row with both ends open, b1 and f1, "
        "and they can close only one.",
    ],
    "5455174361263362": [
        "Look at d4. Which disc of theirs would threaten to win there?",
        "Not d3: right above, they win.",
        "Best try: column 2. After most other columns they play d3 and threaten b3 and d4 at once. "
        "They win only if they find c4 or e4.",
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
        ("44444456622226626261555551711", "Find the disc after which you only have to answer theirs."),
        ("4334334747", "Build on c3 and d4: make a winning cell that they cannot play under."),
        ("47444443333337", "Look for the column that gives them least."),
        ("653233774556447", "One winning cell decides in the end: aim for it."),
        ("444444326555567635333537", "Whoever runs out of safe cells first must give way."),
        ("244645", "With best play they win: play where their answer is hardest to find."),
        ("41526", "With best play they win: hold out as long as you can."),
    ],
)
def test_the_second_stage_has_an_idea(moves: str, idea: str, solver: Solver) -> None:
    assert advise(Position.parse(moves), solver).stages[1].text.startswith(idea)


def test_the_first_stage_points_and_asks(solver: Solver) -> None:
    """At discs, at cells that can be filled now, or at winning cells: never in the column to play.

    What it says of them is held against the board in test_hint_true.py.
    """
    discs, free, chance = 0, 0, random.Random(7)
    for _ in range(150):
        position = Position.parse("")
        for _ in range(chance.randint(0, 24)):
            after = position.play(chance.choice(position.legal))
            position = position if after.is_over else after
        advice = advise(position, solver)
        look = advice.stages[0]
        assert look.text.endswith("?"), (str(position), look)
        assert len(look.text.split()) <= MOST_WORDS, look
        assert not any(cell.column == advice.column for cell in look.cells), (str(position), look)
        named = set(re.findall(r"\b[a-g][1-6]\b", look.text))
        assert named == {position.board.cell_name(cell) for cell in look.cells}
        are_discs = {position.stone(*cell) is not None for cell in look.cells}
        assert len(are_discs) < 2, look
        discs, free = discs + (are_discs == {True}), free + (are_discs == {False})
    assert discs > 20
    assert free > 40


MOST_WORDS = 16  # of a first stage
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
        verdict, *sentences = re.split(r"(?<=\.) ", advice.text)
        assert verdict.startswith("Best try") == (max(scores.values()) < 0), advice.text
        assert scores[advice.column] == max(scores.values()), advice.text
        reading = Reading(advice.explanation, scores, solver)
        hinted = HintReading(position, advice.column, [stage.text for stage in advice.stages], solver)
        for sentence in list(sentences):
            if hinted.is_own_sentence(sentence):  # hinted.py reads it
                sentences.remove(sentence)
        hinted.check()
        if not sentences:
            continue
        assert not any(words in one for one in sentences for words in AGAINST), (str(position), advice.text)
        if advice.explanation.steps:  # the words of a plan are carried out with the explanation
            check_when(advice)
            continue
        for sentence in sentences:
            reading.check(sentence)
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
    assert len(advice.explanation.steps[0].moves) > 3  # nobody follows that
    assert advice.text == "Play column 1: it keeps the win. Then a disc on f5 would win for you."
    check_when(advise(Position.parse("346444433646336"), solver))


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


def test_a_lost_position_says_so_once_and_warns_of_cells_within_reach(solver: Solver) -> None:
    warned = lost = 0
    for seed in range(30):
        position, agents = Position.parse(""), [make_agent(f"level:{level}", seed) for level in (3, 7)]
        while not position.is_over:
            told = advise(position, solver) if position.side == 0 and position.ply > 8 else None
            score = None if told is None else told.explanation.score
            if told is not None and score is not None and score.value < 0:
                lost += 1
                text = " ".join(stage.text for stage in told.stages)
                assert "With best play they win" in text or "They win only if they find" in text, text
                assert text.count("With best play they win") <= 1, text
                assert text.count("right above, they win") <= 1, text
                warned += "right above, they win" in text
                HintReading(position, told.column, [stage.text for stage in told.stages], solver).check()
            position = position.play(agents[position.side].choose(position).column)
    assert lost > 50
    assert warned > 10
