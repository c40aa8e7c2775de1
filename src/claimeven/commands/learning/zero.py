"""train zero: a network that learns from nothing, by playing itself."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from claimeven.commands.asked.options import BoardOption
from claimeven.commands.learning.network import DeviceOption, check_start, need_torch

OutOption = Annotated[
    Path,
    typer.Option(
        "--out", metavar="FILE", help="The network; how to go on lies beside it.", show_default=False
    ),
]
MinutesOption = Annotated[
    float, typer.Option("--minutes", metavar="M", help="How long it plays and learns, in all.", min=0)
]
RoundsOption = Annotated[
    int | None,
    typer.Option("--rounds", metavar="N", help="Or until every game side by side has made N moves.", min=1),
]
SizeOption = Annotated[
    Literal["best", "middle", "tiny", "toy"], typer.Option("--size", help="How large it is.")
]
GamesOption = Annotated[int, typer.Option("--games", metavar="N", help="Games side by side.", min=1)]
SimulationsOption = Annotated[
    int, typer.Option("--simulations", metavar="N", help="Of the search, for every move.", min=1)
]
MemoryOption = Annotated[
    int, typer.Option("--memory", metavar="N", help="Positions that it learns from, the newest.", min=1)
]
BatchOption = Annotated[int, typer.Option("--batch", metavar="N", help="Positions of a step.", min=1)]
ReuseOption = Annotated[
    float, typer.Option("--reuse", metavar="X", help="How often a position is learned from.", min=0)
]
LookOption = Annotated[float, typer.Option("--look", metavar="S", help="Seconds between two looks.", min=0)]
JudgeOption = Annotated[
    int, typer.Option("--judge", metavar="N", help="Simulations when it is judged with search.", min=1)
]
ThreadsOption = Annotated[
    int,
    typer.Option("--threads", metavar="N", help="Of the search; the network has its own.", min=1, max=256),
]
SeedOption = Annotated[
    int, typer.Option("--seed", metavar="S", help="Of weights, noise and openings.", min=0)
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with FILE, to M minutes in all.")]


def zero(
    out: OutOption,
    board: BoardOption = None,
    minutes: MinutesOption = 5.0,
    rounds: RoundsOption = None,
    size: SizeOption = "toy",
    games: GamesOption = 256,
    simulations: SimulationsOption = 32,
    memory: MemoryOption = 100_000,
    batch: BatchOption = 512,
    reuse: ReuseOption = 4.0,
    look: LookOption = 30.0,
    judge: JudgeOption = 32,
    threads: ThreadsOption = 1,
    device: DeviceOption = "cpu",
    seed: SeedOption = 1,
    resume: ResumeOption = False,
) -> None:
    """Learn from nothing but the rules, by self-play with search (AlphaZero).

    Every look prints a line of JSON: in how many exactly solved positions, from which nothing is learned, the
    network keeps the outcome and is optimal, alone and with search. docs/zero.md tells the rest.
    """
    need_torch()
    from claimeven.board import Board
    from claimeven.neural.zero.run import Plan, train_zero

    check_start(out, resume=resume)
    on = Board.parse(board) if board is not None else Board()
    plan = Plan(
        str(on),
        60 * minutes,
        rounds,
        size,
        games,
        simulations,
        memory,
        batch,
        reuse,
        look_every=look,
        judge_simulations=judge,
        threads=threads,
        seed=seed,
        groups=2 if device == "cuda" else 1,
    )
    train_zero(plan, out, device, resume=resume)
