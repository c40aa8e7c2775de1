"""What somebody did, as a list of small facts that only grows: the same as the page keeps (entries.ts).

Two lists are merged by putting them together: nothing is lost, in whatever order, however often.
"""

import json
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from claimeven.errors import InputError

Entry = Mapping[str, Any]  # id, at, kind and what FITS asks of the kind

FORMAT = "claimeven-you"
MODES = ("train", "daily", "streak", "timed", "card")
MOST = 20_000  # entries kept; the oldest are forgotten first


def _text(value: object, most: int = 64) -> bool:
    return isinstance(value, str) and 0 < len(value) <= most


def _whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _matches(value: object, pattern: str) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _moves(value: object) -> bool:
    return _matches(value, "[1-9a-z]{0,128}")


FITS: dict[str, Callable[[Entry], bool]] = {
    "puzzle": lambda raw: (
        _text(raw.get("puzzle"))
        and _text(raw.get("theme"))
        and _whole(raw.get("rating"), 0, 4000)
        and _whole(raw.get("grade"), 1, 4)
        and raw.get("mode") in MODES
        and _matches(raw.get("day"), r"\d{4}-\d\d-\d\d")
    ),
    "moment": lambda raw: (
        _text(raw.get("card"))
        and _moves(raw.get("moves"))
        and _text(raw.get("what"))
        and isinstance(raw.get("better"), list)
        and bool(raw["better"])
        and all(_whole(column, 1, 35) for column in raw["better"])
    ),
    "grade": lambda raw: _text(raw.get("card")) and _whole(raw.get("grade"), 1, 4),
    "run": lambda raw: raw.get("mode") in ("streak", "timed") and _whole(raw.get("count"), 0, 100_000),
    "game": lambda raw: (
        _text(raw.get("game"))
        and _moves(raw.get("moves"))
        and isinstance(raw.get("start"), str)
        and len(raw["start"]) <= 400
        and _text(raw.get("size"))
        and _whole(raw.get("side"), 1, 2)
        and _text(raw.get("opponent"), 200)
        and raw.get("score") in (0, 0.5, 1)
    ),
    "looked": lambda raw: _text(raw.get("game")),
}


def is_entry(value: object) -> bool:
    """Whether this is an entry: files may hold anything."""
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        return False
    fits = FITS.get(value["kind"])
    is_whole = (
        fits is not None and _text(value.get("id")) and _whole(value.get("at"), 0, 8_640_000_000_000_000)
    )
    return is_whole and fits is not None and fits(value)


def merged(*lists: Iterable[object]) -> list[Entry]:
    """All entries of all lists, each once, in the order of time; what is none is left out."""
    found: dict[str, Entry] = {}
    for entries in lists:
        for entry in entries:
            if is_entry(entry):
                assert isinstance(entry, dict)
                found.setdefault(entry["id"], entry)
    return sorted(found.values(), key=lambda entry: (entry["at"], entry["id"]))[-MOST:]


def fresh(at: int, kind: str, **values: object) -> Entry:
    """A new entry, with a name of its own."""
    return {"id": f"{at:x}-{secrets.token_hex(6)}", "at": at, "kind": kind, **values}


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
