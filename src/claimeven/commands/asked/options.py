"""What many commands share: arguments and options that always mean the same, files and JSON."""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimeven.errors import InputError

if TYPE_CHECKING:
    from claimeven.position import Position

MovesArgument = Annotated[
    str,
    typer.Argument(
        metavar="MOVES|POSITION",
        help="Moves like 4453, or a position like '7/7/7/7/3o3/2oxx2 x 7x6x4'; nothing is the empty board.",
    ),
]
BoardOption = Annotated[
    str | None,
    typer.Option("--board", metavar="7x6x4", help="Columns x rows x connect; 7x6 means connect 4."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer with one line of JSON.")]

MOST_WORKERS = 1024
# What ends like this is a file that was misspelt, not a game.
FILE_ENDINGS = (".json", ".jsonl", ".c4n", ".pgn", ".txt", ".csv", ".data")


def print_json(value: Mapping[str, object]) -> None:
    print(json.dumps(value, ensure_ascii=False))


def print_words(paragraphs: Sequence[Sequence[str]], position: "Position") -> None:
    """Lines about a position: a terminal shows it above them, and breaks them between words.

    The first line of a paragraph says what it is about.
    """
    if sys.stdout.isatty():
        from claimeven.terminal import drawn, has_colours, paint, shows_discs, sign
        from claimeven.terminal.lines import rows_of

        signs = f"{sign(0, True)} = x, {sign(1, True)} = o" if shows_discs() else ""
        print(f"{drawn(position)}\n{signs}\n")
        width, colours = shutil.get_terminal_size().columns, has_colours()
        for number, lines in enumerate(paragraphs):
            if number:
                print()
            for place, line in enumerate(lines):
                style = "" if place else "bold"
                print("\n".join(paint(row, style, colours) for row in rows_of(line, width)))
    else:
        print("\n\n".join(map("\n".join, paragraphs)))


def read_input(source: str) -> str:
    """The text of a file or of the standard input; anything else is the text itself."""
    name = "the standard input" if source == "-" else source
    try:
        if source == "-":
            text = sys.stdin.read()
        elif os.path.isfile(source):  # not Path.is_file, for which a long text is an error
            text = Path(source).read_text(encoding="utf-8")
        elif os.path.isdir(source) and not source.isdigit():  # 4453 is a game, whatever else is called so
            raise InputError("file.folder", name=source)
        elif source.endswith(FILE_ENDINGS) or source.startswith(("/", "./", "../", "~")):
            raise InputError("file.missing", name=source)
        else:
            return source
    except UnicodeDecodeError as error:
        raise InputError("file.not_text", name=name, reason=error.reason, byte=error.start + 1) from None
    if not text.strip():
        raise InputError("file.empty", name=name)
    return text


def check_agents(specs: Iterable[str]) -> None:
    """A misspelt agent is found out before the work, not after an hour of it."""
    from claimeven.agents import close, make_agent

    for spec in specs:
        close(make_agent(spec, 0))


def cores() -> int:
    """Those that this process may use, where the system says so."""
    may_use = getattr(os, "sched_getaffinity", None)
    return len(may_use(0)) if may_use is not None else os.cpu_count() or 1


def workers_of(given: int | None) -> int:
    """How many processes: as many as cores, unless it is said."""
    if given is None:
        return cores()
    if not 1 <= given <= MOST_WORKERS:
        raise InputError("option.workers", most=MOST_WORKERS, given=given)
    return given
