"""Replays of Kaggle, and texts of every format that are refused with their reason."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimeven import Board, InputError, Position, formats
from claimeven.formats import kaggle
from claimeven.game import Result


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
