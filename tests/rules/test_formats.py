"""Foreign formats: round trips on any board, golden texts, grids, orders of moves."""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven import Board, Game, InputError, Position, formats
from claimeven.errors import MoveError, NotationError, PositionError
from claimeven.formats import grid, kaggle, openspiel, uci, zero_based
from claimeven.formats.history import moves_to
from claimeven.game import Player
from kit.strategies import bare_games, boards, positions

MOVES = ["moves", "0based", "openspiel-actions"]
POSITIONS = ["position", "kaggle-board", "openspiel-board", "rows-top", "rows-bottom", "uci"]
RECORDS = ["json", "c4n", "kaggle-replay"]


def test_the_registry_is_covered_here() -> None:
    assert sorted(formats.FORMATS) == sorted(MOVES + POSITIONS + RECORDS)
    for name, format in formats.FORMATS.items():
        assert "\n" not in format.about
        assert len(f"{name}: {format.about}") < 100


# Round trips --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MOVES)
@given(position=positions())
def test_moves_round_trip(name: str, position: Position) -> None:
    text = formats.write(position, name)
    game = formats.read(text, name, position.board)
    assert game.position == position
    assert game.position.moves == position.moves
    assert formats.write(game, name) == text


@pytest.mark.parametrize("name", POSITIONS)
@given(position=positions())
def test_positions_round_trip(name: str, position: Position) -> None:
    text = formats.write(position, name)
    game = formats.read(text, name, position.board)
    assert game.position == position
    assert game.position.winner == position.winner
    assert formats.write(game, name) == text


@pytest.mark.parametrize("name", ["json", "c4n"])
@given(game=bare_games())
def test_records_round_trip(name: str, game: Game) -> None:
    text = formats.write(game, name)
    assert formats.detect(text) == name
    assert formats.read(text) == game
    assert formats.read(text, name, game.board) == game


@given(game=bare_games(), names=st.tuples(st.text("ab"), st.text("cd")))
def test_kaggle_replay_round_trip(game: Game, names: tuple[str, str]) -> None:
    game.players = (Player(names[0], "agent"), Player(names[1], "agent"))
    result = game.result
    can_say = result is None or result.reason in ("connect", "full", "abort")
    if result is not None and result.reason in kaggle.FAULTS.values():
        can_say = result.winner != game.position.side
    if not can_say:
        with pytest.raises(InputError, match="a Kaggle replay cannot say that a game ended"):
            formats.write(game, "kaggle-replay")
        return
    text = formats.write(game, "kaggle-replay")
    again = formats.read(text)
    assert again == game
    assert formats.write(again, "kaggle-replay") == text


@given(positions())
def test_a_position_without_history_is_written_as_some_moves(position: Position) -> None:
    forgetful = Position.parse(str(position))
    assert forgetful.ply == 0 or forgetful.moves is None
    for name in MOVES:
        assert formats.read(formats.write(forgetful, name), name, position.board).position == position
    replayed = formats.read(formats.write(forgetful, "kaggle-replay"))
    assert (replayed.position, replayed.result) == (position, Game(start=position).result)


@given(positions())
def test_detected_formats_are_read_alike(position: Position) -> None:
    """What is written can be read without its name, where the board's size is in the text."""
    for name in ["position", "kaggle-board", *RECORDS]:
        text = formats.write(position, name)
        assert formats.detect(text) == name
        assert formats.read(text).position == position


# Golden texts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("moves", "4453"),
        ("position", "7/7/7/7/3o3/2oxx2 x 7x6x4"),
        ("0based", "3342"),
        ("openspiel-actions", "3, 3, 4, 2"),
        ("openspiel-board", ".......\n.......\n.......\n.......\n...o...\n..oxx..\n"),
        ("rows-top", str([[0] * 7] * 4 + [[0, 0, 0, 2, 0, 0, 0], [0, 0, 2, 1, 1, 0, 0]])),
        ("rows-bottom", str([[0, 0, 2, 1, 1, 0, 0], [0, 0, 0, 2, 0, 0, 0]] + [[0] * 7] * 4)),
        ("uci", "b,b,b,b,b,b,b,b,b,b,b,b,o,b,b,b,b,b,x,o,b,b,b,b,x,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b"),
        (
            "kaggle-board",
            '{"observation":{"board":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2,0,0,0,'
            '0,0,2,1,1,0,0],"mark":1},"configuration":{"columns":7,"rows":6,"inarow":4}}',
        ),
        ("json", '{"format":"c4game","version":1,"board":"7x6x4","players":[{},{}],"moves":"4453"}'),
        ("c4n", '[Board "7x6x4"]\n[Result "*"]\n\n1. d1 d2 2. e1 c1 *\n'),
    ],
)
def test_golden_texts(name: str, text: str) -> None:
    assert formats.write(Game.parse("4453"), name) == text
    assert formats.read(text, name).position == Position.parse("4453")
    if name not in ("0based", "rows-bottom"):
        assert formats.detect(text) == name
        assert formats.read(f"\n {text}\n").position == Position.parse("4453")


def test_golden_replay(golden: Callable[[str, str], None]) -> None:
    game = Game.parse("1212121")
    game.players = (Player("ann", "agent"), Player("ben", "agent"))
    game.id = "episode"
    golden("kaggle-replay.json", formats.write(game, "kaggle-replay") + "\n")


def test_first_row_of_the_uci_data_set() -> None:
    text = "b,b,b,b,b,b,b,b,b,b,b,b,x,o,b,b,b,b,x,o,x,o,x,o,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,win"
    position, outcome = uci.parse_row(text)
    assert (str(position), outcome) == ("3o3/3x3/3o3/3x3/2oo3/2xx3 x 7x6x4", "win")
    game = formats.read(text)
    assert game.tags == {"Class": "win"}
    assert formats.write(game, "uci") == text
    game.play(0)  # the class was that of the position before
    assert formats.write(game, "uci").startswith("x,b,")
    assert "win" not in formats.write(game, "uci")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "moves"),
        ("4", "moves"),
        ("4453\n", "moves"),
        ("0123", "moves"),  # and then refused: only a person knows that this is 0-based
        ("7/7/7/7/3o3/2oxx2 x", "position"),
        ("x x 1x1x1", "position"),
        ("1. d1", "c4n"),
        ("D1 D2", "c4n"),
        ('[Event "x"]', "c4n"),
        ("{a comment} 1. d1", "c4n"),
        ("[0, 0]", "kaggle-board"),
        ("[]", "kaggle-board"),
        ('{"board":[]}', "kaggle-board"),
        ('{ "steps": []}', "kaggle-replay"),
        ('{\n"format":"c4game"}', "json"),
        ("[[0]]", "rows-top"),
        ("[ [0]]", "rows-top"),
        (".\n.\n", "openspiel-board"),
        ("x\no\n", "openspiel-board"),
        ("..x", "openspiel-board"),
        ("3,3", "openspiel-actions"),
        ("b,b", "uci"),
    ],
)
def test_detect(text: str, name: str) -> None:
    assert formats.detect(text) == name


def test_zero_based_names() -> None:
    assert zero_based.parse_moves_0based("3342y", 35) == (3, 3, 4, 2, 34)
    assert zero_based.moves_text_0based(range(35)) == "0123456789abcdefghijklmnopqrstuvwxy"


# Grids --------------------------------------------------------------------------------------------


class Array:
    """Looks like a numpy array of floats: rows are not lists, cells are not ints."""

    def __init__(self, cells: list[Any]) -> None:
        self.cells = cells

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Any]:
        return (Array(cell) if isinstance(cell, list) else float(cell) for cell in self.cells)


@given(positions(), st.sampled_from(["top", "bottom"]))
def test_arrays(position: Position, first_row: grid.FirstRow) -> None:
    rows = grid.to_rows(position, first_row)
    assert grid.from_rows(rows, first_row, position.board) == position
    assert grid.from_rows(Array(rows), first_row, position.board) == position
    other: grid.FirstRow = "bottom" if first_row == "top" else "top"
    assert grid.to_rows(position, other) == rows[::-1]
    flat = [cell for row in grid.to_rows(position, "top") for cell in row]
    assert kaggle.to_board(position) == flat
    assert kaggle.from_board(flat, position.board) == position


if find_spec("numpy"):  # an extra; the class above stands in for it elsewhere

    def test_numpy_arrays() -> None:
        import numpy

        position = Position.parse("4453")
        for kind in ("int8", "uint64", "float32"):
            rows = numpy.array(grid.to_rows(position, "bottom"), dtype=kind)
            assert grid.from_rows(rows, "bottom") == position


def test_a_grid_with_its_own_size() -> None:
    assert grid.from_rows([[0, 0, 0], [1, 2, 0]], "top").board == Board(3, 2, 4)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (7, "a grid is a list of rows"),
        ([1, 2], "a grid is a list of rows"),
        ([], "board 0x0x4: columns must be at least 1"),
        ([[]], "board 0x1x4: columns must be at least 1"),
        ([[0, 0], [0]], "row 2 of the grid has 1 cells instead of 2"),
        ([[0, 3]], "row 1, cell 2: '3' is not 0, 1 or 2"),
        ([[0, True]], "row 1, cell 2: 'True' is not 0, 1 or 2"),
        ([[0, None]], "row 1, cell 2: 'None' is not 0, 1 or 2"),
        ([[0, [1]]], r"row 1, cell 2: '\[1\]' is not 0, 1 or 2"),
        ([["0", "1"]], "row 1, cell 1: '0' is not 0, 1 or 2"),
        ([[1, 0], [0, 0]], "the stone on a2 floats"),
        ([[0] * 36], "board 36x1x4: at most 35 columns"),
    ],
)
def test_refused_grids(rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        grid.from_rows(rows, "top")


def test_refused_first_rows() -> None:
    for call in (
        lambda: grid.to_rows(Position(), "left"),  # type: ignore[arg-type]
        lambda: grid.from_rows([[0]], "left"),  # type: ignore[arg-type]
    ):
        with pytest.raises(InputError, match="the first row is top or bottom, not 'left'"):
            call()


# Move orders --------------------------------------------------------------------------------------


def test_a_position_that_no_order_of_moves_reaches() -> None:
    # After b1 and a1 it is x's turn, and the only cell where a disc lands is an o's.
    position = Position.parse("x1/x1/o1/ox o 2x4x5")
    with pytest.raises(PositionError, match="no order of moves leads to this position"):
        moves_to(position)
    with pytest.raises(PositionError, match="no order of moves leads to this position"):
        formats.write(position, "moves")


def test_the_last_move_completes_the_line() -> None:
    position = Position.parse("7/7/7/xo5/xo5/xxxxooo o")
    moves = moves_to(position)
    assert not Position.parse("".join(str(column + 1) for column in moves[:-1])).is_over


def test_the_search_for_moves_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.formats.history.MAX_STEPS", 3)
    with pytest.raises(InputError, match="no order of moves to this position was found in 3 steps"):
        moves_to(Position.parse("7/7/7/7/3o3/2oxx2 x"))


@given(boards)
def test_the_empty_board(board: Board) -> None:
    assert moves_to(Position(board)) == ()
    assert openspiel.parse_board(openspiel.board_text(Position(board)), board) == Position(board)


def test_moves_that_the_rules_forbid() -> None:
    with pytest.raises(MoveError):
        formats.read("4444444", "moves")
    with pytest.raises(NotationError):
        formats.read("8", "moves")
