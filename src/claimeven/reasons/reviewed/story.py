"""A game in three sentences: how it began, where it turned, how it ended and which cell decided."""

from collections.abc import Sequence
from typing import Any

from claimeven.board import bits
from claimeven.game import Game
from claimeven.position import Position
from claimeven.reasons.reviewed.voice import Voice

THREE = 3
NAMED = 3  # turns that are told one by one; more are counted
LONG = 4  # discs between the third one of a line and the last: it could have been seen twice


def story(game: Game, values: Sequence[int | None], decisive: int | None, voice: Voice) -> tuple[str, ...]:
    """`values` after every ply, for the first player; `decisive`: the ply of the loser's visible mistake.

    Plies count from 1, as moves do in every text.
    """
    if not game.columns:
        return ()
    told = _Story(game, values, decisive, voice)
    return (told.beginning(), told.turn(), told.ending())


class _Story:
    def __init__(self, game: Game, values: Sequence[int | None], decisive: int | None, voice: Voice) -> None:
        self.game, self.decisive, self.voice, self.words = game, decisive, voice, voice.words
        known = [value for value in values if value is not None]
        self.signs = [(value > 0) - (value < 0) for value in known] if len(known) == len(values) else []
        first = game.start.ply
        self.changes = [
            first + place for place in range(1, len(self.signs)) if self.signs[place] != self.signs[place - 1]
        ]

    def _standing(self, code: str, sign: int, **values: Any) -> str:
        """Who was winning, or that nobody was."""
        if not sign:
            return self.words.say(f"{code}.draw", **values)
        return self.voice.say(f"{code}.win", 0 if sign > 0 else 1, **values)

    def beginning(self) -> str:
        if not self.signs:
            return self.words.say("story.unknown")
        if not self.changes:
            return self._standing("story.all", self.signs[0])
        if self.changes[0] == 1 and len(self.changes) == 1:
            return self.words.say("story.first_disc")
        if self.changes[0] == 1:  # what it changed in theory teaches nobody; what came then does
            return self._standing("story.then", self.signs[1], number=self.changes[1])
        return self._standing("story.until", self.signs[0], number=self.changes[0])

    def turn(self) -> str:
        if not self.changes:
            code = "story.no_turn" if self.decisive is None else "story.on_the_board"
            return self.words.say(code, number=self.decisive)
        last = self.changes[-1]
        if self.decisive is not None and self.decisive > last == 1:  # the first disc was spoken of
            return self.words.say("story.on_the_board", number=self.decisive)
        between = self._between()
        code = "story.again" if between else "story.since"
        values: dict[str, Any] = {"number": last, "n": len(between), "numbers": self.words.listed(between)}
        if self.decisive is None or self.decisive < last:
            return self._standing(code, self.signs[-1], **values)
        if self.decisive > last:
            return self._standing(f"{code}_cost", self.signs[-1], cost=self.decisive, **values)
        if between:
            return self.words.say("story.again_turned", **values)
        return self.words.say("story.turned", n=len(self.changes), number=last)

    def _between(self) -> list[str]:
        """The turns that neither the beginning tells nor the last one is, unless there are too many."""
        between = self.changes[2 if self.changes[0] == 1 else 1 : -1]
        return [str(number) for number in between] if len(between) <= NAMED else []

    def ending(self) -> str:
        position = self.game.position
        if position.winner is not None:
            return won(self.game.positions, self.voice, is_short=True)
        if position.is_over:
            return self.words.say("story.full")
        result = self.game.result
        if result is not None and result.winner is not None:
            return self.voice.say("story.given", result.winner)
        if result is not None and result.reason == "agreement":
            return self.words.say("story.agreed")
        if not self.signs:
            return self.words.say("story.open")
        return self._standing("story.open", self.signs[-1])


def won(positions: Sequence[Position], voice: Voice, *, is_short: bool = False) -> str:
    """How a finished game was won: the cell that decided, and why nothing could stop it, where that is so;
    and since when the line lacked one disc, unless it is to be short."""
    before, end = positions[-2], positions[-1]
    board, cell = end.board, end.mask ^ before.mask
    line = next(line for line in board.fours if line & cell and line & end.theirs == line)
    values: dict[str, Any] = {
        "number": end.ply,
        "cell": voice.words.cell(board, board.cell_of(cell)),
        "four": voice.words.four(board, board.cells_of(line)),
    }
    told = voice.say(f"story.won{_why(positions)}", before.side, **values)
    third = next(position.ply for position in positions if not line & ~cell & ~position.mask)
    is_seen = positions[0].ply < third <= end.ply - LONG
    if is_short or board.connect != THREE + 1 or not is_seen:
        return told
    return f"{told} {voice.say('story.third', before.side, four=values['four'], number=third)}"


def _why(positions: Sequence[Position]) -> str:
    """What the loser faced with the last disc: two threats, or no safe column."""
    if len(positions) < 3:
        return ""
    last = positions[-3]
    board = last.board
    open_cells = board.landings(last.mask)
    threats = board.winning_cells(last.theirs, last.mask)
    if (threats & open_cells).bit_count() >= 2:
        return ".fork"
    if not threats & open_cells and all(bit << 1 & threats for bit in bits(open_cells)):
        return ".zugzwang"
    return ""
