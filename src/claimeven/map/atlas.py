"""The maps of this package, all of 7x6: the first player's, and those of the second.

The second player has one for each first disc that does not lose, and for its mirror image: after a1 and b1 it
wins, after c1 it never loses. After d1 there is nothing to hold.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path

from claimeven.errors import InputError
from claimeven.map.file import read_map
from claimeven.map.reason import Why
from claimeven.map.stones import Stones
from claimeven.map.summary import read_whys
from claimeven.map.walk import Map
from claimeven.position import Position

FIRST = ""
STARTS = (FIRST, "1", "2", "3")  # the moves before each map; what wins comes before what draws


def shipped_path(start: str = FIRST) -> Path:
    """The map that begins after these moves."""
    ending = f"-{start}" if start else ""
    return Path(str(files("claimeven") / "data" / "maps" / f"7x6x4{ending}.map"))


@cache
def shipped(start: str = FIRST) -> Map:
    """The same, read when somebody first asks for it."""
    return read_map(shipped_path(start))


@cache
def shipped_whys(start: str = FIRST) -> dict[Stones, Why]:
    """For what kind of reason the plan of each leaf wins: `claimeven map why --out` has written it."""
    kept = files("claimeven.map") / "kinds" / f"{shipped_path(start).stem}.txt"
    return read_whys(shipped(start), kept.read_text(encoding="utf-8"))


def starts_of(side: int) -> tuple[str, ...]:
    """Where the maps of a side begin. A position may be on several: the first of these is to be followed."""
    return tuple(start for start in STARTS if len(start) == side)


def shipped_of(side: int) -> tuple[Map, ...]:
    return tuple(map(shipped, starts_of(side)))


def start_of(side: int, column: str) -> str:
    """Where the map of a side begins that knows this first column, or its mirror image."""
    if not side:
        return FIRST
    start = min(column, str(8 - int(column))) if column.isdigit() else column
    if start not in starts_of(side):
        raise InputError("map.start", starts=", ".join(starts_of(side)))
    return start


def shipped_for(side: int, position: Position) -> Map:
    """The map of a side that is followed in a position; off them all, the last one."""
    maps = shipped_of(side)
    return next((found for found in maps if found.find(position) is not None), maps[-1])
