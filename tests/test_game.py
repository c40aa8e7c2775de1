"""Games: playing, ending, and both record formats."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from claimeven import Board, Game, InputError, Position
from claimeven.errors import MoveError, RecordError
from claimeven.game import (
    Clock,
    Note,
    Player,
    Result,
    Variation,
    json_schema,
    read_json_lines,
    read_text_games,
)
from strategies import games

SCHEMA = Path(__file__).parents[1] / "src" / "claimeven" / "game" / "game.schema.json"


def annotated_game() -> Game:
    """One game that uses every part of a record."""
    game = Game(
        players=(Player("Lan", rating=1510), Player('mcts "800"', "agent", "mcts:simulations=800", 7)),
        clock=Clock(180_000, 2_500),
        tags={"Event": "House match", "Round": "3"},
        id="01J9",
        created="2026-11-15T06:30:00Z",
    )
    game.note("A classical start.")
    for column, ms in zip((3, 3, 4, 2, 3), (1200, 5, 62_040, None, 0), strict=True):
        game.play(column, ms)
    game.note("Leaves [%emt 0:00:01] {this} \\ alone.", nag=4)
    game.note(nag=1, ply=3)
    game.variations.append(Variation(5, "56", (Note(4, "Better:"), Note(5, "", 3)), (Variation(6, "2"),)))
    game.variations.append(Variation(2, "5"))
    game.end(winner=1, reason="resign")
    return game


# Playing ------------------------------------------------------------------------------------------


def test_play_undo_redo() -> None:
    game = Game.parse("4453")
    assert game.position == Position.parse("4453")
    assert game.play(2) == Position.parse("44533")
    game.undo()
    game.undo()
    assert (game.moves, game.ply, game.columns) == ("445", 3, (3, 3, 4))
    game.redo()
    game.redo()
    assert game.moves == "44533"
    with pytest.raises(MoveError, match="no move to play again"):
        game.redo()
    game.undo()
    game.play(0)
    with pytest.raises(MoveError, match="no move to play again"):
        game.redo()
    assert [position.ply for position in game.positions] == [0, 1, 2, 3, 4, 5]


def test_nothing_to_take_back() -> None:
    with pytest.raises(MoveError, match="no move to take back"):
        Game().undo()
    with pytest.raises(MoveError, match="no move to take back"):
        Game.parse("7/7/7/7/3o3/2oxx2 x").undo()


def test_a_refused_move_changes_nothing() -> None:
    game = Game.parse("444444")
    game.undo()
    game.redo()
    game.undo()
    game.redo()
    with pytest.raises(MoveError, match="column 4 is full"):
        game.play(3)
    assert game.moves == "444444"


def test_what_belongs_to_undone_moves_comes_back_with_them() -> None:
    game = annotated_game()
    whole = game.to_json()
    game.undo()
    game.undo()
    shortened = Game.from_json(game.to_json())
    assert (shortened.moves, shortened.result) == ("445", None)
    assert 5 not in shortened.notes
    assert [v.ply for v in shortened.variations] == [2]
    game.redo()
    game.redo()
    game.end(winner=1, reason="resign")
    assert game.to_json() == whole
    game.undo()
    game.play(6)
    assert 5 not in game.notes
    assert 5 not in game.times


def test_a_line_ends_the_game_and_undo_reopens_it() -> None:
    game = Game.parse("1212121")
    assert game.result == Result("1-0", "connect")
    assert game.result.winner == 0
    with pytest.raises(MoveError, match="the game is over"):
        game.play(3)
    with pytest.raises(RecordError, match="over already: 1-0 by connect"):
        game.resign(0)
    game.undo()
    assert game.result is None
    game.play(3)
    assert game.moves == "1212124"


def test_a_full_board_is_a_draw() -> None:
    game = Game(Board(2, 1, 4))
    game.play(0)
    game.play(1)
    assert game.result == Result("1/2-1/2", "full")
    assert game.result.winner is None


def test_declared_ends() -> None:
    game = Game.parse("44")
    assert game.resign(0) == Result("0-1", "resign")
    with pytest.raises(MoveError, match="the game is over"):
        game.play(0)
    game.undo()
    assert game.result is None
    assert game.end(None, "agreement").score == "1/2-1/2"
    game.undo()
    assert game.end(None, "abort").score == "*"


@pytest.mark.parametrize(
    ("winner", "reason", "message"),
    [
        (0, "agreement", "result: agreement means 1/2-1/2, not 1-0"),
        (None, "resign", "result: resign means 1-0 or 0-1, not 1/2-1/2"),
        (1, "abort", r"result: abort means \*, not 0-1"),
        (2, "resign", "result: the winner is 0, 1 or None, not 2"),
        (0, "boredom", "result: 'boredom' is no reason; connect, full, "),
        (0, "connect", '"connect" is for the board to say'),
        (None, "full", '"full" is for the board to say'),
    ],
)
def test_ends_that_make_no_sense(winner: int | None, reason: str, message: str) -> None:
    game = Game.parse("44")
    with pytest.raises(RecordError, match=f"^{message}"):
        game.end(winner, reason)
    assert game.result is None


def test_a_game_from_a_position() -> None:
    game = Game.parse("7/7/7/7/3o3/2oxx2 x")
    assert (game.moves, game.ply, game.start.moves) == ("", 4, None)
    game.play(0)
    game.note("first move here")
    assert game.notes == {5: Note(5, "first move here")}
    assert Game.from_json(game.to_json()) == game
    assert Game.from_text(game.to_text()) == game
    assert "1" not in game.to_text().split("\n\n")[1].replace("a1", "")  # the first number is 3


def test_the_board_must_be_the_start_s() -> None:
    with pytest.raises(InputError, match="start position is on a 7x6x4 board, not on 8x7x4"):
        Game(Board(8, 7), start=Position())


def test_games_are_not_hashable_and_compare_by_content() -> None:
    assert Game.parse("44") == Game.parse("44") != Game.parse("45")
    assert Game.parse("44") != "44"
    with pytest.raises(TypeError):
        hash(Game())


def test_repr() -> None:
    assert repr(Game.parse("1212121")) == "<Game 7x6x4 '1212121', 1-0 by connect>"
    assert repr(Game.parse("2/x1 o 2x2x2")) == "<Game 2x2x2 '' from '2/x1 o 2x2x2'>"


# Records ------------------------------------------------------------------------------------------


def test_golden_records(golden: Callable[[str, str], None]) -> None:
    game = annotated_game()
    golden("game.json", game.to_json() + "\n")
    golden("game.c4n", game.to_text())


def test_schema_is_made_from_the_types(request: pytest.FixtureRequest) -> None:
    text = json.dumps(json_schema(), indent=2) + "\n"
    if request.config.getoption("--record"):
        SCHEMA.write_text(text)
    assert SCHEMA.read_text() == text, "run pytest --record"
    jsonschema.Draft202012Validator.check_schema(json_schema())


VALIDATOR = jsonschema.Draft202012Validator(json_schema())


@given(games())
@settings(deadline=None)
def test_json_round_trip_and_schema(game: Game) -> None:
    text = game.to_json()
    assert "\n" not in text
    VALIDATOR.validate(json.loads(text))
    again = Game.from_json(text)
    assert again == game
    assert again.to_json() == text
    assert again.positions == game.positions
    assert again.result == game.result


@given(games())
@settings(deadline=None)
def test_c4n_round_trip(game: Game) -> None:
    text = game.to_text()
    again = Game.from_text(text)
    assert again == game
    assert again.to_text() == text


def test_c4n_is_read_as_people_write_it() -> None:
    assert Game.from_text("1. D1 D2 2. D3 D4") == Game.parse("4444")
    assert Game.from_text("d1 d2 e1 c1 *") == Game.parse("4453")
    game = Game.from_text(
        """% a line for programs
        [ First  "Lan" ]
        1.d1!? ; to the end of the line
        1... d2 {[%emt 0:00:01.5]two
        lines} {and more} (1... e1?? 2. e2 (2. e2 $3)) 2. e1 *""".replace("\n        ", "\r\n")
    )
    assert game.players[0].name == "Lan"
    assert game.notes == {
        1: Note(1, "to the end of the line", 5),
        2: Note(2, "two\nlines and more"),
    }
    assert game.times == {2: 1500}
    assert game.variations == [Variation(2, "55", (Note(2, "", 4),), (Variation(3, "5", (Note(3, "", 3),)),))]


def test_moves_that_end_the_game_need_no_result() -> None:
    game = Game.from_text("1. a1 b1 2. a2 b2 3. a3 b3 4. a4")
    assert game.result == Result("1-0", "connect")


def test_wide_boards_are_written_with_digits() -> None:
    game = Game.parse("az1", Board(35, 2))
    assert game.to_text().splitlines()[-1] == "1. a z 2. 1 *"
    assert Game.from_text(game.to_text()) == game


def record(**changes: Any) -> str:
    value = {"format": "c4game", "version": 1, "board": "7x6x4", "moves": "4453"} | changes
    return json.dumps({key: part for key, part in value.items() if part is not ...})


BAD_JSON = [
    ("", "game record: Expecting value, line 1 character 1"),
    ("[]", "game record: Expected object, got array"),
    ("{}", 'a game record says "format": "c4game"'),
    (record(format="pgn"), 'a game record says "format": "c4game"'),
    (record(version=2), "this program reads version 1 of the record format"),
    (record(colour="red"), "game record: Object contains unknown field colour"),
    (record(board=...), "game record: Object missing required field board"),
    (record(board="7x6x4x"), "a board is written columns x rows x connect"),
    (record(board="70x60"), "board 70x60x4: at most 35 columns"),
    (record(moves=4453), "game record: Expected str, got int, at moves"),
    (record(moves="4458"), "character 4 of '4458': there is no column 8"),
    (record(moves="4444444"), "moves, move 7 of '4444444': column 4 is full"),
    (record(moves="12121211"), "moves, move 8 of '12121211': the game is over"),
    (record(moves="1" * 128), "game record: Expected str of length <= 127, at moves"),
    (record(start="7/7/7/7/7/3x3 x"), "position '7/7/7/7/7/3x3 x': with 1 stones it is o's turn"),
    (record(start="3/3/3 x 3x3x3"), "position '3/3/3 x 3x3x3' is on a 3x3x3 board, not on 7x6x4"),
    (record(players=[{}]), "game record: Expected array of length 2, got 1, at players"),
    (
        record(players=[{}, {"rating": "high"}]),
        "game record: Expected int | null, got str, at players[1].rating",
    ),
    (record(players=[{}, {"kind": "cat"}]), "game record: Invalid enum value 'cat', at players[1].kind"),
    (record(players=[{"name": "a\nb"}, {}]), "game record: name: character 2 is a control character, U+000A"),
    (
        record(players=[{}, {"seed": 2**63}]),
        "game record: Expected int <= 9223372036854775807, at players[1].seed",
    ),
    (
        record(players=[{}, {"rating": 1.5}]),
        "game record: Expected int | null, got float, at players[1].rating",
    ),
    (record(clock={}), "game record: Object missing required field initial_ms, at clock"),
    (record(clock={"initial_ms": -1}), "game record: Expected int >= 0, at clock.initial_ms"),
    (record(times_ms=[1, 2]), "times_ms: 2 times for 4 moves"),
    (record(times_ms=[1, 2, True, 4]), "game record: Expected int | null, got bool, at times_ms[2]"),
    (record(notes=[{"ply": 1}]), "game record: a note needs a text or a nag, at notes[0]"),
    (record(notes=[{"ply": 5, "nag": 1}]), "note of ply 5: the moves make the plies 0 to 4"),
    (record(notes=[{"ply": 1, "nag": 1}] * 2), "two notes of ply 1"),
    (record(notes=[{"ply": 0, "nag": 1}]), "note of ply 0: a nag judges a move, and none was made yet"),
    (record(notes=[{"ply": 1, "nag": 256}]), "game record: Expected int <= 255, at notes[0].nag"),
    (
        record(notes=[{"ply": 1, "text": "\0"}]),
        "game record: text: character 1 is a control character, U+0000",
    ),
    (
        record(notes=[{"ply": 1, "text": "\ud800"}]),
        "game record: character 101 is half of a character",
    ),
    (record(variations=[{"ply": 5, "moves": "1"}]), "variation of ply 5: the moves make the plies 1 to 4"),
    (record(variations=[{"ply": 4, "moves": ""}]), "variation of ply 4: no moves"),
    (record(variations=[{"ply": 4, "moves": "9"}]), "character 1 of '9': there is no column 9"),
    (
        record(variations=[{"ply": 4, "moves": "44444"}]),
        "variation of ply 4, move 5 of '44444': column 4 is full",
    ),
    (
        record(
            variations=[
                {"ply": 4, "moves": "12", "variations": [{"ply": 4, "moves": "1", "notes": [{"ply": 9}]}]}
            ]
        ),
        "game record: a note needs a text or a nag, at variations[0].variations[0].notes[0]",
    ),
    (
        record(variations=[{"ply": 4, "moves": "12", "variations": [{"ply": 6, "moves": "1"}]}]),
        "variation of ply 4, variation of ply 6: the moves make the plies 4 to 5",
    ),
    (
        record(variations=[{"ply": 4, "moves": "1"}] * 1001),
        "1001 variations, at most 1000 are kept in one game",
    ),
    (
        record(result={"score": "1-0", "reason": "luck"}),
        "game record: Invalid enum value 'luck', at result.reason",
    ),
    (
        record(result={"score": "1-0", "reason": "agreement"}),
        "game record: result: agreement means 1/2-1/2, not 1-0, at result",
    ),
    (
        record(result={"score": "1-0", "reason": "connect"}),
        '"connect" is for the board to say, and it does not',
    ),
    (record(moves="1212121"), "result: running, but the moves end the game: 1-0 by connect"),
    (
        record(moves="1212121", result={"score": "0-1", "reason": "connect"}),
        "result: 0-1 by connect, but the moves end the game: 1-0 by connect",
    ),
    (
        record(moves="1212121", result={"score": "1-0", "reason": "resign"}),
        "result: 1-0 by resign, but the moves end the game: 1-0 by connect",
    ),
    (
        record(tags={"two words": ""}),
        "game record: tag 'two words': a name is letters, digits and _, letter first",
    ),
    (
        record(tags={"Event\n": ""}),
        r"game record: tag 'Event\n': a name is letters, digits and _, letter first",
    ),
    (
        record(tags={"Result": "1-0"}),
        "game record: tag Result: this name belongs to another part of the record",
    ),
    (record(tags={"Event": "a\tb"}), "game record: tag Event: character 2 is a control character, U+0009"),
    (record(tags={"Event": None}), "game record: Expected str, got null, at tags[...]"),
    (
        record(created="yesterday"),
        "game record: created: 'yesterday' is not written like 2026-11-15T06:30:00Z",
    ),
    (
        record(created="2026-02-30T00:00:00Z"),
        "game record: created: '2026-02-30T00:00:00Z': day is out of range",
    ),
    (record(created="2026-11-15T06:30:00+01:00"), "game record: created: '2026-11-15T06:30:00+01:00' is not"),
    (record()[:-1], "game record: Expecting ',' delimiter, line 1 character "),
    (record()[:-1] + ',"moves":"1"}', "game record: the key 'moves' stands twice in one object"),
    ('{"format":' * 100_000, "game record: nested too deeply"),
    (
        record(variations=...)[:-1] + ',"variations":' + '[{"ply":1,"moves":"1","variations":' * 400,
        "game record: ",
    ),
    (" " * 1_000_001, "game record: 1,000,001 characters, at most 1,000,000 are read"),
]


def nested(depth: int) -> str:
    inside: list[dict[str, Any]] = []
    for _ in range(depth):
        inside = [{"ply": 4, "moves": "1", "variations": inside}]
    return record(variations=inside)


BAD_JSON += [
    (nested(17), "more than 16 variations inside each other"),
    (nested(300), "more than 16 variations inside each other"),
]


@pytest.mark.parametrize(("text", "message"), BAD_JSON)
def test_refused_json(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Game.from_json(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_the_order_of_notes_and_variations_does_not_matter() -> None:
    notes = [{"ply": 4, "nag": 1}, {"ply": 5, "nag": 2}]
    inside = [{"ply": 4, "moves": "1"}, {"ply": 5, "moves": "2"}]
    variations = [
        {"ply": 3, "moves": "1"},
        {"ply": 4, "moves": "12", "notes": notes, "variations": inside},
    ]
    backwards = [
        {"ply": 4, "moves": "12", "notes": notes[::-1], "variations": inside[::-1]},
        {"ply": 3, "moves": "1"},
    ]
    games = [
        Game.from_json(record(notes=notes[:1], variations=variations)),
        Game.from_json(record(notes=notes[:1], variations=backwards)),
    ]
    assert games[0] == games[1] == Game.from_text(games[1].to_text())
    assert games[0].to_json() == games[1].to_json()


def test_the_schema_refuses_wrong_shapes_too() -> None:
    shapes = [
        text
        for text, message in BAD_JSON
        if re.match("game record: (Exp.* at|Obj|Inv|tag|name|text)", message)
    ]
    assert len(shapes) > 20
    for text in shapes:
        assert not VALIDATOR.is_valid(json.loads(text)), text


def test_deepest_variations() -> None:
    game = Game.from_json(nested(16))
    assert Game.from_text(game.to_text()) == game


BAD_C4N = [
    ("1. d1 d3", "line 1, character 7: d3: a disc in column d lands on d2"),
    ("1. d1 h1", "line 1, character 7: h1: the columns are a to g"),
    ("1. d1\nd2 d3 d4 d5 d6\nd7", "line 3, character 1: column 4 is full"),
    ("a1 b1 a2 b2 a3 b3 a4 b4", "line 1, character 22: the game is over"),
    ("1. d1 2. d2", "line 1, character 7: the next move has the number 1..., not '2.'"),
    ("1. d1 1. d2", "line 1, character 7: the next move has the number 1..., not '1.'"),
    ("2. d1", "line 1, character 1: the next move has the number 1., not '2.'"),
    ("1. 1. d1", "line 1, character 4: a second number, '1.', before the same move"),
    ("1. 4", "line 1, character 4: character 1 of '4': a cell starts with a column letter"),
    ("1. d1 {", "line 1, character 7: this comment has no closing }"),
    ("1. d1 {\\}", "line 1, character 7: this comment has no closing }"),
    ("1. d1 }", "line 1, character 7: '}' has no meaning here"),
    ("1. d1 é", "line 1, character 7: 'é' has no meaning here"),
    ("1. d1 \x00", r"line 1, character 7: '\x00' has no meaning here"),
    ("1. d1 {\x00}", "line 1, character 1: text: character 1 is a control character, U+0000"),
    ("1. d1 )", "line 1, character 7: ) without a ("),
    ("1. d1 (", "line 1, character 7: this variation has no closing )"),
    ("1. d1 (1. e1 *", "line 1, character 7: this variation has no closing )"),
    ("1. d1 ()", "line 1, character 7: a variation without moves"),
    ("(1. d1)", "line 1, character 1: ( belongs after a move"),
    ("$1", "line 1, character 1: $1 belongs after a move"),
    ("1. d1 $0", "line 1, character 7: $0 is no judgement: $1 to $255, or ! ? !! ?? !? ?!"),
    ("1. d1 $256", "line 1, character 7: $256 is no judgement"),
    ("1. d1 $", "line 1, character 7: a judgement is $ and a number up to 255"),
    ("1. d1 $1000", "line 1, character 7: a judgement is $ and a number up to 255"),
    ("1. d1 $1 !", "line 1, character 10: ! is a second judgement of the same move"),
    ("{[%emt 0:00:01]} 1. d1", "line 1, character 1: a time belongs to a move that was played"),
    ("1. d1 (1. e1 {[%emt 0:00:01]})", "line 1, character 14: a time belongs to a move that was played"),
    ("1. d1 {[%emt 1]}", "line 1, character 7: a time is written like 0:00:01.250, not '1'"),
    (
        "1. d1 {[%emt 999999:00:00]}",
        "line 1, character 1: game record: Expected int <= 1000000000000, at times_ms[0]",
    ),
    (
        "1. d1 1-0",
        "line 1, character 7: the moves do not end the game: the tag Termination must say why it is 1-0",
    ),
    ("a1 b1 a2 b2 a3 b3 a4 0-1", "line 1, character 22: the result is 0-1, but the moves end the game: 1-0"),
    ("a1 b1 a2 b2 a3 b3 a4 *", "line 1, character 22: the result is *, but the moves end the game: 1-0"),
    ('[Termination "resign"]\na1 b1 a2 b2 a3 b3 a4 1-0', "result: 1-0 by resign, but the moves end the game"),
    ("1. d1 * d2", "line 1, character 9: the game has ended here; another one starts with its own tags"),
    ("1. d1 * *", "line 1, character 9: the game has ended here; another one starts with its own tags"),
    ('1. d1 [Round "1"]', "line 1, character 7: a tag among the moves; tags come first"),
    ('[Round "1"]\n[Round "2"]', "line 2, character 1: the tag Round stands here a second time"),
    ("[Round 1]", 'line 1, character 1: a tag is written like [Board "7x6x4"]'),
    ('[Round "1', 'line 1, character 1: a tag is written like [Board "7x6x4"]'),
    ('[Board "7"]', "line 1, character 1: tag Board: a board is written columns x rows x connect"),
    ('[Start "8"]', "line 1, character 1: tag Start: character 1 of '8': there is no column 8"),
    ('[Result "1-0"]\nd1 *', "line 2, character 4: the result is *, but the tag Result says 1-0"),
    ('[Termination "resign"]\n1. d1 *', "line 2, character 7: result: resign means 1-0 or 0-1, not *"),
    ('[Termination "luck"]\n1. d1 1-0', "line 2, character 7: result: 'luck' is no reason to end"),
    (
        '[Termination "resign"]\n1. d1',
        "line 2, character 6: result: a score is 1-0, 0-1, 1/2-1/2 or *, not 'None'",
    ),
    ('[Result "3-0"]\n1. d1', "line 2, character 6: the moves do not end the game: the tag Termination must"),
    ('[FirstKind "cat"]', "line 1, character 1: tag FirstKind: human or agent, not 'cat'"),
    ('[SecondSeed "x"]', "line 1, character 1: tag SecondSeed: a whole number, not 'x'"),
    (
        '[FirstRating "99999"]',
        "line 1, character 1: game record: Expected int <= 10000, at players[0].rating",
    ),
    (
        '[TimeControl "3m"]',
        "line 1, character 1: tag TimeControl: seconds and increment are written like 180+2",
    ),
    (
        '[Created "now"]',
        "line 1, character 1: game record: created: 'now' is not written like 2026-11-15T06:30:00Z",
    ),
    (
        "1. d1 " + "(1. e1 " * 17 + ")" * 17,
        "line 1, character 119: more than 16 variations inside each other",
    ),
    ("1. d1 " + "(" * 100_000, "line 1, character 8: ( belongs after a move"),
    ("1. d1 " + "(1. e1)" * 1001, "line 1, character 7007: more than 1000 variations"),
    ("1. d1 " + "{" * 900_000, "line 1, character 7: this comment has no closing }"),
    ("1. d1 {" + "\\" * 900_000, "line 1, character 7: this comment has no closing }"),
    ('[Round "' + "\\\\" * 400_000, 'line 1, character 1: a tag is written like [Board "7x6x4"]'),
    ("9" * 900_000, "line 1, character 1: character 1 of '9999999"),
    ("9" * 900_000 + ".", "line 1, character 1: the next move has the number 1., not '9999999"),
    ("d1 " * 400_000, "game record: 1,200,000 characters, at most 1,000,000 are read"),
]


@pytest.mark.parametrize(("text", "message"), BAD_C4N)
def test_refused_c4n(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Game.from_text(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_board_for_a_text_without_the_tag() -> None:
    assert Game.from_text("1. a1", Board(3, 3, 3)).board == Board(3, 3, 3)
    with pytest.raises(InputError, match="this game is on a 7x6x4 board, not on 3x3x3"):
        Game.from_text('[Board "7x6x4"] 1. a1', Board(3, 3, 3))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda game: game.tags.update({"Event": "two\nlines"}),
        lambda game: game.tags.update({"Board": "7x6x4"}),
        lambda game: game.times.update({1: -5}),
        lambda game: game.times.update({1: "fast"}),
        lambda game: game.variations.append(Variation(9, "1")),
        lambda game: game.variations.append(Variation(1, "x")),
        lambda game: setattr(game, "players", (Player(), Player(rating="good"))),  # type: ignore[arg-type]
        lambda game: setattr(game, "players", (Player(),)),
        lambda game: setattr(game, "created", "now"),
        lambda game: setattr(game, "id", object()),
    ],
)
def test_a_spoilt_game_is_not_written(spoil: Callable[[Game], None]) -> None:
    game = Game.parse("4453")
    spoil(game)
    with pytest.raises(InputError):
        game.to_json()
    with pytest.raises(InputError):
        game.to_text()


# Files --------------------------------------------------------------------------------------------


def test_json_lines() -> None:
    first, second = Game.parse("4453"), annotated_game()
    lines = [first.to_json(), "", second.to_json()]
    assert list(read_json_lines(lines)) == [first, second]
    with pytest.raises(RecordError, match=r"^line 3: this program reads version 1"):
        list(read_json_lines([*lines[:2], lines[2].replace('"version":1', '"version":7')]))


def test_c4n_files() -> None:
    first, second = annotated_game(), Game.parse("4453")
    first.note('looks like a tag:\n[Board "1x1x1"]\n% {', nag=2)
    second.note("done\n")
    text = first.to_text() + "\n" + second.to_text() + "\n\n" + Game().to_text()
    assert list(read_text_games(text.splitlines(keepends=True))) == [first, second, Game()]
    assert list(read_text_games(['[Round "1"] 1. d1 {', '[Round "2"]', "} *", ' [Round "3"]'])) == [
        Game.from_text('[Round "1"] 1. d1 {\n[Round "2"]\n} *'),
        Game(tags={"Round": "3"}),
    ]
    assert list(read_text_games(["1. d1 ; [Round\n", "% {\n", "1... d2"])) == [noted_game()]


def noted_game() -> Game:
    game = Game.parse("44")
    game.note("[Round", ply=1)
    return game


def test_errors_in_c4n_files_name_the_line() -> None:
    good = Game.parse("4453").to_text()
    lines = (good + "\n" + good.replace("c1", "c3")).splitlines()
    with pytest.raises(
        InputError, match=r"^game at line 6: line 9, character 16: c3: a disc in column c lands"
    ):
        list(read_text_games(lines))
    with pytest.raises(InputError, match=r"^line 2: a game of more than 1,000,000 characters"):
        list(read_text_games(["{" + "a" * 600_000, "b" * 600_000]))
