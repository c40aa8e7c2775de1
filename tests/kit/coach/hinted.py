"""Reads the stages of an English hint, and holds what they ask and say against the board, counted here."""

import re
from collections.abc import Callable

from claimeven.position import Position
from kit.coach import claims
from kit.coach.words import C, spot, spots

TOO_EARLY = r"\b(?:[Nn]ow have|Now |now they|From now on)"  # said of a disc that is not there yet
STANDS = rf"You have two winning cells, ({C}) and ({C})\."
WARNED = rf"Not ({C}(?:, {C})*(?: or {C})?): right above, they win\."


class HintReading:
    """The stages of a hint for one column, being read."""

    def __init__(self, position: Position, column: int, stages: list[str]) -> None:
        self.column, self.stages = column, stages
        self.before, self.after = claims.referee_of(position), claims.referee_of(position.play(column))
        self.you, self.they = ("xo", "ox")[position.side]
        self.spot = (column, position.height(column))

    def check(self) -> str:
        """What the first stage asks; AssertionError if a stage is false."""
        look, idea, _ = self.stages
        assert not any(re.search(TOO_EARLY, text) for text in self.stages), self.stages
        assert look != idea
        for words, is_true in ASKED.items():
            if words in look:
                assert is_true(self), self.stages
        self.check_pair(idea)
        self.check_warning()
        return next((words for words in ASKED if words in look), "")

    def lines(self) -> list[set[claims.Spot]]:
        """On which the disc falls: open, with a disc of the player."""
        return [
            set(run)
            for run in claims.windows(self.before)
            if self.spot in run
            and claims.stones_in(self.before, run, self.you)
            and not claims.stones_in(self.before, run, self.they)
        ]

    def meet(self) -> bool:
        lines = self.lines()
        return any(one & other == {self.spot} for one in lines for other in lines)

    def crosses_most(self) -> bool:
        before = self.before
        counts = {
            c: claims.lines_open_to(before, (c, len(before.stacks[c])), self.they) for c in before.legal
        }
        return counts[self.column] == max(counts.values())

    def check_pair(self, idea: str) -> None:
        """Two winning cells above each other are made by the disc, or stand where it is said that they do."""
        old, new = (set(claims.all_wins(game, self.you)) for game in (self.before, self.after))
        if "You can make two winning cells" in idea:
            assert any(claims.up(cell) in new and not {cell, claims.up(cell)} <= old for cell in new), idea
        if stands := re.search(STANDS, idea):
            lower, upper = map(spot, stands.groups())
            assert {lower, upper} <= old, idea
            assert claims.up(lower) == upper, idea

    def check_warning(self) -> None:
        for text in self.stages:
            for found in re.findall(WARNED, text):
                for cell in spots(found):
                    assert claims.is_open(self.before, cell), text
                    assert claims.wins_on(self.before, self.they, claims.up(cell)), text
                    assert cell != self.spot, text

    def losing_at_once(self) -> set[claims.Spot]:
        """Where a disc lets them win right above it."""
        landings = {(c, len(self.before.stacks[c])) for c in self.before.legal}
        return {cell for cell in landings if claims.wins_on(self.before, self.they, claims.up(cell))}

    def warned(self) -> set[claims.Spot]:
        text = " ".join(self.stages)
        return {cell for found in re.findall(WARNED, text) for cell in spots(found)}


ASKED: dict[str, Callable[[HintReading], bool]] = {
    "Where do two such lines meet?": HintReading.meet,
    "Which of your lines is still open?": lambda reading: bool(reading.lines()) and not reading.meet(),
    "Where does your next disc join the most open lines?": HintReading.crosses_most,
    "One of your lines lacks a single disc": lambda r: bool(claims.open_wins(r.before, r.you)),
    "They threaten to win with their next disc": lambda r: bool(claims.open_wins(r.before, r.they)),
    "Which discs of yours would threaten to win at once?": lambda r: bool(claims.open_wins(r.after, r.you)),
}
