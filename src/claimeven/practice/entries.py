"""What somebody did, as a list of small facts that only grows: the same as the page keeps (entries.ts).

Two lists are merged by putting them together: nothing is lost, in whatever order, however often.
"""

import json
import secrets
from collections.abc import Iterable
from typing import Any

from claimeven.errors import InputError
from claimeven.practice.kinds import KINDS, MOST, Entry
from claimeven.shapes import ShapeError, read

FORMAT = "claimeven-you"


def entry_of(value: object) -> Entry | None:
    """The value, if it is an entry: files may hold anything."""
    kind = value.get("kind") if isinstance(value, dict) else None
    shape = KINDS.get(kind) if isinstance(kind, str) else None
    try:
        return None if shape is None else read(value, shape)
    except ShapeError:
        return None


def merged(*lists: Iterable[object]) -> list[Entry]:
    """All entries of all lists, each once, in the order of time; what is none is left out."""
    found: dict[str, Entry] = {}
    for entries in lists:
        for value in entries:
            entry = entry_of(value)
            if entry is not None:
                found.setdefault(entry["id"], entry)
    return sorted(found.values(), key=lambda entry: (entry["at"], entry["id"]))[-MOST:]


def fresh(at: int, kind: str, **values: object) -> Entry:
    """A new entry, with a name of its own; AssertionError when it does not fit its kind."""
    entry = entry_of({"id": f"{at:x}-{secrets.token_hex(6)}", "at": at, "kind": kind, **values})
    assert entry is not None, (kind, values)
    return entry


def read_file(text: str) -> tuple[list[Entry], Any]:
    """The entries of an exported file, and the progress at school, if there is one."""
    try:
        file = json.loads(text)
    except (ValueError, RecursionError):
        file = None
    if (
        not isinstance(file, dict)
        or file.get("format") != FORMAT
        or not isinstance(file.get("entries"), list)
    ):
        raise InputError("practice.file")
    return merged(file["entries"]), file.get("school")


def write_file(entries: Iterable[Entry], school: Any = None) -> str:
    """One file with everything, which the page reads, too."""
    return json.dumps({"format": FORMAT, "version": 1, "entries": list(entries), "school": school})
