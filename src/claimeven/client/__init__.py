"""Playing on a server from Python or from a terminal: a connection that comes back by itself."""

from claimeven.client.client import Client
from claimeven.client.events import Connected, Delayed, Event, Lost, Timing
from claimeven.client.http import create_game, game_state, join_game, new_token
from claimeven.client.link import Link

__all__ = [
    "Client",
    "Connected",
    "Delayed",
    "Event",
    "Link",
    "Lost",
    "Timing",
    "create_game",
    "game_state",
    "join_game",
    "new_token",
]
