"""Facts: every one that is stated is true, and those that people look for are stated."""

import random

import pytest

from claimeven.position import Board, Position
from claimeven.reasons.seen.geometry import is_own_row
from claimeven.reasons.seen.move import facts
from kit.coach import claims

BOARDS = ["7x6", "7x6", "7x6", "4x4x3", "5x4", "6x5", "9x7", "8x7x5", "3x9x3", "27x3x3", "5x5x2", "4x4x1"]


def walk(seed: int) -> Position:
    """A random position that is not over; half of the moves are chosen to be played on."""
    chance = random.Random(seed)
    position = Position(Board.parse(BOARDS[seed % len(BOARDS)]))
    for _ in range(chance.randrange(position.board.cells)):
        after = position.play(chance.choice(position.legal))
        if after.is_over:
            break
        position = after
    return position


def check_all(seeds: range) -> tuple[int, set[str]]:
    checked, kinds = 0, set[str]()
    for seed in seeds:
        position = walk(seed)
        for column in position.legal:
            for fact in facts(position, column):
                assert claims.check(position, fact), (str(position), fact)
                checked += 1
                kinds.add(fact.kind)
    return checked, kinds


def test_every_fact_is_true() -> None:
    checked, kinds = check_all(range(100))
    print(f"{checked} facts checked")
    assert checked > 3_000
    assert len(kinds) >= 18


@pytest.mark.slow
def test_every_fact_of_many_positions_is_true() -> None:
    checked, kinds = check_all(range(1000, 13_000))
    print(f"{checked} facts checked")
    assert kinds == set(claims.CHECKS)


def kinds(moves: str, column: int, board: str = "7x6") -> dict[str, list[str]]:
    position = Position.parse(moves, Board.parse(board))
    found: dict[str, list[str]] = {}
    for fact in facts(position, column - 1):
        found.setdefault(fact.kind, []).extend(map(str, fact.cells))
    return found


def test_an_open_three_on_the_bottom_row_cannot_be_blocked() -> None:
    """System D took one end of it and said: I chose this move to block you from winning."""
    for column in range(1, 8):
        found = kinds("41315", column)
        assert "blocks" not in found
        assert found["leaves_win"] == [cell for cell in ("b1", "f1") if cell != f"{'abcdefg'[column - 1]}1"]
    assert kinds("41315", 2)["blocks_one"] == ["b1"]


def test_what_was_there_before_is_no_credit_of_the_disc() -> None:
    """445566: three in a row stand there already, and a win at once is not taken."""
    found = kinds("445566", 1)
    assert found["misses_win"] == ["c1", "g1"]
    assert not {"open_three", "fork", "threatens", "stacked"} & found.keys()
    assert "misses_win" not in kinds("445566", 3)
    # The disc under one's own winning cell makes no threat, it wastes one.
    found = kinds("54554544355336643423", 7)
    assert found["wastes_threat"] == ["g2"]
    assert "threatens" not in found


def test_a_winning_cell_in_the_wrong_rows_is_no_gain() -> None:
    assert kinds("37313333717124171162542", 4)["gains_wrong_odd"] == ["b5"]
    assert kinds("2464644446777", 7)["gains_even"] == ["e2"]
    # With an odd number of rows the last disc of a column decides: the first player has the odd rows on 7x5.
    assert [is_own_row(Board.parse(size), side, 3) for size in ("7x6", "7x5", "6x5") for side in (0, 1)] == [
        *(True, False),
        *(True, False),
        *(False, True),
    ]


def test_what_people_look_for() -> None:
    assert kinds("4131", 5)["open_three"] == ["b1", "f1"]
    assert kinds("4131", 5)["fork"] == ["b1", "f1"]
    assert kinds("413151", 2)["wins_now"] == ["b1"]
    assert kinds("121212", 1)["wins_now"] == ["a4"]
    assert kinds("12121", 1)["blocks"] == ["a4"]
    assert kinds("12121", 2)["leaves_win"] == ["a4"]


def test_a_fork_that_stands_is_not_denied_by_another_disc() -> None:
    """Red has c1, d1, e1: yellow's d4 takes nothing away."""
    assert "denies_fork" not in {fact.kind for fact in facts(Position.parse("44345"), 3)}
    assert "denies_fork" in {fact.kind for fact in facts(Position.parse("443"), 4)}
