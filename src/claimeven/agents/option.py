"""Options of agents: how one is declared, read from a spec and written back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeVar

from claimeven.errors import SpecError
from claimeven.notation import quote

Number = TypeVar("Number", int, float)
Weights = tuple[float, ...]
Type = Literal["switch", "whole", "decimal", "weights", "word", "text"]
Value = bool | int | float | str | Weights | None


@dataclass(frozen=True)
class Option:
    """One option of an agent. Made by the functions below."""

    name: str
    default: Value
    help: str
    form: str  # what may be written, for people: "1 to 100"
    read: Callable[[str], Value]  # raises ValueError when the text is not of that form
    takes_rest: bool = False  # comes last, commas and all: file=, command=
    words: tuple[str, ...] | None = None  # the only values, if they are few words
    type: Type = "text"
    low: float | None = None  # of a number
    high: float | None = None

    def parse(self, text: str) -> Value:
        try:
            return self.read(text)
        except ValueError:
            raise SpecError("agent.option_value", name=self.name, form=self.form, text=quote(text)) from None

    def text(self, value: Value) -> str:
        """What `parse` reads back as the value."""
        return self.name if value is True else f"{self.name}={value_text(value)}"


def value_text(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(map(value_text, value))
    if isinstance(value, float):
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return "" if value is None else str(value)


def switch(name: str, help: str, default: bool = False) -> Option:
    words = {"": True, "yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}

    def read(text: str) -> Value:
        if text not in words:
            raise ValueError
        return words[text]

    return Option(name, default, help, "yes or no", read, type="switch")


def whole(name: str, default: int | None, help: str, low: int = 1, high: int | None = None) -> Option:
    """A whole number. A default of None is explained by the help text."""

    def read(text: str) -> Value:
        if not (text.isascii() and text.isdigit() and len(text) < 20):
            raise ValueError
        return _between(int(text), low, high)

    form = f"a whole number {_range(low, high)}"
    return Option(name, default, help, form, read, type="whole", low=low, high=high)


def decimal(name: str, default: float, help: str, low: float = 0.0, high: float | None = None) -> Option:
    def read(text: str) -> Value:
        return _between(_number(text), low, high)

    form = f"a number {_range(low, high)}"
    return Option(name, default, help, form, read, type="decimal", low=low, high=high)


def weights(name: str, default: Weights | None, help: str, limit: float) -> Option:
    def read(text: str) -> Value:
        return tuple(_between(_number(part), -limit, limit) for part in text.split("/"))

    form = f"numbers from {-limit:g} to {limit:g} separated by /"
    return Option(name, default, help, form, read, type="weights", low=-limit, high=limit)


def word(name: str, default: str | None, help: str, words: Sequence[str]) -> Option:
    def read(text: str) -> Value:
        if text not in words:
            raise ValueError
        return text

    form = " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    return Option(name, default, help, form, read, words=tuple(words), type="word")


def rest(name: str, help: str, default: str | None = None) -> Option:
    """A text that comes last in the spec and may contain anything; without a default it must be given."""

    def read(text: str) -> Value:
        if not text.strip():
            raise ValueError
        return text

    return Option(name, default, help, "given, and come last", read, takes_rest=True)


def _number(text: str) -> float:
    # float() alone would take "nan", "1_0" and spaces.
    digits = text.removeprefix("-")
    if (
        not digits.isascii()
        or digits.count(".") > 1
        or not digits.replace(".", "").isdigit()
        or len(text) > 400
    ):
        raise ValueError
    return float(text)


def _between(number: Number, low: Number, high: Number | None) -> Number:
    if number < low or (high is not None and number > high):
        raise ValueError
    return number


def _range(low: float, high: float | None) -> str:
    return f"from {low}" if high is None else f"from {low} to {high}"
