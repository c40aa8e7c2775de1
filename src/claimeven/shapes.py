"""Plain values (what JSON gives) into frozen dataclasses and back, strictly, and their JSON Schema.

The annotations are the format: `str`, `int`, `Literal`, tuples, lists, dictionaries, other dataclasses,
typed dictionaries, `None`, and with `Annotated` a `Bound`. Nothing is guessed: 1.0 and True are not whole
numbers. A class whose readers must not pass over a field has `FORBIDS_OTHERS = True`.
"""

import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

T = TypeVar("T")
Schema = dict[str, Any]  # a JSON Schema


class Unset(Enum):
    """The default of a field that may be left out, but not be null."""

    UNSET = "unset"


UNSET = Unset.UNSET


@dataclass(frozen=True, eq=False)  # annotations are hashed
class Bound:
    """What else must hold of a value; `schema` says it where only the class can check it."""

    least: int | None = None
    most: int | None = None
    shortest: int = 0  # of a text or an array
    longest: int | None = None  # of a text, an array or an object
    pattern: str = ""  # of a text, all of it
    one_of: tuple[float, ...] = ()  # numbers
    description: str = ""
    schema: Mapping[str, object] = field(default_factory=dict)


NO_BOUND = Bound()


class ShapeError(ValueError):
    """A value of another shape, and where."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
        self.path = ""

    def inside(self, step: str) -> "ShapeError":
        """The same error, seen from one step further out."""
        self.path = step + self.path
        return self

    def __str__(self) -> str:
        return f"{self.what}, at {self.path.removeprefix('.')}" if self.path else self.what


# Reading ----------------------------------------------------------------------------------------


def read(value: object, shape: type[T]) -> T:
    """The value in this shape, or a ShapeError; RecursionError when it is nested too deeply."""
    return cast(T, _read(value, shape))


def _read(value: object, shape: Any, bound: Bound = NO_BOUND) -> object:
    origin, inner = get_origin(shape), get_args(shape)
    if origin is Annotated:
        return _read(value, inner[0], inner[1])
    if origin in (Union, types.UnionType):
        return _read_one_of(value, [part for part in inner if part is not Unset], bound)
    if origin is Literal:
        return _read_literal(value, inner)
    if origin in (tuple, list):
        return _read_array(value, origin, inner, bound)
    if origin is dict:
        _expect(value, dict)
        found = {}
        for key, part in cast(dict[str, object], value).items():
            found[key] = _step("[...]", part, inner[1])
        return _bounded(found, bound)
    if is_dataclass(shape):
        return _read_object(value, cast(type, shape))
    if is_typeddict(shape):
        return _read_as_it_is(value, cast(type, shape))
    if shape is Any:
        return value
    if shape is float and type(value) is int:
        return _bounded(float(value), bound)
    _expect(value, shape)
    return _bounded(value, bound)


def _read_one_of(value: object, parts: list[Any], bound: Bound) -> object:
    if value is None and types.NoneType in parts:
        return None
    (part,) = (part for part in parts if part is not types.NoneType)
    kind = get_args(part)[0] if get_origin(part) is Annotated else part
    fits = type(value) is kind or (kind is float and type(value) is int)
    if types.NoneType in parts and kind in NAMES and not fits:
        raise ShapeError(f"Expected {NAMES[kind]} | null, got {_name(value)}")
    return _read(value, part, bound)


def _read_literal(value: object, allowed: tuple[object, ...]) -> object:
    if type(value) is not type(allowed[0]):
        raise ShapeError(f"Expected {NAMES[type(allowed[0])]}, got {_name(value)}")
    if value not in allowed:
        raise ShapeError(f"Invalid enum value {value!r}")
    return value


def _read_array(value: object, kind: type, inner: tuple[Any, ...], bound: Bound) -> object:
    _expect(value, list)
    parts = _bounded(cast(list[object], value), bound)
    if kind is list or inner[-1] is Ellipsis:
        return kind(_step(f"[{i}]", part, inner[0]) for i, part in enumerate(parts))
    if len(parts) != len(inner):
        raise ShapeError(f"Expected array of length {len(inner)}, got {len(parts)}")
    pairs = enumerate(zip(parts, inner, strict=True))
    return tuple(_step(f"[{i}]", part, shape) for i, (part, shape) in pairs)


def _read_object(value: object, shape: type) -> object:
    _expect(value, dict)
    given, known = cast(dict[str, object], value), _fields(shape)
    for name in given:
        if name not in known and getattr(shape, "FORBIDS_OTHERS", False):
            raise ShapeError(f"Object contains unknown field {name}")
    for name, (part, _) in known.items():
        if name not in given and part.default is MISSING and part.default_factory is MISSING:
            raise ShapeError(f"Object missing required field {name}")
    found = {name: _step("." + name, given[name], hint) for name, (_, hint) in known.items() if name in given}
    try:
        return shape(**found)
    except ShapeError:
        raise
    except ValueError as error:  # the class has looked more closely
        raise ShapeError(str(error)) from error


def _read_as_it_is(value: object, shape: type) -> object:
    """A TypedDict stays a dictionary, with what others may have added."""
    _expect(value, dict)
    given = cast(dict[str, object], value)
    for name, hint in _hints(shape).items():
        if name not in given:
            raise ShapeError(f"Object missing required field {name}")
        _step("." + name, given[name], hint)
    return value


def _step(step: str, value: object, shape: Any) -> object:
    try:
        return _read(value, shape)
    except ShapeError as error:
        raise error.inside(step) from None


def _expect(value: object, kind: type) -> None:
    if type(value) is not kind:
        raise ShapeError(f"Expected {NAMES[kind]}, got {_name(value)}")


B = TypeVar("B")


def _bounded(value: B, bound: Bound) -> B:
    if bound.one_of and value not in bound.one_of:
        raise ShapeError(f"Invalid number {value!r}")
    if isinstance(value, float):
        return value
    if isinstance(value, int):
        if bound.least is not None and value < bound.least:
            raise ShapeError(f"Expected int >= {bound.least}")
        if bound.most is not None and value > bound.most:
            raise ShapeError(f"Expected int <= {bound.most}")
    elif len(value) < bound.shortest:  # type: ignore[arg-type]
        raise ShapeError(f"Expected {_name(value)} of length >= {bound.shortest}")
    elif isinstance(value, str) and bound.pattern and not re.fullmatch(bound.pattern, value):
        raise ShapeError(f"Expected str that matches {bound.pattern}")
    elif bound.longest is not None and len(value) > bound.longest:  # type: ignore[arg-type]
        raise ShapeError(f"Expected {_name(value)} of length <= {bound.longest}")
    return value


NAMES: dict[type, str] = {
    str: "str",
    int: "int",
    float: "float",
    bool: "bool",
    list: "array",
    tuple: "array",
    dict: "object",
    types.NoneType: "null",
}


def _name(value: object) -> str:
    return NAMES.get(type(value), type(value).__name__)


@cache
def _hints(shape: type) -> dict[str, Any]:
    return get_type_hints(shape, include_extras=True)


@cache
def _fields(shape: type) -> dict[str, tuple["Field[Any]", Any]]:
    hints = _hints(shape)
    return {part.name: (part, hints[part.name]) for part in fields(shape)}


# Writing ----------------------------------------------------------------------------------------


def plain(value: object) -> Any:
    """What JSON can hold; simple fields that have their default are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = ((name, getattr(value, name), part) for name, (part, _) in _fields(type(value)).items())
        return {
            name: plain(found)
            for name, found, part in parts
            if found != _default(part) or not _is_simple(found)
        }
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return value


def _is_simple(value: object) -> bool:
    return not isinstance(value, list | tuple | dict) or not value


def _default(part: "Field[Any]") -> object:
    return part.default_factory() if part.default_factory is not MISSING else part.default


# Schema -----------------------------------------------------------------------------------------


def json_schema(shape: type) -> Schema:
    """The JSON Schema of a dataclass, the others that it mentions beside it."""
    found: dict[str, Schema] = {}
    return _schema(shape, NO_BOUND, found) | {"$defs": found}


def _schema(shape: Any, bound: Bound, found: dict[str, Schema]) -> Schema:
    origin, inner = get_origin(shape), get_args(shape)
    if origin is Annotated:
        return _schema(inner[0], inner[1], found)
    told = ({"description": bound.description} if bound.description else {}) | dict(bound.schema)
    if origin in (Union, types.UnionType):
        return told | {"anyOf": [_schema(part, NO_BOUND, found) for part in inner]}
    if origin is Literal:
        return told | {"enum": sorted(inner)}
    if origin is tuple and inner[-1] is not Ellipsis:
        items = [_schema(part, NO_BOUND, found) for part in inner]
        size = len(items)
        shown = {"type": "array", "minItems": size, "maxItems": size, "prefixItems": items, "items": False}
        return told | shown
    if origin in (tuple, list):
        shown = {"type": "array", "items": _schema(inner[0], NO_BOUND, found)}
        least = {"minItems": bound.shortest} if bound.shortest else {}
        return told | shown | least | ({} if bound.longest is None else {"maxItems": bound.longest})
    if origin is dict:
        shown = {"type": "object", "additionalProperties": _schema(inner[1], NO_BOUND, found)}
        return told | shown | ({} if bound.longest is None else {"maxProperties": bound.longest})
    if is_dataclass(shape) or is_typeddict(shape):
        _define(cast(type, shape), found)
        return told | {"$ref": f"#/$defs/{cast(type, shape).__name__}"}
    kind = {str: "string", int: "integer", float: "number", types.NoneType: "null"}[shape]
    limits = {
        "minimum": bound.least,
        "maximum": bound.most,
        "minLength": bound.shortest or None,
        "maxLength": bound.longest,
        "pattern": bound.pattern or None,
        "enum": list(bound.one_of) or None,
    }
    return told | {"type": kind} | {name: most for name, most in limits.items() if most is not None}


def _define(shape: type, found: dict[str, Schema]) -> None:
    if shape.__name__ in found:
        return
    entry: Schema = {"title": shape.__name__}
    found[shape.__name__] = entry
    if shape.__doc__ and not shape.__doc__.startswith(f"{shape.__name__}("):  # what dataclass itself writes
        entry["description"] = shape.__doc__
    if is_typeddict(shape):
        hints = {name: _schema(hint, NO_BOUND, found) for name, hint in _hints(shape).items()}
        entry |= {"type": "object", "properties": hints, "required": list(hints)}
        return
    properties, required = {}, []
    for name, (part, hint) in _fields(shape).items():
        default = _default(part)
        properties[name] = _schema(hint, NO_BOUND, found)
        if default is MISSING:
            required.append(name)
        else:
            properties[name]["default"] = plain(default)
    entry |= {"type": "object", "properties": properties, "required": required}
    if getattr(shape, "FORBIDS_OTHERS", False):
        entry["additionalProperties"] = False
