"""Lines that grow, and cells that can be filled, counted over the whole board."""

from claimeven.position import Board


def runs(board: Board, own: int, other: int, open_cells: int, stones: int) -> int:
    """Lines with so many stones of one side and none of the other.

    A four straight up counts only when the stones are on top of their column: it grows from there.
    """
    count = 0
    for four in board.fours:
        if four & other or (four & own).bit_count() != stones:
            continue
        is_upright = four in board.upright_fours
        count += not is_upright or bool((four & own) << 1 & ~own & four & open_cells)
    return count


def quiet_cells(board: Board, mask: int, critical: int) -> int:
    """How many cells can be filled before someone has to play below a winning cell, as the board stands."""
    count = 0
    for column in range(board.columns):
        for row in range(board.rows):
            bit = board.bit(column, row)
            if bit & mask:
                continue
            if bit << 1 & critical:
                break
            count += 1
    return count
