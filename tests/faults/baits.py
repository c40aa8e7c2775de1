"""Games of long ago that are there from the start: what a server must forget of them, whatever happens to it
meanwhile, and what it must keep."""

import time
from typing import Any

from claimeven.position import Position
from claimeven.server.game.session import Seat, Session, Who
from claimeven.server.storage.store import Store

COUNT = 40  # of each kind
DAY_MS = 86_400_000
AGE_DAYS = 4_000
KEPT_DAYS = 1_500  # much more than clocks are set ahead in a run
# The server cleans every few seconds instead of every hour.
VARIABLES = {
    "CLAIMEVEN_CLEANING": "1500",
    "CLAIMEVEN_SWEEP": "1000",
    "CLAIMEVEN_TRUST_CLOCK_AFTER": "3000",
    "CLAIMEVEN_KEEP_DAYS": str(KEPT_DAYS),
    "CLAIMEVEN_FORGET_UNSTARTED_AFTER": str(KEPT_DAYS * DAY_MS),
}
FORGOTTEN, KEPT = ("unstarted", "old"), ("played on",)  # lately


def lay(url: str) -> None:
    now = int(time.time() * 1000)
    store = Store(url)
    for kind in (*FORGOTTEN, *KEPT):
        for number in range(COUNT):
            store.write(_game(f"bait {kind} {number}", kind, now))
    store.close()


def _game(id: str, kind: str, now: int) -> list[Any]:
    seats = Seat("human", "Lan", None, f"{id} 1"), Seat("human", "Ada", None, f"{id} 2")
    born = now - AGE_DAYS * DAY_MS
    session = Session(id, Position(), seats, born, 1000, owner=f"{id} 1", turn_since=born)
    events: list[Any] = [session.begun()]
    for ply in range(0 if kind == "unstarted" else 3):
        moved = now if kind == "played on" else born
        events += session.move(Who((ply % 2,)), 0, ply, ply, moved).events
    return events


def left(rows: dict[str, Any]) -> dict[str, int]:
    """How many of each kind are among the games that a database has."""
    kinds = (*FORGOTTEN, *KEPT)
    return {kind: sum(id.startswith(f"bait {kind} ") for id in rows) for kind in kinds}


def broken(rows: dict[str, Any]) -> list[str]:
    found = left(rows)
    return [
        *(f"{found[kind]} {kind} games are not forgotten" for kind in FORGOTTEN if found[kind]),
        *(f"{COUNT - found[kind]} games that were {kind} are gone" for kind in KEPT if found[kind] != COUNT),
    ]
