"""The naive referee: columns as lists, lines found by walking from every stone. No bits, no tricks.

Slow and obvious on purpose: what the rules in Python and in C++ are held against.
"""

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Referee:
    def __init__(self, columns: int = 7, rows: int = 6, connect: int = 4) -> None:
        self.columns, self.rows, self.connect = columns, rows, connect
        self.stacks: list[list[str]] = [[] for _ in range(columns)]
        self.found: set[tuple[int, int]] | None = set()  # what `four` has found; None: look again

    def at(self, column: int, row: int) -> str | None:
        if 0 <= column < self.columns and 0 <= row < len(self.stacks[column]):
            return self.stacks[column][row]
        return None

    @property
    def ply(self) -> int:
        return sum(len(stack) for stack in self.stacks)

    def play(self, column: int) -> None:
        self.stacks[column].append("xo"[self.ply % 2])
        self.found = None

    def undo(self, column: int) -> None:
        self.stacks[column].pop()
        self.found = None

    @property
    def four(self) -> set[tuple[int, int]]:
        """All cells of all runs of `connect` or more equal stones."""
        if self.found is None:
            self.found = self.search()
        return self.found

    def search(self) -> set[tuple[int, int]]:
        cells = set()
        for column in range(self.columns):
            for row in range(len(self.stacks[column])):
                for right, up in STEPS:
                    run = self.run(column, row, right, up)
                    if len(run) >= self.connect:
                        cells.update(run)
        return cells

    def run(self, column: int, row: int, right: int, up: int) -> list[tuple[int, int]]:
        """The cells with the same stone, from here on in one direction."""
        stone, cells = self.at(column, row), []
        while self.at(column, row) == stone:
            cells.append((column, row))
            column, row = column + right, row + up
        return cells

    @property
    def winner(self) -> int | None:
        owners = {self.at(*cell) for cell in self.four}
        assert len(owners) <= 1
        return "xo".index(owners.pop() or "") if owners else None

    @property
    def is_over(self) -> bool:
        return bool(self.four) or self.ply == self.columns * self.rows

    @property
    def legal(self) -> tuple[int, ...]:
        if self.is_over:
            return ()
        return tuple(c for c, stack in enumerate(self.stacks) if len(stack) < self.rows)

    def perft(self, depth: int) -> tuple[int, int]:
        """Sequences of `depth` moves: all, and those whose last move wins."""
        if depth == 0:
            return 1, int(bool(self.four))
        total = won = 0
        for column in self.legal:
            self.play(column)
            below = self.perft(depth - 1)
            self.undo(column)
            total, won = total + below[0], won + below[1]
        return total, won
