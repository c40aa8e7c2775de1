"""What the routes answer, for OpenAPI: the types of `msgspec` that FastAPI does not know by itself."""

from collections.abc import Iterable
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

REF = "#/components/schemas/{name}"
Schema = dict[str, Any]  # JSON, as OpenAPI has it
Responses = dict[int | str, Schema]
_told: list[Any] = []  # every type that a route answers with


class Detail(BaseModel):
    """More about a fault, to be said in any language."""

    code: str
    params: dict[str, str]


class Fault(BaseModel):
    code: str
    message: str
    detail: Detail | None = None


class Faulty(BaseModel):
    error: Fault


FAULTS: Responses = {status: {"model": Faulty} for status in (400, 403, 404, 409, 413, 422, 429, 503)}

TEXT: Responses = {200: {"description": "a file", "content": {"text/plain": {"schema": {"type": "string"}}}}}


def answers(kind: Any, status: int = 200, lines: Any = None) -> Responses:
    """The `responses` of a route: this type, or a fault. `lines`: what each line of a streamed answer is."""
    content = {"application/json": {"schema": _refer(kind)}}
    if lines is not None:
        content["application/x-ndjson"] = {"schema": _refer(lines)}
    return {status: {"description": "the answer", "content": content}, **FAULTS}


def _refer(kind: Any) -> Schema:
    _told.append(kind)
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return schema


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
