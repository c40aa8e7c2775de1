"""What a person would call the mistake: every kind, in every language, with and without exact scores."""

import re

import pytest

from claimeven.game import Game
from claimeven.position import Position
from claimeven.reasons import review
from claimeven.reasons.reviewed.blame import told_mistake
from claimeven.reasons.reviewed.mistake import mistake
from claimeven.reasons.reviewed.voice import Voice
from claimeven.reasons.words import LANGUAGES, Words
from claimeven.solver import Solver
from kit.coach.moments import one_move_errors


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


KINDS = [  # moves, column played, kind, depth, better columns
    ("554163", 4, "win_missed", 1, "7"),
    ("43424", 7, "block_missed", 1, "4"),
    ("4446417544676", 5, "door_opened", 1, "126"),
    ("354445433", 2, "threat_burned", 1, "15"),
    ("4264", 2, "fork_missed", 2, "456"),
    ("426", 4, "fork_allowed", 2, "5"),
    ("25434444554551", 3, "stacked_missed", 2, "2"),
    ("3413545441", 5, "stacked_allowed", 2, "3"),
    ("4444445623222355655225333311117171777", 6, "zugzwang_missed", 2, "7"),
    ("1636421144", 4, "line_missed", 5, "3"),
    ("163642114", 4, "line_allowed", 5, "3"),
    ("544451454457", 2, "seven_missed", 4, "7"),
    ("54445145445", 7, "seven_allowed", 4, "5"),
    ("26433445313344", 4, "pair_missed", 4, "25"),
    ("44446545566565", 6, "pair_allowed", 3, "145"),
    ("26446344346633", 4, "count_missed", 12, "23"),
    ("4444445623222355", 6, "count_allowed", 12, "2"),
    ("444444633633", 3, "rows_missed", 13, "67"),
    ("3444444333", 3, "rows_allowed", 14, "6"),
    ("", 2, "deep", 21, "4"),
]


@pytest.mark.parametrize(("moves", "column", "kind", "depth", "better"), KINDS)
def test_every_kind(moves: str, column: int, kind: str, depth: int, better: str, solver: Solver) -> None:
    found = mistake(Position.parse(moves), column - 1, solver.analyse)
    assert found is not None
    assert (found.kind, found.depth) == (kind, depth)
    assert "".join(str(right + 1) for right in found.better) == better


@pytest.mark.parametrize(("moves", "column", "kind", "depth", "better"), KINDS)
def test_it_is_told_in_every_language_and_to_everyone(
    moves: str, column: int, kind: str, depth: int, better: str, solver: Solver
) -> None:
    found = mistake(Position.parse(moves), column - 1, solver.analyse)
    assert found is not None
    cells = [found.position.board.cell_name(cell) for cell in found.cells]
    for language in LANGUAGES:
        for reader in (None, 0, 1):
            told = told_mistake(found, Voice(Words(language), reader))
            assert all(sentence.endswith(".") and "{" not in sentence for sentence in told)
            if kind == "block_missed" and len({cell[0] for four in found.fours for cell in four}) == 1:
                assert str(found.cells[0].column + 1) in told[0]  # a tower is named by its column
            elif kind not in ("zugzwang_missed", "deep"):
                assert all(cell in told[0] for cell in cells), told


def test_the_three_that_stood_on_each_other(solver: Solver) -> None:
    found = mistake(Position.parse("41414"), 0, solver.analyse)
    assert found is not None
    assert told_mistake(found, Voice(Words("en"), 1))[0] == (
        "x had three on top of each other in column 4, and you did not block."
    )
    named = told_mistake(found, Voice(Words("pl"), 1, ("Mila", "Yellow")))[0]
    assert named.startswith("Mila ma trzy krążki jeden na drugim w kolumnie 4")


def test_a_good_move_is_none(solver: Solver) -> None:
    assert mistake(Position.parse("41414"), 3, solver.analyse) is None
    assert mistake(Position.parse(""), 3, solver.analyse) is None
    assert mistake(Position.parse("414141"), 3, solver.analyse) is None  # it wins


def test_where_every_column_loses_at_once_nothing_is_blamed(solver: Solver) -> None:
    position = Position.parse("41315")
    assert [mistake(position, column) for column in position.legal if column not in (1, 5)] == [None] * 5


def test_without_a_solver_the_rules_still_see_it() -> None:
    seen = {moves: mistake(Position.parse(moves), column - 1) for moves, column, *_ in KINDS}
    assert {moves: found.kind for moves, found in seen.items() if found is not None} == {
        moves: kind for moves, _, kind, depth, _ in KINDS if depth <= 2 and kind != "threat_burned"
    }
    assert all(found is None or found.has is None for found in seen.values())


@pytest.mark.parametrize(
    ("moves", "ply", "kind"),
    [
        ("4141414", 6, "block_missed"),
        ("14241424", 7, "block_missed"),
        ("54544514454553116617", 19, "block_missed"),
    ],
)
def test_what_cost_the_game_comes_first(moves: str, ply: int, kind: str, solver: Solver) -> None:
    told = review(Game.parse(moves), solver)
    assert (told.moments[0].ply, told.moments[0].mistake.kind) == (ply, kind)
    assert str(ply) in re.findall(r"\d+", told.story[1])


def test_the_same_cell_overlooked_again_is_one_moment(solver: Solver) -> None:
    """Both leave the ends of the row open, again and again."""
    moves = "445566" + "12121"
    errors = [error.ply for error in one_move_errors(Position(), Game.parse(moves).columns)]
    told = review(Game.parse(moves), solver)
    assert {ply for moment in told.moments for ply in moment.plies} >= set(errors)
    assert any(moment.also for moment in told.moments)


def test_a_slow_win_is_told(solver: Solver) -> None:
    told = review(Game.parse("5444514544572"), solver)
    assert told.moves[-1].name == "inaccuracy"
    assert "It still wins, only later." in told.text


def test_few_decisions_have_no_percentage(solver: Solver) -> None:
    told = review(Game.parse("4141414"), solver)
    assert "%" not in told.text
    assert [found.percent for found in told.accuracy] == [None, None]
