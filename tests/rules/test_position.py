"""The rules in Python: the contract, and thousands of random games beside the naive referee."""

import random
import sys
from dataclasses import FrozenInstanceError

import pytest

from claimeven import Game, Solver, explain, review
from claimeven.browser import core as browser_core
from claimeven.count import perft
from claimeven.errors import BoardError, InputError, MoveError, NotationError, PositionError
from claimeven.position import Board, Cell, Position
from kit.referee import Referee

# Usual boards, thin and flat ones, both sides of the 64-bit seam, the largest, connects that nobody reaches.
BOARDS = [
    *("7x6", "4x4x3", "5x4", "6x4", "5x5x5", "3x3x3", "8x7", "9x7", "12x6", "10x10x5", "16x7x6"),
    *("1x1x1", "1x1x2", "2x1x2", "1x7x4", "7x1x3", "3x2x1", "2x3x9", "4x4x1000000"),
    *("1x63", "1x127", "2x31", "2x32", "2x63x2", "32x1", "32x3x30", "35x1x2", "35x2"),
]


def play_beside_referee(board: Board, seed: int) -> Position:
    """Play one random game on both; they must agree on everything after every move."""
    rng = random.Random(f"{board} {seed}")
    referee = Referee(board.columns, board.rows, board.connect)
    position, keys = Position(board), {}
    columns = []
    while True:
        assert position.legal == referee.legal
        assert position.is_over == referee.is_over
        assert position.winner == referee.winner
        assert set(position.four) == referee.four
        assert len(position.four) == len(referee.four)
        assert (position.ply, position.side) == (referee.ply, referee.ply % 2)
        assert position.key not in keys
        keys[position.key] = position
        mirrored = position.mirror()
        assert mirrored.mirror() == position
        assert mirrored.canonical_key == position.canonical_key
        assert mirrored.legal == tuple(board.columns - 1 - c for c in reversed(position.legal))
        assert (mirrored.winner, mirrored.is_over) == (position.winner, position.is_over)
        if position.is_over:
            break
        column = rng.choice(position.legal)
        columns.append(column)
        referee.play(column)
        position = position.play(column)
        row = position.height(column) - 1
        assert position.stone(column, row) == referee.at(column, row)
    for column in range(board.columns):
        for row in range(board.rows):
            assert position.stone(column, row) == referee.at(column, row)
    again = Position.parse(position.moves or "", board)
    assert again == position
    assert Position.parse(str(position)) == position
    assert Position.parse(str(position)).winner == position.winner
    return position


@pytest.mark.parametrize("board", BOARDS)
def test_random_games_beside_the_referee(board: str) -> None:
    on = Board.parse(board)
    games = 1 if on.columns == 1 else 20 + 4000 // on.cells
    for seed in range(games):
        play_beside_referee(on, seed)


def test_many_games_on_the_standard_board() -> None:
    winners = {play_beside_referee(Board(), seed).winner for seed in range(1000, 2000)}
    assert winners == {0, 1, None}


def test_a_new_position() -> None:
    p = Position.parse("")
    assert p == Position() == Position(Board(7, 6, 4))
    assert (p.ply, p.side, p.legal, p.moves) == (0, 0, (0, 1, 2, 3, 4, 5, 6), "")
    assert (p.is_over, p.winner, p.four, p.key) == (False, None, (), 0)


def test_play_returns_a_new_position() -> None:
    p = Position.parse("445")
    q = p.play(2)
    assert (p.ply, q.ply, q.moves, q.side) == (3, 4, "4453", 0)
    assert str(q) == "7/7/7/7/3o3/2oxx2 x 7x6x4"
    with pytest.raises(FrozenInstanceError):
        p.mask = 0  # type: ignore[misc]


def test_a_won_game_is_over() -> None:
    p = Position.parse("1212121")
    assert (p.winner, p.is_over, p.legal, p.side) == (0, True, (), 1)
    assert p.four == (Cell(0, 0), Cell(0, 1), Cell(0, 2), Cell(0, 3))
    assert [str(cell) for cell in p.four] == ["a1", "a2", "a3", "a4"]


def test_four_has_all_cells_of_all_lines() -> None:
    six = Position.parse("11223355664")
    assert [str(cell) for cell in six.four] == ["a1", "b1", "c1", "d1", "e1", "f1"]
    two = Position.parse("315452435", Board(5, 4, 3))  # down column e and up to the right
    assert [str(cell) for cell in two.four] == ["c1", "d2", "e1", "e2", "e3"]


def test_every_four_has_two_ends() -> None:
    def ends(moves: str, board: Board | None = None) -> list[str]:
        position = Position.parse(moves, board)
        return [f"{first}{last}" for first, last in position.board.four_ends(position.theirs)]

    assert ends("315452435", Board(5, 4, 3)) == ["c1e3", "e1e3"]
    assert ends("11223355664") == ["a1d1", "b1e1", "c1f1"]
    assert ends("4453") == []
    assert ends("1", Board(1, 1, 1)) == ["a1a1"]


def test_the_centre_comes_first_and_left_of_two_as_near() -> None:
    assert Board().from_centre == (3, 2, 4, 1, 5, 0, 6)
    assert Board(6, 5).from_centre == (2, 3, 1, 4, 0, 5)
    assert [Board(6, 5).off_centre(column) for column in range(6)] == [5, 3, 1, 1, 3, 5]
    assert Board().central([6, 4, 2]) == 2


def test_a_full_board_is_a_draw() -> None:
    p = Position.parse("12", Board(2, 1, 3))
    assert (p.is_over, p.winner, p.legal, p.four) == (True, None, (), ())


def test_equality_ignores_the_way() -> None:
    one, other = Position.parse("1234"), Position.parse("3214")
    assert one == other
    assert hash(one) == hash(other)
    assert (one.moves, other.moves) == ("1234", "3214")
    assert Position.parse(str(one)).moves is None
    assert one != Position.parse("1234", Board(7, 7))


def test_the_canonical_key_forgets_left_and_right() -> None:
    assert Position.parse("1").canonical_key == Position.parse("7").canonical_key
    assert Position.parse("1").key != Position.parse("7").key
    assert Position.parse("4").key == Position.parse("4").canonical_key == Position.parse("4").mirror().key


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((0, 6, 4), "columns must be at least 1"),
        ((7, 0, 4), "rows must be at least 1"),
        ((7, 6, 0), "connect must be at least 1"),
        ((-7, 6, 4), "columns must be at least 1"),
        ((36, 1, 4), "at most 35 columns"),
        ((12, 10, 5), "too large"),
        ((1, 128, 4), "too large"),
        ((7.0, 6, 4), "must be a whole number"),
        ((True, 6, 4), "must be a whole number"),
        (("7", 6, 4), "must be a whole number"),
    ],
)
def test_boards_that_are_refused(sizes: tuple[int, int, int], words: str) -> None:
    with pytest.raises(BoardError, match=words) as caught:
        Board(*sizes)
    assert "\n" not in str(caught.value)


def test_a_connect_of_any_size_is_out_of_reach() -> None:
    """One place clamps it, `reach`; whoever computes with lines, natively too, uses that."""
    position, solver = Position(Board(4, 3, 10**12)), Solver()
    assert position.board.reach == 5
    assert perft(position, 3) == (64, 0)
    assert solver.score(position).outcome == "draw"
    assert explain(position, 1, solver).verdict == "Column 2 holds the draw."
    assert review(Game(start=position.play(1).play(1)), solver).text


def test_boards_at_the_edge_are_accepted() -> None:
    for text in ("1x127x4", "35x2x4", "16x7x4", "2x63x1", "1x1x1", "7x6x100", "7x6x999999999"):
        assert str(Board.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("48", NotationError, "character 2 of '48': there is no column 8"),
        ("4-", NotationError, "character 2"),
        ("0", NotationError, "there is no column 0"),
        ("4444444", MoveError, "move 7 of '4444444': column 4 is full"),
        ("12121212", MoveError, "move 8 of '12121212': the game is over"),
        ("7/7/7/7/7/3x3 x", PositionError, "it is o's turn"),
        ("7/7/7/7/3o3/7 x", PositionError, "floats"),
        ("7/7/7/7/7/2xxx2 o", PositionError, "3 x and 0 o"),
        ("7/7/7/7/ooo4/xxxx3 x", PositionError, "it is o's turn"),
        ("7/7/7/7/oooo3/xxxx3 x", PositionError, "both sides have a complete line"),
        ("7/7/7/7/7 x", NotationError, "5 rows"),
        ("7/7/7/7/7/8 x", NotationError, "longer than 7"),
        ("7/7/7/7/7/7 z", NotationError, "x or o"),
    ],
)
def test_texts_that_are_refused(text: str, error: type[InputError], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        Position.parse(text)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("column", [-1, 7, 100])
def test_a_missing_column_is_refused(column: int) -> None:
    with pytest.raises(MoveError, match="there is no column"):
        Position().play(column)


def test_a_board_that_contradicts_the_text_is_refused() -> None:
    with pytest.raises(InputError, match="7x6x4"):
        Position.parse("7/7/7/7/7/7 x 7x6x4", Board(6, 5))


def test_a_move_makes_plain_positions_that_hold_nothing_else() -> None:
    """The core fills the fields of a frozen class, as Python would."""

    class Named(Position):
        name = "mine"

    for board in (Board(), Board(12, 9)):
        after = Named(board).play(3).play(3)
        assert type(after) is Position
        assert after == Position(board).play(3).play(3)
        assert hash(after) == hash(Position(board).play(3).play(3))
        with pytest.raises(FrozenInstanceError):
            after.mine = 0  # type: ignore[misc]
        before = sys.getrefcount(board), sys.getrefcount(after.legal), sys.getrefcount(None)
        for _ in range(10_000):
            after.play(2)
        now = sys.getrefcount(board), sys.getrefcount(after.legal), sys.getrefcount(None)
        assert all(abs(new - old) < 100 for new, old in zip(now, before, strict=True))


@pytest.mark.parametrize("board", BOARDS)
def test_winning_cells_are_those_of_every_line(board: str) -> None:
    """All lines at once, by shifts, against one line after the other; by the native core and in a browser."""
    chance, size = random.Random(board), Board.parse(board)
    in_browser = browser_core.Moves(size.columns, size.rows, size.reach, "", size.open_columns)
    for _ in range(200):
        stones, others = (chance.getrandbits(128) & size.full for _ in range(2))
        mask = stones | others
        missing = [four & ~stones for four in size.fours]
        wins = {cell for cell in missing if cell.bit_count() == 1 and not cell & mask}
        assert size.winning_cells(stones, mask) == sum(wins)
        assert in_browser.winning_cells(stones, mask) == sum(wins)
