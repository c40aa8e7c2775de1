"""Every way to write a game or a position, by name; foreign formats live in the modules beside this one.

>>> game = read("4453")
>>> write(game, "position")
'7/7/7/7/3o3/2oxx2 x 7x6x4'
>>> detect("7/7/7/7/3o3/2oxx2 x")
'position'
"""

from collections.abc import Callable
from typing import NamedTuple

from claimeven.errors import NotationError
from claimeven.game import Game
from claimeven.position import Board, Position

__all__ = ["FORMATS", "Format", "detect", "read", "write"]


class Format(NamedTuple):
    about: str  # one line for people
    read: Callable[[str, Board | None], Game]
    write: Callable[[Game], str]


def read(text: str, name: str | None = None, board: Board | None = None) -> Game:
    """Read a game; without `name`, in the format it seems to be written in.

    A format that holds only a position gives a game that starts there. `board` is needed where the
    format does not say it and it is not 7x6x4; one that contradicts the text is an error.
    """
    return _format(detect(text) if name is None else name).read(text, board)


def write(value: Game | Position, name: str) -> str:
    """Write a game or a position; a format for positions gets the last one of the game."""
    game = value if isinstance(value, Game) else _game_of(value)
    return _format(name).write(game)


def detect(text: str) -> str:
    """The name of the format that a text seems to be written in."""
    return "position" if " " in text or "/" in text else "moves"


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise NotationError(f"there is no format {name!r}, only {', '.join(FORMATS)}")
    return FORMATS[name]


def _game_of(position: Position) -> Game:
    return Game(start=position) if position.moves is None else Game.parse(position.moves, position.board)


FORMATS: dict[str, Format] = {
    "moves": Format("columns from 1, one digit per move: 4453", Game.parse, lambda game: game.moves),
    "position": Format("rows from the top, side to move, board", Game.parse, lambda game: str(game.position)),
}
