"""The operator's view: which games there are, who sits at them, and from where they are connected."""

import base64
import hashlib
import html
import time
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from msgspec import Struct
from msgspec.structs import asdict

from claimeven.server.doors.documented import NO_OPERATOR, answers, json_response
from claimeven.server.doors.limits import Limits
from claimeven.server.doors.operators.key import check_operator
from claimeven.server.doors.operators.metrics import ABOUT, Numbers, numbers
from claimeven.server.game.room import Room
from claimeven.server.hub import Hub

SHOWN = 200  # games, connections and addresses, the newest or busiest first
RATED = {"moves_total": "moves", "games_created_total": "games", "refused_total": "refusals"}
RATE_SECONDS = 60.0

STYLE = (files("claimeven.server.doors.operators") / "status.css").read_text(encoding="utf-8")
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
router = APIRouter()


class GameSeen(Struct, frozen=True):
    game: str
    board: str
    players: str
    moves: int
    status: str
    turn: str
    watchers: int


class GuestSeen(Struct, frozen=True):
    address: str
    by: str
    game: str
    seat: str
    round_trip_ms: int


class AddressSeen(Struct, frozen=True):
    address: str
    connections: int


class Status(Numbers, frozen=True, kw_only=True):
    """All numbers, how fast some of them grow, and who is here."""

    per_second: dict[str, float]
    about: dict[str, str]
    tables: tuple[GameSeen, ...]
    guests: tuple[GuestSeen, ...]
    addresses: tuple[AddressSeen, ...]


class Rates:
    """How fast counters grow: against the oldest look of the last minute."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, dict[str, float]]] = deque()

    def per_second(self, counts: Mapping[str, float], now: float) -> dict[str, float]:
        while self._looks and now - self._looks[0][0] > RATE_SECONDS:
            self._looks.popleft()
        since, before = self._looks[0] if self._looks else (now, counts)
        self._looks.append((now, {name: counts[name] for name in RATED}))
        seconds = now - since
        return {
            word: round((counts[name] - before[name]) / seconds, 2) if seconds > 0 else 0.0
            for name, word in RATED.items()
        }


@router.get("/api/status", responses=answers(Status) | NO_OPERATOR)
async def status(request: Request) -> Response:
    """For the operator: numbers, games, connections."""
    return json_response(_look(request))


@router.get("/status", include_in_schema=False)
async def status_view(request: Request) -> Response:
    """The same for people: a page without scripts that renews itself."""
    return HTMLResponse(
        _page(_look(request)), headers={"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
    )


def _look(request: Request) -> Status:
    check_operator(request)
    state = request.app.state
    hub: Hub = state.hub
    limits: Limits = state.limits
    counted = asdict(numbers(hub, limits))
    rooms = sorted(hub.rooms.values(), key=lambda room: -room.last_used)
    text_players = [] if state.door is None else state.door.players
    return Status(
        **counted,
        per_second=state.rates.per_second(counted, time.monotonic()),
        about=ABOUT,
        tables=tuple(_game(room) for room in rooms[:SHOWN]),
        guests=tuple(_guest(guest) for guest in [*limits.sockets, *text_players][:SHOWN]),
        addresses=tuple(
            AddressSeen(address, count) for address, count in Counter(limits.addresses).most_common(SHOWN)
        ),
    )


def _game(room: Room) -> GameSeen:
    session, seats = room.session, room.seats()
    turn = None if session.turn is None else seats[session.turn]
    is_thinking = turn is not None and turn.kind == "agent" and room.has_guests
    return GameSeen(
        game=session.id,
        board=str(session.start.board),
        players=" – ".join(_player(seat.name or seat.kind, seat.presence, seat.kind) for seat in seats),
        moves=session.ply,
        status=session.status,
        turn="" if turn is None else f"{turn.name or turn.kind}{', thinking' if is_thinking else ''}",
        watchers=room.attendance.watchers,
    )


def _player(name: str, presence: str, kind: str) -> str:
    return name if kind != "human" else f"{name} ({presence})"


def _guest(guest: Any) -> GuestSeen:
    room: Room | None = guest.room
    sides = () if room is None else room.attendance.sides_of(guest)
    plays = " and ".join(str(side + 1) for side in sides)
    return GuestSeen(
        address=guest.address,
        by=guest.door,
        game="" if room is None else room.session.id,
        seat=plays or ("waits" if room is None else "watches"),
        round_trip_ms=guest.lag,
    )


def _page(seen: Status) -> str:
    counted = {
        **{about: getattr(seen, name) for name, about in ABOUT.items()},
        **{f"{word} per second": rate for word, rate in seen.per_second.items()},
    }
    shown = {about: f"{number:,.12g}" for about, number in counted.items()}
    shown[ABOUT["storing"]] = "yes" if seen.storing else "no"
    tiles = "".join(
        f"<div><dt>{html.escape(about)}</dt><dd>{text}</dd></div>" for about, text in shown.items()
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="5">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>claimeven: who is here</title><style>{STYLE}</style><h1>Who is here</h1>"
        + _table("Games", seen.tables)
        + _table("At games", seen.guests)
        + _table("Network connections by address", seen.addresses)
        + f'<h2>Numbers</h2><dl class="numbers">{tiles}</dl>'
        + '<p class="soft">Renewed every five seconds; <a href="/api/status">the same as JSON</a>,'
        ' <a href="/metrics">for Prometheus</a>. Tables end after '
        f"{SHOWN} rows.</p></html>"
    )


def _table(title: str, rows: Sequence[Struct]) -> str:
    if not rows:
        return f'<h2>{title}</h2><p class="soft">Nobody, nothing.</p>'
    head = "".join(f"<th scope=col>{name.replace('_', ' ')}</th>" for name in rows[0].__struct_fields__)
    body = "".join(f"<tr>{_cells(asdict(row).values())}</tr>" for row in rows)
    region = f'<div class="wide" tabindex="0" role="region" aria-label="{title}">'
    return f"<h2>{title}</h2>{region}<table><tr>{head}</tr>{body}</table></div>"


def _cells(values: Iterable[Any]) -> str:
    return "".join(f"<td>{html.escape(str(value))}</td>" for value in values)
