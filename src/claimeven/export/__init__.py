"""Agents for other places: one file that needs nothing of claimeven."""

from claimeven.export.kaggle import LARGEST, submission

__all__ = ["LARGEST", "submission"]
