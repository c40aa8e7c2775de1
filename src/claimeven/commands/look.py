"""show and convert: look at a position, write it in another way."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from claimeven.commands.asked.options import BoardOption, JsonOption, MovesArgument, print_json, read_input
from claimeven.commands.asked.usage import format_names

if TYPE_CHECKING:
    from claimeven.position import Position

SvgOption = Annotated[
    str | None,
    typer.Option("--svg", metavar="FILE", help="Write a picture instead; - is the standard output."),
]
InputArgument = Annotated[
    str,
    typer.Argument(
        metavar="INPUT", help="A file, - for the standard input, or else the text itself.", show_default=False
    ),
]
FromOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help="The format of the input, when it is not clear.",
        autocompletion=format_names,
    ),
]
ToOption = Annotated[
    str,
    typer.Option(
        "--to", metavar="FORMAT", help="The format to write.", show_default=False, autocompletion=format_names
    ),
]


def show(
    moves: MovesArgument = "", board: BoardOption = None, json: JsonOption = False, svg: SvgOption = None
) -> None:
    """Draw the board after some moves, or of a position."""
    from claimeven.position import Board, Position

    position = Position.parse(moves, Board.parse(board) if board is not None else None)
    if json:
        print_json(described(position))
    elif svg is not None:
        from claimeven.picture import position_svg

        write_output(svg, position_svg(position))
    else:
        from claimeven.terminal import drawn, sentence, shows_discs

        print(drawn(position))
        print(sentence(position, shows_discs()))


class PositionJson(TypedDict):
    board: str
    position: str
    moves: str | None
    ply: int
    side: str | None
    legal: list[str]
    last: str | None
    is_over: bool
    winner: str | None
    four: list[str]


def described(position: "Position") -> PositionJson:
    from claimeven import notation, picture

    def name(side: int | None) -> str | None:
        return None if side is None else notation.STONES[side]

    last = picture.last_cell(position)
    return {
        "board": str(position.board),
        "position": str(position),
        "moves": position.moves,
        "ply": position.ply,
        "side": name(position.side),
        "legal": [notation.column_digit(column) for column in position.legal],
        "last": None if last is None else position.board.cell_name(last),
        "is_over": position.is_over,
        "winner": name(position.winner),
        "four": [position.board.cell_name(cell) for cell in position.four],
    }


def convert(input: InputArgument, to: ToOption, from_: FromOption = None, board: BoardOption = None) -> None:
    """Write a game or a position in another format.

    The formats: claimeven formats.
    """
    from claimeven.formats import read, write
    from claimeven.position import Board

    on = Board.parse(board) if board is not None else None
    text = write(read(read_input(input), from_, on), to)
    print(text, end="" if text.endswith("\n") else "\n")


def formats() -> None:
    """List the formats of games and positions."""
    from claimeven.formats import FORMATS

    width = max(map(len, FORMATS))
    for name, entry in FORMATS.items():
        print(f"{name:<{width}}  {entry.about}")


def write_output(target: str, text: str) -> None:
    if target == "-":
        print(text, end="")
    else:
        Path(target).write_text(text, encoding="utf-8")
