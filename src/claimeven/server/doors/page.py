"""The document of the page, at each of its places, with headers that allow nothing but itself."""

import gzip
import re
from functools import lru_cache
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from claimeven.server.doors import files
from claimeven.server.doors.security import FRAMED
from claimeven.server.errors import RefusedError
from claimeven.server.hub import Hub
from claimeven.server.tokens import ID

# The page knows these places itself, games and the home page too; each is answered with the same document.
STUDIES = (
    "analysis",
    "review",
    "puzzles",
    "learn",
    "arena",
    "you",
    "lobby",
    "player",
    "event",
    "offline",
    "embed",
    "map",
)
HTML = "text/html"
GAME = re.compile(f"game/({ID})")
PLACES = re.compile(rf"({GAME.pattern}|{'|'.join(STUDIES)})?(/.*)?")
SHOWN = ("moves", "board", "start", "position")  # of an address, as the routes of positions take them
PREVIEW = {
    "type": "website",
    "site_name": "claimeven",
    "title": "claimeven – Connect Four",
    "description": "Play it, solve it, understand it, beat it.",
    "image:width": "1200",
    "image:height": "630",
}

router = APIRouter()


@router.get("/{path:path}", include_in_schema=False)
@router.head("/{path:path}", include_in_schema=False)
async def page(request: Request, path: str) -> Response:
    is_known = bool(PLACES.fullmatch(path))
    # A person with a mistyped address gets the page, which says so and shows a way out.
    if not is_known and (path.startswith("api/") or "text/html" not in request.headers.get("accept", "")):
        return PlainTextResponse("there is nothing here\n", 404)
    index = files.STATIC / "index.html"
    if not index.is_file():
        return PlainTextResponse("page not built: make page\n", 503)
    framed = FRAMED if path == "embed" else {}
    game = GAME.fullmatch(path)
    query = _asked(request) if game is None else await _of_game(request, game[1])
    return _document(request, index, 200 if is_known else 404, framed, query)


def _asked(request: Request) -> dict[str, str]:
    """The position in the address, as the pictures take it."""
    query = {name: request.query_params[name] for name in SHOWN if name in request.query_params}
    if "position" in query:
        query["start"] = query.pop("position")
    return query


async def _of_game(request: Request, game: str) -> dict[str, str]:
    """Where a game stands; nothing if there is none, or if it cannot be read now: the page says so itself."""
    hub: Hub = request.app.state.hub
    try:
        position = (await hub.room(game)).session.position
    except RefusedError:
        return {}
    if position.moves is None:
        return {"start": str(position)}
    return {"moves": position.moves, "board": str(position.board)}


def _document(
    request: Request, index: Path, status: int, headers: dict[str, str], query: dict[str, str]
) -> Response:
    """The page, with what a messenger shows of its link: a picture of its position."""
    origin = f"{request.url.scheme}://{request.url.netloc}"
    picture = f"{origin}/api/picture.png" + (f"?{urlencode(query)}" if query else "")
    tags = "".join(
        f'<meta property="og:{name}" content="{escape(value)}" />'
        for name, value in {**PREVIEW, "url": str(request.url), "image": picture}.items()
    )
    text = _text(index, index.stat().st_mtime_ns).replace("</head>", f"{tags}</head>", 1)
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding", **headers}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(text, status, headers, HTML)
    return Response(
        gzip.compress(text.encode(), 9, mtime=0),
        status,
        {**headers, "Content-Encoding": "gzip"},
        HTML,
    )


@lru_cache(maxsize=2)
def _text(index: Path, changed: int) -> str:
    return index.read_text()
