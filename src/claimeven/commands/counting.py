"""perft: how many games and positions there are."""

from typing import Annotated

import typer

from claimeven.commands.asked.options import BoardOption, JsonOption, print_json

PlyArgument = Annotated[int, typer.Argument(metavar="N", help="The number of moves.", show_default=False)]
UniqueOption = Annotated[bool, typer.Option("--unique", help="Count distinct positions instead.")]


def perft(
    n: PlyArgument, unique: UniqueOption = False, board: BoardOption = None, json: JsonOption = False
) -> None:
    """Count the sequences of N moves, or the positions after N moves."""
    from claimeven import count
    from claimeven.position import Board, Position

    on = Board.parse(board) if board is not None else Board()
    counted: count.Distinct | count.Sequences
    if unique:
        plies = count.distinct_positions(on, n)
        counted = plies[n] if n < len(plies) else count.Distinct(0, 0, 0, 0)
    else:
        counted = count.perft(Position(on), n)
    if json:
        print_json({"board": str(on), "ply": n, "unique": unique} | counted._asdict())
    else:
        print(counted.total)
