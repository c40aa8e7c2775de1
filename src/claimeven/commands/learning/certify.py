"""certify: an agent against every reply, to the end."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from claimeven.commands.asked.options import BoardOption, JsonOption, check_agents, print_json, workers_of
from claimeven.commands.learning.label import FolderOption, RayOption, WorkersOption

AgentArgument = Annotated[
    str, typer.Argument(metavar="AGENT", help="A spec, as for arena.", show_default=False)
]
SideOption = Annotated[Literal["first", "second"], typer.Option("--side", help="Which side it plays.")]
StartOption = Annotated[
    str,
    typer.Option("--start", metavar="MOVES", help="Only games that begin with these.", show_default=False),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Every position met, and what it played there.")
]


def certify(
    agent: AgentArgument,
    side: SideOption = "first",
    start: StartOption = "",
    out: OutOption = None,
    board: BoardOption = None,
    workers: WorkersOption = None,
    folder: FolderOption = None,
    ray: RayOption = None,
    json: JsonOption = False,
) -> None:
    """Play a deterministic agent against every reply, to the end.

    If no game is lost, it never loses with this side, whatever anybody plays. No solver is asked. The file
    can be checked without the agent: docs/examples/check_certificate.py.
    """
    from claimeven.learn.certificate import certify as certified
    from claimeven.position import Board
    from claimeven.runner import Bar, on_ray

    check_agents([agent])
    with Bar() as bar:
        found = certified(
            agent,
            int(side == "second"),
            Board.parse(board) if board is not None else Board(),
            start=start,
            workers=workers_of(workers),
            folder=folder,
            progress=bar.count("positions"),
            execute=None if ray is None else on_ray(ray, workers),
        )
    if out is not None:
        found.write(out)
    if json:
        print_json({**found.counts(), "never_loses": found.never_loses})
        return
    where = f"{found.board} after {start}" if start else found.board
    print(f"{found.agent} moving {side} on {where} meets {found.met} positions against every reply")
    print(f"  ends: {found.won} won, {found.drawn} drawn, {found.lost} lost")
    print("  it never loses" if found.never_loses else "  it can be beaten")
