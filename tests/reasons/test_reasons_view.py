"""An agent's view beside the truth: two voices, kept apart, whatever the agent says."""

import json
from typing import cast

import pytest

from claimeven import cli
from claimeven.agents import Choice, Effort, Opinion, make_agent
from claimeven.limit import Limit
from claimeven.position import Position
from claimeven.reasons import ask_agent, view_of
from claimeven.reasons.told.agent_view import opinion_words
from claimeven.reasons.words import LANGUAGES, Words
from claimeven.solver import Solver
from claimeven.terminal.advice import Advisor
from kit.coach.explained import check_explanation

POSITION = Position.parse("44455")


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=16)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("level:7", "It looked 4 discs ahead."),
        ("mcts:simulations=500", "It played 500 games to the end."),
        ("rules", "Its rule was “centre”."),
        ("perfect", "It knows the exact score."),
        ("minimax:depth=4", "It looked 4 discs ahead."),
        ("random", "It chose by chance, this column with 14 %."),
        ("first", "First column plays column 1."),
    ],
)
def test_any_agent_can_be_asked(spec: str, says: str, solver: Solver) -> None:
    view = ask_agent(make_agent(spec, seed=1), POSITION, solver)
    assert view.saw.startswith(f"{view.title} plays column {view.choice.column + 1}.")
    assert ":" not in view.title
    assert "scale of its own" not in view.saw
    assert says in view.saw
    check_explanation(view.truth, solver)
    assert view.truth.column == view.choice.column
    assert view.sentence == view.truth.sentence
    shown = json.loads(json.dumps(view.to_json()))
    assert [entry["column"] for entry in shown["agent"]["columns"]] == list("1234567")
    assert sum(entry["weight"] for entry in shown["agent"]["columns"]) == pytest.approx(1)
    assert shown["truth"]["score"] == int(view.truth.score or 0)


def test_a_lying_agent_changes_nothing_of_the_truth(solver: Solver) -> None:
    """It says that it wins at once; its view is told as its own, and the truth is another."""
    lie = Choice(0, {0: 1.0}, (Opinion(0, ends=1, visits=-5), Opinion(99)), Effort(depth=99), text="I win")
    view = view_of("liar", lie, POSITION, solver)
    assert "It sees a win within 1 disc." in view.saw
    assert "wins" not in view.truth.verdict
    check_explanation(view.truth, solver)
    own, _, truth = view.text.partition("What is proved:")
    assert "It sees a win" in own
    assert "It sees a win" not in truth
    assert cast("dict[str, str]", view.to_json()["agent"])["own_words"] == "I win"


def test_what_it_overlooked_is_told(solver: Solver) -> None:
    """A block, whatever its search says; a good move has nothing of the kind."""
    position = Position.parse("41414")
    view = view_of("first", Choice(0, {0: 1.0}), position, solver)
    assert view.wrong is not None
    assert view.wrong.kind == "block_missed"
    assert "First column did not block the three on top of each other in column 4." in view.text
    assert "\nWhat it overlooked:\n" in view.text
    near = view_of("level:1", Choice(0, {0: 1.0}, effort=Effort(depth=1)), position, solver)
    assert near.overlooked.endswith("It looked 1 disc ahead, and this shows after 2.")
    far = view_of("level:5", Choice(0, {0: 1.0}, effort=Effort(depth=4)), position, solver)
    assert "discs ahead" not in far.overlooked
    good = view_of("first", Choice(3, {3: 1.0}), position, solver)
    assert (good.wrong, good.overlooked) == (None, "")
    assert "overlooked:" not in good.text
    told = json.loads(json.dumps(view.to_json()))["agent"]
    assert (told["title"], told["overlooked"]["kind"]) == ("First column", "block_missed")
    for language in LANGUAGES:
        assert " 4" in view_of("first", Choice(0, {0: 1.0}), position, solver, language).overlooked
    assert view_of("somebody:x=1", Choice(0, {0: 1.0}), position, None).title == "somebody:x=1"


def test_every_kind_of_opinion_in_every_language(solver: Solver) -> None:
    kinds = [
        Opinion(3, proven="win"),
        Opinion(3, proven="draw"),
        Opinion(3, proven="loss"),
        Opinion(3, ends=-4),
        Opinion(3, value=0.5, visits=1),
        Opinion(3, at_most=2.0),
        Opinion(3),
    ]
    for language in LANGUAGES:
        seen = {
            view_of("a", Choice(3, {3: 0.5, 2: 0.5}, (kind,)), POSITION, solver, language).saw
            for kind in kinds
        }
        assert len(seen) == len(kinds)


def test_a_limit_for_the_truth(solver: Solver) -> None:
    view = ask_agent(
        make_agent("first"), Position(), Solver(megabytes=16, book=False), truth_limit=Limit(nodes=10)
    )
    assert view.truth.score is None


def test_the_sentence_at_the_table(solver: Solver) -> None:
    assert Advisor().why(Position.parse("12121"), 0) == (
        "Column 1: it takes a4, where they would win with their next disc. It wins in 19 moves."
    )


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["explain", "44455", "--agent", "level:3", "--limit", "3d"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("What Level 3 saw:\nLevel 3 plays column ")
    assert "\n\nWhat is proved:\nColumn " in said
    assert cli.run(["explain", "44455", "--agent", "rules", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"agent", "truth"}
    for line in (
        "explain 4 --agent nobody",
        "explain 4 --agent rules --column 4",
        "explain 4 --limit 3d",
        "explain 4 --agent rules --limit soon",
        "explain 4 --agent rules --language xx",
        "explain 4 --agent process:command=false",
    ):
        assert cli.run(line.split()) == 2, line
        error = capsys.readouterr().err
        assert error.startswith("claimeven: ")
        assert error.count("\n") == 1


def test_a_bound_is_told_as_a_bound() -> None:
    """A column that the search gave up as worse is worth at most so much: no more is known."""
    words = Words("en")
    assert opinion_words(Opinion(0, at_most=-2.5), 0.0, words) == (
        "It values this column at -2.5 at most, on a scale of its own."
    )
    assert opinion_words(Opinion(0, value=-2.5), 0.0, words) == (
        "It values this column at -2.5, on a scale of its own."
    )
