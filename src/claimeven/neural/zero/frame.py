"""A board as the network sees it. The network (model.py) has the tokens of 7x6; smaller boards use some."""

import torch
from torch import Tensor

from claimeven.board import Board
from claimeven.errors import InputError
from claimeven.neural import model

COLUMNS, ROWS = 7, 6


class Frame:
    """The left half of the columns lies left, the right half right, the one in the middle in the middle: so a
    mirror image stays one. Cells that are not there are never taken and never free."""

    def __init__(self, board: Board, device: str = "cpu") -> None:
        if board.columns > COLUMNS or board.rows > ROWS:
            raise InputError("training.board", board=board)
        self.board = board
        half = board.columns // 2
        middle = [COLUMNS // 2] if board.columns % 2 else []
        self.columns = [*range(half), *middle, *range(COLUMNS - half, COLUMNS)]
        height = board.rows + 1
        self.bottom = sum(1 << column * height for column in range(board.columns))
        self.full = self.bottom * ((1 << board.rows) - 1)
        # A bit of the board for every token; the highest, which is never set, where there is none.
        places = {column: number for number, column in enumerate(self.columns)}
        self.bits = torch.tensor(
            [
                places[column] * height + row if column in places and row < board.rows else 62
                for column in model.COLUMNS
                for row in range(ROWS)
            ],
            device=device,
        )
        self.picked = torch.tensor(self.columns, device=device)
        self.steps = (1, height - 1, height, height + 1)

    def landing(self, mask: Tensor) -> Tensor:
        return (mask + self.bottom) & self.full

    def legal(self, mask: Tensor) -> Tensor:
        """(positions, columns)"""
        tops = torch.arange(self.board.columns, device=mask.device) * (self.board.rows + 1)
        return (mask.unsqueeze(-1) >> (tops + self.board.rows - 1)) & 1 == 0

    def winning(self, stones: Tensor, mask: Tensor) -> Tensor:
        """The empty cells that complete a line of `stones`."""
        reach = self.board.reach
        cells = torch.zeros_like(stones)
        for step in self.steps:
            before = [torch.full_like(stones, -1)]
            for _ in range(reach - 1):
                before.append((stones & before[-1]) << step)
            after = before[0]
            for i in range(reach):
                cells |= before[reach - 1 - i] & after
                after = (stones & after) >> step
        return cells & self.full & ~mask

    def planes(self, mine: Tensor, mask: Tensor, kind: torch.dtype = torch.float32) -> Tensor:
        """(model.PLANES, positions, model.TOKENS), as the network takes them."""
        theirs = mine ^ mask
        parity = mask
        for half in (32, 16, 8, 4, 2, 1):
            parity = parity ^ (parity >> half)
        lines = self.winning(torch.stack([mine, theirs]), mask)  # both sides at once: half the kernels
        words = torch.stack([mine, theirs, self.landing(mask), lines[0], lines[1], -(parity & 1) & self.full])
        return ((words.unsqueeze(-1) >> self.bits) & 1).to(kind)

    def outputs(
        self, net: model.Network, mine: Tensor, mask: Tensor, kind: torch.dtype = torch.float32
    ) -> Tensor:
        """(positions, columns, model.OUTPUTS)"""
        found: Tensor = net(self.planes(mine, mask, kind))
        return found[:, self.picked]
