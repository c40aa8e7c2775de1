"""What a person would call the mistake: the first thing that could have been seen, whatever the exact value.

Everybody who speaks of a mistake asks here: reviews, the end of a game, hints, lessons, an agent's view.
A kind says what there was to see; `depth` says how far away it was, in moves of the side that gains by it,
until its line stands on the board: 1 is the next disc. What nobody sees at the board is called deep, and
comes last.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from claimeven.board import bits
from claimeven.position import Cell, Position
from claimeven.reasons.reviewed.motif import Motif, MotifKind, decided, lasting, simplest, tactic
from claimeven.reasons.seen.ladder import GAINS
from claimeven.reasons.seen.move import Move, facts, fours_through
from claimeven.reasons.told.line import Decided
from claimeven.solver import Analysis, Outcome, Score

# With the next disc: a win not taken, a win not stopped, a win opened by playing right under it.
OneMoveKind = Literal["win_missed", "block_missed", "door_opened"]
# What the better move would have made (motif.py), or the answer to this one makes.
MissedKind = Literal[
    "fork_missed",
    "stacked_missed",
    "zugzwang_missed",
    "line_missed",
    "seven_missed",
    "pair_missed",
    "count_missed",
    "rows_missed",
]
AllowedKind = Literal[
    "fork_allowed",
    "stacked_allowed",
    "zugzwang_allowed",
    "line_allowed",
    "seven_allowed",
    "pair_allowed",
    "count_allowed",
    "rows_allowed",
]
# Played right under one's own winning cell; and what nobody sees at the board.
MistakeKind = OneMoveKind | Literal["threat_burned"] | MissedKind | AllowedKind | Literal["deep"]
ONE_MOVE: tuple[OneMoveKind, ...] = get_args(OneMoveKind)
MISSED: dict[MotifKind, MissedKind] = dict(zip(get_args(MotifKind), get_args(MissedKind), strict=True))
ALLOWED: dict[MotifKind, AllowedKind] = dict(zip(get_args(MotifKind), get_args(AllowedKind), strict=True))

WORTH = 3  # moves that a win is put off, or a loss comes sooner, for it to be a mistake
STEPS: dict[Outcome, int] = {"loss": 0, "draw": 1, "win": 2}
Asked = Callable[[Position], Analysis]


@dataclass(frozen=True)
class Mistake:
    """One move, and what could have been seen: everything as values, the words are the teller's."""

    kind: MistakeKind
    position: Position  # before the move
    column: int
    depth: int
    better: tuple[int, ...]  # the columns that are right here
    cells: tuple[Cell, ...] = ()
    fours: tuple[tuple[Cell, ...], ...] = ()
    line: tuple[int, ...] = ()  # the better move, or the answer to this one, and what follows
    had: Score | None = None  # with the better move; None when nothing is proved
    has: Score | None = None  # after this one
    end: Decided | None = None  # of a line of threats
    gain: tuple[int, Cell] | None = None  # of what was deep: a best answer, the winning cell it makes

    @property
    def is_one_move(self) -> bool:
        return self.kind in ONE_MOVE

    @property
    def plies(self) -> int:
        """From this move on, both sides counted, until the line stands on the board."""
        is_own = self.kind.endswith("_missed") and self.kind != "block_missed"
        return 2 * self.depth - 1 if is_own else 2 * self.depth

    @property
    def steps(self) -> int:
        """Of the outcome, that it cost: a win thrown away for a loss is two."""
        return (
            0 if self.had is None or self.has is None else STEPS[self.had.outcome] - STEPS[self.has.outcome]
        )


def mistake(position: Position, column: int, analyse: Asked | None = None) -> Mistake | None:
    """What was wrong with a move, as a person would say it; None for a good move, and when nothing helped.

    `analyse` gives exact scores; without it, or where it gives up, only what the rules show is said.

    >>> mistake(Position.parse("41414"), 6).kind
    'block_missed'
    """
    analysis = None if analyse is None else analyse(position)
    if analyse is None or analysis is None or not analysis.is_complete:
        return _Case(position, column).seen() or _Case(position, column).by_rules()
    case = _Proved(position, column, analysis.scores, analyse)
    return case.seen() or case.proved()


def loses_at_once(position: Position, column: int) -> bool:
    """They win with their next disc."""
    move = Move(position, column)
    return not move.is_won and bool(move.their_wins & move.open)


class _Case:
    """A move, by the rules alone."""

    had: Score | None = None
    has: Score | None = None

    def __init__(self, position: Position, column: int) -> None:
        self.position, self.column = position, column
        self.move = Move(position, column)
        self.safe = [other for other in position.legal if not loses_at_once(position, other)]

    def seen(self) -> Mistake | None:
        """What the next disc decides."""
        move = self.move
        if move.is_won:
            return None
        chance, danger = move.old_wins & move.open_before, move.their_wins & move.open
        if chance:
            columns = [self.position.board.column_of(bit) for bit in bits(chance)]
            return self.next_disc("win_missed", columns, move.old, chance)
        if not danger or not self.safe:
            return None
        standing = danger & move.open_before
        if standing:
            return self.next_disc("block_missed", self.best(self.safe), move.theirs, standing)
        return self.next_disc("door_opened", self.best(self.safe), move.theirs, danger)

    def next_disc(self, kind: OneMoveKind, better: Iterable[int], stones: int, cells: int) -> Mistake:
        """With a line for each of the cells."""
        board = self.position.board
        fours = tuple(board.cells_of(fours_through(board, stones | bit, bit)[0]) for bit in bits(cells))
        return self.found(kind, 1, better, board.cells_of(cells), fours)

    def best(self, columns: Iterable[int]) -> tuple[int, ...]:
        """Of these columns those that are right, as far as is known."""
        return tuple(columns)

    def by_rules(self) -> Mistake | None:
        """Two threats at once, missed or allowed."""
        if not self.safe or self.column not in self.safe or self.move.is_won:
            return None
        chances = {other: decided(self.position, other) for other in self.position.legal}
        if chances[self.column] is not None:
            return None
        chance = simplest(chances.values())
        if chance is not None:
            return self.missed(chance, [other for other in chances if chances[other] is not None])
        answers = {other: self._answer(other) for other in self.safe}
        answer, better = answers[self.column], [other for other in answers if answers[other] is None]
        return self.allowed(answer, better) if answer is not None and better else None

    def _answer(self, column: int) -> Motif | None:
        after = self.position.play(column)
        return simplest(decided(after, reply) for reply in after.legal)

    def missed(self, motif: Motif, better: Iterable[int]) -> Mistake:
        return self._motif(MISSED[motif.kind], motif, better)

    def allowed(self, motif: Motif, better: Iterable[int]) -> Mistake:
        return self._motif(ALLOWED[motif.kind], motif, better)

    def _motif(self, kind: MistakeKind, motif: Motif, better: Iterable[int]) -> Mistake:
        found = self.found(kind, motif.depth, better, motif.cells, motif.fours)
        return replace(found, line=motif.line, end=motif.end)

    def found(
        self,
        kind: MistakeKind,
        depth: int,
        better: Iterable[int],
        cells: Iterable[Cell] = (),
        fours: tuple[tuple[Cell, ...], ...] = (),
    ) -> Mistake:
        right, seen = tuple(better), tuple(cells)
        return Mistake(kind, self.position, self.column, depth, right, seen, fours, (), self.had, self.has)


class _Proved(_Case):
    """A move whose score is known, and that of every other column."""

    had: Score
    has: Score

    def __init__(self, position: Position, column: int, scores: Mapping[int, Score], analyse: Asked) -> None:
        super().__init__(position, column)
        self.scores, self.analyse = scores, analyse
        self.had, self.has = max(scores.values()), scores[column]

    def best(self, columns: Iterable[int]) -> tuple[int, ...]:
        found = {column: self.scores[column] for column in columns}
        top = max(found.values())
        if top.value < 0 or top.outcome == self.has.outcome:
            return tuple(column for column, score in found.items() if score == top)
        return tuple(column for column, score in found.items() if score.outcome == top.outcome)

    def proved(self) -> Mistake | None:
        """The simplest reason why another column was better."""
        if self.column not in self.safe or self.move.is_won or not self._is_worth_telling():
            return None
        missed, allowed, better = self._missed(), self._allowed(), self.best(self.position.legal)
        near = simplest((missed, allowed))
        burned = self.move.stone << 1 & self.move.old_wins
        if burned and (near is None or near.depth > 2):
            return self.found("threat_burned", 1, better, self.position.board.cells_of(burned))
        if near is not None:
            return self.missed(near, better) if near is missed else self.allowed(near, better)
        if self.had.outcome == self.has.outcome:
            return None
        deep = self.found("deep", self._distance(), better)
        return self._in_the_end(better) or replace(deep, gain=self._gain())

    def _gain(self) -> tuple[int, Cell] | None:
        """What the answer makes, where that shows: a winning cell in the rows of the other side."""
        after = self.position.play(self.column)
        made = ((reply, fact) for reply in self._answers for fact in facts(after, reply))
        return next(((reply, fact.cells[0]) for reply, fact in made if fact.kind in GAINS), None)

    def _is_worth_telling(self) -> bool:
        if self.had.outcome != self.has.outcome:
            return True
        return abs((self.had.moves or 0) - (self.has.moves or 0)) >= WORTH

    def _distance(self) -> int:
        """Of the nearer end: the win that was there, or the loss that comes."""
        return min(score.moves for score in (self.had, self.has) if score.moves is not None)

    def _missed(self) -> Motif | None:
        if self.had.value <= 0:
            return None
        return simplest(tactic(self.position, other, self.had.moves or 0) for other in self._top)

    def _allowed(self) -> Motif | None:
        if self.has.value >= 0:
            return None
        after = self.position.play(self.column)
        return simplest(tactic(after, reply, self.has.moves or 0) for reply in self._answers)

    def _in_the_end(self, better: tuple[int, ...]) -> Mistake | None:
        if self.had.value > 0:
            found = simplest(lasting(self.position, other, self.had.moves or 0) for other in self._top)
            if found is not None:
                return self.missed(found, better)
        if self.has.value < 0:
            after = self.position.play(self.column)
            found = simplest(lasting(after, reply, self.has.moves or 0) for reply in self._answers)
            if found is not None:
                return self.allowed(found, better)
        return None

    @property
    def _top(self) -> list[int]:
        return [column for column, score in self.scores.items() if score == self.had]

    @property
    def _answers(self) -> tuple[int, ...]:
        """Their best replies to the move."""
        return self.analyse(self.position.play(self.column)).best
