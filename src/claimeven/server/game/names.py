"""Names that people give themselves: short, on one line, without tricks."""

import re
import unicodedata

from claimeven.server.game.looks import is_rude
from claimeven.server.messages import MAX_NAME

# Drawn as nothing, though Unicode calls them letters, symbols or marks: fillers of Hangul, a blank of
# Braille, joiners, vowels that are never written, selectors of variants.
INVISIBLE = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
MAX_MARKS = 2  # accents on one letter: enough for every language, too few to paint over other lines


def clean_name(text: str) -> str:
    """Keep what can be read: no control, bidirectional, invisible or unassigned characters, single spaces."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", INVISIBLE.sub("", text)):
        category = unicodedata.category(character)
        marks = marks + 1 if category.startswith("M") else 0
        if category.startswith("Z") or character.isspace():
            kept.append(" ")
        elif not category.startswith("C") and marks <= MAX_MARKS:
            kept.append(character)
    return " ".join("".join(kept).split())[:MAX_NAME].rstrip()


def table_name(text: str) -> str:
    """What strangers see at a table, in the lobby and in lists of somebody who calls themselves so: nothing,
    if it is rude. The game goes on without it."""
    name = clean_name(text)
    return "" if is_rude(name) else name


def agent_name(spec: str) -> str:
    """How an agent is called at the table: "Level 3", "Perfect", "mcts:tt"."""
    kind, _, options = spec.partition(":")
    if kind == "level":
        return f"Level {options or 5}"
    return spec if options else kind.capitalize() if kind != "mcts" else "MCTS"
