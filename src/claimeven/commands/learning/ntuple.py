"""train ntuple: tables that learn by playing themselves, or from exact labels."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimeven.commands.asked.options import print_json
from claimeven.errors import InputError

if TYPE_CHECKING:
    from claimeven.learn.points import CurvePoint

LabelsArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="LABELS", help="Files of claimeven label; without, it plays.", show_default=False),
]
OutOption = Annotated[
    Path,
    typer.Option(
        "--out", metavar="FILE", help="The tables; how to go on lies beside it.", show_default=False
    ),
]
GamesOption = Annotated[
    int, typer.Option("--games", metavar="N", help="Games against itself, in all.", min=1)
]
RoundsOption = Annotated[int, typer.Option("--rounds", metavar="N", help="Times through the labels.", min=1)]
TuplesOption = Annotated[int, typer.Option("--tuples", metavar="N", help="How many tables.", min=1, max=1024)]
ThreatsOption = Annotated[
    int, typer.Option("--threats", metavar="N", help="Tables more, which see threats.", min=0, max=178)
]
StagesOption = Annotated[
    list[int] | None,
    typer.Option(
        "--stage",
        metavar="N",
        help="From N stones on, other weights; may be given several times.",
        min=1,
        max=41,
        show_default=False,
    ),
]
AlphaOption = Annotated[
    float, typer.Option("--alpha", metavar="X", help="Of games: how large its steps are.", min=0)
]
RateOption = Annotated[
    float, typer.Option("--rate", metavar="X", help="Of labels: how large its steps are.", min=0)
]
LambdaOption = Annotated[
    float,
    typer.Option("--lambda", metavar="X", help="How much of the rest of a game counts.", min=0, max=1),
]
EpsilonOption = Annotated[
    float, typer.Option("--epsilon", metavar="X", help="Share of moves by chance.", min=0, max=1)
]
OpeningsOption = Annotated[
    int,
    typer.Option(
        "--openings", metavar="N", help="Moves by chance that begin a game, at most.", min=0, max=42
    ),
]
LookOption = Annotated[
    int, typer.Option("--look", metavar="N", help="Games, or positions, between two looks.", min=1)
]
SeedOption = Annotated[
    int, typer.Option("--seed", metavar="S", help="The same seed, the same tables.", min=0)
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with FILE, as it was begun.")]
StartOption = Annotated[
    Path | None,
    typer.Option(
        "--start", metavar="FILE", help="Begin with the tables of another training.", show_default=False
    ),
]


def ntuple(
    out: OutOption,
    labels: LabelsArgument = None,
    games: GamesOption = 1_000_000,
    rounds: RoundsOption = 2,
    tuples: TuplesOption = 70,
    threats: ThreatsOption = 0,
    stages: StagesOption = None,
    alpha: AlphaOption = 10.0,
    rate: RateOption = 0.04,
    trace: LambdaOption = 0.8,
    epsilon: EpsilonOption = 0.1,
    openings: OpeningsOption = 12,
    look: LookOption = 100_000,
    seed: SeedOption = 1,
    resume: ResumeOption = False,
    start: StartOption = None,
) -> None:
    """Learn what positions are worth, by tables that each see a few cells.

    Every look prints a line of JSON: the share of Pons' positions, which are never learned from, where it
    keeps the outcome and where it is optimal. It plays as ntuple:file=FILE.
    """
    from claimeven.learn.ntuple import Recipe, Training, labels_to_learn, learn_labels, play_games

    if out.exists() and not resume:
        raise InputError("training.there", out=out)
    if resume:
        training = Training.resumed(out)
    else:
        later = tuple(sorted(set(stages or ())))
        recipe = Recipe(tuples, 8, seed, alpha, trace, epsilon, openings, threats, rate, later)
        training = Training.begun(recipe) if start is None else Training.following(start, recipe)

    def shown(point: "CurvePoint") -> None:
        print_json(point.to_json())

    if labels:
        learn_labels(training, labels_to_learn(labels), rounds, out, look, shown)
    else:
        play_games(training, games, out, look, shown)
