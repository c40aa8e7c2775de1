"""`Game`: a mutable record that only ever holds legal moves and a result that fits them."""

import operator
from collections.abc import Iterable, Iterator
from html import escape
from typing import SupportsIndex

from claimeven import notation
from claimeven.errors import InputError, MoveError, RecordError
from claimeven.game import reader
from claimeven.game import record as shape
from claimeven.game import text as c4n
from claimeven.game.check import PIE_PLY, check_annotations, check_count, check_pie, replay
from claimeven.game.record import Clock, Note, Pie, Player, Record, Result, Variation
from claimeven.position import Board, Position


class Game:
    """A game that can be played, taken back, annotated, ended, written and read.

    >>> game = Game.parse("4453")
    >>> game.play(2).ply, game.moves, game.result
    (5, '44533', None)
    >>> game.undo(); game.undo(); game.redo().ply, game.moves
    (4, '4453')
    >>> game.end(winner=1, reason="resign")
    Result(score='0-1', reason='resign')

    A *ply* counts the stones on the board, also where a game starts from a position. Notes, times and
    variations belong to plies; those of moves taken back come again with `redo` and are gone after `play`.
    """

    def __init__(
        self,
        board: Board | None = None,
        start: Position | None = None,
        players: tuple[Player, Player] = (Player(), Player()),
        clock: Clock | None = None,
        tags: dict[str, str] | None = None,
        id: str = "",
        created: str = "",
        pie: bool = False,
    ) -> None:
        if start is None:
            start = Position(board or Board())
        elif board is not None and board != start.board:
            raise InputError("other_board.start", written=start.board, board=board)
        self.pie: Pie = "yes" if pie else "no"
        check_pie(self.pie, start, start.ply)
        self._positions = [start]  # the start and the position after every move
        self._columns: list[int] = []  # the moves between them
        self._undone: list[int] = []
        self._ended: Result | None = None  # an end that the position does not show
        self.players = players
        self.clock = clock
        self.times: dict[int, int] = {}  # milliseconds that the move to this ply took
        self.notes: dict[int, Note] = {}
        self.variations: list[Variation] = []
        self.tags = dict(tags or {})
        self.id = id
        self.created = created

    @classmethod
    def parse(cls, text: str, board: Board | None = None) -> "Game":
        """Read moves, or start from a position text."""
        position = Position.parse(text, board)
        if position.moves is None:
            return cls(start=position)
        game = cls(position.board)
        for column in notation.parse_moves(position.moves, position.board.columns):
            game.play(column)
        return game

    # What stands on the board --------------------------------------------------------------------

    @property
    def board(self) -> Board:
        return self.start.board

    @property
    def start(self) -> Position:
        return self._positions[0]

    @property
    def position(self) -> Position:
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The start and the position after every move."""
        return tuple(self._positions)

    @property
    def ply(self) -> int:
        return self.position.ply

    @property
    def columns(self) -> tuple[int, ...]:
        """The moves since the start, counted from 0."""
        return tuple(self._columns)

    @property
    def moves(self) -> str:
        """The moves since the start, as text."""
        return notation.moves_text(self._columns)

    @property
    def undone(self) -> tuple[int, ...]:
        """The moves taken back that can be played again, the next one first."""
        return tuple(reversed(self._undone))

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it is running."""
        position = self._positions[-1]
        return Result.shown(position) if position.is_over else self._ended

    @property
    def may_swap(self) -> bool:
        """Whether the side to move may take the first disc instead of dropping one."""
        return self.pie == "yes" and self.ply == PIE_PLY and self.result is None

    @property
    def is_pie_open(self) -> bool:
        """Whether it is not settled yet whose the first disc will be."""
        return self.may_swap or (self.pie == "yes" and self.ply < PIE_PLY and self.result is None)

    # Playing -------------------------------------------------------------------------------------

    def play(self, column: SupportsIndex, ms: int | None = None) -> Position:
        """Drop a disc, `ms` milliseconds after the move before; the column counts from 0."""
        if self.result is not None:
            raise MoveError("over")
        position = self.position.play(column)
        if self._undone:
            self._forget_undone()
        self._push(operator.index(column), position)
        if ms is not None:
            self.times[position.ply] = ms
        return position

    def swap(self) -> None:
        """By the pie rule the second player takes the first disc: the players change sides, nothing moves.

        >>> game = Game(players=(Player("Lan"), Player("Ada")), pie=True)
        >>> game.play(3).side, game.may_swap
        (1, True)
        >>> game.swap()
        >>> game.players[0].name, game.position.side, game.pie
        ('Ada', 1, 'swapped')
        """
        if self.pie == "no":
            raise MoveError("no_swap.rule")
        if not self.may_swap:
            raise MoveError("no_swap.late")
        self._forget_undone()
        self._change_sides("swapped")

    def _change_sides(self, pie: Pie) -> None:
        self.players = self.players[1], self.players[0]
        self.pie = pie

    def undo(self) -> None:
        """Take back the last move, and the end of the game if it had ended; or the swap of sides, if that
        was last. It is not played again: who may swap may do so anew."""
        if self.pie == "swapped" and self.ply == PIE_PLY:
            self._forget_undone()
            self._ended = None
            self._change_sides("yes")
            return
        if not self._columns:
            raise MoveError("no_undo")
        self._undone.append(self._columns.pop())
        self._positions.pop()
        self._ended = None

    def redo(self, ms: int | None = None) -> Position:
        """Play the last move taken back again; it keeps its time unless it took another one."""
        if not self._undone:
            raise MoveError("no_redo")
        if self.result is not None:
            raise MoveError("over")
        position = self.position.play(self._undone[-1])
        self._push(self._undone.pop(), position)
        if ms is not None:
            self.times[position.ply] = ms
        return position

    def end(self, winner: int | None, reason: str) -> Result:
        """End the game by something that the board does not show, such as "resign" or "time"."""
        if self.result is not None:
            raise RecordError("over.already", score=self.result.score, reason=self.result.reason)
        result = Result.of(winner, reason)
        if reason in ("connect", "full"):
            raise RecordError("ended.shown", reason=reason)
        self._ended = result
        return result

    def resign(self, side: int) -> Result:
        return self.end(1 - side, "resign")

    def note(self, text: str = "", nag: int = 0, ply: int | None = None) -> None:
        """Comment on the move to `ply`, by default the last one; nothing to say removes the note."""
        ply = self.ply if ply is None else ply
        if text or nag:
            self.notes[ply] = Note(ply, text, nag)
        else:
            self.notes.pop(ply, None)

    def _push(self, column: int, position: Position) -> None:
        self._columns.append(column)
        self._positions.append(position)

    def _is_undone(self, ply: int) -> bool:
        return self.ply < ply <= self.ply + len(self._undone)

    def _forget_undone(self) -> None:
        self.times = {ply: ms for ply, ms in self.times.items() if not self._is_undone(ply)}
        self.notes = {ply: note for ply, note in self.notes.items() if not self._is_undone(ply)}
        self.variations = [v for v in self.variations if not self._is_undone(v.ply)]
        self._undone.clear()

    # Records -------------------------------------------------------------------------------------

    def record(self) -> Record:
        """The game as a plain value, checked; moves taken back are not part of it."""
        first, last = self.start.ply, self.ply
        times = tuple(self.times.get(ply) for ply in range(first + 1, last + 1))
        record = shape.make(
            board=str(self.board),
            id=self.id,
            created=self.created,
            start=self.start.text,
            pie=self.pie,
            players=self.players,
            clock=self.clock,
            moves=self.moves,
            times_ms=times if any(ms is not None for ms in times) else (),
            notes=[note for ply, note in self.notes.items() if not self._is_undone(ply)],
            variations=[v for v in self.variations if not self._is_undone(v.ply)],
            result=self.result,
            tags=self.tags,
        )
        check_count(record.variations)
        check_annotations(record, self._positions)
        check_pie(record.pie, self.start, self.ply)
        return record

    @classmethod
    def from_record(cls, record: Record) -> "Game":
        board = Board.parse(record.board)
        start = Position.parse(record.start, board)
        game = cls(
            start=start,
            players=record.players,
            clock=record.clock,
            tags=record.tags,
            id=record.id,
            created=record.created,
        )
        for column, position in replay(start, record.moves):
            game._push(column, position)
        check_count(record.variations)
        check_annotations(record, game._positions)
        check_pie(record.pie, start, game.ply)
        game.pie = record.pie
        if len(record.times_ms) not in (0, len(record.moves)):
            raise RecordError("record.times", times=len(record.times_ms), moves=len(record.moves))
        for ply, ms in enumerate(record.times_ms, start=start.ply + 1):
            if ms is not None:
                game.times[ply] = ms
        game.notes = {note.ply: note for note in record.notes}
        game.variations = list(record.variations)
        shown = game.result
        if shown is None:
            if record.result is not None:
                game.end(record.result.winner, record.result.reason)
        elif record.result != shown:
            said = f"{record.result.score} by {record.result.reason}" if record.result else "running"
            raise RecordError("ended.record", said=said, score=shown.score, reason=shown.reason)
        return game

    def to_json(self) -> str:
        """One line of JSON; game.schema.json describes it."""
        return shape.json_text(self.record())

    @classmethod
    def from_json(cls, text: str) -> "Game":
        return cls.from_record(shape.parse_json(text))

    def to_text(self) -> str:
        """The `.c4n` text record: tags and moves in the grammar of chess PGN."""
        return c4n.text(self.record())

    @classmethod
    def from_text(cls, text: str, board: Board | None = None) -> "Game":
        return cls.from_record(reader.parse(text, board))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.record() == other.record()

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __repr__(self) -> str:
        end = f", {self.result.score} by {self.result.reason}" if self.result else ""
        start = "" if self.start == Position(self.board) else f" from {str(self.start)!r}"
        return f"<Game {self.board} {self.moves!r}{start}{end}>"

    def _repr_html_(self) -> str:
        # For notebooks only: the picture of where the game is, and how it came there.
        from claimeven.picture import position_svg

        sides = zip(self.players, notation.STONES, strict=True)
        first, second = (player.name or stone for player, stone in sides)
        end = f": {self.result.score} by {self.result.reason}" if self.result else ""
        caption = escape(f"{first} – {second}{end}")
        moves = f"<code>{escape(self.moves)}</code>"
        return f"<figure>{position_svg(self.position)}<figcaption>{caption}<br>{moves}</figcaption></figure>"


def read_json_lines(lines: Iterable[str]) -> Iterator[Game]:
    """Games of a JSON Lines file, one after the other; an error names the line."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                game = Game.from_json(line)
            except InputError as error:
                raise error.wrapped("in_line", line=number) from None
            yield game


def read_text_games(lines: Iterable[str], board: Board | None = None) -> Iterator[Game]:
    """Games of a `.c4n` file, one after the other; an error names the line."""
    for number, text in c4n.split(lines):
        try:
            game = Game.from_record(reader.parse(text, board, first_line=number))
        except InputError as error:
            raise error.wrapped("game_at_line", line=number) from None
        yield game
