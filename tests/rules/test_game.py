"""Games: playing, ending, and both record formats."""

import json
from collections.abc import Callable
from typing import get_args

import jsonschema
import pytest
from hypothesis import given, settings

from claimeven import Board, Game, InputError, Position
from claimeven.errors import MoveError, RecordError
from claimeven.game import (
    BY,
    Clock,
    Note,
    Player,
    Reason,
    Result,
    Variation,
    ending,
    json_schema,
    read_json_lines,
    read_text_games,
)
from kit.places import ROOT
from kit.strategies import games

SCHEMA = ROOT / "src" / "claimeven" / "game" / "game.schema.json"


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


WORDS = {
    ("1-0", "connect"): "ann wins with a1 b1 c1",
    ("1/2-1/2", "full"): "a draw: the board is full",
    ("0-1", "resign"): "ben wins: ann resigned",
    ("1-0", "time"): "ann wins: the time of ben is up",
    ("1-0", "abandon"): "ann wins: ben left",
    ("1-0", "disconnect"): "ann wins: ben lost the connection",
    ("1-0", "illegal"): "ann wins: ben chose a column that cannot be played",
    ("1-0", "crash"): "ann wins: ben failed",
    ("1/2-1/2", "agreement"): "a draw by agreement",
    ("*", "abort"): "the game was called off",
}


def test_every_ending_has_its_words() -> None:
    assert [reason for _, reason in WORDS] == list(BY) == list(get_args(Reason))
    last, name = Position.parse("11223", Board(4, 3, 3)), ("ann", "ben").__getitem__
    for (score, reason), told in WORDS.items():
        assert ending(Result(score, reason), last, name) == told  # type: ignore[arg-type]
    lost = Result("0-1", "time")
    assert ending(lost, last, name, reader=0) == "ben wins: your time is up"
    assert ending(lost, last, name, reader=1) == "you win: the time of ann is up"
    # Whoever calls themself "you" is not the reader.
    assert ending(lost, last, ("ann", "you").__getitem__, reader=0) == "you wins: your time is up"


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
