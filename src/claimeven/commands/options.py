"""What many commands share: arguments and options that always mean the same, files and JSON."""

import json
import shutil
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from claimeven.errors import InputError

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

# What ends like this is a file that was misspelt, not a game.
FILE_ENDINGS = (".json", ".jsonl", ".c4n", ".pgn", ".txt", ".csv", ".data")


def print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=False))


def print_words(text: str) -> None:
    """Sentences: in a terminal their lines end between words."""
    if sys.stdout.isatty():
        from claimeven.terminal.lines import wrapped

        text = wrapped(text, shutil.get_terminal_size().columns)
    print(text)


def read_input(source: str) -> str:
    """The text of a file or of the standard input; anything else is the text itself."""
    try:
        if source == "-":
            return sys.stdin.read()
        if "\0" not in source and Path(source).is_file():
            return Path(source).read_text()
    except UnicodeDecodeError as error:
        name = "the standard input" if source == "-" else source
        raise InputError(f"{name} is not text: {error.reason} at byte {error.start + 1}") from None
    if source.endswith(FILE_ENDINGS):
        raise InputError(f"{source}: no such file")
    return source
