"""Looking up the opening book (docs/book.md has the format): used when the engine does not load."""

from __future__ import annotations

from claimeven.export.parts.board import Game, count
from claimeven.export.parts.search import Search

WORD = (1 << 64) - 1


class Book:
    """The exact score of every 7x6 position to some ply; None for the few that it leaves out."""

    def __init__(self, data: bytes) -> None:
        if data[:8] != b"c4book\r\n":
            raise ValueError("this is not an opening book")
        self.plies = int.from_bytes(data[12:16], "little")
        self.seed, self.length, self.segments = (
            int.from_bytes(data[at : at + 8], "little") for at in (24, 32, 40)
        )
        self.data = data

    def score(self, game: Game, mine: int, mask: int) -> int | None:
        """For a position without a win at hand."""
        key = min(mine + mask, game.mirror(mine) + game.mirror(mask))
        word = (key + self.seed) & WORD
        word = (word ^ word >> 33) * 0xFF51AFD7ED558CCD & WORD
        word = (word ^ word >> 33) * 0xC4CEB9FE1A85EC53 & WORD
        word ^= word >> 33
        first = word * (self.segments * self.length) >> 64
        second = (first + self.length) ^ (word >> 18 & self.length - 1)
        third = (first + 2 * self.length) ^ (word & self.length - 1)
        code = self.cell(first) ^ self.cell(second) ^ self.cell(third)
        return None if code == 31 else code - 16

    def cell(self, number: int) -> int:
        at, shift = divmod(5 * number, 8)
        return (self.data[56 + at] | self.data[57 + at] << 8) >> shift & 31

    def best(self, search: Search, mine: int, mask: int) -> int | None:
        """The column with the best score; None when the book does not know. There is no win at hand."""
        game = search.game
        if not game.is_usual or count(mask) >= self.plies:
            return None
        scores = {}
        for column in game.legal(mask):
            theirs, after = mine ^ mask, mask | game.landing(mask, column)
            if game.wins(theirs, after) & game.landings(after):
                continue  # hands over a win
            score = self.score(game, theirs, after)
            # The scores that it leaves out are of games that end with the 14th stone or before.
            scores[column] = -(search.score(theirs, after, 14 - count(after)) if score is None else score)
        return max(scores, key=lambda column: scores[column]) if scores else None
