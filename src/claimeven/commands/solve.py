"""solve: the exact value of positions, in words or as JSON."""

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from claimeven.commands.asked.options import BoardOption, JsonOption, MovesArgument, print_json, workers_of
from claimeven.errors import InputError

if TYPE_CHECKING:
    from claimeven.commands.shown.verdict import Judged, Row, Solved
    from claimeven.limit import Limit
    from claimeven.position import Board, Position
    from claimeven.runner import Bar
    from claimeven.solver import Bounds, Progress, Solver

FileOption = Annotated[
    str | None, typer.Option("--file", metavar="FILE", help="Solve a file of positions, one per line.")
]
OutcomeOption = Annotated[bool, typer.Option("--outcome", help="Only win, draw or loss: quicker.")]
ThreadsOption = Annotated[
    int, typer.Option("--threads", metavar="N", help="Search on N cores.", min=1, max=1024)
]
NoBookOption = Annotated[bool, typer.Option("--no-book", help="Do not use the opening book.")]
SecondsOption = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="Stop after S seconds per position and tell what is known."),
]
MegabytesOption = Annotated[
    int, typer.Option("--megabytes", metavar="M", help="The table of the search, in megabytes.")
]
SaveOption = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="For long solves: what is found is saved there every minute; the same command goes on from it.",
    ),
]
SplitOption = Annotated[
    int | None,
    typer.Option(
        "--split",
        metavar="N",
        help="For long solves on many cores: positions N stones on are solved apart and merged.",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="W", help="With --split: processes; all cores unless given."),
]
RayOption = Annotated[
    str | None,
    typer.Option(
        "--ray", metavar="A", help="Split, on a Ray cluster: its address; auto: that of this machine."
    ),
]
FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--folder", metavar="DIR", help="With --split: keeps what is done; the same command goes on."
    ),
]


def solve(
    moves: MovesArgument = "",
    file: FileOption = None,
    board: BoardOption = None,
    outcome: OutcomeOption = False,
    threads: ThreadsOption = 1,
    no_book: NoBookOption = False,
    seconds: SecondsOption = None,
    megabytes: MegabytesOption = 256,
    save: SaveOption = None,
    split: SplitOption = None,
    workers: WorkersOption = None,
    ray: RayOption = None,
    folder: FolderOption = None,
    json: JsonOption = False,
) -> None:
    """Tell who wins, how soon, and what every column leads to.

    With - the positions come from the standard input, one per line.
    """
    from claimeven.commands.shown.sitting import sitting
    from claimeven.limit import Limit
    from claimeven.position import Board, Position
    from claimeven.runner import Bar
    from claimeven.solver import SavingSolver, Solver

    if file is not None and moves:
        raise InputError("option.one_source")
    on = Board.parse(board) if board is not None else None
    limit = Limit(seconds=seconds)
    is_one = file is None and moves != "-"
    if split is not None or ray is not None:
        if not is_one or save is not None or seconds is not None or threads > 1:
            raise InputError("option.split")
        valued = _apart(
            Position.parse(moves, on), split, outcome, workers, megabytes, not no_book, folder, ray
        )
        print_json(valued.data()) if json else print(_coloured(*valued.rows()))
        return
    if workers is not None or folder is not None:
        raise InputError("option.needs_split")
    if save is not None:
        if not is_one:
            raise InputError("option.save_one")
        position = Position.parse(moves, on)
        saving = SavingSolver(save, position.board, threads, megabytes, book=not no_book)
        told = sitting(saving, position, limit, outcome=outcome)
        print_json(told.data()) if json else print(_coloured(*told.rows()))
        return
    positions: Iterable[tuple[str, Position]]
    if is_one:
        positions = [(moves, Position.parse(moves, on))]
    elif file is not None:
        positions = _read(file, on)  # all of it, before the work begins
    else:
        positions = _positions(sys.stdin, "the standard input", on)  # may be a conversation
    solver = Solver(threads=threads, megabytes=megabytes, book=not no_book)
    answer = _outcome if outcome else _analysis
    for name, position in positions:
        label = "" if is_one else f"{name or 'empty board'}: "
        is_watched = is_one and not json and sys.stdout.isatty() and seconds is None
        with Bar() as bar:
            if is_watched and not outcome and not position.is_over:
                _as_it_comes(solver, position, bar)
                return
            told = answer(solver, position, limit, bar.count("nodes", label))
        if json:
            print_json(told.data())
        else:
            print(_coloured(*told.rows()) if is_one else label + told.verdict())
        sys.stdout.flush()


def _apart(
    position: "Position",
    split: int | None,
    outcome: bool,
    workers: int | None,
    megabytes: int,
    book: bool,
    folder: Path | None,
    ray: str | None,
) -> "Judged":
    """The value of the position itself, from parts that are solved elsewhere."""
    from claimeven.commands.shown.sitting import proved
    from claimeven.commands.shown.verdict import Judged, Valued
    from claimeven.runner import Bar, on_ray
    from claimeven.subtrees import PLIES, solve_apart

    start, so_far = time.perf_counter(), ""

    def tell(found: "Bounds") -> None:
        nonlocal so_far
        so_far = proved(position, found)

    try:
        with Bar() as bar:
            bounds = solve_apart(
                position,
                PLIES if split is None else split,
                only_outcome=outcome,
                workers=workers_of(workers),
                megabytes=megabytes,
                book=book,
                folder=folder,
                steps=lambda name: bar.of(f"{so_far}; {name}"),
                told=tell,
                execute=None if ray is None else on_ray(ray, workers),
            )
    except KeyboardInterrupt:
        if folder is not None:
            print("claimeven: stopped; the same command goes on where it was", file=sys.stderr)
        raise
    return (Judged if outcome else Valued)(position, bounds, time.perf_counter() - start)


def _as_it_comes(solver: "Solver", position: "Position", bar: "Bar") -> None:
    """The score comes long before the columns, and one column before the next: whoever watches sees each."""
    from claimeven.commands.shown.verdict import Row, column_row, effort, line_rows, score_words
    from claimeven.solver import score_of

    start, nodes = time.perf_counter(), 0
    found = solver.solve(position, progress=bar.count("nodes"))
    score, nodes = found.low, found.nodes
    words = score_words(position, score_of(score, position.board.cells, position.ply))
    print(_coloured(Row(words, "bold")), flush=True)
    for column in position.legal:
        after = solver.solve(position.play(column), progress=bar.count("nodes"))
        nodes += after.nodes
        row = column_row(position, column, (-after.low, -after.low), -after.low == score)
        print(_coloured(row), flush=True)
    analysis = solver.analyse(position, progress=bar.count("nodes"))  # for the line: the scores are known
    seconds = time.perf_counter() - start
    print(_coloured(*line_rows(analysis), Row(effort(nodes + analysis.nodes, seconds))))


def _coloured(*rows: "Row") -> str:
    from claimeven.terminal import has_colours, paint

    colours = has_colours()
    return "\n".join(paint(row.text, row.style, colours) for row in rows)


def _read(path: str, board: "Board | None") -> "list[tuple[str, Position]]":
    with open(path, encoding="utf-8") as lines:
        found = list(_positions(lines, path, board))
    if not found:
        raise InputError("file.no_positions", name=path)
    return found


def _positions(lines: TextIO, source: str, board: "Board | None") -> "Iterator[tuple[str, Position]]":
    """Each line as it is written, and what it means. As everywhere, nothing is the empty board."""
    from claimeven.position import Position

    try:
        for number, line in enumerate(lines, start=1):
            text = line.strip()
            try:
                yield text, Position.parse(text, board)
            except InputError as error:
                raise error.wrapped("line_of", line=number, name=source) from None
    except UnicodeDecodeError as error:
        raise InputError("file.not_text", name=source, reason=error.reason, byte=error.start + 1) from None


def _analysis(solver: "Solver", position: "Position", limit: "Limit", progress: "Progress") -> "Solved":
    from claimeven.commands.shown.verdict import Solved

    return Solved(solver.analyse(position, limit, progress))


def _outcome(solver: "Solver", position: "Position", limit: "Limit", progress: "Progress") -> "Judged":
    from claimeven.commands.shown.verdict import Judged

    start = time.perf_counter()
    bounds = solver.solve(position, limit, progress, only_outcome=True)
    return Judged(position, bounds, time.perf_counter() - start)
