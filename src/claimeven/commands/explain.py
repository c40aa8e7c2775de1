"""explain and review: why a move is good or bad, and how a game went."""

from typing import Annotated

import typer

from claimeven.commands.options import BoardOption, JsonOption, MovesArgument, print_json, read_input

ColumnOption = Annotated[
    str | None,
    typer.Option("--column", metavar="COLUMN", help="The move to explain; without it, a best one."),
]
LanguageOption = Annotated[str, typer.Option("--language", metavar="en|fr|pl|vi", help="Of the sentences.")]
SvgOption = Annotated[
    str | None,
    typer.Option("--svg", metavar="FILE", help="Also draw it: values, line, plan and threats; - instead of text."),
]
SourceArgument = Annotated[
    str,
    typer.Argument(
        metavar="MOVES|FILE", help="Moves, a file in any format, or - for standard input.", show_default=False
    ),
]
HtmlOption = Annotated[
    str | None, typer.Option("--html", metavar="FILE", help="Also write a page; - instead of text.")
]
SecondsOption = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="For the exact value; without one, as long as it takes."),
]


def explain(
    moves: MovesArgument = "",
    column: ColumnOption = None,
    language: LanguageOption = "en",
    board: BoardOption = None,
    json: JsonOption = False,
    svg: SvgOption = None,
    seconds: SecondsOption = None,
) -> None:
    """Say why a move is good or bad, and why not another."""
    from claimeven import notation
    from claimeven.commands.look import write_output
    from claimeven.errors import MoveError
    from claimeven.limit import Limit
    from claimeven.position import Board, Position
    from claimeven.reasons import explain
    from claimeven.reasons.drawing import explanation_svg
    from claimeven.solver import Solver

    position = Position.parse(moves, Board.parse(board) if board is not None else None)
    if position.is_over:
        raise MoveError("the game is over: there is no move to explain")
    solver, limit = Solver(), Limit(seconds=seconds)
    if column is not None:
        chosen = notation.parse_column(column, position.board.columns)
    else:
        centre = (position.board.columns - 1) / 2
        best = solver.analyse(position, limit).best or position.legal
        chosen = min(best, key=lambda c: (abs(c - centre), c))
    explanation = explain(position, chosen, solver, language, limit)
    if svg is not None:
        write_output(svg, explanation_svg(explanation))
    if json:
        print_json(explanation.to_json())
    elif svg != "-":
        print(explanation.text)


def review(
    source: SourceArgument,
    language: LanguageOption = "en",
    board: BoardOption = None,
    json: JsonOption = False,
    html: HtmlOption = None,
    seconds: SecondsOption = None,
) -> None:
    """Review a game: every move, the turning points, and what would have been better."""
    from claimeven.commands.look import write_output
    from claimeven.formats import read
    from claimeven.limit import Limit
    from claimeven.position import Board
    from claimeven.reasons import review
    from claimeven.solver import Solver

    game = read(read_input(source), board=Board.parse(board) if board is not None else None)
    found = review(game, Solver(), language, Limit(seconds=seconds))
    if html is not None:
        write_output(html, found.to_html())
    if json:
        print_json(found.to_json())
    elif html != "-":
        print(found.text)
