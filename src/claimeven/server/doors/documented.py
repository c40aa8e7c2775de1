"""What the routes answer, for OpenAPI: the types of `msgspec` that FastAPI does not know by itself."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from fastapi import FastAPI, Response
from fastapi.openapi.utils import get_openapi
from msgspec import Struct

from claimeven.game import Record
from claimeven.server.errors import Faulty
from claimeven.shapes import Schema, json_schema

REF = "#/components/schemas/{name}"
Responses = dict[int | str, Schema]
_told: list[Any] = []  # every type that a route answers with


# Told by `shapes`, which leaves defaults out; before the names of its parts, for those are common words.
SHAPES: dict[Any, str] = {Record: "Game"}


def _refer(kind: Any) -> Schema:
    _told.append(kind)
    if kind in SHAPES:
        return {"$ref": REF.format(name=SHAPES[kind] + kind.__name__)}
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return schema


def _media(schema: Any) -> Schema:
    return {"schema": schema}


def _json(kind: Any, about: str) -> Schema:
    return {"description": about, "content": {"application/json": _media(_refer(kind))}}


FAULTS: Responses = {status: _json(Faulty, "refused") for status in (400, 403, 404, 409, 413, 422, 429, 503)}
NO_OPERATOR: Responses = {401: _json(Faulty, "not the operator")}  # of routes that ask for the key
NOTHING: Responses = {204: {"description": "done"}, **FAULTS}


def file_of(*kinds: str, shapes: Sequence[Any] = (), lines: Any = None) -> Responses:
    """The `responses` of a route that answers with a text of one of these media types, with JSON of one of
    these shapes, or with one of them on each line."""
    content = {kind: _media({"type": "string"}) for kind in kinds}
    if shapes:
        schemas = [_refer(kind) for kind in shapes]
        different = [one for place, one in enumerate(schemas) if one not in schemas[:place]]
        content["application/json"] = _media({"anyOf": different})
    if lines is not None:
        content["application/x-ndjson"] = _media(_refer(lines))
    return {200: {"description": "a file", "content": content}, **FAULTS}


def answers(kind: Any, status: int = 200, lines: Any = None) -> Responses:
    """The `responses` of a route: this type, or a fault. `lines`: what each line of a streamed answer is."""
    told = _json(kind, "the answer")
    if lines is not None:
        told["content"]["application/x-ndjson"] = _media(_refer(lines))
    return {status: told, **FAULTS}


def json_response(value: Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, {"Cache-Control": "no-store"}, "application/json")


def schemas_of(kinds: Iterable[Any]) -> dict[str, Schema]:
    """The types and all they consist of, by name. They are sent whole: only what is `UNSET` is left out."""
    told = list(kinds)
    _, parts = msgspec.json.schema_components([kind for kind in told if kind not in SHAPES], ref_template=REF)
    for part in parts.values():
        properties = part.get("properties", {})
        needed = {*part.get("required", ()), *(name for name, one in properties.items() if "default" in one)}
        part["required"] = [name for name in properties if name in needed]
        for one in properties.values():
            one.pop("default", None)
    for kind in SHAPES.keys() & set(told):
        before = SHAPES[kind]
        parts |= {before + name: _renamed(part, before) for name, part in json_schema(kind)["$defs"].items()}
    return parts


def _renamed(part: Any, before: str) -> Any:
    """Its references lead to where this document has the parts."""
    if isinstance(part, dict):
        return {name: _renamed(one, before) for name, one in part.items()}
    if isinstance(part, list):
        return [_renamed(one, before) for one in part]
    return part.replace("#/$defs/", REF.format(name=before)) if isinstance(part, str) else part


def document(app: FastAPI) -> None:
    """Let the application describe every answer."""

    def openapi() -> Schema:
        if app.openapi_schema is None:
            found = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
            found["components"]["schemas"].update(schemas_of(_told))
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
