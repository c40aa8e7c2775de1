"""Commands around agents that learn."""
