"""A search in plain Python: alpha-beta on integers, deeper and deeper until the time is over."""

from __future__ import annotations

import math
import time

from claimeven.export.parts.board import Game, count

WIN = 100_000  # less the ply at which the game is won
EXACT, AT_LEAST, AT_MOST = 0, 1, 2


class TimeIsUp(Exception):  # noqa: N818
    pass


class Search:
    """Kept for a whole game: what it has learned stays useful."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table: dict[int, tuple[int, int, int, int]] = {}  # depth, kind, value, best cell
        self.nodes = 0
        self.deadline = 0.0
        # The first player likes a winning cell on an odd row, the second on an even one.
        rows = [sum(game.bottom << r for r in range(parity, game.rows, 2)) for parity in (0, 1)]
        self.rows = rows if game.rows % 2 == 0 else [game.full, game.full]

    def choose(self, mine: int, mask: int, deadline: float) -> int:
        """The best column found before the deadline; a win at hand and a lone threat need no search."""
        game = self.game
        legal = game.legal(mask)
        cells = {column: game.landing(mask, column) for column in legal}
        for stones in (mine, mine ^ mask):
            wins = game.wins(stones, mask)
            for column in legal:
                if cells[column] & wins:
                    return column
        if len(self.table) > 1_000_000:
            self.table.clear()
        self.deadline, self.nodes = deadline, 0
        order, ply = legal, count(mask)
        try:
            for depth in range(1, game.columns * game.rows - ply + 1):
                values = self.iterate(mine, mask, [cells[column] for column in order], depth, ply)
                order = sorted(order, key=lambda column: -values[cells[column]])
                best = values[cells[order[0]]]
                if abs(best) > WIN // 2:
                    break
        except TimeIsUp as news:
            order = [column for column in legal if cells[column] == news.args[0]]
        return order[0]

    def score(self, mine: int, mask: int, depth: int) -> int:
        """The exact score of a position that ends within so many plies; there is no win at hand."""
        self.deadline = math.inf
        ply, threats = count(mask), self.game.wins(mine ^ mask, mask)
        value = self.value(mine, mask, threats, depth, -WIN, WIN, ply)
        score = (self.game.columns * self.game.rows + 2 - (WIN - abs(value))) // 2
        return score if value > 0 else -score

    def iterate(self, mine: int, mask: int, cells: list[int], depth: int, ply: int) -> dict[int, int]:
        """The value of every cell; only the best is exact."""
        values: dict[int, int] = {}
        best, favourite = -WIN, 0
        for cell in cells:
            try:
                wins = self.game.wins(mine | cell, mask | cell)
                theirs = self.game.wins(mine ^ mask, mask | cell)
                if theirs & self.game.landings(mask | cell):
                    value = -(WIN - ply - 2)
                else:
                    value = -self.value(mine ^ mask, mask | cell, wins, depth - 1, -WIN, -best, ply + 1)
            except TimeIsUp:
                # What this depth has found counts, unless it loses: then rather what is still open.
                raise TimeIsUp(favourite if best > -WIN // 2 else cell) from None
            values[cell] = value
            if value > best:
                best, favourite = value, cell
        return values

    def value(self, mine: int, mask: int, threats: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """For the side to move, who has no win at hand; `threats` are the opponent's winning cells."""
        self.nodes += 1
        if self.nodes & 63 == 0 and time.monotonic() > self.deadline:
            raise TimeIsUp
        game = self.game
        landings = (mask + game.bottom) & game.full
        if not landings:
            return 0
        moves = landings & ~(threats >> 1)
        forced = landings & threats
        if forced:
            moves = moves & forced if not forced & (forced - 1) else 0
        if not moves:
            return -(WIN - ply - 2)
        if depth <= 0:
            return self.judged(mine, mask, threats, ply)
        key = mine + mask
        known = self.table.get(key)
        first = 0
        if known is not None:
            if known[0] >= depth or abs(known[2]) > WIN // 2:
                if known[1] == EXACT or (known[1] == AT_LEAST and known[2] >= beta):
                    return known[2]
                if known[1] == AT_MOST and known[2] <= alpha:
                    return known[2]
            first = known[3]
        children = []
        while moves:
            cell = moves & -moves
            moves ^= cell
            wins = game.wins(mine | cell, mask | cell)
            children.append((cell == first, count(wins), -self.distance(cell), cell, wins))
        children.sort(reverse=True)
        best, favourite, low = -WIN, 0, alpha
        for _, _, _, cell, wins in children:
            value = -self.value(mine ^ mask, mask | cell, wins, depth - 1, -beta, -low, ply + 1)
            if value > best:
                best, favourite = value, cell
                low = max(low, value)
                if low >= beta:
                    break
        kind = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        self.table[key] = depth, kind, best, favourite
        return best

    def distance(self, cell: int) -> int:
        """Of its column from the middle."""
        return abs(2 * ((cell.bit_length() - 1) // self.game.height) + 1 - self.game.columns)

    def judged(self, mine: int, mask: int, threats: int, ply: int) -> int:
        """A guess: winning cells, on rows of the right parity above all."""
        wins, side = self.game.wins(mine, mask), ply % 2
        own = 2 * count(wins) + 5 * count(wins & self.rows[side])
        return own - 2 * count(threats) - 5 * count(threats & self.rows[1 - side])
