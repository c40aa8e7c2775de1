"""The open column nearest to the centre, as an agent of its own package."""

from claimeven import Choice, Limit, Position
from claimeven.agents import Kind


class Central:
    name = "central"

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        middle = (position.board.columns - 1) / 2
        column = min(position.legal, key=lambda c: abs(c - middle))
        return Choice(column, {c: float(c == column) for c in position.legal})


KIND = Kind("central", "nearest to the centre", lambda name, seed, options: Central())
