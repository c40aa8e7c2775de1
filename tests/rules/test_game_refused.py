"""Records of games that are refused, each with the place and the reason."""

import json
import re
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from claimeven import Board, Game, InputError
from claimeven.game import (
    Player,
    Variation,
    json_schema,
)

VALIDATOR = jsonschema.Draft202012Validator(json_schema())


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
    (record(start="7/7/7/7/7/3x3 x"), "position '7/7/7/7/7/3x3 x': with 1 stone it is o's turn"),
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
