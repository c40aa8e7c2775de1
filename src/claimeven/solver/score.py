"""What a position is worth: its exact score, and its outcome."""

from functools import cache, total_ordering
from typing import Literal

from claimeven.notation import plural

Outcome = Literal["win", "draw", "loss"]  # for the side to move


@total_ordering
class Score:
    """The exact value of a position for its side to move.

    `value` is 1 + the winner's own stones left unplayed, positive when the side to move wins, negative
    when it loses, 0 for a draw. `moves` is how many moves the winner still has to make: 0 when the game is
    over, None for a draw. Scores compare by value, with each other and with numbers, and change sign with the
    side: `-score`.

    >>> score = Score(value=-2, moves=18)
    >>> score < 0, score == -2, abs(score), -score > score
    (True, True, 2, True)
    """

    __slots__ = ("moves", "value")
    value: int
    moves: int | None

    def __init__(self, value: int, moves: int | None) -> None:
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "moves", moves)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a score cannot be changed")

    def __reduce__(self) -> tuple[type["Score"], tuple[int, int | None]]:
        return Score, (self.value, self.moves)

    @property
    def outcome(self) -> Outcome:
        """ "win", "draw" or "loss" for the side to move."""
        return outcome_of(self.value)

    def __int__(self) -> int:
        return self.value

    def __abs__(self) -> int:
        return abs(self.value)

    def __neg__(self) -> "Score":
        return _score(-self.value, self.moves)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Score):
            return self.value == other.value
        return self.value == other if isinstance(other, int | float) else NotImplemented

    def __lt__(self, other: object) -> bool:
        if isinstance(other, Score):
            return self.value < other.value
        return self.value < other if isinstance(other, int | float) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"Score(value={self.value}, moves={self.moves})"

    def __str__(self) -> str:
        """In words: "wins in 9 moves"."""
        if self.moves is None:
            return "draw"
        if self.moves == 0:
            return "has won" if self.value > 0 else "has lost"
        return f"{'wins' if self.value > 0 else 'loses'} in {self.moves} {plural('move', self.moves)}"


_score = cache(Score)  # there are few different ones: each is made once


def outcome_of(value: int) -> Outcome:
    return "win" if value > 0 else "loss" if value < 0 else "draw"


def score_of(value: int, cells: int, ply: int) -> Score:
    """The score with this value at this ply of a board with so many cells.

    The winning stone is the winner's, so the stones before it have the parity of his turn; that leaves one
    of the two numbers that a value stands for.
    """
    if value == 0:
        return _score(0, None)
    turn = ply if value > 0 else ply + 1
    before = cells - 2 * abs(value)
    if (before - turn) % 2:
        before += 1
    return _score(value, (before - turn) // 2 + 1)
