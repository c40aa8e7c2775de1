"""Around every request: where it may come from, how big it may be, and what the answer's headers allow."""

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from urllib.parse import urlsplit

import msgspec

from claimeven.server.doors.files import GIVEN
from claimeven.server.doors.limits import Limits
from claimeven.server.doors.socket import Receive, Scope, Send
from claimeven.server.doors.wires.metered import metered
from claimeven.server.doors.wires.packed import packed
from claimeven.server.errors import RefusedError
from claimeven.server.logs import HEADER, id_of, request_id

App = Callable[[Scope, Receive, Send], Awaitable[None]]
CONTENT = (
    # WebAssembly: the engine that plays when the server is gone.
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
# The board for other pages, which can change nothing, may stand in their frames.
FRAMED = {"Content-Security-Policy": CONTENT.replace("frame-ancestors 'none'", "frame-ancestors *")}
NO_FRAME = (b"x-frame-options", b"DENY")
HEADERS = [
    (b"content-security-policy", CONTENT.encode()),
    (b"x-content-type-options", b"nosniff"),
    NO_FRAME,
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]
Fault = tuple[int, str, str]  # status, code, sentence
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
OPEN_PATHS = ("/api/connect4-move", "/api/test")  # for pages of others, as the earlier system had them
BIG_PATHS = {"/api/convert": 256 * 1024, "/api/review": 256 * 1024}  # whole records of games
TOO_MANY = 429
MAX_DIGITS = 9  # of a length
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


class Guarded:
    """Refuses what must not reach the application."""

    def __init__(self, app: App, limits: Limits, origins: Iterable[str] = ()) -> None:
        self._app = app
        self._limits = limits
        self._origins = {origin.lower().rstrip("/") for origin in origins}
        self._hosts = {urlsplit(origin).hostname for origin in self._origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        told = dict(scope["headers"]).get(HEADER) if self._limits.is_of_a_proxy(scope) else None
        request_id.set(id_of(told))
        is_counted = scope["type"] == "http" and GIVEN not in scope.get("extensions", ())
        if is_counted and (visitor := self._limits.visitor(scope)):
            await metered(self._let_in(scope, receive, send), partial(self._limits.charge, visitor))
        else:  # this machine and files are not counted, and messages of a WebSocket are one by one
            await self._let_in(scope, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._limits.is_of_a_proxy(scope):
            fault = self._fault(scope)
            await self._let_wait(fault)
            await self._answer(scope, receive, send, fault)
            return
        address, fault = self._limits.address(scope), self._fault(scope)
        try:
            self._limits.check_ban(address)
            self._limits.begin(address)
        except RefusedError as error:
            await self._answer(scope, receive, send, (error.status, error.code, error.message))
            return
        try:
            await self._let_wait(fault)
            await self._answer(scope, receive, send, fault)
        finally:
            self._limits.end(address)

    async def _let_wait(self, fault: Fault | None) -> None:
        """Who asks too often is told so a little later, at one of their places: so they ask less often."""
        if fault is not None and fault[0] == TOO_MANY:
            await asyncio.sleep(self._limits.penalty_seconds)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, fault: Fault | None) -> None:
        if scope["type"] == "websocket":
            if fault is not None:
                self._limits.counters["refused"] += 1
                await receive()
                await send({"type": "websocket.close", "code": 1008})  # before accepting: answered by 403
                return
            await self._app(scope, receive, send)
            return
        send = _with_headers(packed(scope, send))
        if fault is not None:
            self._limits.counters["refused"] += 1
            await _refuse(send, *fault)
            return
        await self._app(scope, _bounded(receive, self._max_body(scope)), send)

    def _max_body(self, scope: Scope) -> int:
        return BIG_PATHS.get(scope["path"], self._limits.max_body)

    def _fault(self, scope: Scope) -> Fault | None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        is_open = scope["path"] in OPEN_PATHS
        if not is_open and not self._is_host(host):
            return 403, "bad_origin", "this server is not known by that name"
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if changes and not is_open and not self._is_origin(headers.get(b"origin"), host):
            return 403, "bad_origin", "requests from other sites are refused"
        length = headers.get(b"content-length", b"0")
        most = self._max_body(scope)
        if not length.isdigit() or len(length) > MAX_DIGITS or int(length) > most:
            return 413, "too_big", f"a request has at most {most} bytes"
        size = most if b"transfer-encoding" in headers else int(length)  # who does not say it may use it all
        is_given = GIVEN in scope.get("extensions", ())
        if not is_given and not self._limits.take_request(self._limits.visitor(scope), size):
            return TOO_MANY, "rate", "too many requests; wait a little"
        return None

    def _is_host(self, host: str) -> bool:
        """Refuse names that somebody else could point at this machine to let a page of theirs in."""
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        if name is None:
            return False
        if name in LOCAL_NAMES or name in self._hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _is_origin(self, origin: bytes | None, host: str) -> bool:
        if origin is None:
            return True  # not a browser, or not across sites
        text = origin.decode("latin-1").lower()
        return text in self._origins or text in (f"http://{host}", f"https://{host}")


def _with_headers(send: Send) -> Send:
    async def send_with(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            given = list(message.get("headers", ()))  # type: ignore[call-overload]
            names = {name.lower() for name, _ in given}
            # Whoever brings a policy says there who may frame it.
            known = names | ({NO_FRAME[0]} if b"content-security-policy" in names else set())
            headers = [*HEADERS, (HEADER, request_id.get().encode())]
            message["headers"] = given + [header for header in headers if header[0] not in known]
        await send(message)

    return send_with  # type: ignore[return-value]


def _bounded(receive: Receive, limit: int) -> Receive:
    """A body without a length, or longer than it said, is cut off too."""
    seen = 0

    async def receive_some() -> dict[str, object]:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            return {"type": "http.disconnect"}
        return message  # type: ignore[return-value]

    return receive_some


async def _refuse(send: Send, status: int, code: str, message: str) -> None:
    body = msgspec.json.encode({"error": {"code": code, "message": message}})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
