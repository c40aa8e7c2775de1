"""A puzzle as its line of the file says it, walked by the naive referee. Nothing of the miner is used."""

from dataclasses import dataclass
from functools import cached_property

from claimeven.position import Position
from claimeven.solver import Solver
from kit.coach.claims import Spot, all_wins, column_scores, is_open, open_wins, sign
from kit.referee import Referee


@dataclass(frozen=True)
class Asked:
    """The five fields of a line."""

    moves: str
    goal: str
    themes: tuple[str, ...]
    rating: int
    answer: str

    @classmethod
    def read(cls, row: str) -> "Asked":
        moves, goal, themes, rating, answer = row.split(" ")
        return cls(moves, goal, tuple(themes.split(",")), int(rating), answer)

    @property
    def me(self) -> str:
        return "xo"[len(self.moves) % 2]

    @property
    def you(self) -> str:
        return "ox"[len(self.moves) % 2]

    @property
    def has_line(self) -> bool:
        return self.goal in ("win", "keep", "draw")

    @cached_property
    def columns(self) -> list[int]:
        return [int(digit) - 1 for digit in self.answer] if self.has_line else []

    def game(self, place: int = 0) -> Referee:
        """After so many columns of the answer."""
        referee = Referee()
        for digit in self.moves + self.answer[:place]:
            referee.play(int(digit) - 1)
        return referee

    def scores(self, solver: Solver, place: int = 0) -> dict[int, int]:
        return dict(column_scores(Position.parse(self.moves + self.answer[:place]), solver))


def landing(game: Referee, column: int) -> Spot:
    return column, len(game.stacks[column])


def put(game: Referee, spot: Spot, stone: str) -> None:
    game.stacks[spot[0]].append(stone)
    game.found = None


def right_columns(scores: dict[int, int]) -> list[int]:
    """All that keep the outcome of the best one."""
    best = sign(max(scores.values()))
    return [column for column, score in scores.items() if sign(score) == best]


def is_quiet(game: Referee) -> bool:
    return not open_wins(game, "x") and not open_wins(game, "o")


def opens(game: Referee, column: int, you: str) -> bool:
    """They would win right above."""
    spot = landing(game, column)
    game.play(column)
    found = not game.is_over and (spot[0], spot[1] + 1) in open_wins(game, you)
    game.undo(column)
    return found


def central(columns: list[int]) -> list[int]:
    return [column for column in columns if abs(column - 3) == min(abs(other - 3) for other in columns)]


def by_thumb(game: Referee, you: str, *, looks_above: bool = True) -> list[int]:
    """Win, block, else the centre, with or without a look at the cell above: every column that this finds."""
    for stone in (you, "x", "o"):
        if open_wins(game, stone):
            return [column for column, _ in open_wins(game, stone)]
    safe = [column for column in game.legal if not opens(game, column, you)]
    if looks_above and len(safe) < 3:
        return safe
    return central(list(game.legal)) + (central(safe) if looks_above and safe else [])


def fork_after(game: Referee, column: int, stone: str) -> list[Spot]:
    """Two open winning cells after a move, when the other side cannot win first."""
    other = "xo"["ox".index(stone)]
    game.play(column)
    wins = [] if game.is_over or open_wins(game, other) else open_wins(game, stone)
    game.undo(column)
    return wins if len(wins) > 1 else []


def new_wins(before: Referee, after: Referee, stone: str) -> list[Spot]:
    """Winning cells that a move made and that are not open yet."""
    old = all_wins(before, stone)
    return [spot for spot in all_wins(after, stone) if spot not in old and not is_open(after, spot)]
