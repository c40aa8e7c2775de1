"""A game written in any format: read, and written in another. No server is needed for this."""

from msgspec import Struct, field

from claimeven import formats
from claimeven.board import Board
from claimeven.game import Game
from claimeven.game.check import replay
from claimeven.position import Position
from claimeven.server.errors import RefusedError, readable

MAX_PLIES = 128


class Text(Struct, frozen=True):
    """What somebody sent. `to`: the format to write it in; None: only its moves are wanted."""

    text: str
    format: str | None = None
    board: str | None = None
    start: str | None = None
    to: str | None = None


class VariationText(Struct, frozen=True):
    ply: int
    moves: str


class Converted(Struct, frozen=True):
    source: str = field(name="from")
    to: str
    text: str
    size: str
    start: str
    moves: str
    position: str
    variations: tuple[VariationText, ...]
    names: tuple[str, ...]


class Played(Struct, frozen=True):
    """What a review needs of a game."""

    size: str
    start: str
    moves: str
    is_swapped: bool = False  # by the pie rule

    def game(self) -> Game:
        game = Game(start=Position.parse(self.start, Board.parse(self.size)), pie=self.is_swapped)
        for column, _ in replay(game.start, self.moves):
            game.play(column)
            if self.is_swapped and game.may_swap:
                game.swap()
        return game


def read(wish: Text) -> Game:
    with readable():
        board = None if wish.board is None else Board.parse(wish.board)
        if wish.start is None:
            return formats.read(wish.text, wish.format, board)
        game = Game(start=Position.parse(wish.start, board))
        for column, _ in replay(game.start, wish.text):
            game.play(column)
        return game


def played(wish: Text) -> Played:
    game = read(wish)
    return Played(str(game.board), game.start.text, game.moves, game.pie == "swapped")


def converted(wish: Text) -> Converted:
    assert wish.to is not None
    game = read(wish)
    if game.ply > MAX_PLIES:
        raise RefusedError("bad_message.too_long")
    with readable():
        text = formats.write(game, wish.to)
    start = game.start.moves
    return Converted(
        source=wish.format or formats.detect(wish.text),
        to=wish.to,
        text=text,
        size=str(game.board),
        start=str(game.start) if start is None else start,
        moves=game.moves,
        position=str(game.position),
        variations=tuple(VariationText(one.ply, one.moves) for one in game.variations),
        names=tuple(player.name for player in game.players),
    )
