"""What the routes that teach use of FastAPI and pydantic, in a few lines of msgspec: a browser has neither.

The routes run as they are. `tests/outside/test_rooms.py` holds their answers against those of a server.
"""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from inspect import Parameter, signature
from types import ModuleType, NoneType, SimpleNamespace, UnionType
from typing import Annotated, Any, ClassVar, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

CONSTRAINTS = {"ge", "gt", "le", "lt", "max_length", "min_length", "pattern"}


class InvalidError(Exception):
    """A parameter or a body is not what a route asks for."""


def _wish(**options: Any) -> msgspec.Meta:
    """`Query`, `Path` or `Field`: what a value must be like."""
    return msgspec.Meta(**{name: value for name, value in options.items() if name in CONSTRAINTS})


class Depends(NamedTuple):
    made_by: Callable[..., Any]


def _dependency(annotation: Any) -> Depends | None:
    notes = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((note for note in notes if isinstance(note, Depends)), None)


class BaseModel:
    """A body: its fields are read by msgspec, strictly."""

    _shape: ClassVar[Any] = None

    def __init_subclass__(cls) -> None:
        hints = {
            name: kind
            for name, kind in get_type_hints(cls, include_extras=True).items()
            if name != "model_config" and not name.startswith("_")
        }
        fields = [
            (name, _field_kind(kind), getattr(cls, name)) if hasattr(cls, name) else (name, _field_kind(kind))
            for name, kind in hints.items()
        ]
        cls._shape = msgspec.defstruct(cls.__name__, fields, forbid_unknown_fields=True, kw_only=True)

    def __new__(cls, *_: object) -> Any:
        raise TypeError(f"{cls.__name__} is only read")


def _field_kind(annotation: Any) -> Any:
    """A body may be part of another."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation._shape
    return annotation


class Response:
    def __init__(
        self,
        content: bytes | str = b"",
        status_code: int = 200,
        headers: Mapping[str, str] | None = None,
        media_type: str = "text/plain",
    ) -> None:
        self.body = content.encode() if isinstance(content, str) else content
        self.status_code, self.headers, self.media_type = status_code, headers or {}, media_type

    async def pieces(self) -> AsyncIterator[bytes]:
        yield self.body


class StreamingResponse(Response):
    def __init__(
        self, lines: AsyncIterator[bytes], status_code: int, headers: Mapping[str, str], media_type: str
    ) -> None:
        super().__init__(b"", status_code, headers, media_type)
        self._lines = lines

    async def pieces(self) -> AsyncIterator[bytes]:
        async for line in self._lines:
            yield line


class Request:
    """Whoever asks is there until the answer is."""

    def __init__(self, state: SimpleNamespace) -> None:
        self.app = SimpleNamespace(state=state)
        self.scope: dict[str, object] = {}

    async def receive(self) -> dict[str, str]:
        await asyncio.get_running_loop().create_future()
        return {"type": "http.disconnect"}


@dataclass
class Route:
    method: str
    path: str
    function: Callable[..., Any]
    pattern: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        self.pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.path) + "$")

    def values(self, request: Request, given: Mapping[str, str], body: bytes | None) -> dict[str, Any]:
        return _values(self.function, request, given, body)


def _values(
    function: Callable[..., Any], request: Request, given: Mapping[str, str], body: bytes | None
) -> dict[str, Any]:
    hints = get_type_hints(function, include_extras=True)
    found = {}
    for name, parameter in signature(function).parameters.items():
        kind = hints[name]
        if kind is Request:
            found[name] = request
        elif made := _dependency(kind):
            found[name] = made.made_by(**_values(made.made_by, request, given, None))
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            found[name] = _read(partial(msgspec.json.decode, body or b"", type=kind._shape))
        elif name in given:
            found[name] = _read(partial(msgspec.convert, given[name], _present(kind), strict=False))
        elif parameter.default is Parameter.empty:
            raise InvalidError(f"{name}: it is missing")
    return found


def _present(kind: Any) -> Any:
    """The type of what is given, which is not None."""
    if get_origin(kind) is Annotated:
        inner, *notes = get_args(kind)
        return Annotated[_present(inner), *notes]
    if not isinstance(kind, UnionType):
        return kind
    return Union[tuple(part for part in get_args(kind) if part is not NoneType)]  # noqa: UP007 - made of a tuple


def _read(reading: Callable[[], Any]) -> Any:
    try:
        return reading()
    except msgspec.ValidationError as error:
        raise InvalidError(str(error)) from None
    except msgspec.DecodeError as error:
        raise InvalidError(str(error)) from None


class APIRouter:
    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.routes: list[Route] = []

    def include_router(self, other: "APIRouter") -> None:
        self.routes += [
            Route(route.method, self.prefix + route.path, route.function) for route in other.routes
        ]

    def _adds(self, method: str, path: str) -> Callable[[Any], Any]:
        def add(function: Any) -> Any:
            self.routes.append(Route(method, self.prefix + path, function))
            return function

        return add

    def get(self, path: str, **_: object) -> Callable[[Any], Any]:
        return self._adds("GET", path)

    def post(self, path: str, **_: object) -> Callable[[Any], Any]:
        return self._adds("POST", path)


def install() -> None:
    """Be `fastapi` and `pydantic` for what is imported from now on."""
    everything: dict[str, dict[str, Any]] = {
        "fastapi": {
            "APIRouter": APIRouter,
            "Depends": Depends,
            "FastAPI": object,
            "Path": _wish,
            "Query": _wish,
            "Request": Request,
            "Response": Response,
        },
        "fastapi.responses": {"StreamingResponse": StreamingResponse},
        "fastapi.openapi": {},
        "fastapi.openapi.utils": {"get_openapi": None},
        "pydantic": {"BaseModel": BaseModel, "ConfigDict": dict, "Field": _wish},
    }
    for name, parts in everything.items():
        module = sys.modules[name] = ModuleType(name)
        vars(module).update(parts)
