"""The levels as numbers, for programs without Python: `make engine` writes levels.js with it."""

import json

from claimeven.agents.kinds.level import PLAYERS
from claimeven.export.parts.players import Level
from claimeven.export.players import player_of


def levels_text() -> str:
    """What each level weighs, how far it looks, how often it does not look, and whether it is attentive."""
    players = [player_of(f"level:{level}") for level in PLAYERS]
    rows = (json.dumps(player._asdict()) for player in players if isinstance(player, Level))
    head = "// Levels 1 to 9, written by `make engine`; level 10 is the solver.\nexport const LEVELS = [\n  "
    return head + ",\n  ".join(rows) + ",\n];\n"


if __name__ == "__main__":
    print(levels_text(), end="")
