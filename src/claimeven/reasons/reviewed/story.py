"""A game in two or three sentences: how it began, where it turned, how it ended and which cell decided."""

from collections.abc import Sequence
from typing import Any

from claimeven.board import bits
from claimeven.game import Game
from claimeven.position import Position
from claimeven.reasons.reviewed.mistake import Mistake
from claimeven.reasons.reviewed.voice import Voice

THREE = 3
NAMED = 3  # turns that are told one by one; more are counted
LONG = 4  # discs between the third one of a line and the last: it could have been seen twice


def story(
    game: Game, values: Sequence[int | None], decisive: int | None, swing: Mistake | None, voice: Voice
) -> tuple[str, ...]:
    """`values` after every ply, for the first player; `decisive`: the ply of the loser's visible mistake;
    `swing`: what turned a win into a loss.

    Plies count from 1, as moves do in every text.
    """
    if not game.columns:
        return ()
    told = _Story(game, values, decisive, voice)
    turned = "" if swing is None else told.swing(swing)
    turn = "" if turned and swing is not None and told.says_only(swing.position.ply + 1) else told.turn()
    return tuple(filter(None, (told.beginning(), turn, turned, told.ending())))


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
            won = self._is_won_by_beginning
            return self.voice.say("story.begins", 0) if won else self._standing("story.all", self.signs[0])
        if self.changes[0] == 1 and len(self.changes) == 1:
            return self.words.say("story.first_disc")
        skipped = self._skipped  # what the first disc changed in theory teaches nobody; what came then does
        code = "story.then" if skipped else "story.until"
        told = self._standing(code, self.signs[skipped], number=self.changes[skipped])
        if len(self.changes) != skipped + 2:
            return told
        middle = self.signs[self.changes[skipped] - self.game.start.ply]
        return f"{told} {self._standing('story.between', middle)}"

    def turn(self) -> str:
        if not self.changes:
            if self.decisive is not None:
                return self.words.say("story.on_the_board", number=self.decisive)
            won = self._is_won_by_beginning
            return self.voice.say("story.kept", 0) if won else self.words.say("story.no_turn")
        last = self.changes[-1]
        if self.changes == [last] and self.decisive is None and last > 1:
            return ""  # who was winning from then on, the end says
        if self.decisive is not None and self.decisive > last and len(self.changes) == 1:  # it was spoken of
            return self.words.say("story.on_the_board", number=self.decisive)
        between = self._between
        is_many = len(between) > NAMED
        code = "story.many" if is_many else "story.again" if between else "story.since"
        n = len(self.changes) if is_many else len(between)
        values: dict[str, Any] = {"number": last, "n": n, "numbers": self.words.listed(between)}
        if self.decisive is None or self.decisive < last:
            is_again = not between and self.signs[-1] == self.signs[self._skipped]
            return self._standing("story.regained" if is_again else code, self.signs[-1], **values)
        if self.decisive > last:
            return self._standing(f"{code}_cost", self.signs[-1], cost=self.decisive, **values)
        if between and not is_many:
            return self.words.say("story.again_turned", **values)
        return self.words.say("story.turned", n=len(self.changes), number=last)

    def swing(self, found: Mistake) -> str:
        """What turned a win into a loss, and what was right."""
        columns = [self.words.column(column) for column in found.better]
        number, listed = found.position.ply + 1, self.words.listed(columns)
        side = found.position.side
        return self.voice.say("story.swing", side, n=len(columns), number=number, columns=listed)

    def says_only(self, number: int) -> bool:
        """The turn would tell nothing but that the game changed hands with this move."""
        return self.changes[-1:] == [number] and not self._between and self.decisive in (None, number)

    @property
    def _is_won_by_beginning(self) -> bool:
        """On this board whoever begins can always win, and did not let it slip."""
        return self.game.start.ply == 0 and bool(self.signs) and self.signs[0] > 0

    @property
    def _skipped(self) -> int:
        """How many turns the beginning passes over: that of the first disc."""
        return int(self.changes[0] == 1)

    @property
    def _between(self) -> list[str]:
        """The turns that neither the beginning tells nor the last one is."""
        return [str(number) for number in self.changes[self._skipped + 1 : -1]]

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
    told = voice.say(f"story.won{_why(positions)}", positions[-2].side, **_last(positions, voice))
    third = None if is_short else _third(positions)
    if third is None:
        return told
    four = _last(positions, voice)["four"]
    return f"{told} {voice.say('story.third', positions[-2].side, four=four, number=third)}"


def led_to(positions: Sequence[Position], voice: Voice) -> tuple[str, ...]:
    """The same, after a sentence that has named the line: since when it lacked one disc, and what the loser
    faced."""
    third, why, side = _third(positions), _why(positions), positions[-2].side
    since = () if third is None else (voice.say("story.third_it", side, number=third),)
    return (*since, *((voice.say(f"story.end{why}", side, **_last(positions, voice)),) if why else ()))


def _won_line(positions: Sequence[Position]) -> tuple[int, int]:
    """The line that won, and its last cell."""
    end = positions[-1]
    cell = end.mask ^ positions[-2].mask
    return next(four for four in end.board.fours if four & cell and four & end.theirs == four), cell


def _last(positions: Sequence[Position], voice: Voice) -> dict[str, Any]:
    line, cell = _won_line(positions)
    board, words = positions[-1].board, voice.words
    where, four = board.cell_of(cell), words.four(board, board.cells_of(line))
    below = words.cell(board, where._replace(row=where.row - 1)) if where.row else ""
    return {"number": positions[-1].ply, "cell": words.cell(board, where), "below": below, "four": four}


def _third(positions: Sequence[Position]) -> int | None:
    """The ply since which the line lacked one disc, if that was long enough to be seen."""
    line, cell = _won_line(positions)
    third = next(position.ply for position in positions if not line & ~cell & ~position.mask)
    is_seen = positions[0].ply < third <= positions[-1].ply - LONG
    return third if is_seen and positions[-1].board.connect == THREE + 1 else None


def _why(positions: Sequence[Position]) -> str:
    """What the loser faced with the last disc: two threats, no safe column, or one threat above another."""
    if len(positions) < 3:
        return ""
    last, blocked = positions[-3], positions[-2].mask ^ positions[-3].mask
    board = last.board
    open_cells = board.landings(last.mask)
    threats = board.winning_cells(last.theirs, last.mask)
    if (threats & open_cells).bit_count() >= 2:
        return ".fork"
    if not threats & open_cells and all(bit << 1 & threats for bit in bits(open_cells)):
        return ".zugzwang"
    has_won = board.winning_cells(last.mine, last.mask) & open_cells  # who could win did not have to block
    is_above = blocked & threats and blocked << 1 == positions[-1].mask ^ positions[-2].mask
    return ".above" if is_above and not has_won else ""
