"""The pie rule in a game: whose the first disc is, what a record says of it, what is refused."""

import pytest

from claimeven.errors import InputError, MoveError, RecordError
from claimeven.game import Game, Player
from claimeven.position import Position

PLAYERS = (Player("Lan"), Player("Ada"))


def names(game: Game) -> str:
    return " ".join(player.name for player in game.players)


def swapped(moves: str = "4") -> Game:
    game = Game(players=PLAYERS, pie=True)
    game.play(int(moves[0]) - 1)
    game.swap()
    for digit in moves[1:]:
        game.play(int(digit) - 1)
    return game


def test_who_swaps_has_the_first_disc_and_nothing_moves() -> None:
    game = swapped()
    assert (names(game), game.pie, game.position) == ("Ada Lan", "swapped", Position.parse("4"))
    assert game.play(2).ply == 2
    won = swapped("4142434")
    assert won.result is not None
    assert won.result.winner == 0
    assert won.players[won.result.winner].name == "Ada"


def test_a_swap_is_possible_once_and_only_after_the_first_disc() -> None:
    game = Game(players=PLAYERS, pie=True)
    assert (game.may_swap, game.is_pie_open) == (False, True)
    with pytest.raises(MoveError, match="only right after the first disc"):
        game.swap()
    game.play(3)
    assert (game.may_swap, game.is_pie_open) == (True, True)
    game.play(3)
    assert (game.may_swap, game.is_pie_open, game.pie) == (False, False, "yes")
    with pytest.raises(MoveError, match="only right after the first disc"):
        game.swap()
    with pytest.raises(MoveError, match="only right after the first disc"):
        swapped().swap()
    with pytest.raises(MoveError, match="no pie rule"):
        Game.parse("4").swap()
    resigned = Game(pie=True)
    resigned.play(3)
    resigned.resign(1)
    assert not resigned.may_swap


def test_a_swap_can_be_taken_back_and_decided_anew() -> None:
    game = swapped("4455")
    for _ in range(3):
        game.undo()
    assert (game.moves, game.pie, names(game), len(game.undone)) == ("4", "swapped", "Ada Lan", 3)
    game.undo()
    assert (game.moves, game.pie, names(game), game.undone) == ("4", "yes", "Lan Ada", ())
    assert game.may_swap
    game.undo()
    assert (game.moves, game.pie, game.undone) == ("", "yes", (3,))
    game.redo()
    game.swap()
    assert names(game) == "Ada Lan"


def test_records_tell_it_and_those_without_the_rule_are_as_before() -> None:
    game = swapped("4455")
    for again in (Game.from_json(game.to_json()), Game.from_text(game.to_text())):
        assert again == game
        assert (again.pie, names(again)) == ("swapped", "Ada Lan")
    assert '"pie":"swapped"' in game.to_json()
    assert '[Pie "swapped"]' in game.to_text()
    plain = Game.parse("44")
    assert "pie" not in plain.to_json()
    assert "Pie" not in plain.to_text()
    kept = Game(pie=True)
    kept.play(3)
    assert Game.from_text(kept.to_text()).may_swap


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(RecordError, match="at most one disc, not with 2"):
        Game(start=Position.parse("44"), pie=True)
    with pytest.raises(RecordError, match="no first disc"):
        Game.from_json('{"format":"c4game","version":1,"board":"7x6x4","pie":"swapped"}')
    with pytest.raises(InputError, match="Invalid enum value 'maybe', at pie"):
        Game.from_json('{"format":"c4game","version":1,"board":"7x6x4","pie":"maybe"}')
    with pytest.raises(InputError, match="line 1, character 1: tag Pie: no, yes or swapped, not 'maybe'"):
        Game.from_text('[Pie "maybe"]\n\n1. d1 *')
    assert Game.from_text('[Pie "no"]\n\n1. d1 *').pie == "no"


def test_a_first_disc_may_be_given() -> None:
    game = Game(start=Position.parse("4"), players=PLAYERS, pie=True)
    game.swap()
    assert Game.from_json(game.to_json()) == game
    assert names(game) == "Ada Lan"
