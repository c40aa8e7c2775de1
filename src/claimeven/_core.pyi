"""The native core of claimeven."""

def perft(columns: int, rows: int, connect: int, mine: int, mask: int, depth: int) -> tuple[int, int]:
    """
    Move sequences of exactly `depth` moves: (all, those whose last move wins).
    """

def count_positions(columns: int, rows: int, connect: int, last_ply: int) -> list[tuple[int, int, int, int]]:
    """
    For every ply: distinct positions (all, won, up to mirror, up to mirror with no win at hand).
    """
