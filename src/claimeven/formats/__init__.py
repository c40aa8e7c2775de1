"""Every way to write a game or a position, by name; foreign formats live in the modules beside this one.

>>> game = read("4453")
>>> write(game, "position")
'7/7/7/7/3o3/2oxx2 x 7x6x4'
>>> detect("7/7/7/7/3o3/2oxx2 x")
'position'
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from claimeven import notation
from claimeven.errors import MoveError, NotationError
from claimeven.formats import grid, kaggle, openspiel, uci, zero_based
from claimeven.formats.history import moves_to
from claimeven.game import Game, Record
from claimeven.position import Board, Position

__all__ = ["FORMATS", "Format", "detect", "read", "write"]

_UCI_CLASS = "Class"  # the tag that keeps the class of a UCI row


class Format(NamedTuple):
    about: str  # one line for people
    read: Callable[[str, Board | None], Game]
    write: Callable[[Game], str]
    shape: Any = None  # of the JSON that it writes; None: other text


def read(text: str, name: str | None = None, board: Board | None = None) -> Game:
    """Read a game; without `name`, in the format it seems to be written in.

    A format that holds only a position gives a game that starts there. `board` is needed where the
    format does not say it and it is not 7x6x4; one that contradicts the text is an error. White space
    around the text does not matter.
    """
    text = text.strip()
    return _format(detect(text) if name is None else name).read(text, board)


def write(value: Game | Position, name: str) -> str:
    """Write a game or a position. A format for positions gets the last one of the game; a format for
    moves gets some order of moves that leads to the position where the real one is not known."""
    game = value if isinstance(value, Game) else _game_of(value)
    return _format(name).write(game)


def detect(text: str) -> str:
    """The name of the format that a text seems to be written in.

    Columns counted from 0 and grids whose first row is the bottom are never guessed.
    """
    text = text.strip()
    if re.match(r'\{\s*["}]', text):
        value = notation.parse_json(text, "JSON")
        return "kaggle-replay" if "steps" in value else "json" if "format" in value else "kaggle-board"
    for name, pattern in _SIGNS:
        if re.match(pattern, text):
            return name
    return "moves"


_SIGNS = (  # the first that fits the beginning of the text
    ("position", r"[xo0-9/]+ [xo](\s|\Z)"),
    ("c4n", r"\[\s*[A-Za-z]|[{;%(]|[0-9]+\.|[A-Za-z][0-9]+\s"),
    ("rows-top", r"\[\s*\["),
    ("kaggle-board", r"\["),
    ("openspiel-board", r"(?=[^\n]*[.\n])[.xo]++(?:\n|\Z)"),
    ("openspiel-actions", r"[0-9]+\s*,"),
    ("uci", r"[xob],"),
    ("position", r"\S*[\s/]"),
)


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise NotationError("no_format", name=notation.quote(name), known=", ".join(FORMATS))
    return FORMATS[name]


def _game_of(position: Position) -> Game:
    return Game(start=position) if position.moves is None else Game.parse(position.moves, position.board)


def _moves_format(
    about: str, parse: Callable[[str, int], tuple[int, ...]], text: Callable[[tuple[int, ...]], str]
) -> Format:
    def read_moves(written: str, board: Board | None) -> Game:
        game = Game(board)
        for place, column in enumerate(parse(written, game.board.columns), start=1):
            try:
                game.play(column)
            except MoveError as error:
                raise error.wrapped("move_of", at_move=place, whole=notation.quote(written)) from None
        return game

    return Format(about, read_moves, lambda game: text(moves_to(game.position)))


def _position_format(
    about: str,
    parse: Callable[[str, Board | None], Position],
    text: Callable[[Position], str],
    shape: Any = None,
) -> Format:
    return Format(
        about,
        lambda written, board: Game(start=parse(written, board)),
        lambda game: text(game.position),
        shape,
    )


def _parse_position(text: str, board: Board | None) -> Position:
    if not re.search("[ /]", text):
        raise NotationError("parts.side", whole=notation.quote(text))
    return Position.parse(text, board)


def _read_json(text: str, board: Board | None) -> Game:
    game = Game.from_json(text)
    if board is not None and game.board != board:
        raise NotationError("other_board.record", written=game.board, board=board)
    return game


def _read_uci(text: str, board: Board | None) -> Game:
    position, outcome = uci.parse_row(text, board)
    return Game(start=position, tags={_UCI_CLASS: outcome} if outcome else {})


FORMATS: dict[str, Format] = {
    "moves": _moves_format(
        "moves, one digit each, columns from 1: 4453", notation.parse_moves, notation.moves_text
    ),
    "position": _position_format(
        "rows from the top, side to move, board: 7/7/7/7/3o3/2oxx2 x 7x6x4", _parse_position, str
    ),
    "json": Format("game record, one line of JSON", _read_json, Game.to_json, Record),
    "c4n": Format("game record as text, in the grammar of chess PGN", Game.from_text, Game.to_text),
    "0based": _moves_format(
        "moves, one digit each, columns from 0: 3342",
        zero_based.parse_moves_0based,
        zero_based.moves_text_0based,
    ),
    "kaggle-board": _position_format(
        "Kaggle ConnectX observation and configuration, JSON",
        kaggle.parse_board,
        kaggle.board_text,
        kaggle.KaggleBoard,
    ),
    "kaggle-replay": Format(
        "Kaggle ConnectX episode, JSON", kaggle.parse_replay, kaggle.replay_text, kaggle.KaggleReplay
    ),
    "openspiel-actions": _moves_format(
        "OpenSpiel history string, columns from 0: 3, 3, 4, 2",
        zero_based.parse_actions,
        zero_based.actions_text,
    ),
    "openspiel-board": _position_format(
        "OpenSpiel state string, rows of . x o from the top", openspiel.parse_board, openspiel.board_text
    ),
    "rows-top": _position_format(
        "nested lists of 0 1 2, JSON, the first row is the top",
        lambda text, board: grid.parse_rows(text, "top", board),
        lambda position: grid.rows_text(position, "top"),
        list[list[int]],
    ),
    "rows-bottom": _position_format(
        "nested lists of 0 1 2, JSON, the first row is the bottom",
        lambda text, board: grid.parse_rows(text, "bottom", board),
        lambda position: grid.rows_text(position, "bottom"),
        list[list[int]],
    ),
    "uci": Format(
        "UCI connect-4 row: a1,a2,…,g6 as x o b, and the class",
        _read_uci,
        lambda game: uci.row_text(game.position, None if game.moves else game.tags.get(_UCI_CLASS)),
    ),
}
