"""Positions as numpy arrays: one as a grid, many as words, and their scores without a Position in between."""

import random

import numpy as np
import pytest
from hypothesis import given, settings

from claimeven import Board, Position, Solver
from claimeven.arrays import positions_of, words_of
from claimeven.errors import InputError
from claimeven.formats.history import moves_to
from kit.strategies import positions


@settings(deadline=None)
@given(positions())
def test_a_grid_reads_back(position: Position) -> None:
    grid = position.to_array()
    assert grid.shape == (position.board.rows, position.board.columns)
    assert grid.dtype == np.int8
    for row in range(position.board.rows):
        for column in range(position.board.columns):
            stone = {None: 0, "x": 1, "o": 2}[position.stone(column, row)]
            assert grid[position.board.rows - 1 - row, column] == stone
    assert Position.from_array(grid, position.board.connect) == position
    assert Position.from_array(np.where(grid == 2, -1, grid), position.board.connect) == position


def test_a_grid_that_is_no_position_is_refused() -> None:
    grid = Position.parse("44").to_array()
    with pytest.raises(InputError, match="row 1, column 4: 0, 1 or 2, not 5"):
        Position.from_array(np.where(grid == 1, 5, grid))
    with pytest.raises(InputError, match="floats"):
        Position.from_array(grid[::-1])
    with pytest.raises(InputError, match="an array of rows and columns"):
        Position.from_array(np.zeros(42))  # type: ignore[arg-type]


def games(board: Board, count: int, seed: int) -> list[Position]:
    rng, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position = Position(board)
        for _ in range(rng.randrange(board.cells)):
            if position.is_over:
                break
            position = position.play(rng.choice(position.legal))
        found.append(position)
    return found


@pytest.mark.parametrize("board", ["7x6x4", "5x4x4", "12x4x3", "18x5x2"])
def test_words_read_back(board: str) -> None:
    sample = games(Board.parse(board), 50, 3)
    assert positions_of(words_of(sample), Board.parse(board)) == sample


@pytest.mark.parametrize("board", ["7x6x4", "5x4x4", "32x3x2"])
def test_scores_of_words_are_those_of_positions(board: str) -> None:
    on = Board.parse(board)
    late = [p for p in games(on, 400, 5) if p.ply > 24 or not on.is_standard or p.ply < 11]
    solver = Solver(megabytes=16)
    values = solver.scores(words_of(late), board=on)
    assert values.dtype == np.int8
    assert values.tolist() == [score.value for score in solver.scores(late)]


def test_stones_that_no_game_leads_to_are_not_asked_of_the_book() -> None:
    board = Board()
    sample = games(board, 3000, 7)
    odd = Position.parse("7/7/x1x4/o1x4/x1oo3/o1ox3 x")
    with pytest.raises(InputError, match="no order of moves leads to this position"):
        moves_to(odd)
    early, late = [p for p in sample if p.ply < 10], [p for p in sample if p.ply > 25]
    mixed = words_of([*early[:20], odd, *late[:20]])
    with_book = Solver(megabytes=64).scores(mixed)
    assert with_book[20] == Solver(megabytes=64, book=False).solve(odd).low
    assert with_book.tolist() == [Solver(megabytes=64).score(p).value for p in positions_of(mixed)]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (np.zeros((3, 3), np.uint64), r"of shape \(n, 2\), not uint64 of shape \(3, 3\)"),
        (np.zeros((3, 2)), "whole numbers"),
        (np.zeros(4, np.uint64), "of shape"),
        (np.array([[1, 0]], np.uint64), "mine: a stone is missing in mask"),
        (np.array([[0, 64]], np.uint64), "outside"),
        (np.array([[-1, -1]]), "outside"),
    ],
)
def test_words_that_are_no_positions_are_refused(words: np.ndarray, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Solver(megabytes=1).scores(words)
