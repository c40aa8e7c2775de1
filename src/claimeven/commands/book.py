"""book: build, describe and verify opening books."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from claimeven.commands.asked.options import BoardOption, JsonOption, print_json, workers_of
from claimeven.commands.asked.usage import Command, group
from claimeven.errors import InputError
from claimeven.notation import plural

FileArgument = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="A book; nothing is the one of this package.", show_default=False),
]
PliesOption = Annotated[
    int, typer.Option("--plies", metavar="N", help="The stones of its deepest positions.", show_default=False)
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Where to write it; else where every solver of this user finds it.",
        show_default=False,
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="W", help="Processes; as many as cores unless given."),
]
RayOption = Annotated[
    str | None,
    typer.Option("--ray", metavar="A", help="On a Ray cluster: its address; auto is that of this machine."),
]
WorkDirOption = Annotated[
    Path | None,
    typer.Option("--work-dir", metavar="DIR", help="Where finished parts are kept; else beside FILE."),
]
MegabytesOption = Annotated[
    int, typer.Option("--megabytes", metavar="M", help="The table of each process, in megabytes.")
]
FromOption = Annotated[
    Path | None,
    typer.Option("--from", metavar="BOOK", help="A deeper book; only what it leaves out is searched."),
]
SampleOption = Annotated[
    int, typer.Option("--sample", metavar="N", help="How many random positions to search anew.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="Which random positions.")]

app = group("Build, describe and verify opening books.")


@app.command(cls=Command)
def build(
    plies: PliesOption,
    out: OutOption = None,
    board: BoardOption = None,
    workers: WorkersOption = None,
    ray: RayOption = None,
    work_dir: WorkDirOption = None,
    megabytes: MegabytesOption = 256,
    from_: FromOption = None,
) -> None:
    """Solve every position of a board with N stones and write a book.

    It may be interrupted; the same command goes on where it was.
    """
    from claimeven import book
    from claimeven.position import Board
    from claimeven.runner import Bar, on_ray
    from claimeven.solver import own_path

    processes = workers_of(workers)
    on = Board() if board is None else Board.parse(board)
    if out is None:
        out = own_path(on)
        out.parent.mkdir(parents=True, exist_ok=True)
    try:
        with Bar() as bar:
            about = book.build(
                plies,
                out,
                board=on,
                workers=processes,
                megabytes=megabytes,
                folder=work_dir,
                source=from_,
                steps=bar.of,
                execute=None if ray is None else on_ray(ray, workers),
            )
    except KeyboardInterrupt:
        print("claimeven: stopped; the same command goes on where it was", file=sys.stderr)
        raise
    positions = f"{about.positions} {plural('position', about.positions)}"
    print(f"{out}: {positions} to ply {about.plies} in {about.bytes} bytes")


@app.command(cls=Command)
def info(file: FileArgument = None, json: JsonOption = False) -> None:
    """Say what a book holds."""
    from claimeven import book

    about = book.describe(file or own_book())
    described = {
        "path": str(about.path),
        "board": str(about.board),
        **{name: value for name, value in asdict(about).items() if name not in ("path", "board")},
        "bits_per_position": round(about.bits_per_position, 3),
    }
    if json:
        print_json(described)
    else:
        width = max(map(len, described))
        for name, value in described.items():
            print(f"{name.replace('_', ' '):<{width}}  {value}")


@app.command(cls=Command)
def verify(
    file: FileArgument = None,
    sample: SampleOption = 200,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    megabytes: MegabytesOption = 64,
) -> None:
    """Check the file, its scores with each other, and a sample by search.

    The exit code is 1 when something is wrong.
    """
    from claimeven import book
    from claimeven.runner import Bar

    path = file or own_book()
    try:
        with Bar() as bar:
            checks = book.verify(
                path,
                sample=sample,
                seed=seed,
                workers=workers_of(workers),
                megabytes=megabytes,
                steps=bar.of,
            )
            for sentence in checks:
                print(sentence, flush=True)
    except book.WrongBookError as error:
        print(f"claimeven: {error}", file=sys.stderr)
        raise typer.Exit(1) from None


def own_book() -> Path:
    from claimeven.solver import opening_book_path

    path = opening_book_path()
    if not path.exists():
        raise InputError("option.no_book")
    return path
