"""One stage of a hint: a sentence, and the cells that it names."""

from dataclasses import dataclass
from typing import Literal, TypedDict

from claimeven.position import Board, Cell

StageKind = Literal["look", "idea", "column"]
STAGES = 3


class StageJson(TypedDict):
    kind: StageKind
    text: str
    cells: list[str]


@dataclass(frozen=True)
class Stage:
    kind: StageKind
    text: str
    cells: tuple[Cell, ...] = ()
    point: str = ""  # what the first one points at

    def to_json(self, board: Board) -> StageJson:
        return {
            "kind": self.kind,
            "text": self.text,
            "cells": [board.cell_name(cell) for cell in self.cells],
        }
