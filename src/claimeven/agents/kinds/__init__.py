"""The kinds of agents that play in this process."""
