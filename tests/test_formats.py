"""Foreign formats: round trips on any board, golden texts, and refusals with their reason."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimeven import Board, Game, InputError, Position, formats
from claimeven.errors import MoveError, NotationError, PositionError
from claimeven.formats import grid, kaggle, openspiel, uci, zero_based
from claimeven.formats.history import moves_to
from claimeven.game import Player, Result
from strategies import bare_games, boards, positions

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


# Kaggle -------------------------------------------------------------------------------------------


def replay(*moves: int, last: tuple[str, str] = ("DONE", "DONE"), **changes: Any) -> str:
    """A replay as Kaggle writes it: the agent that is not to move repeats a stale action."""
    steps = []
    for number in range(len(moves) + 1):
        board = kaggle.to_board(Position.parse("".join(str(move + 1) for move in moves[:number])))
        statuses = ("ACTIVE", "INACTIVE") if number % 2 == 0 else ("INACTIVE", "ACTIVE")
        if number == len(moves):
            statuses = last
        actions = [0, 0] if number == 0 else [moves[number - 1], 0] if number % 2 else [0, moves[number - 1]]
        steps.append(
            [
                {"action": actions[0], "status": statuses[0], "observation": {"board": board, "mark": 1}},
                {"action": actions[1], "status": statuses[1], "observation": {"mark": 2}},
            ]
        )
    value = {"configuration": {"columns": 7, "rows": 6, "inarow": 4}, "steps": steps} | changes
    return json.dumps(value)


def test_replays() -> None:
    won = formats.read(
        replay(0, 1, 0, 1, 0, 1, 0, rewards=[1, -1], info={"TeamNames": ["ann", "ben"]}, id="x")
    )
    assert (won.moves, won.result) == ("1212121", Result("1-0", "connect"))
    assert ([player.name for player in won.players], won.id) == (["ann", "ben"], "x")
    running = formats.read(replay(3, 3, last=("ACTIVE", "INACTIVE")))
    assert (running.moves, running.result) == ("44", None)
    assert formats.read(replay(3, 3)).result == Result("*", "abort")


@pytest.mark.parametrize(
    ("status", "reason"), [("INVALID", "illegal"), ("ERROR", "crash"), ("TIMEOUT", "time")]
)
def test_replays_that_end_by_a_fault(status: str, reason: str) -> None:
    value = json.loads(replay(3, 3, last=("ACTIVE", "INACTIVE")))
    value["steps"].append([{"action": 99, "status": status}, {"action": 0, "status": "DONE"}])
    game = formats.read(json.dumps(value))
    assert (game.moves, game.result) == ("44", Result("0-1", reason))  # type: ignore[arg-type]


def changed(path: str, part: Any) -> str:
    """A replay of five moves with one part changed, or removed by `...`."""
    value = json.loads(replay(0, 1, 0, 1, 0))
    *way, name = [int(key) if key.isdigit() else key for key in path.split(".")]
    inside = value
    for key in way:
        inside = inside[key]
    if part is ...:
        del inside[name]
    else:
        inside[name] = part
    return json.dumps(value)


BAD = [
    ("0based", "3387", "character 3 of '3387': there is no column 8, counted from 0 they are 0 to 6"),
    ("0based", "33-", "character 3 of '33-': '-' is not a column digit (0-9, then a-z)"),
    ("0based", "3333333", "move 7 of '3333333': column 4 is full"),
    ("0based", "01010101", "move 8 of '01010101': the game is over"),
    ("0based", "3" * 128, "moves '333"),
    ("moves", "0123", "character 1 of '0123': there is no column 0"),
    ("moves", "12121211", "move 8 of '12121211': the game is over"),
    ("position", "4453", "position '4453': rows, a space and the side to move are missing"),
    ("openspiel-actions", "3, 7", "action 2 of '3, 7': there is no column 7, they are 0 to 6"),
    ("openspiel-actions", "3,, 3", "action 2 of '3,, 3': '' is not a column number"),
    ("openspiel-actions", "3, x3", "action 2 of '3, x3': ' x3' is not a column number"),
    ("openspiel-actions", "3, 03", "action 2 of '3, 03': ' 03' is not a column number"),
    ("openspiel-actions", "3" * 5000, "action 1 of '333"),
    ("openspiel-actions", ", ".join(["3"] * 7), "move 7 of '3, 3, 3, 3, 3, 3, 3': column 4 is full"),
    ("openspiel-actions", "0," * 5000, "moves '0,0,"),
    ("openspiel-board", "", "board 0x1x4: columns must be at least 1"),
    ("openspiel-board", "..\n.", "OpenSpiel board, line 2: 1 cells instead of 2"),
    ("openspiel-board", "..\n.X", "OpenSpiel board, line 2, character 2: 'X' is not x, o or ."),
    ("openspiel-board", "x.\n..", "the stone on a2 floats: the cell below it is empty"),
    ("openspiel-board", "..\nxx", "2 x and 0 o: x moves first"),
    ("openspiel-board", "xo..\nxo..\nxo..\nxo..", "both sides have a complete line"),
    ("openspiel-board", "." * 999_999, "board 999999x1x4: at most 35 columns"),
    ("rows-top", "[[0,0],[0]]", "row 2 of the grid has 1 cells instead of 2"),
    ("rows-top", "[[0,true]]", "grid: Expected int, got bool, at [0][1]"),
    ("rows-top", "[[0,1.0]]", "grid: Expected int, got float, at [0][1]"),
    ("rows-top", '[["x"]]', "grid: Expected int, got str, at [0][0]"),
    ("rows-top", "{}", "grid: Expected array, got object"),
    ("rows-top", "[[" + "9" * 4000 + "]]", "row 1, cell 1: '999"),
    ("rows-top", "[[1,0],[0,0]]", "the stone on a2 floats"),
    ("rows-bottom", "[[0,0],[0,1]]", "the stone on b2 floats"),
    ("rows-top", "[" * 100_000, "grid: nested too deeply"),
    ("uci", "b,b", "UCI row 'b,b': 2 fields; a 7x6x4 board has 42 cells, and the class may follow"),
    ("uci", ",".join("b" * 41 + "z"), "UCI row, field 42: 'z' is not x, o or b"),
    ("uci", ",".join([*"b" * 42, "WIN"]), "UCI row, last field: 'WIN' is not win, loss or draw"),
    ("uci", ",".join("bx" + "b" * 40), "the stone on a2 floats"),
    ("uci", ",".join("xx" + "b" * 40), "2 x and 0 o"),
    ("kaggle-board", "[]", "Kaggle board: 0 cells, but a 7x6x4 board has 42"),
    ("kaggle-board", "7", "Kaggle board: Expected object, got int"),
    ("kaggle-board", '{"observation":{}}', "Kaggle board: the observation has no board"),
    ("kaggle-board", '{"configuration":{}}', "Kaggle board: Object missing required field observation"),
    ("kaggle-board", str([3] + [0] * 41), "row 1, cell 1: '3' is not 0, 1 or 2"),
    ("kaggle-board", str([1] + [0] * 41), "the stone on a6 floats"),
    ("kaggle-board", '{"board":[0],"mark":3}', "Kaggle board: Expected int <= 2, at observation.mark"),
    (
        "kaggle-board",
        '{"board":' + str([0] * 42) + ',"mark":2}',
        "Kaggle board: with 0 stones it is 1's turn",
    ),
    (
        "kaggle-board",
        '{"observation":{"board":[0]},"configuration":{"columns":0}}',
        "board 0x6x4: columns must",
    ),
    (
        "kaggle-board",
        '{"observation":{"board":[0]},"configuration":{"rows":1e9}}',
        "Kaggle board: Expected int, got",
    ),
    (
        "kaggle-board",
        '{"observation":{"board":[0]},"configuration":{"rows":9999}}',
        "Kaggle board: Expected int <= ",
    ),
    ("kaggle-replay", "{}", "Kaggle replay: Object missing required field configuration"),
    ("kaggle-replay", changed("steps", []), "Kaggle replay: Expected array of length >= 1, at steps"),
    (
        "kaggle-replay",
        changed("steps.2", [{}]),
        "Kaggle replay: Expected array of length 2, got 1, at steps[2]",
    ),
    (
        "kaggle-replay",
        changed("steps.2.1.action", 0),
        "Kaggle replay, step 2: the board is not what the actions lead",
    ),
    (
        "kaggle-replay",
        changed("steps.2.1.action", 7),
        "Kaggle replay, step 2: there is no column '7', they are 0 to 6",
    ),
    ("kaggle-replay", changed("steps.2.1.action", -1), "Kaggle replay, step 2: there is no column '-1'"),
    (
        "kaggle-replay",
        changed("steps.2.1.action", None),
        "Kaggle replay, step 2: the action is no column but a None",
    ),
    (
        "kaggle-replay",
        changed("steps.2.1.action", True),
        "Kaggle replay, step 2: the action is no column but a bool",
    ),
    (
        "kaggle-replay",
        changed("steps.1.1.status", "DONE"),
        "Kaggle replay, step 2: a step is made, but it was not",
    ),
    (
        "kaggle-replay",
        changed("steps.1.0.status", "ACTIVE"),
        "Kaggle replay, step 2: a step is made, but it was not",
    ),
    (
        "kaggle-replay",
        changed("steps.0.0.observation.board.41", 1),
        "Kaggle replay, step 0: the board is not what",
    ),
    ("kaggle-replay", changed("configuration.columns", 8), "Kaggle replay, step 0: the board is not what"),
    (
        "kaggle-replay",
        changed("configuration.inarow", 2),
        "Kaggle replay, step 4: a step is made, but it was not",
    ),
    (
        "kaggle-replay",
        changed("info", {"TeamNames": ["a\0", "b"]}),
        "Kaggle replay: name: character 2 is a control",
    ),
    ("kaggle-replay", changed("id", "\n"), "Kaggle replay: id: character 1 is a control character"),
    ("kaggle-replay", changed("id", "i" * 201), "game record: Expected str of length <= 200, at id"),
    (
        "kaggle-replay",
        replay(0, 1, 0, 1, 0, 1, 0, last=("ACTIVE", "DONE")),
        "Kaggle replay: the game is over, but an agent is still ACTIVE",
    ),
    (
        "kaggle-replay",
        replay(0, 1, 0, 1, 0, 1, 0, rewards=[-1, 1]),
        "Kaggle replay: the rewards are [-1.0, 1.0], but it ends 1-0",
    ),
    ("kaggle-replay", '{"steps":' + "[" * 100_000, "Kaggle replay: nested too deeply"),
    (
        "kaggle-replay",
        changed("steps.2.1.action", "x").replace('"x"', "9" * 4000),
        "Kaggle replay, step 2: there is no ",
    ),
    ("nonsense", "", "there is no format 'nonsense', only moves, position, json, "),
]


@pytest.mark.parametrize(("name", "text", "message"), BAD)
def test_refused_with_the_reason(name: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        formats.read(text, name)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", formats.FORMATS)
def test_a_board_that_contradicts_the_text(name: str) -> None:
    text = formats.write(Position.parse("4453", Board(9, 8, 4)), name)
    for board in (Board(3, 3, 3), Board(4, 9, 4)):
        with pytest.raises(InputError):
            formats.read(text, name, board)


@pytest.mark.parametrize("name", [*formats.FORMATS, None])
@given(text=st.text())
@settings(max_examples=50)
def test_nothing_but_input_errors(name: str | None, text: str) -> None:
    with suppress(InputError):
        formats.read(text, name)


# Move orders --------------------------------------------------------------------------------------


def test_a_position_that_no_order_of_moves_reaches() -> None:
    # Every column has its o below its x, so that nobody can have moved first.
    position = Position.parse("xx/oo x 2x2x4")
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
