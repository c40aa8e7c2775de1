"""A Kaggle ConnectX submission: agent, native engine and opening book in one Python file."""

import base64
import re
import zlib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pprint import pformat

from claimeven import __version__, book
from claimeven.errors import InputError
from claimeven.export.library import engine_library
from claimeven.export.parts import PARTS
from claimeven.export.parts.players import Perfect
from claimeven.export.players import Player, player_of
from claimeven.solver import opening_book_path

LARGEST = 5_000_000  # bytes of a submission
# With so many stones on the board the solver is quick on any processor; one ply more would not fit.
BOOK_PLIES = 11
WIDTH = 100  # of a line of data

HEADER = '''\
"""A Connect Four agent for Kaggle's ConnectX, made by claimeven {version} (MIT licence):

    claimeven export kaggle {command}

It plays on any board, and needs nothing but Python. Inside:
{contents}
"""

from __future__ import annotations
'''


def submission(spec: str, *, pure: bool = False) -> str:
    """The text of a submission.py that plays like the agent of this spec; `pure`: without native code."""
    player = player_of(spec)
    is_perfect = isinstance(player, Perfect)
    if pure and not is_perfect:
        raise InputError("export.pure", spec=spec)
    library = b"" if pure else engine_library()
    opening = _opening() if is_perfect else b""
    header = HEADER.format(
        version=__version__,
        command=f"{spec} --pure" if pure else spec,
        contents="\n".join(f"- {what}" for what in _contents(bool(library), bool(opening))),
    )
    values = {"PLAYER": player, "ENGINE": _packed(library), "BOOK": _packed(opening)}
    text = f"{header}\n{_code(values)}"
    if len(text.encode()) > LARGEST:
        raise InputError("export.large", n=len(text.encode()), most=LARGEST)
    return text


@lru_cache(maxsize=1)
def _opening() -> bytes:
    """Cut from the book of the package, which takes seconds."""
    return book.shorten(opening_book_path(), BOOK_PLIES)


def _contents(has_library: bool, has_book: bool) -> list[str]:
    found = []
    if has_library:
        found.append("a native engine for Linux on x86-64, loaded with ctypes")
    if has_book:
        found.append(f"the exact scores of all 7x6 positions with up to {BOOK_PLIES} stones")
    return [
        *found,
        f"a search in plain Python{', for where the engine does not load' if has_library else ''}",
    ]


def _packed(data: bytes) -> str:
    """Compressed, with a checksum, as base64: Python reads that faster than base85, and there is room."""
    if not data:
        return ""
    text = base64.b64encode(zlib.compress(data, 9)).decode()
    return "\n".join(["", *(text[at : at + WIDTH] for at in range(0, len(text), WIDTH))])


def _code(values: Mapping[str, Player | str]) -> str:
    """The source of all parts without their imports of each other, and with these values of constants."""
    sources = [(files("claimeven.export.parts") / f"{part}.py").read_text() for part in PARTS]
    text = "\n\n".join(re.sub(r'^"""(.*)"""\n\n', r"# \1\n\n", source) for source in sources)
    text = re.sub(r"^from (__future__|claimeven\.).*\n+", "", text, flags=re.MULTILINE)
    text = re.sub(r"  # noqa.*", "", text)
    for name, value in values.items():
        line = re.compile(rf"^{name}\b[^=\n]*=.*", re.MULTILINE)
        [(start, end)] = [match.span() for match in line.finditer(text)]
        text = f"{text[:start]}{name} = {_literal(value)}{text[end:]}"
    return text


def _literal(value: Player | str) -> str:
    if isinstance(value, str):
        return f'"""{value}"""' if "\n" in value else repr(value)
    fields = (
        f"    {name}={pformat(part, width=WIDTH, compact=True)}," for name, part in value._asdict().items()
    )
    return "\n".join([f"{type(value).__name__}(", *fields, ")"])
