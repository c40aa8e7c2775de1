"""The player by rules: every rule of its description, at every place where it applies."""

import pytest

from claimeven.agents import make_agent
from claimeven.position import Board, Position


def rule(moves: str, board: str = "7x6x4") -> tuple[str, set[int]]:
    """The rule that fires, and the columns it finds."""
    choice = make_agent("rules", seed=1).choose(Position.parse(moves, Board.parse(board)))
    assert choice.weights[choice.column] > 0
    assert choice.rule is not None
    return choice.rule, {column for column, weight in choice.weights.items() if weight > 0}


def test_win_comes_before_block() -> None:
    assert rule("121212") == ("win", {0})
    assert rule("12121") == ("block", {0})
    assert rule("445566") == ("win", {2, 6})


@pytest.mark.parametrize("left", [1, 2, 3])
def test_open_threes_on_the_bottom_row_are_stopped_everywhere(left: int) -> None:
    """System C compared one cell with two values: of three patterns one could never match.

    x stands on two of three cells next to each other, both ends are free: the third is to be taken, or
    where only a straight line remains, either side of it.
    """
    three = {left, left + 1, left + 2}
    for gap in three:
        stones = sorted(three - {gap})
        # o answers on top of x's first stone, so that the row stays free for x.
        moves = "".join(str(column + 1) for column in (stones[0], stones[0], stones[1]))
        name, columns = rule(moves)
        assert name == "open three"
        assert gap in columns


def test_the_other_wing_counts_too() -> None:
    assert rule("334") == ("open three", {1, 4})  # b-c-d or c-d-e


def test_the_centre_is_played_to_height_five() -> None:
    """System C's text says 5, its source stopped at 4."""
    assert rule("") == rule("4") == rule("44") == rule("444") == rule("4444") == ("centre", {3})
    assert rule("44444")[0] != "centre"
    assert rule("", "6x6x4") == ("centre", {2, 3})
    assert rule("", "1x3x2") == ("centre", {0})


def test_own_rows_are_built_on() -> None:
    """Odd rows for the first player, even ones for the second; where own stones are beside, first."""
    assert rule("444444") == ("own rows", {2, 4})  # c1 and e1 touch x on d1
    assert rule("4444441") == ("own rows", {0})  # a2 is the only even row for o


def test_nothing_is_handed_over() -> None:
    """x wins on d2 if o plays d1, so the centre is not for o now."""
    position = Position.parse("2113372")
    assert position.play(3).play(3).winner == 0
    name, columns = rule("2113372")
    assert name != "centre"
    assert 3 not in columns


def test_when_everything_loses_it_says_so() -> None:
    position = Position.parse("11", Board(2, 2, 2))
    choice = make_agent("rules", seed=1).choose(position)
    assert choice.column in position.legal


@pytest.mark.parametrize("seed", range(5))
def test_every_choice_says_its_rule(seed: int) -> None:
    agent, position = make_agent("rules", seed), Position()
    while not position.is_over:
        choice = agent.choose(position)
        assert choice.rule in ("win", "block", "open three", "centre", "own rows", "safe", "any")
        assert choice.text
        position = position.play(choice.column)
