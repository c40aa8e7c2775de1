"""What an operator sets by the environment: every number of the limits and the settings has a variable, named
like it: `CLAIMEVEN_GAMES_BURST=200`. The options of the command have theirs too (commands/serve.py)."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from claimeven.errors import InputError
from claimeven.notation import quote
from claimeven.server.doors.limits import Limits
from claimeven.server.settings import Settings

PREFIX = "CLAIMEVEN_"
Numbers = TypeVar("Numbers", Settings, Limits)


def adjusted(numbers: Numbers, environment: Mapping[str, str]) -> Numbers:
    """The same with the numbers that the environment names."""
    named = {name: environment.get(PREFIX + name.upper(), "") for name in adjustable(numbers)}
    wished: dict[str, Any] = {name: _number(numbers, name, text) for name, text in named.items() if text}
    return replace(numbers, **wished)


def adjustable(numbers: Numbers) -> list[str]:
    """Names of the numbers."""
    return [field.name for field in fields(numbers) if field.init and field.type in (int, float)]


def _number(numbers: Numbers, name: str, text: str) -> float:
    is_whole = next(field.type for field in fields(numbers) if field.name == name) is int
    try:
        value: float = int(text) if is_whole else float(text)
    except ValueError:
        value = -1
    is_default = value == getattr(numbers, name)  # 0 for what is off by default
    if not (0 < value < 10**12 or is_default):  # no number, too
        raise InputError("option.variable", name=PREFIX + name.upper(), text=quote(text))
    return value
