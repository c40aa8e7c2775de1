"""A whole game looked at again: its moves, its mistakes, its story."""
