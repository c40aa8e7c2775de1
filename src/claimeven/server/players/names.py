"""Names of people on a server: readable, nobody else's, and fit for a school."""

from functools import cache

from claimeven.server.errors import RefusedError
from claimeven.server.game.looks import is_rude, looks_of
from claimeven.server.game.names import clean_name

LEAST, MOST = 2, 20


def checked_name(text: str) -> tuple[str, str]:
    """A name as it is kept, and its looks; RefusedError if nobody may have it."""
    name = clean_name(text)
    looks = looks_of(name)
    if not LEAST <= len(name) <= MOST or len(looks) < LEAST:
        raise RefusedError("bad_name.length", least=LEAST, most=MOST)
    if looks.startswith(looks_of("Level")) or looks in _reserved():
        raise RefusedError("bad_name.agent")
    if is_rude(name):
        raise RefusedError("bad_name.rude")
    return name, looks


@cache
def _reserved() -> frozenset[str]:
    """What agents and the house are called."""
    names = ("perfect", "minimax", "mcts", "neural", "human", "rules", "random", "first", "claimeven")
    return frozenset(map(looks_of, (*names, "admin", "administrator", "operator", "moderator", "server")))
