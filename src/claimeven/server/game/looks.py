"""Names as the eye takes them: who could be mistaken for whom, and what no stranger should have to read."""

import json
import unicodedata
from functools import cache
from importlib.resources import files

# Letters and digits that the eye takes for another. Not a whole table of Unicode: what can be typed on the
# keyboards of Europe and Vietnam, and the digits that stand for letters.
_TWINS = {
    "a": "а\u0251α@4",
    "b": "вь8ß",
    "c": "сϲ",
    "d": "ԁđð",
    "e": "еєε3",
    "g": "ɡ9",
    "h": "һнʜ",
    "i": "іıιl1|!ł7",
    "j": "ј",
    "k": "кκ",
    "m": "м",
    "n": "пη",
    "o": "оοσ0øө",
    "p": "рρ",
    "q": "ԛ",
    "r": "гя",
    "s": "ѕ5$",
    "t": "тτ",
    "u": "υμ",
    "v": "ѵν",
    "w": "ѡωш",
    "x": "хχ",
    "y": "уγу",
    "z": "ᴢ2",
}
_TWIN_OF = {ord(twin): letter for letter, twins in _TWINS.items() for twin in twins}
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def looks_of(name: str) -> str:
    """A name as the eye takes it: two people whose looks are the same could be mistaken for each other.

    >>> looks_of("Ánna"), looks_of("аnna"), looks_of("A n n a"), looks_of("Anna 2") == looks_of("Anna")
    ('anna', 'anna', 'anna', False)
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(character for character in plain if not unicodedata.combining(character))
    kept = "".join(character for character in letters.translate(_TWIN_OF) if character.isalnum())
    for pair, letter in _PAIRS:
        kept = kept.replace(pair, letter)
    return kept


def is_rude(name: str) -> bool:
    """Whether a small list of words is in it, however it is written.

    Over the ends of words only what begins with a word: a club of Itchen is none.

    >>> is_rude("F.u_c k"), is_rude("Scunthorpe"), is_rude("Chess Club Itchen")
    (True, False, False)
    """
    words, bad = [looks_of(word) for word in name.split()], _bad()
    if looks_of(name) in bad.whole or not bad.whole.isdisjoint(words):
        return True
    is_inside = any(part in word for part in bad.parts for word in words)
    return is_inside or any("".join(words[at:]).startswith(bad.parts) for at in range(len(words)))


class _Bad:
    """`whole`: only as words, for they stand inside good ones; `parts`: anywhere."""

    def __init__(self, whole: list[str], parts: list[str]) -> None:
        self.whole = frozenset(map(looks_of, whole))
        self.parts = tuple(map(looks_of, parts))


@cache
def _bad() -> _Bad:
    words = json.loads((files("claimeven.server.game") / "rude.json").read_text("utf-8"))
    return _Bad(words["whole"], words["parts"])
