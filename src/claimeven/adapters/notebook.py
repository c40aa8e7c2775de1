"""A board to play on in a notebook: `pip install 'claimeven[notebook]'`.

>>> table = Table(opponent="level:5")  # the last line of a cell shows it
>>> table.drop(3)
>>> table.game.position.ply
2
"""

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from claimeven.agents import Agent, make_agent
from claimeven.game import Game
from claimeven.limit import Limit
from claimeven.notation import STONES, column_digit
from claimeven.overlay import Overlay, overlay_svg
from claimeven.picture import CELL, MARGIN, position_svg
from claimeven.position import Board, Position
from claimeven.solver import Solver

HERE = Path(__file__).parent
PATIENCE = Limit(seconds=5.0)  # for the values of all columns


class Table(anywidget.AnyWidget):
    """A game, drawn and clicked on. `game` is the record of it: play on in Python, then call `show`.

    Without an opponent both sides are yours. With `values`, the exact value of every column is shown.
    """

    _esm = HERE / "notebook.js"
    _css = HERE / "notebook.css"

    picture = traitlets.Unicode().tag(sync=True)
    said = traitlets.Unicode().tag(sync=True)
    values = traitlets.Bool(False).tag(sync=True)
    legal = traitlets.List(traitlets.Int()).tag(sync=True)
    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    can_undo = traitlets.Bool(False).tag(sync=True)
    cell = traitlets.Int(CELL).tag(sync=True)
    margin = traitlets.Int(MARGIN).tag(sync=True)

    def __init__(
        self,
        game: Game | Position | str = "",
        *,
        opponent: Agent | str | None = None,
        board: Board | None = None,
        starts: bool = False,
        values: bool = False,
        limit: Limit | None = None,
    ) -> None:
        """`starts`: the opponent moves first; `limit`: what it may use per move."""
        super().__init__()
        if isinstance(game, str):
            game = Position.parse(game, board)
        self.game = Game(game.board, start=game) if isinstance(game, Position) else game
        self.opponent = make_agent(opponent) if isinstance(opponent, str) else opponent
        self._limit = limit or Limit(seconds=1.0)
        self._solver: Solver | None = None
        self.values = values
        self.labels = [column_digit(column) for column in range(self.game.board.columns)]
        self.on_msg(lambda _, content, buffers: self._hear(content))
        if starts:
            self._reply()
        self._first = self.game.position  # there is nothing of yours to take back
        self.show()

    def drop(self, column: int) -> None:
        """Play a column; the opponent answers."""
        self.game.play(column)
        self._reply()
        self.show()

    def undo(self) -> None:
        """Take back your last move, and the answer to it."""
        self.game.undo()
        while self.opponent is not None and self.game.position.side != self._first.side:
            self.game.undo()
        self.show()

    def show(self) -> None:
        """Draw the game as it is now."""
        position = self.game.position
        scores = {}
        if self.values and not position.is_over:
            self._solver = self._solver or Solver()
            scores = dict(self._solver.analyse(position, PATIENCE).scores)
        self.picture = overlay_svg(position, Overlay(scores=scores)) if scores else position_svg(position)
        self.legal = list(position.legal)
        self.can_undo = position.ply > self._first.ply
        result = self.game.result
        turn = f"{STONES[position.side]} to move"
        self.said = turn if result is None else f"{result.score} by {result.reason}"

    def _reply(self) -> None:
        if self.opponent is not None and self.game.result is None:
            self.game.play(self.opponent.choose(self.game.position, self._limit).column)

    def _hear(self, content: Any) -> None:
        """A click. What does not fit is not obeyed: the page may be older than the game."""
        match content:
            case {"column": int(column)} if column in self.game.position.legal:
                self.drop(column)
            case {"undo": True} if self.can_undo:
                self.undo()
            case {"values": bool(values)}:
                self.values = values
                self.show()
