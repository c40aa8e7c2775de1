"""A collection out of what games gave: of every theme as many, and nothing twice."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from claimeven.position import Position
from claimeven.puzzles.puzzle import THEMES, Puzzle

NEAR = 2  # plies of one game that are too near


def collect(games: Iterable[list[Puzzle]], count: int) -> list[Puzzle]:
    """At most one puzzle of a game; the rarest theme chooses first, short and long ones in turn."""
    pools: dict[str, list[tuple[int, Puzzle]]] = {theme: [] for theme in THEMES}
    for number, puzzles in enumerate(games):
        for puzzle in puzzles:
            for theme in puzzle.themes:
                pools[theme].append((number, puzzle))
    shelf = _Shelf()
    by_rarity = sorted(THEMES, key=lambda theme: len({number for number, _ in pools[theme]}))
    fair = -(-count // len(THEMES))
    for most in (fair, 2 * fair):  # what a rare theme leaves is for the others
        for theme in by_rarity:
            shelf.fill(theme, pools[theme], most, count)
    return sorted(shelf.chosen, key=lambda puzzle: (THEMES.index(puzzle.theme), puzzle.moves))


class _Shelf:
    def __init__(self) -> None:
        self.chosen: list[Puzzle] = []
        self.per_theme: Counter[str] = Counter()
        self._games: set[int] = set()
        self._starts: set[int] = set()
        self._around: set[int] = set()  # positions shortly before, and in the solutions

    def fill(self, theme: str, pool: list[tuple[int, Puzzle]], most: int, count: int) -> None:
        """Up to so many of a theme, kind by kind in turn, as long as there are not `count` in all."""
        kinds: dict[str, list[tuple[int, Puzzle]]] = {}
        for number, puzzle in pool:
            kinds.setdefault(_kind(puzzle), []).append((number, puzzle))
        queues = [iter(kinds[kind]) for kind in sorted(kinds)]
        while queues and self.per_theme[theme] < most and len(self.chosen) < count:
            queues = [queue for queue in queues if self._take(theme, queue, most, count)]

    def _take(self, theme: str, queue: Iterator[tuple[int, Puzzle]], most: int, count: int) -> bool:
        if self.per_theme[theme] >= most or len(self.chosen) >= count:
            return False
        for number, puzzle in queue:
            around = set(_near(puzzle))
            start = puzzle.position.canonical_key
            if number in self._games or start in self._around or around & self._starts:
                continue
            self._games.add(number)
            self._starts.add(start)
            self._around |= around
            self.per_theme[theme] += 1
            others = (other for other in puzzle.themes if other != theme)
            self.chosen.append(replace(puzzle, themes=(theme, *others)))
            return True
        return False


def _kind(puzzle: Puzzle) -> str:
    """Puzzles of one theme differ by how long they are, or by what the answer is."""
    return str(puzzle.steps) if puzzle.has_line else puzzle.answer


def _near(puzzle: Puzzle) -> Iterator[int]:
    """The position itself, those shortly before it, and those of the solution."""
    for back in range(NEAR + 1):
        yield Position.parse(puzzle.moves[: len(puzzle.moves) - back]).canonical_key
    position = puzzle.position
    for column in puzzle.line:
        position = position.play(column)
        yield position.canonical_key
