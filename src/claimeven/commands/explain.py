"""explain, review and hint: why a move is good or bad, how a game went, and where to look."""

from typing import TYPE_CHECKING, Annotated

import typer

from claimeven.commands.asked.options import (
    BoardOption,
    JsonOption,
    MovesArgument,
    print_json,
    print_words,
    read_input,
)
from claimeven.commands.asked.usage import agent_names, languages

if TYPE_CHECKING:
    from claimeven.limit import Limit
    from claimeven.position import Position
    from claimeven.reasons import AgentView
    from claimeven.solver import Solver

ColumnOption = Annotated[
    str | None,
    typer.Option("--column", metavar="COLUMN", help="The move to explain; without it, a best one."),
]
LanguageOption = Annotated[
    str, typer.Option("--language", metavar="en|fr|pl|vi", help="Of the sentences.", autocompletion=languages)
]
SvgOption = Annotated[
    str | None,
    typer.Option(
        "--svg", metavar="FILE", help="Also draw it, with values, line and plan; - instead of text."
    ),
]
AgentOption = Annotated[
    str | None,
    typer.Option(
        "--agent",
        metavar="SPEC",
        help="Let this agent choose: what it saw, and what is true.",
        autocompletion=agent_names,
    ),
]
LimitOption = Annotated[
    str, typer.Option("--limit", metavar="L", help="What the agent may use: 2s, 5000n, 8d.")
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
    typer.Option("--seconds", metavar="S", help="For the whole of it; without, as long as it takes."),
]
StageOption = Annotated[
    int | None,
    typer.Option("--stage", metavar="N", help="1 where to look, 2 the idea, 3 the column; without, all."),
]
AsOption = Annotated[
    str | None,
    typer.Option("--as", metavar="x|o", help="The side that reads it: its moves are told as yours."),
]
EachSecondsOption = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="For each position; without, as long as it takes."),
]


def explain(
    moves: MovesArgument = "",
    column: ColumnOption = None,
    agent: AgentOption = None,
    limit: LimitOption = "",
    language: LanguageOption = "en",
    board: BoardOption = None,
    json: JsonOption = False,
    svg: SvgOption = None,
    seconds: SecondsOption = None,
) -> None:
    """Say why a move is good or bad, and why not another."""
    from claimeven import notation
    from claimeven.commands.look import write_output
    from claimeven.errors import InputError, MoveError
    from claimeven.limit import Limit
    from claimeven.position import Board, Position
    from claimeven.reasons import advise, explain
    from claimeven.reasons.told.drawing import explanation_svg
    from claimeven.reasons.told.trickiest import trickiest
    from claimeven.solver import Solver

    position = Position.parse(moves, Board.parse(board) if board is not None else None)
    if position.is_over:
        raise MoveError("over.nothing_to_explain")
    if agent is not None and column is not None:
        raise InputError("option.column")
    if limit and agent is None:
        raise InputError("option.limit")
    solver, view = Solver(), None
    whole = None if seconds is None else Limit(seconds=seconds)
    if agent is not None:
        view = _asked(agent, position, solver, language, Limit.parse(limit), whole)
        explanation = view.truth
    elif column is not None:
        chosen = notation.parse_column(column, position.board.columns)
        explanation = explain(position, chosen, solver, language, whole)
    else:
        explanation = advise(position, solver, language, whole, is_sly=False).explanation
    trick = None
    if view is None and column is None:  # what else to try where nothing wins
        trick = trickiest(position, explanation.column, solver, whole)
        if trick is not None and trick.is_as_long:  # then it is the one to play
            explanation = explain(position, trick.hardest.column, solver, language, whole)
    if svg is not None:
        write_output(svg, explanation_svg(explanation))
    if json and view is None:
        told = None if trick is None else trick.to_json(language)
        print_json({**explanation.to_json(), "trickiest": told})
    elif json and view is not None:
        print_json(view.to_json())
    elif svg != "-":
        told_trick = () if trick is None else (trick.text(language),)
        paragraphs = ((*explanation.lines, *told_trick),) if view is None else view.paragraphs
        print_words(paragraphs, position)


def _asked(
    spec: str, position: "Position", solver: "Solver", language: str, limit: "Limit", whole: "Limit | None"
) -> "AgentView":
    """An agent's view; one that fails is told in one sentence."""
    from claimeven.agents import AgentError, close, make_agent
    from claimeven.errors import InputError
    from claimeven.reasons import ask_agent
    from claimeven.reasons.words import catalogue

    catalogue(language)  # complains of a language that there is not
    agent = make_agent(spec, seed=0)
    try:
        return ask_agent(agent, position, solver, language, limit, whole)
    except AgentError as error:
        raise InputError("agent.silent", agent=agent.name, reason=str(error)) from None
    finally:
        close(agent)


def review(
    source: SourceArgument,
    language: LanguageOption = "en",
    board: BoardOption = None,
    json: JsonOption = False,
    html: HtmlOption = None,
    seconds: EachSecondsOption = None,
    reader: AsOption = None,
) -> None:
    """Review a game: its story, the moments to learn from, and what would have been better."""
    from claimeven import notation
    from claimeven.commands.look import write_output
    from claimeven.errors import InputError
    from claimeven.formats import read
    from claimeven.limit import Limit
    from claimeven.position import Board
    from claimeven.reasons import review
    from claimeven.solver import Solver

    game = read(read_input(source), board=Board.parse(board) if board is not None else None)
    if not game.columns:
        raise InputError("no_moves_to_review")
    if reader is not None and reader not in tuple(notation.STONES):
        raise InputError("option.as", given=notation.quote(reader))
    side = None if reader is None else notation.STONES.index(reader)
    explains = json or html is not None
    found = review(game, Solver(), language, Limit(seconds=seconds), side, explains=explains)
    if html is not None:
        write_output(html, found.to_html())
    if json:
        print_json(found.to_json())
    elif html != "-":
        print_words(found.paragraphs, game.position)


def hint(
    moves: MovesArgument = "",
    stage: StageOption = None,
    language: LanguageOption = "en",
    board: BoardOption = None,
    json: JsonOption = False,
    seconds: SecondsOption = None,
) -> None:
    """Give a hint in three stages: where to look, the idea, the column."""
    from claimeven import notation
    from claimeven.errors import InputError, MoveError
    from claimeven.limit import Limit
    from claimeven.position import Board, Position
    from claimeven.reasons import advise
    from claimeven.reasons.hinted.stage import STAGES
    from claimeven.solver import Solver

    position = Position.parse(moves, Board.parse(board) if board is not None else None)
    if position.is_over:
        raise MoveError("over.nothing_to_explain")
    if stage is not None and not 1 <= stage <= STAGES:
        raise InputError("option.stage", most=STAGES, given=stage)
    advice = advise(position, Solver(), language, None if seconds is None else Limit(seconds=seconds))
    shown = advice.stages if stage is None else advice.stages[stage - 1 : stage]
    if json:
        best = [notation.column_digit(column) for column in advice.best]
        print_json({"best": best, "stages": [one.to_json(position.board) for one in shown]})
    else:
        print_words([[one.text for one in shown]], position)
