"""What the two sides are called in a text: you, where one of them reads it, else by a name."""

from dataclasses import dataclass
from typing import Any, Literal

from claimeven import notation
from claimeven.reasons.words import Words

Form = Literal["you", "theirs", "named"]  # whose side a sentence is about: the reader's, the other, anybody's


@dataclass(frozen=True)
class Voice:
    words: Words
    reader: int | None = None  # the side that reads, 0 or 1
    names: tuple[str, str] = (notation.FIRST, notation.SECOND)

    def form(self, side: int) -> Form:
        return "named" if self.reader is None else "you" if side == self.reader else "theirs"

    def say(self, code: str, side: int, n: int | None = None, **values: Any) -> str:
        """A sentence about a side: with names, or a form of its own where the reader is one of them."""
        named = {"player": self.names[side], "other": self.names[1 - side]}
        own = f"{code}.{self.form(side)}"
        return self.words.say(own if own in self.words.messages else f"{code}.named", n, **named, **values)
