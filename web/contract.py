"""Writes src/lib/contract.ts: what page and server say to each other, and its bounds, from the Python types.

    python web/contract.py > web/src/lib/contract.ts

`make types` does that; tests/house/test_contract.py compares.
"""

import json
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
from fastapi import FastAPI

from claimeven import formats
from claimeven.agents.kinds.level import RATINGS
from claimeven.agents.kinds.qcurve import Point
from claimeven.arena.result import TournamentResult
from claimeven.board import MAX_BITS, MAX_COLUMNS, Board
from claimeven.game import Reason
from claimeven.practice.kinds import KINDS, MOST, PuzzleMode
from claimeven.puzzles import THEMES
from claimeven.reasons.reviewed.moments import MoveClass
from claimeven.reasons.words import LANGUAGES, Language, Spoken
from claimeven.school import PASSED, UNITS
from claimeven.server import messages
from claimeven.server.app import add_routes
from claimeven.server.doors.documented import document, schemas_of
from claimeven.server.doors.page import STUDIES
from claimeven.server.thinking import OFFERED
from claimeven.shapes import json_schema
from claimeven.solver import Outcome

Schema = dict[str, Any]
HEAD = "// Written by `make types` from the types of the server; tests/house/test_contract.py compares.\n"
# Types without a schema of their own that have a name on the page too.
NAMED: dict[str, Any] = {
    "Side": messages.Side,
    "OfferKind": messages.OfferKind,
    "Landing": messages.Landing,
    "PresenceKind": messages.PresenceKind,
    "ReactionKind": messages.ReactionKind,
    "Reason": Reason,
    "Language": Language,
    "Spoken": Spoken,
    "Spot": messages.Spot,
    "Outcome": Outcome,
    "MoveClass": MoveClass,
    "PuzzleMode": PuzzleMode,
}


def contract() -> str:
    """The whole file."""
    app = FastAPI()
    add_routes(app)
    document(app)
    schemas: dict[str, Schema] = app.openapi()["components"]["schemas"]
    _merge(schemas, schemas_of([messages.FromServer]))
    client = messages.json_schema()["$defs"]
    _merge(schemas, {kind.__name__: client[kind.__name__] for kind in get_args(messages.FromClient)})
    _merge(schemas, schemas_of([TournamentResult, Point]))  # of files that the page reads by itself
    _merge(schemas, {kind.__name__: _definition(kind) for kind in KINDS.values()})
    _check_names(schemas)
    unions = {name: getattr(messages, name) for name in ("FromClient", "FromServer")}
    parts = [
        HEAD,
        *constants(schemas),
        *(f"export type {name} = {typescript(_alone(kind), named=False)};\n" for name, kind in NAMED.items()),
        *declarations(schemas),
        *(f"export type {name} = {_names(kind)};\n" for name, kind in unions.items()),
        f"export type Entry = {' | '.join(kind.__name__ for kind in KINDS.values())};\n",
    ]
    return "\n".join(parts)


def _merge(schemas: dict[str, Schema], more: dict[str, Schema]) -> None:
    for name, schema in more.items():
        known = schemas.setdefault(name, schema)
        if _shape(known) != _shape(schema):
            raise SystemExit(f"two different types are called {name}")


def _check_names(schemas: dict[str, Schema]) -> None:
    if twice := NAMED.keys() & schemas.keys():
        raise SystemExit(f"two different types are called {', '.join(twice)}")


def _shape(schema: Schema) -> str:
    return typescript(schema) if "properties" not in schema else "".join(_fields(schema))


def _names(union: Any) -> str:
    return " | ".join(kind.__name__ for kind in get_args(union))


# Values ---------------------------------------------------------------------------------------------


def constants(schemas: dict[str, Schema]) -> Iterator[str]:
    """What may be chosen, and how far."""
    wish, clock = schemas["NewGame"]["properties"], schemas["ClockWish"]["properties"]
    bounds = {
        "columns": [1, MAX_COLUMNS],
        "bits": MAX_BITS,
        "think": _range(wish["think"]),
        "initial": _range(clock["initial"]),
        "increment": _range(clock["increment"]),
        "name": messages.MAX_NAME,
    }
    about = "`bits`: columns * (rows + 1) is at most that; times are milliseconds, both ends may be chosen."
    yield _constant("BOUNDS", bounds, about)
    yield _constant("STUDIES", STUDIES, "Addresses of the page, beside `/` and games.")
    yield _constant("STANDARD", str(Board()), "The board where nothing is said of it.")
    yield _constant("LANGUAGES", LANGUAGES)
    yield _constant("REPORTS", schemas["Reporting"]["properties"]["reason"]["enum"], "Why one is reported.")
    yield _constant("FORMATS", list(formats.FORMATS), "Every way to write a game.")
    yield _constant("THEMES", THEMES, "Of puzzles.")
    yield _constant("UNITS", list(UNITS))
    yield _constant("PASSED", PASSED)
    yield _constant("LEVELS", [f"level:{level}" for level in RATINGS])
    yield _constant("RATINGS", list(RATINGS.values()), "Of the levels, among themselves, in Elo points.")
    entries = {name: _rules(kind) for name, kind in KINDS.items()}
    yield _constant("ENTRIES", entries, "What practice remembers, by kind: what must hold of its fields.")
    yield _constant("MOST_ENTRIES", MOST, "Kept; the oldest are forgotten first.")
    yield _constant(
        "AGENTS", [name for name in OFFERED if name != "level"], "That every server offers, beside levels."
    )


def _definition(kind: type) -> Schema:
    """Of a dictionary that our own rooms read."""
    schema: Schema = json_schema(kind)["$defs"][kind.__name__]
    return schema


def _rules(kind: type) -> Schema:
    """What must hold of every field, as JSON Schema says it."""
    fields = _definition(kind)["properties"].items()
    return {
        name: {word: told for word, told in rule.items() if word != "description"} for name, rule in fields
    }


def _range(schema: Schema) -> list[int]:
    return [int(schema["minimum"]), int(schema["maximum"])]


def _constant(name: str, value: Any, about: str = "") -> str:
    comment = f"/** {about} */\n" if about else ""
    return f"{comment}export const {name} = {_literal(value)} as const;\n"


def _literal(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key}: {_literal(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    return _quote(value) if isinstance(value, str) else json.dumps(value)


def _quote(text: str) -> str:
    return "'" + json.dumps(text, ensure_ascii=False)[1:-1].replace("'", "\\'").replace('\\"', '"') + "'"


# Types ----------------------------------------------------------------------------------------------


def declarations(schemas: dict[str, Schema]) -> Iterator[str]:
    for name, schema in sorted(schemas.items()):
        if schema.get("properties"):
            yield f"export interface {name} {{\n{''.join(_fields(schema))}}}\n"
        else:
            yield f"export type {name} = {typescript(schema)};\n"


def _fields(schema: Schema) -> Iterator[str]:
    for name, part in schema.get("properties", {}).items():
        if about := part.get("description"):
            yield f"  /** {about} */\n"
        mark = "" if name in schema.get("required", ()) else "?"
        yield f"  {name}{mark}: {typescript(part)};\n"


def typescript(schema: Schema, *, named: bool = True) -> str:
    """A schema as a type."""
    if named and (name := _NAMES.get(_key(schema))):
        return name
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(map(_literal, schema["enum"]))
    if several := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(map(typescript, several)))
    return _simple(schema)


def _simple(schema: Schema) -> str:
    match schema.get("type"):
        case "array":
            return _array(schema)
        case "object":
            values = schema.get("additionalProperties")
            return f"Record<string, {typescript(values) if isinstance(values, dict) else 'unknown'}>"
        case "integer" | "number":
            return _number(schema)
        case "string" | "boolean" | "null" as name:
            return str(name)
        case _:
            return "unknown"


def _number(schema: Schema) -> str:
    if schema["type"] == "integer" and "minimum" in schema and "maximum" in schema:
        low, high = _range(schema)
        if high - low < 3:
            return " | ".join(map(str, range(low, high + 1)))
    return "number"


def _array(schema: Schema) -> str:
    if parts := schema.get("prefixItems"):
        return f"[{', '.join(map(typescript, parts))}]"
    item = typescript(schema.get("items", {}))
    if schema.get("minItems") == schema.get("maxItems") == 2:
        return f"[{item}, {item}]"
    return f"({item})[]" if " | " in item else f"{item}[]"


def _alone(kind: Any) -> Schema:
    (schema,), _ = msgspec.json.schema_components([kind])
    return schema


def _key(schema: Schema) -> str:
    kept = {name: value for name, value in schema.items() if name not in ("description", "title", "default")}
    return json.dumps(kept, sort_keys=True)


_NAMES = {_key(_alone(kind)): name for name, kind in NAMED.items()}

if __name__ == "__main__":
    print(contract(), end="")
