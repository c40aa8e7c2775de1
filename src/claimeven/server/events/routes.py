"""The HTTP side of tournaments."""

import time
from typing import Annotated, Literal

import sqlalchemy as sa
from fastapi import APIRouter, Query, Request, Response
from pydantic import Field
from sqlalchemy.engine import Connection

from claimeven.arena.result import TournamentResult
from claimeven.game import Record
from claimeven.server.doors.api import Body, ClockWish, Id, hub_of
from claimeven.server.doors.documented import answers, file_of, json_response
from claimeven.server.doors.limits import Limits
from claimeven.server.errors import RefusedError
from claimeven.server.events.answers import EventList, EventPage, FairPlay
from claimeven.server.events.book import Events, page_of
from claimeven.server.events.fair import fair_play
from claimeven.server.events.files import games_text, result_text
from claimeven.server.events.rows import Event, Table, load
from claimeven.server.game.looks import is_rude
from claimeven.server.game.names import clean_name
from claimeven.server.house.once import Once
from claimeven.server.players.keys import Authorization, asked_by, players_of
from claimeven.server.storage.club import players
from claimeven.server.storage.rating import LEVEL_DEVIATION

router = APIRouter(prefix="/api/events")
FRESH = 1.0  # seconds that an answer serves everybody: a whole club looks at the same page
MOST_PAGES = 200


After = Annotated[int, Query(ge=0, le=1000)]


class NewEvent(Body):
    name: Annotated[str, Field(max_length=400)]
    format: Literal["swiss", "round-robin", "knockout", "arena"]
    clock: ClockWish
    rounds: Annotated[int, Field(ge=0, le=30)] = 0  # 0: as many as are right; round robin: how often all meet
    minutes: Annotated[int, Field(ge=1, le=600)] = 60  # of an arena
    rated: bool = True


class Level(Body):
    level: Annotated[int, Field(ge=1, le=10)]


class Removal(Body):
    number: Annotated[int, Field(ge=1, le=1000)]


class Pages:
    """What was answered a moment ago."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, EventPage]] = {}
        self._asked: Once[EventPage] = Once()

    async def of(self, request: Request, event: str) -> EventPage:
        known = self._kept.get(event)
        if known is not None and time.monotonic() - known[0] < FRESH:
            return known[1]
        return await self._asked.do(event, lambda: self._read(request, event))

    async def _read(self, request: Request, event: str) -> EventPage:
        hub = hub_of(request)

        def read(connection: Connection) -> EventPage:
            return page_of(load(connection, event), hub.tenure.time(connection, hub.now()))

        page = await players_of(request).read(read)
        self._kept[event] = time.monotonic(), page
        while len(self._kept) > MOST_PAGES:
            del self._kept[next(iter(self._kept))]
        return page

    def forget(self, event: str) -> None:
        self._kept.pop(event, None)


def _events(request: Request) -> Events:
    events: Events = request.app.state.events
    return events


def _pages(request: Request) -> Pages:
    pages: Pages = request.app.state.event_pages
    return pages


async def _told(request: Request, event: str) -> Response:
    """The tournament as it is after a change of it."""
    _pages(request).forget(event)
    return json_response(await _pages(request).of(request, event))


@router.get("", responses=answers(EventList))
async def list_events(request: Request) -> Response:
    """Tournaments one can join or watch."""
    return json_response(await players_of(request).read(_events(request).listed))


@router.post("", status_code=201, responses=answers(EventPage, 201))
async def new_event(request: Request, body: NewEvent, authorization: Authorization = None) -> Response:
    """Make a tournament; who makes it begins it, and need not play."""
    limits: Limits = request.app.state.limits
    owner = await asked_by(request, authorization)
    name = clean_name(body.name)
    if not name:
        raise RefusedError("bad_message.event_name")
    if is_rude(name):
        raise RefusedError("bad_name.rude")
    if not limits.take_event(limits.visitor(request.scope)):
        raise RefusedError("rate.events")
    clock = body.clock.initial, body.clock.increment
    id = await _events(request).create(owner, name, body.format, clock, body.rounds, body.minutes, body.rated)
    return json_response(await _pages(request).of(request, id), 201)


@router.get("/{event}", responses=answers(EventPage))
async def event_page(request: Request, event: Id) -> Response:
    """A tournament: who takes part, who meets whom, who stands where."""
    return json_response(await _pages(request).of(request, event))


@router.post("/{event}/join", responses=answers(EventPage))
async def join_event(request: Request, event: Id, authorization: Authorization = None) -> Response:
    """Take part, or be back."""
    await _events(request).join(event, await asked_by(request, authorization))
    return await _told(request, event)


@router.post("/{event}/leave", responses=answers(EventPage))
async def leave_event(request: Request, event: Id, authorization: Authorization = None) -> Response:
    await _events(request).leave(event, await asked_by(request, authorization))
    return await _told(request, event)


@router.post("/{event}/levels", responses=answers(EventPage))
async def add_level(
    request: Request, event: Id, body: Level, authorization: Authorization = None
) -> Response:
    """Let a level take part; for the organiser."""
    await _events(request).add_level(event, await asked_by(request, authorization), body.level)
    return await _told(request, event)


@router.post("/{event}/remove", responses=answers(EventPage))
async def remove_entrant(
    request: Request, event: Id, body: Removal, authorization: Authorization = None
) -> Response:
    """Send an entrant away; for the organiser."""
    await _events(request).remove(event, await asked_by(request, authorization), body.number)
    return await _told(request, event)


@router.post("/{event}/start", responses=answers(EventPage))
async def start_event(request: Request, event: Id, authorization: Authorization = None) -> Response:
    """Begin; for the organiser."""
    await _events(request).begin(event, await asked_by(request, authorization))
    return await _told(request, event)


@router.post("/{event}/stop", responses=answers(EventPage))
async def stop_event(request: Request, event: Id, authorization: Authorization = None) -> Response:
    """No more rounds; for the organiser."""
    await _events(request).stop(event, await asked_by(request, authorization))
    return await _told(request, event)


@router.get("/{event}/games.jsonl", response_class=Response, responses=file_of(lines=Record))
async def event_games(request: Request, event: Id) -> Response:
    """Every game that was played, a record on each line."""
    found, games, _ = await players_of(request).read(lambda connection: _played(connection, request, event))
    return _file(games_text(found, games), "games.jsonl", "application/x-ndjson")


@router.get("/{event}/result.json", responses=answers(TournamentResult))
async def event_result(request: Request, event: Id) -> Response:
    """The result, as `claimeven arena --out` writes it."""
    found, games, ratings = await players_of(request).read(
        lambda connection: _played(connection, request, event)
    )
    return _file(result_text(found, games, ratings), "result.json", "application/json")


@router.get("/{event}/fair", responses=answers(FairPlay))
async def event_fair(
    request: Request, event: Id, after: After = 0, authorization: Authorization = None
) -> Response:
    """How hard decisions went, for the organiser alone; of players after that number."""
    limits: Limits = request.app.state.limits
    asker = await asked_by(request, authorization)
    found = await players_of(request).read(lambda connection: load(connection, event))
    if found.owner != asker.id:
        raise RefusedError("not_your_seat.organiser")
    return json_response(await fair_play(hub_of(request), found, limits.visitor(request.scope), after))


def _played(
    connection: Connection, request: Request, id: str
) -> tuple[Event, list[tuple[Table, Record]], dict[int, tuple[float, float]]]:
    """The games of a tournament that were played, and the ratings of those who did."""
    event, store = load(connection, id), hub_of(request).store
    games = []
    for table in event.tables:
        session = None if table.game is None or not table.is_played else store.load(table.game)
        if session is not None and session.result is not None and session.result.score != "*":
            games.append((table, session.record()))
    ids = [person.player for person in event.people if person.player is not None]
    known = {
        row.id: (row.rating, row.deviation)
        for row in connection.execute(sa.select(players).where(players.c.id.in_(ids)))
    }
    ratings = {
        person.number: known.get(person.player or "", (float(person.rating), float(LEVEL_DEVIATION)))
        for person in event.people
    }
    return event, games, ratings


def _file(text: str, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, 200, headers, kind)
