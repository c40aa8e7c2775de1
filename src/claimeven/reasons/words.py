"""Sentences from codes and parameters: one catalogue per language, plurals by the rules of CLDR."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from claimeven.errors import InputError

Language = Literal["en", "fr", "pl", "vi"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


def _english(n: int) -> str:
    return "one" if n == 1 else "other"


def _french(n: int) -> str:
    if n in (0, 1):
        return "one"
    return "many" if n % 1_000_000 == 0 else "other"


def _polish(n: int) -> str:
    if n == 1:
        return "one"
    if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14):
        return "few"
    return "many"


def _vietnamese(_: int) -> str:
    return "other"


PLURALS: dict[str, Callable[[int], str]] = {
    "en": _english,
    "fr": _french,
    "pl": _polish,
    "vi": _vietnamese,
}
# The categories that whole numbers of our size take; a message with a count has them all.
CATEGORIES = {"en": ("one", "other"), "fr": ("one", "other"), "pl": ("one", "few", "many"), "vi": ("other",)}

Message = str | dict[str, str]


@cache
def catalogue(language: str) -> dict[str, Message]:
    """The messages of a language, by code."""
    if language not in LANGUAGES:
        raise InputError("no_language", language=repr(language), known=", ".join(LANGUAGES))
    folder, messages = files("claimeven.reasons") / "catalogue", dict[str, Message]()
    for part in (folder, *(folder / name for name in ("review", "hint", "puzzle", "thought"))):
        messages |= json.loads((part / f"{language}.json").read_text(encoding="utf-8"))
    return messages


class Words:
    """One language."""

    def __init__(self, language: str) -> None:
        self.messages = catalogue(language)
        self.language = language

    def say(self, code: str, n: int | None = None, **values: Any) -> str:
        """A message with its parameters; `n` is what it counts, if it counts something.

        >>> Words("en").say("in_moves", n=1), Words("pl").say("in_moves", n=5)
        ('in 1 move', 'w 5 ruchach')
        """
        message = self.messages[code]
        if isinstance(message, dict):
            assert n is not None, f"{code} counts something"
            category = PLURALS[self.language](n)
            message = message.get(category) or message["other"]
        return message.format(n=n, **values)

    def listed(self, parts: Sequence[str], code: str = "and") -> str:
        """ "a, b and c" in this language; `code` may be "or"."""
        if len(parts) <= 1:
            return "".join(parts)
        head = self.say("list.comma").join(parts[:-1])
        return self.say(f"list.{code}", first=head, last=parts[-1])
