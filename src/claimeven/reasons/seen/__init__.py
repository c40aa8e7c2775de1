"""What the rules show of a move, and how its score compares."""
