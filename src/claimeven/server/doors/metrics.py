"""Numbers about the server, for the operator and for Prometheus."""

import os
import sys
import time
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from claimeven.server.doors.limits import Limits
from claimeven.server.doors.operators import check_operator
from claimeven.server.hub import Hub

router = APIRouter()


def numbers(hub: Hub, limits: Limits) -> dict[str, tuple[str, str, float]]:
    """Name: kind, meaning, value."""
    rooms = hub.rooms.values()
    people = sum(room.attendance.people for room in rooms)
    guests = sum(len(room.attendance.guests) for room in rooms)
    count = limits.counters
    return {
        "games": ("gauge", "games in memory", len(hub.rooms)),
        "games_playing": ("gauge", "of them not over", sum(room.session.result is None for room in rooms)),
        "games_resting": ("gauge", "games on disk whose clock runs", len(hub.resting)),
        "players": ("gauge", "players connected", people),
        "watchers": ("gauge", "watchers connected", guests - people),
        "connections": ("gauge", "network connections", limits.open_connections),
        "agents_busy": ("gauge", "agents thinking", hub.thinkers.busy),
        "agents_waiting": ("gauge", "agents waiting for a thread", hub.thinkers.waiting),
        "storing": ("gauge", "1 while games can be stored", int(hub.can_store)),
        "writes_waiting": ("gauge", "changes not on disk yet", hub.writer.waiting),
        "games_created_total": ("counter", "games begun", hub.counters["games"]),
        "moves_total": ("counter", "moves made", hub.counters["moves"]),
        "commits_total": ("counter", "transactions", hub.writer.commits),
        "failures_total": ("counter", "changes that could not be stored", hub.writer.failures),
        "refused_total": ("counter", "requests refused", count["refused"]),
        "rate_closed_total": ("counter", "connections closed for their rate", count["rate_closed"]),
        "slow_readers_total": ("counter", "connections cut for not reading", count["slow_readers"]),
        "cut_total": ("counter", "connections cut for silence", count["cut"]),
        "turned_away_total": ("counter", "connections over a limit", count["turned_away"]),
        "memory_bytes": ("gauge", "memory of the process, bytes", memory()),
        "uptime_seconds": ("gauge", "since the start", round(time.monotonic() - hub.started, 1)),
    }


def memory() -> int:
    """What the process has in memory, in bytes; where the system does not tell, the most it ever had."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        if sys.platform == "win32":
            return 0
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    check_operator(request)
    hub, limits = request.app.state.hub, request.app.state.limits
    lines: list[str] = []
    for name, (kind, about, value) in numbers(hub, limits).items():
        lines += [f"# HELP claimeven_{name} {about}", f"# TYPE claimeven_{name} {kind}"]
        lines.append(f"claimeven_{name} {value}")
    lines += hub.store_seconds.lines("claimeven_store_seconds", "from a change to its being on disk")
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")
