"""Positions as the map knows them: the opponent's stones and all stones, the opponent to move."""

from typing import NamedTuple

from claimeven.board import Board, bits


class Stones(NamedTuple):
    """The opponent is to move."""

    theirs: int
    mask: int

    @property
    def key(self) -> int:
        return self.theirs + self.mask

    def mirrored(self, board: Board) -> "Stones":
        return Stones(board.mirror(self.theirs), board.mirror(self.mask))

    def replies(self, board: Board) -> list[int]:
        """Every cell that the opponent can play, as bits."""
        return list(bits(board.landings(self.mask)))


def canonical(board: Board, stones: Stones) -> tuple[Stones, bool]:
    """The one of a position and its mirror image that has the smaller key; whether that is the image."""
    image = stones.mirrored(board)
    return (image, True) if image.key < stones.key else (stones, False)


def questions(board: Board, stones: Stones) -> list[int]:
    """The replies that need an answer: where the holder does not win at once.

    In a position that is its own mirror image, of two replies that are each other's image the left one.
    """
    is_own_image = stones.mirrored(board) == stones
    found = []
    for x in stones.replies(board):
        if is_own_image and board.mirror(x) < x:
            continue
        mask = stones.mask | x
        ours = stones.theirs ^ stones.mask
        if board.has_four(stones.theirs | x) or mask == board.full:
            found.append(x)  # nobody can answer these: a map has no such position
        elif not board.winning_cells(ours, mask) & board.landings(mask):
            found.append(x)
    return found
