"""What the routes answer, for OpenAPI: the types of `msgspec` that FastAPI does not know by itself."""

from collections.abc import Iterable
from typing import Any

import msgspec
from fastapi import FastAPI, Response
from fastapi.openapi.utils import get_openapi
from msgspec import UNSET, Struct, UnsetType

from claimeven.server.errors import Detail
from claimeven.shapes import Schema

REF = "#/components/schemas/{name}"
Responses = dict[int | str, Schema]
_told: list[Any] = []  # every type that a route answers with


class Fault(Struct, frozen=True):
    code: str
    message: str
    detail: Detail | UnsetType = UNSET


class Faulty(Struct, frozen=True):
    error: Fault


def _refer(kind: Any) -> Schema:
    _told.append(kind)
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return schema


def _json(kind: Any, about: str) -> Schema:
    return {"description": about, "content": {"application/json": {"schema": _refer(kind)}}}


FAULTS: Responses = {status: _json(Faulty, "refused") for status in (400, 403, 404, 409, 413, 422, 429, 503)}


def file_of(*kinds: str) -> Responses:
    """The `responses` of a route that answers with a text of one of these media types."""
    content = {kind: {"schema": {"type": "string"}} for kind in kinds}
    return {200: {"description": "a file", "content": content}, **FAULTS}


def answers(kind: Any, status: int = 200, lines: Any = None) -> Responses:
    """The `responses` of a route: this type, or a fault. `lines`: what each line of a streamed answer is."""
    told = _json(kind, "the answer")
    if lines is not None:
        told["content"]["application/x-ndjson"] = {"schema": _refer(lines)}
    return {status: told, **FAULTS}


def json_response(value: Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, {"Cache-Control": "no-store"}, "application/json")


def schemas_of(kinds: Iterable[Any]) -> dict[str, Schema]:
    """The types and all they consist of, by name. They are sent whole: only what is `UNSET` is left out."""
    _, parts = msgspec.json.schema_components(kinds, ref_template=REF)
    for part in parts.values():
        properties = part.get("properties", {})
        needed = {*part.get("required", ()), *(name for name, one in properties.items() if "default" in one)}
        part["required"] = [name for name in properties if name in needed]
        for one in properties.values():
            one.pop("default", None)
    return parts


def document(app: FastAPI) -> None:
    """Let the application describe every answer."""

    def openapi() -> Schema:
        if app.openapi_schema is None:
            found = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
            found["components"]["schemas"].update(schemas_of(_told))
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
