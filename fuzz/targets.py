"""One target per parser. A target fails by any exception but InputError, or if what was read and written
again reads differently."""

import hashlib
import io
from collections.abc import Callable
from contextlib import suppress

import msgspec

from claimeven import formats, notation
from claimeven.agents.kinds.qtable import MAGIC, Table
from claimeven.errors import InputError
from claimeven.game import Game, read_json_lines, read_text_games
from claimeven.position import Board, Position
from claimeven.server import messages
from claimeven.server.errors import RefusedError
from claimeven.server.game.names import clean_name

BOARDS = (Board(), Board(35, 2, 3), Board(1, 1, 1))  # for formats that do not name their board


def moves(text: str) -> None:
    for board in BOARDS:
        with suppress(InputError):
            columns = notation.parse_moves(text, board.columns)
            assert notation.moves_text(columns) == text
            position = Position.parse(text, board)
            assert position.moves == text
            assert Position.parse(str(position)) == position


def position(text: str) -> None:
    with suppress(InputError):
        position = Position.parse(text)
        assert Position.parse(str(position)) == position
        assert position.mirror().mirror() == position


def cell(text: str) -> None:
    with suppress(InputError):
        assert notation.cell_name(*notation.parse_cell(text)) == text


def board(text: str) -> None:
    with suppress(InputError):
        board = Board.parse(text)
        assert str(board) in (text, f"{text}x4")
        assert Board.parse(str(board)) == board


def _game(text: str, read: Callable[[str], Game]) -> None:
    try:
        game = read(text)
    except InputError:
        return
    assert Game.from_json(game.to_json()) == game
    assert Game.from_text(game.to_text()) == game


def game_json(text: str) -> None:
    _game(text, Game.from_json)


def c4n(text: str) -> None:
    _game(text, Game.from_text)


def json_lines(text: str) -> None:
    with suppress(InputError):
        games = list(read_json_lines(io.StringIO(text)))
        assert list(read_json_lines(game.to_json() for game in games)) == games


def c4n_file(text: str) -> None:
    with suppress(InputError):
        games = list(read_text_games(io.StringIO(text)))
        written = io.StringIO("\n".join(game.to_text() for game in games))
        assert list(read_text_games(written)) == games


def _format(name: str) -> Callable[[str], None]:
    def target(text: str) -> None:
        for board in (None, *BOARDS):
            try:
                game = formats.read(text, name, board)
            except InputError:
                continue
            again = formats.read(formats.write(game, name), name, game.board)
            assert (again.position, again.result) == (game.position, game.result)
            assert again.players == game.players
            assert again.tags == game.tags

    return target


def any_format(text: str) -> None:
    """What the command line does with a text whose format was not named."""
    with suppress(InputError):
        game = formats.read(text)
        assert Game.from_json(game.to_json()) == game


def message(text: str) -> None:
    """A frame of the play protocol: a message, or refused in one sentence."""
    refused = ""
    try:
        read = messages.parse(text)
    except RefusedError as error:
        refused = error.message
    if refused:
        assert refused.isprintable()
        assert len(refused) <= 200
        return
    assert messages.parse(msgspec.json.encode(read)) == read
    if isinstance(read, messages.Name):
        name = clean_name(read.name)
        assert clean_name(name) == name
        assert len(name) <= messages.MAX_NAME


def q_table(text: str) -> None:
    """A table of Q-learning: behind a right checksum anything may stand."""
    content = MAGIC + text.encode("latin-1", "replace")
    with suppress(InputError):
        table = Table.parse(content + hashlib.sha256(content).digest(), "table")
        assert table.best(Position(table.board)) in range(table.board.columns)


TARGETS: dict[str, Callable[[str], None]] = {
    "moves": moves,
    "position": position,
    "cell": cell,
    "board": board,
    "game-json": game_json,
    "json-lines": json_lines,
    "c4n": c4n,
    "c4n-file": c4n_file,
    **{
        name: _format(name)
        for name in ("0based", "openspiel-actions", "openspiel-board", "kaggle-board", "kaggle-replay", "uci")
    },
    "rows": _format("rows-top"),
    "any": any_format,
    "message": message,
    "q-table": q_table,
}
