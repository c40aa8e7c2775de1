"""The map of the game: a whole strategy of one side, every reply covered, that a person can walk.

`build` draws it, `file` keeps it, `walk` follows it, `check` verifies it and shares no code with the others.
"""

from claimeven.map.file import read_map, write_map
from claimeven.map.plan import Plan
from claimeven.map.walk import Map, Place

__all__ = ["Map", "Place", "Plan", "read_map", "write_map"]
