"""map: draw, verify and walk maps, whole strategies of one side."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from claimeven.commands.asked.options import BoardOption, JsonOption, MovesArgument, print_json, workers_of
from claimeven.commands.asked.usage import Command, group
from claimeven.errors import InputError

FileOption = Annotated[
    Path | None, typer.Option("--file", metavar="FILE", help="A map; nothing is the one of this package.")
]
OutOption = Annotated[
    Path, typer.Option("--out", metavar="FILE", help="Where to write it.", show_default=False)
]
SideOption = Annotated[Literal["first", "second"], typer.Option("--side", help="Whose strategy it is.")]
StartOption = Annotated[
    str,
    typer.Option("--start", metavar="MOVES", help="Moves before the map begins, like 3.", show_default=False),
]
ColumnOption = Annotated[
    int | None,
    typer.Option(
        "--column",
        metavar="C",
        min=1,
        help="The holder's first one; without it all that keep the result are drawn.",
    ),
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", metavar="W", help="Processes; as many as cores unless given.")
]
WorkDirOption = Annotated[
    Path | None, typer.Option("--work-dir", metavar="DIR", help="Where finished parts are kept.")
]
BudgetOption = Annotated[
    int, typer.Option("--budget", metavar="N", min=1, help="Moves that one search for a plan may play.")
]
TriesOption = Annotated[
    int,
    typer.Option(
        "--tries", metavar="N", min=1, max=1000, help="Searches for one plan, each in another order."
    ),
]
LookOption = Annotated[
    int, typer.Option("--look", metavar="N", min=0, max=4, help="Moves ahead when a column is chosen.")
]
SpreadOption = Annotated[
    int,
    typer.Option("--spread", metavar="N", min=0, max=8, help="First moves for which every column is drawn."),
]
SummaryOption = Annotated[
    bool,
    typer.Option("--summary", help="How much there is to learn: plans, how many close how much."),
]

OfOption = Annotated[
    str,
    typer.Option(
        "--start",
        metavar="C",
        help="Of the second player's maps in this package the one after this first column.",
        show_default=False,
    ),
]

app = group("Draw, verify and walk maps: whole strategies.")


@app.command(cls=Command)
def build(
    out: OutOption,
    board: BoardOption = None,
    side: SideOption = "first",
    start: StartOption = "",
    column: ColumnOption = None,
    budget: BudgetOption = 10_000,
    tries: TriesOption = 8,
    look: LookOption = 1,
    spread: SpreadOption = 0,
    workers: WorkersOption = None,
    work_dir: WorkDirOption = None,
) -> None:
    """Draw the map of a side and write it to a file.

    With --work-dir it may be interrupted; the same command goes on where it was.
    """
    from claimeven.board import Board
    from claimeven.map.build import build as drawn
    from claimeven.map.file import about, write_map
    from claimeven.runner import Bar

    with Bar() as bar:
        found = drawn(
            Board() if board is None else Board.parse(board),
            int(side == "second"),
            start=start,
            column=None if column is None else column - 1,
            budget=budget,
            tries=tries,
            look=look,
            spread=spread,
            workers=workers_of(workers),
            folder=work_dir,
            steps=bar.of,
        )
    write_map(found, out)
    told = about(found)
    print(f"{out}: {told['nodes']} nodes, {told['leaves']} leaves, {told['plans']} plans")


@app.command(cls=Command)
def improve(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A map of `claimeven map build`.")],
    out: OutOption,
) -> None:
    """Tell a map with fewer plans and fewer nodes; what comes out can be improved again."""
    from claimeven.map.file import about, read_map, write_map
    from claimeven.map.improve import improved
    from claimeven.runner import Bar

    with Bar() as bar:
        found = improved(read_map(file), bar.of)
    write_map(found, out)
    told = about(found)
    print(f"{out}: {told['nodes']} nodes, {told['leaves']} leaves, {told['plans']} plans")


@app.command(cls=Command)
def verify(
    file: FileOption = None, side: SideOption = "first", start: OfOption = "", json: JsonOption = False
) -> None:
    """Play a map against every reply, to the end of every game, by code that shares nothing with `build`.

    The exit code is 1 when something is wrong.
    """
    from claimeven.map.check import FaultError, check

    path = file or _shipped(side, start)
    try:
        data = path.read_bytes()
    except OSError:
        raise InputError("file.missing", name=path) from None
    try:
        found = check(data)
    except FaultError as error:
        print(f"claimeven: {path}: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    if json:
        print_json(found)
    else:
        print(f"right: {found['nodes']} nodes, {found['leaves']} leaves, {found['plans']} plans")
        print(f"  {found['replies']} replies were played against it")


@app.command(cls=Command)
def show(
    moves: MovesArgument = "",
    file: FileOption = None,
    side: SideOption = "first",
    start: OfOption = "",
    summary: SummaryOption = False,
    json: JsonOption = False,
) -> None:
    """Say where a position is on a map, and what is played there and why."""
    from claimeven import notation
    from claimeven.map.atlas import shipped_for
    from claimeven.map.file import about, read_map
    from claimeven.map.summary import summary as summed
    from claimeven.map.told import told
    from claimeven.position import Position

    holder = int(side == "second")
    if file is not None or start or summary or not holder:
        found = read_map(file or _shipped(side, start))
    else:
        found = shipped_for(holder, Position.parse(moves))
    if summary:
        counted = summed(found)
        if json:
            print_json(counted.to_json())
        else:
            print("\n".join(counted.lines()))
        return
    position = Position.parse(moves, None if moves and ("/" in moves or " " in moves) else found.board)
    if position.board != found.board:
        raise InputError("map.other_board", board=str(found.board))
    place = told(found, position)
    if json:
        print_json({"map": about(found), **place.to_json()})
        return
    told_of = about(found)
    counts = ", ".join(f"{told_of[name]} {name}" for name in ("nodes", "leaves", "plans"))
    print(f"map of {found.board} for {notation.STONES[found.side]}: {counts}")
    print(place.text())


@app.command(cls=Command)
def why(
    file: FileOption = None,
    side: SideOption = "first",
    start: OfOption = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the kind of every leaf, too.")
    ] = None,
    workers: WorkersOption = None,
    json: JsonOption = False,
) -> None:
    """Count why leaves win, by which fours and which argument, by playing every game of every plan.

    Then how many a theorem closes as they stand, and how many sentences tell them. Of a large map that takes
    minutes.
    """
    from collections import Counter

    from claimeven.map.file import read_map
    from claimeven.map.summary import kinds_of, learned, written_whys
    from claimeven.reasons.planned.closed import closed_by
    from claimeven.runner import Bar

    found = read_map(file or _shipped(side, start))
    with Bar() as bar:
        kinds = kinds_of(found, workers_of(workers), bar.of("leaves"))
        is_draw = found.goal == "draw"
        theorems = closed_by(found.board, [*kinds], draw_is_enough=is_draw, workers=workers_of(workers))
    if out is not None:
        out.write_text(written_whys(kinds), encoding="utf-8")
    often: Counter[str] = Counter(kind.why for kind in kinds.values())
    how: Counter[str] = Counter(kind.how for kind in kinds.values() if kind.how is not None)
    closed: Counter[str] = Counter(filter(None, theorems))
    closed["all"] = sum(closed.values())
    both = zip(kinds.values(), theorems, strict=True)
    closed["forced"] = sum(kind.why == "forced" for kind, theorem in both if theorem is not None)
    counts = {"reasons": often, "arguments": how, "theorems": closed}
    forms, sentences = (
        learned([kind.forms for kind in kinds.values()]),
        learned([kind.sentences for kind in kinds.values()]),
    )
    if json:
        told = {
            name: {"different": number, "leaves": curve}
            for name, (number, curve) in {"forms": forms, "sentences": sentences}.items()
        }
        print_json({**{title: dict(each.most_common()) for title, each in counts.items()}, **told})
        return
    for title, counted in counts.items():
        print(title)
        for name, count in counted.most_common():
            print(f"{name:>7} {count:6} {100 * count / len(kinds):5.1f} %")
    for title, (number, curve) in (("forms of sentences", forms), ("sentences", sentences)):
        told_by = ", ".join(f"{k}: {100 * count / len(kinds):.1f} %" for k, count in curve.items())
        print(f"{number} {title}; leaves told by so many of the most frequent ones: {told_by}")


def _shipped(side: str, start: str) -> Path:
    from claimeven.map.atlas import shipped_path, start_of

    return shipped_path(start_of(int(side == "second"), start))
