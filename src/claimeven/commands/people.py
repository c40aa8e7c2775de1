"""people: what people would play, and how many of them find what is right."""

from typing import Annotated

import typer

from claimeven.commands.asked.options import BoardOption, JsonOption, MovesArgument, print_json

RatingOption = Annotated[
    int, typer.Option("--rating", metavar="R", help="Of the people, 600 to 1140; 900 is the average.")
]


def people(
    moves: MovesArgument = "",
    rating: RatingOption = 900,
    board: BoardOption = None,
    json: JsonOption = False,
) -> None:
    """Tell how likely people are to play each column, and how many find a right one.

    A model that was learned from games of people says it, on the scale of the levels' ratings.
    """
    from claimeven.commands.shown.crowd import crowd_data, crowd_words
    from claimeven.errors import InputError
    from claimeven.people import STRONGEST, WEAKEST, difficulty
    from claimeven.position import Board, Position
    from claimeven.solver import Solver

    if not WEAKEST <= rating <= STRONGEST:
        raise InputError("option.rating", low=WEAKEST, high=STRONGEST, given=rating)
    position = Position.parse(moves, Board.parse(board) if board is not None else None)
    found = difficulty(position, Solver(), rating)
    if json:
        print_json(crowd_data(found))
    else:
        print(crowd_words(found))
