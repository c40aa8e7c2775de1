"""What the two sides are called in a text: you, where one of them reads it, else by a name."""

from dataclasses import dataclass
from typing import Any, Literal

from claimeven import notation
from claimeven.reasons.words import Words

Form = Literal["you", "named"]  # of a sentence whose subject is a side


@dataclass(frozen=True)
class Voice:
    words: Words
    reader: int | None = None  # the side that reads, 0 or 1
    names: tuple[str, str] = (notation.FIRST, notation.SECOND)

    def form(self, side: int) -> Form:
        return "you" if side == self.reader else "named"

    def say(self, code: str, side: int, n: int | None = None, **values: Any) -> str:
        """A sentence about a side; it has a form for the reader and one with a name."""
        named = {"player": self.names[side], "other": self.names[1 - side]}
        return self.words.say(f"{code}.{self.form(side)}", n, **named, **values)
