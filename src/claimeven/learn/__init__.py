"""Agents that learn: training, its curve, and the proof of what was learned."""

from claimeven.agents.kinds.qtable import PRESETS, Rule, Table, preset
from claimeven.learn.curve import Curve
from claimeven.learn.exhaustive import Check, check
from claimeven.learn.training import train

__all__ = ["PRESETS", "Check", "Curve", "Rule", "Table", "check", "preset", "train"]
