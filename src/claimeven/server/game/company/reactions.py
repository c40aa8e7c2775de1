"""Signs between the two people of a game: everybody there sees them, nothing keeps them."""

from collections import deque

from claimeven.server.errors import RefusedError
from claimeven.server.game.session import Session, Who

MOST = 4  # of one player
WITHIN = 10_000  # milliseconds


class Reactions:
    def __init__(self) -> None:
        self._made: dict[int, deque[int]] = {}  # when, by side

    def side_of(self, session: Session, who: Who, now: int) -> int:
        """Whose sign it is; RefusedError if they may not make one now."""
        if not who.sides:
            raise RefusedError("not_your_seat.player")
        if not session.is_between_people:
            raise RefusedError("not_allowed.reaction")
        side = who.sides[0]
        made = self._made.setdefault(side, deque(maxlen=MOST))
        if len(made) == MOST and now - made[0] < WITHIN:
            raise RefusedError("rate.reactions")
        made.append(now)
        return side
