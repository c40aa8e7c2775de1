"""contract.ts says what the server has; `make types` writes it anew."""

from collections.abc import Callable
from typing import Annotated, Any, TypedDict, get_type_hints

import msgspec
import pytest
from msgspec import structs

from claimeven.practice.kinds import RunEntry, TriedEntry
from claimeven.server import messages
from claimeven.server.doors import answers, api
from claimeven.server.players.routes import Reporting
from claimeven.shapes import Bound
from kit.places import ROOT
from kit.scripts import load

WEB = ROOT / "web"
WRITTEN = (WEB / "src" / "lib" / "contract.ts").read_text()


generator = load(WEB / "contract.py")


def test_the_contract_is_what_the_server_has() -> None:
    assert generator.contract() == WRITTEN, "run make types"


# Planted drifts: what changes in Python changes the file, so the test above fails. ----------------------


def declared(kind: Any) -> str:
    return "".join(generator.declarations({kind.__name__: generator.schemas_of([kind])[kind.__name__]}))


@pytest.mark.parametrize(
    ("kind", "field"),
    [(messages.Presence, "watchers"), (answers.PublicGame, "ply"), (answers.AgentOption, "default")],
)
def test_a_renamed_field_is_found(kind: type[msgspec.Struct], field: str) -> None:
    fields = [(f"{one.name}2" * (one.name == field) or one.name, one.type) for one in structs.fields(kind)]
    after = msgspec.defstruct(
        kind.__name__, fields, tag=kind.__struct_config__.tag, tag_field=kind.__struct_config__.tag_field
    )
    assert declared(kind) in WRITTEN
    assert declared(after) == declared(kind).replace(f"  {field}: ", f"  {field}2: ")


def bound_of_boards(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(generator, "MAX_BITS", 64)


def bound_of_names(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(messages, "MAX_NAME", 41)


def a_theme_more(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(generator, "THEMES", (*generator.THEMES, "trap"))


def an_agent_less(patch: pytest.MonkeyPatch) -> None:
    patch.delitem(generator.OFFERED, "first")


def a_format_more(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(generator.formats.FORMATS, "new", generator.formats.FORMATS["moves"])


def a_field_of_an_entry(patch: pytest.MonkeyPatch) -> None:
    hints = get_type_hints(TriedEntry, include_extras=True)
    fields = {f"{name}2" * (name == "theme") or name: hint for name, hint in hints.items()}
    patch.setitem(generator.KINDS, "puzzle", TypedDict("TriedEntry", fields))  # type: ignore[operator]


def a_bound_of_an_entry(patch: pytest.MonkeyPatch) -> None:
    fields = get_type_hints(RunEntry, include_extras=True) | {"count": Annotated[int, Bound(0, 99_999)]}
    patch.setitem(generator.KINDS, "run", TypedDict("RunEntry", fields))  # type: ignore[operator]


def entries_kept(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(generator, "MOST", 19_999)


@pytest.mark.parametrize(
    "plant",
    [
        bound_of_boards,
        bound_of_names,
        a_theme_more,
        an_agent_less,
        a_format_more,
        a_field_of_an_entry,
        a_bound_of_an_entry,
        entries_kept,
    ],
)
def test_a_changed_bound_is_found(monkeypatch: pytest.MonkeyPatch, plant: Callable[[Any], None]) -> None:
    plant(monkeypatch)
    assert generator.contract() != WRITTEN


def test_a_changed_bound_of_thinking_is_found() -> None:
    schemas = {name: getattr(api, name).model_json_schema() for name in ("NewGame", "ClockWish")}
    schemas["Reporting"] = Reporting.model_json_schema()
    assert "".join(generator.constants(schemas)).split("\n")[1] in WRITTEN
    schemas["NewGame"]["properties"]["think"]["maximum"] = 60_000
    assert "think: [10, 60000]" in "".join(generator.constants(schemas))


def test_one_name_has_one_meaning() -> None:
    schemas = generator.schemas_of([messages.State])
    with pytest.raises(SystemExit, match="two different types are called Offers"):
        generator._merge(schemas, {"Offers": {"type": "object", "properties": {}}})


@pytest.mark.parametrize(
    ("kind", "type"),
    [
        (int | None, "number | null"),
        (messages.Side, "Side"),
        (tuple[messages.Side | None, ...], "(Side | null)[]"),
        (tuple[int, str], "[number, string]"),
        (dict[str, bool], "Record<string, boolean>"),
        (Any, "unknown"),
    ],
)
def test_types_in_typescript(kind: Any, type: str) -> None:
    assert generator.typescript(generator._alone(kind)) == type
