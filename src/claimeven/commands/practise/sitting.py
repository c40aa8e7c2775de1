"""Puzzles at the keyboard with a memory: what is tried is noted, and what comes next follows from it."""

import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import islice

from rich.console import Console

from claimeven.practice import Rating, fresh, next_rating
from claimeven.puzzles import Puzzle, daily_puzzle, pick_puzzles, puzzle_by_id
from claimeven.reasons.words import Words
from claimeven.solver import Solver
from claimeven.terminal.diary import Diary, milliseconds
from claimeven.terminal.riddles import Leave, Riddles
from claimeven.terminal.shelf import Shelf

NEAR = 80  # rating points around what is solved three times in four
FIRST, STEP, WIDTH, HARDEST = 600, 55, 180, 25  # ratings of a run
TIMED = 180  # seconds, as on the page


class Practice:
    def __init__(self, language: str) -> None:
        self.words, self.diary, self.mode = Words(language), Diary(), "train"
        self.riddles = Riddles(Console(highlight=False), language, note=self._note)

    def sit(self, puzzles: Iterable[Puzzle]) -> None:
        self.riddles.sit(puzzles)

    def matched(self, themes: Sequence[str] | None, count: int | None) -> None:
        """Not tried yet, and solved three times in four; the next one after the rating has moved."""
        pick_puzzles(themes)  # complains of a theme that there is not
        self.sit(islice(self._matching(themes), count))

    def daily(self) -> None:
        self.mode = "daily"
        self.sit([daily_puzzle(date.today())])

    def streak(self, seed: int | None) -> None:
        """Until the first error; the length is kept."""
        self._run("streak", seed)

    def timed(self, seed: int | None) -> None:
        """As many as three minutes allow; an answer that comes later does not count."""
        self.riddles.stop_after(TIMED)
        self._run("timed", seed)

    def _run(self, mode: str, seed: int | None) -> None:
        """Harder with every puzzle that is solved without an error or a hint; how many, is kept."""
        self.mode = mode
        chance, length, code = random.Random(seed), 0, "puzzle.run" if mode == "streak" else "puzzle.timed"
        try:
            while True:
                low = FIRST + STEP * min(length, HARDEST)
                near = pick_puzzles(rating=(low, low + WIDTH), seed=chance.getrandbits(32))
                if self.riddles.pose(near[0]):
                    length += 1
                elif mode == "streak":
                    break
                self.riddles.say(self.words.say(code, n=length))
                if mode == "timed":
                    self.riddles.say(self.words.say("puzzle.time_left", n=max(0, round(self.riddles.left))))
        except (Leave, EOFError):
            pass
        if self.riddles.left <= 0:
            self.riddles.say(self.words.say("puzzle.time_up"))
        self.riddles.say(self.words.say(code, n=length))
        if length:
            self.diary.add([fresh(milliseconds(), "run", mode=mode, count=length)])

    def cards(self, count: int | None) -> None:
        """What is due: puzzles that were missed, and moments of lost games."""
        self.mode = "card"
        self.diary.gather(Shelf(), Solver())
        due = self.diary.record.due(milliseconds())[:count]
        if not due:
            self.riddles.say(self.words.say("puzzle.no_cards"))
        try:
            for card in due:
                if card.puzzle is not None:
                    self.riddles.pose(puzzle_by_id(card.puzzle))
                else:
                    grade = self.riddles.recall(card)
                    self.diary.add([fresh(milliseconds(), "grade", card=card.key, grade=grade)])
        except (Leave, EOFError):
            pass

    def _matching(self, themes: Sequence[str] | None) -> Iterator[Puzzle]:
        while True:
            record = self.diary.record
            found = [puzzle for puzzle in pick_puzzles(themes) if puzzle.id not in record.tried]
            if not found:
                return
            yield _nearest(found, record.you)

    def _note(self, puzzle: Puzzle, grade: int) -> str:
        before = self.diary.record
        after = self.diary.note(puzzle, grade, self.mode)
        if puzzle.id in before.tried or puzzle.id not in after.puzzles:
            return ""  # only the first try is rated, and not in a run
        mine, its = after.you.shown, round(after.puzzles[puzzle.id].rating)
        return self.words.say(
            "puzzle.rated_new" if after.you.is_provisional else "puzzle.rated",
            rating=mine,
            change=f"{mine - before.you.shown:+d}",
            puzzle=its,
            moved=f"{its - puzzle.rating:+d}",
        )


def _nearest(puzzles: list[Puzzle], you: Rating) -> Puzzle:
    """One of those near the rating that suits, or the nearest of all; they are shuffled already."""
    wanted = next_rating(you)
    near = [puzzle for puzzle in puzzles if abs(puzzle.rating - wanted) <= NEAR]
    return near[0] if near else min(puzzles, key=lambda puzzle: abs(puzzle.rating - wanted))
