"""label: positions with the exact score of every column, for those who learn."""

from pathlib import Path
from typing import Annotated

import typer

from claimeven.commands.asked.options import BoardOption, JsonOption, print_json, workers_of
from claimeven.errors import InputError

OutOption = Annotated[Path, typer.Option("--out", metavar="FILE", help="The labels.", show_default=False)]
CountOption = Annotated[int, typer.Option("--count", metavar="N", help="How many positions.", min=1)]
PliesOption = Annotated[str, typer.Option("--plies", metavar="A-B", help="From A to B stones.")]
EveryOption = Annotated[
    bool, typer.Option("--every", help="Every position of so many stones, not N of them.")
]
OutcomeOption = Annotated[
    bool, typer.Option("--outcome", help="Only who wins, not how soon: several times cheaper.")
]
ValueOption = Annotated[
    bool, typer.Option("--value", help="Only the score of the position, which the opening book has.")
]
NetworkOption = Annotated[
    Path | None,
    typer.Option("--network", metavar="FILE", help="Positions of its games that it is unsure of."),
]
UnsureOption = Annotated[
    float,
    typer.Option(
        "--unsure", metavar="X", help="The least chance that another column is better.", min=0, max=1
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="The same seed, the same file.")]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", metavar="W", help="Processes; all cores unless given.", min=1)
]
FolderOption = Annotated[
    Path | None, typer.Option("--folder", metavar="DIR", help="Keeps what is done: the same command goes on.")
]
RayOption = Annotated[
    str | None,
    typer.Option("--ray", metavar="A", help="On a Ray cluster: its address; auto is that of this machine."),
]


def label(
    out: OutOption,
    count: CountOption = 10_000,
    plies: PliesOption = "12-35",
    every: EveryOption = False,
    outcome: OutcomeOption = False,
    value: ValueOption = False,
    network: NetworkOption = None,
    unsure: UnsureOption = 0.05,
    board: BoardOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    folder: FolderOption = None,
    ray: RayOption = None,
    json: JsonOption = False,
) -> None:
    """Label positions with the exact score of every column.

    They come from games of players of many strengths, each position once, mirror images as one. The file
    is read by claimeven.learn.labels.read_labels, as numpy's arrays; docs/neural.md describes it.
    """
    from claimeven.learn.labels import Wanted, make_labels
    from claimeven.position import Board
    from claimeven.runner import Bar, on_ray

    if out.exists():
        raise InputError("label.there", out=out)
    on = Board.parse(board) if board is not None else Board()
    if outcome and value:
        raise InputError("label.both")
    if network is not None and not on.is_standard:
        raise InputError("label.network")
    wanted = Wanted(
        str(on),
        plies_of(plies, on.cells - 1),
        only_outcome=outcome,
        only_value=value,
        every=every,
        network=None if network is None else str(network),
        unsure=0.0 if network is None else unsure,
    )
    processes = workers_of(workers)
    with Bar() as bar:
        labels = make_labels(
            wanted,
            count,
            seed,
            workers=processes,
            folder=folder,
            progress=bar.of("shards"),
            execute=None if ray is None else on_ray(ray, workers),
        )
    labels.write(out)
    if json:
        print_json({"board": str(on), "positions": len(labels.keys), "bytes": out.stat().st_size})
    else:
        print(f"{len(labels.keys)} positions of {on} in {out}")


def plies_of(text: str, most: int) -> tuple[int, int]:
    low, dash, high = text.partition("-")
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in (low, high if dash else low)):
        raise InputError("label.plies", most=most)
    first, last = int(low), int(high if dash else low)
    if not first <= last <= most:
        raise InputError("label.plies", most=most)
    return first, last
