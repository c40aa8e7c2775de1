"""The application: everything the server answers, put together."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import WebSocketRoute

from claimeven import __version__
from claimeven.agents import make_agent
from claimeven.server.cluster.cluster import Cluster
from claimeven.server.doors import api, legacy, opinion, page
from claimeven.server.doors.documented import document
from claimeven.server.doors.files import Files
from claimeven.server.doors.limits import Limits
from claimeven.server.doors.operators import games, metrics, status
from claimeven.server.doors.security import OPEN_PATHS, Guarded
from claimeven.server.doors.socket import endpoint
from claimeven.server.errors import Fault, Faulty, RefusedError
from claimeven.server.events import routes as events
from claimeven.server.events.book import Events
from claimeven.server.events.director import Director
from claimeven.server.hub import Hub
from claimeven.server.lobby import routes as lobby
from claimeven.server.lobby.waiting import Lobby
from claimeven.server.messages import one_line
from claimeven.server.players import routes as players
from claimeven.server.players.book import Players
from claimeven.server.settings import Settings
from claimeven.server.storage.hold import Hold
from claimeven.server.storage.store import Store
from claimeven.server.study import router as study_router
from claimeven.server.thinking import Thinkers


@dataclass(frozen=True)
class Options:
    """How a server is set up."""

    database: str
    agents: Sequence[str] = ()  # beyond those that every server offers
    origins: Sequence[str] = ()  # of pages elsewhere that may play here
    settings: Settings = field(default_factory=Settings)
    limits: Limits = field(default_factory=Limits)
    threads: int | None = None  # that agents may use
    legacy_agent: str = legacy.DEFAULT_AGENT
    operator_key: str | None = None  # with it, only who brings it sees the operator's view
    nats: str | None = None  # the wire of a cluster; None: this server is alone


def make_app(
    options: Options, store: Store, hold: Hold | None = None, cluster: Cluster | None = None
) -> FastAPI:
    """The application over an open store, which it closes at its end."""
    thinkers = Thinkers(options.agents, options.threads)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        tenure = None if cluster is None else cluster.shared
        hub = app.state.hub = Hub(store, thinkers, options.settings, hold, options.limits.take_game, tenure)
        lobby_ = app.state.lobby = Lobby(hub.rooms, hub.now)
        if cluster is not None:
            cluster.start(hub, lobby_, app, options.limits)
        app.state.players = Players(hub)
        app.state.events = Events(hub)
        app.state.event_pages = events.Pages()
        director = app.state.director = Director(hub)
        hub.start()
        director.start()
        if cluster is not None:
            await cluster.ready()
        try:
            yield
        finally:
            if cluster is not None:
                await cluster.close()
            director.close()
            await hub.close()
            if (desk := getattr(app.state, "desk", None)) is not None:
                desk.reader.close()

    app = FastAPI(
        title="claimeven",
        summary="Play Connect Four",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,  # they would fetch scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.limits = options.limits
    app.state.cluster = cluster
    app.state.operator_key = options.operator_key
    app.state.rates = status.Rates()
    app.state.door = None  # for text; run.py opens it
    app.state.lan = None  # run.py knows the address
    app.state.legacy_agent = make_agent(options.legacy_agent).name
    add_routes(app)
    play = endpoint(lambda: app.state.hub, options.limits) if cluster is None else cluster.play
    app.router.routes.append(WebSocketRoute("/ws/{game}", _Asgi(play)))
    app.include_router(page.router)
    app.add_middleware(Files)
    document(app)
    answer_errors(app)
    return app


def add_routes(app: FastAPI) -> None:
    """Everything but the socket and the page."""
    for part in (api, players, lobby, events, opinion, legacy, metrics, games, status):
        app.include_router(part.router)
    app.include_router(study_router)


class _Asgi:
    """Starlette takes functions for something else."""

    def __init__(self, run: object) -> None:
        self._run = run

    async def __call__(self, scope: object, receive: object, send: object) -> None:
        await self._run(scope, receive, send)  # type: ignore[operator]


def guarded(app: FastAPI, options: Options) -> Guarded:
    cluster: Cluster | None = app.state.cluster
    return Guarded(app if cluster is None else cluster.before(app), options.limits, options.origins)


def answer_errors(app: FastAPI) -> None:
    @app.exception_handler(RefusedError)
    async def refused(request: Request, error: RefusedError) -> Response:
        return _faulty(error.status, Fault.of(error), error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if request.url.path in OPEN_PATHS:  # answers there as the earlier system did
            detail = {"detail": one_line(f"{first['msg']}, at {'.'.join(map(str, first['loc']))}")}
            return JSONResponse(detail, 422, legacy.OPEN)
        place = ".".join(str(part) for part in first["loc"] if part != "body")
        message = one_line(f"{first['msg']}{f', at {place}' if place else ''}")
        return _faulty(422, Fault("bad_message", message))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        code = {404: "not_found", 405: "not_allowed"}.get(error.status_code, "bad_message")
        return _faulty(error.status_code, Fault(code, str(error.detail)), dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        return _faulty(500, Fault("server_error", "something went wrong here; it was written down"))


def _faulty(status: int, fault: Fault, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(Faulty(fault)), status, headers, "application/json")
