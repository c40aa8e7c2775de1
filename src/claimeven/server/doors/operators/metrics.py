"""Numbers about the server, for the operator and for Prometheus."""

import os
import sys
import time
from pathlib import Path
from typing import Annotated, get_type_hints

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from msgspec import Meta, Struct
from msgspec.structs import asdict

from claimeven.server.doors.limits import Limits
from claimeven.server.doors.operators.key import check_operator
from claimeven.server.hub import Hub
from claimeven.server.reading.reader import numbers as reading
from claimeven.server.shares import Rank

router = APIRouter()


class Numbers(Struct, frozen=True, kw_only=True):
    """What is counted, with its meaning. A name that ends in `_total` only grows."""

    games: Annotated[int, Meta(description="games in memory")]
    games_playing: Annotated[int, Meta(description="of them not over")]
    games_resting: Annotated[int, Meta(description="games on disk whose clock runs")]
    players: Annotated[int, Meta(description="players connected")]
    watchers: Annotated[int, Meta(description="watchers connected")]
    connections: Annotated[int, Meta(description="network connections")]
    agents_busy: Annotated[int, Meta(description="agents thinking")]
    agents_waiting: Annotated[int, Meta(description="agents waiting for a thread")]
    storing: Annotated[int, Meta(description="games can be stored")]
    writes_waiting: Annotated[int, Meta(description="changes not on disk yet")]
    games_created_total: Annotated[int, Meta(description="games begun")]
    moves_total: Annotated[int, Meta(description="moves made")]
    commits_total: Annotated[int, Meta(description="transactions")]
    failures_total: Annotated[int, Meta(description="changes that could not be stored")]
    refused_total: Annotated[int, Meta(description="requests refused")]
    rate_closed_total: Annotated[int, Meta(description="connections closed for their rate")]
    slow_readers_total: Annotated[int, Meta(description="connections cut for not reading")]
    cut_total: Annotated[int, Meta(description="connections cut for silence")]
    banned_total: Annotated[int, Meta(description="connections of banned addresses")]
    turned_away_total: Annotated[int, Meta(description="connections over a limit")]
    memory_bytes: Annotated[int, Meta(description="memory of the process, bytes")]
    uptime_seconds: Annotated[float, Meta(description="since the start")]


ABOUT: dict[str, str] = {
    name: hint.__metadata__[0].description
    for name, hint in get_type_hints(Numbers, include_extras=True).items()
}


def numbers(hub: Hub, limits: Limits) -> Numbers:
    rooms = hub.rooms.values()
    people = sum(room.attendance.people for room in rooms)
    guests = sum(len(room.attendance.guests) for room in rooms)
    count = limits.counters
    return Numbers(
        games=len(hub.rooms),
        games_playing=sum(room.session.result is None for room in rooms),
        games_resting=len(hub.resting),
        players=people,
        watchers=guests - people,
        connections=limits.open_connections,
        agents_busy=hub.thinkers.busy,
        agents_waiting=hub.thinkers.waiting,
        storing=int(hub.keeper.can_store),
        writes_waiting=hub.keeper.writer.waiting,
        games_created_total=hub.keeper.counters["games"],
        moves_total=hub.keeper.counters["moves"],
        commits_total=hub.keeper.writer.commits,
        failures_total=hub.keeper.writer.failures,
        refused_total=count["refused"],
        rate_closed_total=count["rate_closed"],
        slow_readers_total=count["slow_readers"],
        cut_total=count["cut"],
        banned_total=count["banned"],
        turned_away_total=count["turned_away"],
        memory_bytes=memory(),
        uptime_seconds=round(time.monotonic() - hub.started, 1),
    )


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
    for name, value in asdict(numbers(hub, limits)).items():
        kind = "counter" if name.endswith("_total") else "gauge"
        lines += [f"# HELP claimeven_{name} {ABOUT[name]}", f"# TYPE claimeven_{name} {kind}"]
        lines.append(f"claimeven_{name} {value}")
    lines += hub.keeper.seconds.lines("claimeven_store_seconds", "from a change to its being on disk")
    lines += hub.lateness.seconds.lines("claimeven_loop_late_seconds", "how late the event loop is")
    lines += _queues(request)
    if (cluster := request.app.state.cluster) is not None:
        lines += cluster.metrics()
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


def _queues(request: Request) -> list[str]:
    """Who waits for a thread, by what for; and who waits for a stranger."""
    thinkers, lobby = request.app.state.hub.thinkers, request.app.state.lobby
    name, waiting = "claimeven_queue_waiting", "claimeven_lobby_waiting"
    lines = [f"# HELP {name} work that waits for a thread, by rank", f"# TYPE {name} gauge"]
    lines += [f'{name}{{rank="{rank.name.lower()}"}} {thinkers.waiting_as(rank)}' for rank in Rank]
    lines += [f"# HELP {waiting} games here that wait for anybody", f"# TYPE {waiting} gauge"]
    lines.append(f"{waiting} {len(list(lobby.open()))}")
    desk = getattr(request.app.state, "desk", None)  # made when the first study is asked for
    return lines + reading(None if desk is None else desk.reader)
