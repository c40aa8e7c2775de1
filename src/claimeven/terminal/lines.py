"""Text in the terminal: long lines end between words, not inside them."""

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def say(console: "Console", text: str) -> None:
    """Print as it is; in a terminal, at most as wide as that."""
    console.out(fitted(console, text), highlight=False)


def fitted(console: "Console", text: str) -> str:
    """A file or another program gets whole lines: only a terminal would break them itself, anywhere."""
    return wrapped(text, console.width) if console.is_terminal else text


def wrapped(text: str, width: int) -> str:
    """Every line that is too long, as several; they keep its indent.

    >>> print(wrapped("  proved, as o sees it: column 4 is the only move", 26))
      proved, as o sees it:
      column 4 is the only
      move
    """
    return "\n".join(row for line in text.split("\n") for row in rows_of(line, width))


def rows_of(line: str, width: int) -> list[str]:
    """The same for one line."""
    if len(line) <= width:
        return [line]
    body = line.strip(" ")
    indent, end = line[: line.index(body)], line[len(line.rstrip(" ")) :]  # a prompt ends with a space
    rows = textwrap.wrap(
        body,
        max(width, len(indent) + 2),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [*rows[:-1], rows[-1] + end]
