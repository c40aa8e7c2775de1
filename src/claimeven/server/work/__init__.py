"""Thinking apart: questions that servers of a cluster have answered by `claimeven work` elsewhere."""
