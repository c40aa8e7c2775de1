"""Numbers about the server, for people (status) and for Prometheus (metrics); both for this machine only."""

import html
import time
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from claimeven.server.errors import RefusedError
from claimeven.server.hub import Hub
from claimeven.server.limits import Limits, is_local

router = APIRouter()


def numbers(hub: Hub, limits: Limits) -> dict[str, tuple[str, str, float]]:
    """Name: kind, meaning, value."""
    rooms = hub.rooms.values()
    people = sum(room.attendance.people for room in rooms)
    guests = sum(len(room.attendance.guests) for room in rooms)
    count = limits.counters
    return {
        "games": ("gauge", "games in memory", len(hub.rooms)),
        "games_playing": ("gauge", "of them not over", sum(room.live.result is None for room in rooms)),
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
        "uptime_seconds": ("gauge", "since the start", round(time.monotonic() - hub.started, 1)),
    }


def _local_only(request: Request) -> tuple[Hub, Limits]:
    limits: Limits = request.app.state.limits
    client = request.client.host if request.client else ""
    was_forwarded = any(name in request.headers for name in ("x-forwarded-for", "forwarded", "x-real-ip"))
    if not is_local(client) or was_forwarded:
        raise RefusedError("not_found", "there is nothing here")
    return request.app.state.hub, limits


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    hub, limits = _local_only(request)
    lines: list[str] = []
    for name, (kind, about, value) in numbers(hub, limits).items():
        lines += [f"# HELP claimeven_{name} {about}", f"# TYPE claimeven_{name} {kind}"]
        lines.append(f"claimeven_{name} {value}")
    lines += hub.store_seconds.lines("claimeven_store_seconds", "from a change to its being on disk")
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


@router.get("/api/status", include_in_schema=False)
async def status(request: Request) -> dict[str, Any]:
    hub, limits = _local_only(request)
    return {name: value for name, (_, _, value) in numbers(hub, limits).items()}


@router.get("/status", include_in_schema=False)
async def status_view(request: Request) -> Response:
    """A small page without scripts that renews itself."""
    hub, limits = _local_only(request)
    rows = "".join(
        f"<tr><th scope=row>{html.escape(about)}</th><td>{value:g}</td></tr>"
        for _, about, value in numbers(hub, limits).values()
    )
    games = "".join(
        f"<tr><td>{room.live.id}</td><td>{html.escape(_names(room))}</td><td>{room.live.ply}</td>"
        f"<td>{room.live.status}</td><td>{len(room.attendance.guests)}</td></tr>"
        for room in list(hub.rooms.values())[-50:]
    )
    return HTMLResponse(
        "<!doctype html><html lang=en><meta charset=utf-8><meta http-equiv=refresh content=5>"
        "<title>claimeven status</title><h1>Status</h1>"
        f"<table>{rows}</table><h2>Games</h2><table><tr><th>game<th>players<th>moves<th>status<th>here</tr>"
        f"{games}</table></html>"
    )


def _names(room: Any) -> str:
    return " – ".join(seat.name or seat.kind for seat in room.live.seats)
