"""The files of the page, as built into the package: read and compressed once for everybody."""

import gzip
import re
from functools import lru_cache
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

STATIC = Path(__file__).parents[1] / "static"
FOR_EVER = "public, max-age=31536000, immutable"
KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
TEXTS = (".css", ".html", ".js", ".json", ".svg", ".txt", ".wasm", ".webmanifest")
SAYS_CHARSET = ("text/css", "text/html", "text/javascript", "text/plain")
MOST = 512  # kept in memory: a build has about a hundred, each as it is or compressed
PIECE = 64 * 1024  # bytes that are handed to the network at once
READ_ONLY = ("GET", "HEAD")
GIVEN = "claimeven.given"  # in the extensions of a scope: it takes neither a request nor time of the visitor


class Files:
    """Before the routes: a first visit asks for a hundred files, and to look through all routes for each
    takes longer than to answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = asked(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if file is None:
            await self._app(scope, receive, send)
            return
        headers, body = _answer(file, dict(scope["headers"]).get(b"accept-encoding", b""))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        end = len(body) if scope["method"] == "GET" else 0
        for start in range(0, end, PIECE):  # who does not read it makes nobody keep all of it
            await send({"type": "http.response.body", "body": body[start : start + PIECE], "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def asked(method: str, path: str) -> Path | None:
    """The file of the page that a request asks for, if it is one: never outside its folder, never
    through a link."""
    path = path.removeprefix("/")
    if method not in READ_ONLY or not re.fullmatch(
        r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*", path
    ):
        return None
    file = STATIC / path
    if file.suffix not in KINDS or not file.is_file() or not file.resolve().is_relative_to(STATIC.resolve()):
        return None
    return file


def _answer(file: Path, accepts: bytes) -> tuple[list[tuple[bytes, bytes]], bytes]:
    is_text = file.suffix in TEXTS
    is_packed = is_text and b"gzip" in accepts
    body = _read(file, file.stat().st_mtime_ns, is_packed)
    kind = KINDS[file.suffix]
    # The names of built assets change with their content.
    cache = FOR_EVER if file.parent == STATIC / "assets" else "no-cache"
    headers = [
        (b"content-type", (f"{kind}; charset=utf-8" if kind in SAYS_CHARSET else kind).encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", cache.encode()),
    ]
    if is_text:
        headers.append((b"vary", b"Accept-Encoding"))
    if is_packed:
        headers.append((b"content-encoding", b"gzip"))
    return headers, body


@lru_cache(maxsize=MOST)
def _read(file: Path, changed: int, is_packed: bool) -> bytes:
    """As it is on disk; anew when it has changed."""
    found = file.read_bytes()
    return gzip.compress(found, 9, mtime=0) if is_packed else found
