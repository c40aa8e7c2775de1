"""Colour and discs, only where somebody sees them; without rich, which takes longer to load than to use."""

import os
import sys
from typing import TextIO

CODES = {"bold": 1, "dim": 2, "reverse": 7, "red": 31, "green": 32, "yellow": 33, "cyan": 36}


def paint(text: str, style: str, is_on: bool = True) -> str:
    """
    >>> paint("won", "bold green"), paint("won", "green", False)
    ('\\x1b[1;32mwon\\x1b[0m', 'won')
    """
    if not (is_on and style and text):
        return text
    return f"\x1b[{';'.join(str(CODES[word]) for word in style.split())}m{text}\x1b[0m"


def has_colours(stream: TextIO | None = None) -> bool:
    """A terminal that can, and nobody who has asked for none (no-color.org)."""
    return _is_terminal(stream) and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def shows_discs(stream: TextIO | None = None) -> bool:
    stream = stream or sys.stdout
    return _is_terminal(stream) and (stream.encoding or "").lower().startswith("utf")


def _is_terminal(stream: TextIO | None) -> bool:
    stream = stream or sys.stdout
    return stream is not None and stream.isatty()  # there is none after >&-
