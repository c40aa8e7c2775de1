"""export: agents for other places."""

from pathlib import Path
from typing import Annotated

import typer

from claimeven.commands.usage import Command, agent_names, group

SpecArgument = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="The agent: perfect, level:N, minimax… or mcts….",
        show_default=False,
        autocompletion=agent_names,
    ),
]
OutOption = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.", show_default=False)
]
PureOption = Annotated[bool, typer.Option("--pure", help="Python only: no native engine inside.")]

app = group("Write an agent that plays in other places.")


@app.callback()
def export() -> None:
    """Write an agent that plays in other places."""


@app.command(cls=Command)
def kaggle(spec: SpecArgument, out: OutOption, pure: PureOption = False) -> None:
    """Write a submission for Kaggle's ConnectX: one file with everything in it.

    It plays on any board, within Kaggle's limits of time; perfect is exact on 7x6.
    """
    from claimeven.export import submission

    text = submission(spec, pure=pure)
    out.write_text(text, encoding="utf-8")
    print(f"{out}: {spec} in {len(text.encode())} bytes")
