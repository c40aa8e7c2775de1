"""play: a game at this keyboard."""

from typing import Annotated

import typer

from claimeven.commands.options import BoardOption, read_input

TerminalOption = Annotated[
    bool, typer.Option("--terminal", help="Play in the terminal; for now there is no other way.")
]
LoadOption = Annotated[
    str | None,
    typer.Option("--load", metavar="FILE", help="Go on with a game of any format: a file, or its text."),
]


def play(terminal: TerminalOption = False, board: BoardOption = None, load: LoadOption = None) -> None:
    """Play a game, two people at one keyboard."""
    from rich.console import Console

    from claimeven import formats
    from claimeven.game import Game
    from claimeven.position import Board
    from claimeven.terminal import Table

    on = Board.parse(board) if board is not None else None
    game = Game(on) if load is None else formats.read(read_input(load), board=on)
    Table(game, Console(highlight=False)).sit()
