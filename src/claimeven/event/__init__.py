"""Tournaments between people: who meets whom, and who stands where. Plain values, no clock, no network."""

from claimeven.event.values import Entrant, Format, Meeting, Pairing

__all__ = ["Entrant", "Format", "Meeting", "Pairing"]
