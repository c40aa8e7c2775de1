"""People as players: how likely a person of some strength is to play each column."""

from claimeven.people.model import average_rating, chances

__all__ = ["average_rating", "chances"]
