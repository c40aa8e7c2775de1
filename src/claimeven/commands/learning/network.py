"""train network: a network that learns from exact labels."""

import math
from collections.abc import Container
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

import typer

from claimeven.commands.learning.label import plies_of
from claimeven.errors import InputError

MOST_AHEAD = 1000.0

LabelsArgument = Annotated[
    list[Path], typer.Argument(metavar="LABELS", help="Files of claimeven label.", show_default=False)
]
OutOption = Annotated[
    Path,
    typer.Option(
        "--out", metavar="FILE", help="The network; how to go on lies beside it.", show_default=False
    ),
]
SizeOption = Annotated[
    Literal["best", "part", "tiny", "toy"], typer.Option("--size", help="How large it is.")
]
PliesOption = Annotated[
    str, typer.Option("--plies", metavar="A-B", help="Learn positions of A to B stones alone.")
]
MinutesOption = Annotated[
    float, typer.Option("--minutes", metavar="M", help="How long it learns, in all.", min=0)
]
BatchOption = Annotated[int, typer.Option("--batch", metavar="N", help="Positions of a step.", min=1)]
LookOption = Annotated[float, typer.Option("--look", metavar="S", help="Seconds between two looks.", min=0)]
DeviceOption = Annotated[Literal["cpu", "cuda"], typer.Option("--device", help="Where it learns.")]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="Of its first weights.")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with FILE, to M minutes in all.")]


def network(
    labels: LabelsArgument,
    out: OutOption,
    size: SizeOption = "best",
    plies: PliesOption = "0-41",
    minutes: MinutesOption = 15.0,
    batch: BatchOption = 8192,
    look: LookOption = 40.0,
    device: DeviceOption = "cpu",
    seed: SeedOption = 1,
    resume: ResumeOption = False,
) -> None:
    """Learn exact scores, and what to play, from labelled positions.

    Every look prints a line of JSON: the share of Pons' positions, which are never learned from, where the
    network keeps the outcome and where it is optimal. It plays as neural:file=FILE. Networks of parts of the
    game are made one by claimeven train join.
    """
    need_torch()
    from claimeven.neural.run import train_network
    from claimeven.neural.training import Plan

    check_start(out, resume=resume)
    plan = Plan(seconds=60 * minutes, batch=batch, look_every=look, seed=seed)
    train_network(labels, out, size, plan, device, plies=plies_of(plies, 41), resume=resume)


PartsArgument = Annotated[
    list[str],
    typer.Argument(metavar="N:FILE", help="From N stones on, this network.", show_default=False),
]


AheadOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ahead",
        metavar="N:A",
        help="The one from N stones on chooses by the boards that follow its columns: they count A times as "
        "much as what it sees in the columns.",
        show_default=False,
    ),
]


def join(parts: PartsArgument, out: OutOption, ahead: AheadOption = None) -> None:
    """Make one network of several: each is asked from so many stones on, the first of them from 0."""
    from claimeven.agents.kinds.network import joined, read_network

    if out.exists():
        raise InputError("training.there", out=out)
    files = {}
    for text in parts:
        stones, _, name = text.partition(":")
        is_number = stones.isascii() and stones.isdigit() and len(stones) < 3
        if not is_number or int(stones) >= 42 or int(stones) in files:
            raise InputError("network.part", text=text)
        if not Path(name).is_file():
            raise InputError("network.absent", path=Path(name))
        files[int(stones)] = read_network(Path(name))
    joined(files, ahead=dict(_ahead(text, files) for text in ahead or ())).write(out)


def _ahead(text: str, files: Container[int]) -> tuple[int, float]:
    stones, _, number = text.partition(":")
    try:
        times = float(number)
    except ValueError:
        times = math.nan
    if not (stones.isascii() and stones.isdigit() and int(stones) in files and 0 <= times <= MOST_AHEAD):
        raise InputError("network.ahead", text=text)
    return int(stones), times


def need_torch() -> None:
    if find_spec("torch") is None:
        raise InputError("needs.torch")


def check_start(out: Path, *, resume: bool) -> None:
    """What was learned is neither written over nor begun anew unasked."""
    if resume and not out.with_suffix(".state").exists():
        raise InputError("training.not_there", out=out)
    if out.exists() and not resume:
        raise InputError("training.there", out=out)
