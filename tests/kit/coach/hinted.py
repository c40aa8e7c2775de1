"""Reads the stages of an English hint, and holds what they ask and say against the board, counted here."""

import re
from collections.abc import Callable

from claimeven.position import Position
from claimeven.solver import Solver
from kit.coach import claims
from kit.coach.words import CELLS, C, run_between, spot, spots

TOO_EARLY = r"\b(?:[Nn]ow have|Now |now they|From now on)"  # said of a disc that is not there yet
STANDS = rf"You have two winning cells, ({C}) and ({C}): they can stop only one\."
WARNED = rf"Not ({C}(?:, {C})*(?: or {C})?): right above, they win\."
FOLLOWED = 3  # discs in turn
FORCED = 5  # threats before the last
BRIEF = 21  # words of an idea


class HintReading:
    """The stages of a hint for one column, being read."""

    def __init__(self, position: Position, column: int, stages: list[str], solver: Solver) -> None:
        self.position, self.column, self.stages, self.solver = position, column, stages, solver
        self.before, self.after = claims.referee_of(position), claims.referee_of(position.play(column))
        self.you, self.they = ("xo", "ox")[position.side]
        self.spot = (column, position.height(column))

    def check(self) -> str:
        """How the first stage points; AssertionError if a stage is false, or has a form that nobody knows."""
        look, idea, last = self.stages
        assert not any(re.search(TOO_EARLY, text) for text in self.stages), self.stages
        assert look != idea
        assert len(idea.split()) <= BRIEF, idea
        named = {cell for found in re.findall(rf"\b{C}\b", look) for cell in spots(found)}
        assert not any(cell[0] == self.column for cell in named), self.stages
        self.check_pair(idea)
        self.check_idea(look, idea)
        self.check_warning()
        self.check_last(last)
        for words, is_true in LOOKS.items():
            if found := re.fullmatch(words, look):
                assert is_true(self, *map(spots, found.groups())), (str(self.position), self.stages)
                return words
        raise AssertionError(f"nobody can read: {look}")

    # What the first stage points at ----------------------------------------------------------------

    def lines(
        self, stone: str, cells: list[claims.Spot], column: int | None = None
    ) -> list[set[claims.Spot]]:
        """Open lines with just these discs, that the disc to play lies on; or that end in its column."""
        other = "o" if stone == "x" else "x"
        return [
            set(run)
            for run in claims.windows(self.before)
            if (self.spot in run if column is None else any(s[0] == column for s in run))
            and {s for s in run if self.before.at(*s) == stone} == set(cells)
            and not claims.stones_in(self.before, run, other)
        ]

    def lack_one(self, stone: str, cells: list[claims.Spot]) -> bool:
        return len(cells) == self.before.connect - 1 and bool(self.lines(stone, cells))

    def goes_on(self, cells: list[claims.Spot]) -> bool:
        """With the disc to play, or with one above it that completes the line."""
        is_key = len(cells) == self.before.connect - 1 and bool(self.lines(self.you, cells, self.column))
        return bool(self.lines(self.you, cells)) or is_key

    def threatened(self, cells: list[claims.Spot]) -> bool:
        return set(cells) <= set(claims.open_wins(self.after, self.you))

    def they_could_threaten(self, cells: list[claims.Spot]) -> bool:
        """One disc of theirs, somewhere in reach, makes all of these winning cells."""
        game = claims.referee_of(self.position)
        for column in game.legal:
            game.stacks[column].append(self.they)
            is_made = set(cells) <= set(claims.all_wins(game, self.they))
            game.stacks[column].pop()
            if is_made:
                return True
        return False

    def few_and_most(self, cells: list[claims.Spot]) -> bool:
        """Lines that one side can still complete; no other free cell lies on as many as the disc."""
        stones = ({self.before.at(*cell) for cell in run} - {None} for run in claims.windows(self.before))
        runs = [run for run, of in zip(claims.windows(self.before), stones, strict=True) if len(of) < 2]
        count = {(c, len(self.before.stacks[c])) for c in self.before.legal}
        through = {cell: sum(cell in run for run in runs) for cell in count}
        return all(through[cell] < through[self.spot] for cell in cells) and (
            sorted(through.values())[-2] < through[self.spot]
            and max(through[cell] for cell in cells) <= min(through[c] for c in through if c not in cells)
        )

    def opens_a_win(self, cells: list[claims.Spot]) -> bool:
        above = {claims.up(cell) for cell in cells if claims.is_open(self.before, cell)}
        wins = {*claims.all_wins(self.before, "x"), *claims.all_wins(self.before, "o")}
        return len(above) == len(cells) and above <= wins

    def is_worse(self, cells: list[claims.Spot]) -> bool:
        """A single column, worth less than the one to play."""
        (cell,) = cells
        scores = claims_scores(self.position, self.solver)
        return claims.is_open(self.before, cell) and scores[cell[0]] < scores[self.column]

    # What the others say ---------------------------------------------------------------------------

    def check_pair(self, idea: str) -> None:
        """Two winning cells above each other are made by the disc, or stand where it is said that they do."""
        old, new = (set(claims.all_wins(game, self.you)) for game in (self.before, self.after))
        if "You can make two winning cells" in idea:
            assert any(claims.up(cell) in new and not {cell, claims.up(cell)} <= old for cell in new), idea
        if stands := re.search(STANDS, idea):
            lower, upper = map(spot, stands.groups())
            assert {lower, upper} <= old, idea
            assert claims.up(lower) == upper, idea

    def check_idea(self, look: str, idea: str) -> None:
        """What it says of cells holds, and it does not say less than the first stage: it names them, too."""
        *_, last = re.split(r"(?<=\.) ", idea)
        is_read = False
        for words, is_true in IDEAS.items():
            for sentence in {idea, last}:
                if found := re.fullmatch(words, sentence):
                    assert is_true(self, *map(spots, found.groups())), (str(self.position), self.stages)
                    is_read = True
        assert is_read == bool(re.search(rf"\b{C}\b", idea)), f"nobody can read: {idea}"
        asked = re.search(CELLS, look)
        told = (
            spots(asked[1]) if asked and "Few lines run" not in look and "need one more" not in look else []
        )
        if any(self.before.at(*cell) or not claims.is_open(self.before, cell) for cell in told):
            assert is_read, (str(self.position), self.stages)

    def can_threaten(self, cells: list[claims.Spot]) -> bool:
        """The disc to play threatens to win on these, and on two cells at least."""
        wins = set(claims.open_wins(self.after, self.you))
        return set(cells) <= wins and len(wins) > 1

    def can_prepare(self, cells: list[claims.Spot]) -> bool:
        """After the disc one more in reach would make all of these winning cells, two at least, and the last
        stage speaks of the same."""
        for column in self.after.legal:
            self.after.stacks[column].append(self.you)
            wins = claims.all_wins(self.after, self.you)
            self.after.stacks[column].pop()
            if set(cells) <= set(wins) and len(wins) > 1:
                told = {cell for found in re.findall(rf"\b{C}\b", self.stages[-1]) for cell in spots(found)}
                return "prepares" not in self.stages[-1] or set(cells) <= told
        return False

    def makes(self, cells: list[claims.Spot]) -> bool:
        """A line of these and of the disc to play lacks one cell."""
        for run in claims.windows(self.before):
            if self.spot in run and set(cells) < set(run):
                left = [s for s in run if self.after.at(*s) is None]
                if len(left) == 1 and not claims.stones_in(self.before, run, self.they):
                    return True
        return False

    def below(self, stone: str, cells: list[claims.Spot]) -> bool:
        """Winning cells, that somebody could be right below."""
        wins = claims.all_wins(self.before, stone)
        return all(cell in wins and not claims.is_open(self.before, cell) for cell in cells)

    def check_warning(self) -> None:
        for text in self.stages:
            for found in re.findall(WARNED, text):
                for cell in spots(found):
                    assert claims.is_open(self.before, cell), text
                    assert claims.wins_on(self.before, self.they, claims.up(cell)), text
                    assert cell != self.spot, text

    def check_last(self, last: str) -> None:
        """No long line of play; what only a hint says of the column is true."""
        for moves in re.findall(r"\bAfter ((?:\w )+)", last):
            assert len([word for word in moves.split() if word.isdigit()]) <= FOLLOWED, last
        for sentence in self.sentences():
            for words, is_true in LASTS.items():
                if found := re.fullmatch(words, sentence):
                    assert is_true(self, *found.groups()), (str(self.position), sentence)

    def sentences(self) -> list[str]:
        """Of the last stage, after the verdict."""
        return re.split(r"(?<=\.) ", self.stages[-1])[1:]

    def is_own_sentence(self, sentence: str) -> bool:
        """One that only a hint says: it is read here."""
        return any(re.fullmatch(words, sentence) for words in LASTS)

    def answers(self) -> set[claims.Spot]:
        """Where they win after the disc."""
        after = self.position.play(self.column)
        scores = claims_scores(after, self.solver)
        return {(column, after.height(column)) for column, value in scores.items() if value > 0}

    def blocks(self, fours: str) -> bool:
        runs = [run_between(four) for four in re.split(", | and ", fours)]
        return all(
            self.spot in run
            and claims.stones_in(self.before, run, self.they) > 0
            and not claims.stones_in(self.before, run, self.you)
            for run in runs
        )

    def builds(self, fours: str) -> bool:
        runs = [run_between(four) for four in re.split(", | and ", fours)]
        return all(
            self.spot in run
            and claims.stones_in(self.before, run, self.you) > 0
            and not claims.stones_in(self.before, run, self.they)
            for run in runs
        )

    def most_others(self, is_so: Callable[[int], bool]) -> bool:
        others = [column for column in self.position.legal if column != self.column]
        return 2 * sum(map(is_so, others)) > len(others)

    def taken_wins(self, cell: str) -> bool:
        """After most other columns a disc on this cell wins for them, sooner or later."""

        def is_lost(column: int) -> bool:
            after = self.position.play(column)
            reply = spot(cell)[0]
            return reply in after.legal and claims_scores(after, self.solver)[reply] > 0

        return spot(cell) == self.spot and self.most_others(is_lost)

    def only_answer(self, cell: str) -> bool:
        def is_only(column: int) -> bool:
            scores = claims_scores(self.position.play(column), self.solver)
            return [reply for reply, value in scores.items() if value > 0] == [self.column]

        return spot(cell) == self.spot and self.most_others(is_only)

    def played_threatens(self, reply: str, cells: str) -> bool:
        """After most other columns this disc of theirs makes all of these winning cells of theirs."""

        def is_made(column: int) -> bool:
            game = claims.referee_of(self.position.play(column))
            if not claims.is_open(game, spot(reply)):
                return False
            game.stacks[spot(reply)[0]].append(self.they)
            return set(spots(cells)) <= set(claims.all_wins(game, self.they))

        return self.most_others(is_made)

    def forces(self, both: str | None, lower: str | None, upper: str | None) -> bool:
        """Threats with one answer each lead there: tried out."""
        game = claims.referee_of(self.position)

        def is_there() -> bool:
            wins = claims.all_wins(game, self.you)
            if both:
                return set(spots(both)) <= set(claims.open_wins(game, self.you))
            if lower and upper:
                return claims.is_open(game, spot(lower)) and {spot(lower), spot(upper)} <= set(wins)
            landings = [(c, len(game.stacks[c])) for c in game.legal]
            return all(claims.up(cell) in wins for cell in landings)

        def leads(column: int, left: int) -> bool:
            game.play(column)
            wins = claims.open_wins(game, self.you)
            found = not claims.open_wins(game, self.they) and is_there()
            if not found and left and len(wins) == 1 and not claims.open_wins(game, self.they):
                reply = wins[0][0]
                game.play(reply)
                found = any(leads(following, left - 1) for following in list(game.legal))
                game.undo(reply)
            game.undo(column)
            return found

        return leads(self.column, FORCED)

    def losing_at_once(self) -> set[claims.Spot]:
        """Where a disc lets them win right above it."""
        landings = {(c, len(self.before.stacks[c])) for c in self.before.legal}
        return {cell for cell in landings if claims.wins_on(self.before, self.they, claims.up(cell))}

    def warned(self) -> set[claims.Spot]:
        text = " ".join(self.stages)
        return {cell for found in re.findall(WARNED, text) for cell in spots(found)}


def claims_scores(position: Position, solver: Solver) -> dict[int, int]:
    return dict(claims.column_scores(position, solver))


LOOKS: dict[str, Callable[..., bool]] = {
    rf"Your discs {CELLS} need one more\. Where\?": lambda r, cells: r.lack_one(r.you, cells),
    rf"Their discs {CELLS} need one more\. Where\?": lambda r, cells: r.lack_one(r.they, cells),
    r"You can win with this disc\. Where\?": lambda r: bool(claims.open_wins(r.before, r.you)),
    r"They threaten to win with their next disc\. Where\?": lambda r: bool(
        claims.open_wins(r.before, r.they)
    ),
    rf"Look at {CELLS}\. Which disc would threaten (?:both|to win there)\?": HintReading.threatened,
    rf"Look at {CELLS}\. Which disc of theirs would threaten (?:both|to win there)\?": (
        HintReading.they_could_threaten
    ),
    rf"Look at {CELLS}\. What could you make there\?": lambda r, cells: (
        not any(r.before.at(*cell) for cell in cells)
    ),
    rf"Look at your discs? {CELLS}\. Where does (?:that line|a line from it) go on\?": HintReading.goes_on,
    rf"Look at their discs {CELLS}\. Where would you stop that line\?": lambda r, cells: bool(
        r.lines(r.they, cells)
    ),
    rf"A disc on {CELLS} would win for you\. How do you get there\?": lambda r, cells: (
        set(cells) <= set(claims.all_wins(r.before, r.you))
    ),
    rf"A disc on {CELLS} would win for them\. How do you keep them away\?": lambda r, cells: (
        set(cells) <= set(claims.all_wins(r.before, r.they))
    ),
    rf"Whoever plays on {CELLS} opens a winning cell\. Who will have to\?": HintReading.opens_a_win,
    rf"Few open lines run through {CELLS}\. Where do the most run\?": HintReading.few_and_most,
    rf"Suppose you play {CELLS}\. What would they answer\?": HintReading.is_worse,
    r"What would they play right above your disc\?": lambda r: True,
}
IDEAS: dict[str, Callable[..., bool]] = {
    rf"One disc more completes {CELLS}: it wins at once\.": lambda r, cells: r.lack_one(r.you, cells),
    rf"Put your disc where they would complete {CELLS}\.": lambda r, cells: r.lack_one(r.they, cells),
    rf"You can threaten to win on {CELLS}(?: and on one more cell)? at once\.": HintReading.can_threaten,
    rf"You can prepare two winning cells,(?: one of them)? {CELLS}\.": lambda r, cells: r.can_prepare(cells),
    rf"They are about to (?:make two threats at once, one on|threaten|make two winning cells, one of them|"
    rf"make two winning cells,) {CELLS}(?: at once)?: take that away\.": HintReading.they_could_threaten,
    rf"They are about to make two (?:threats at once|winning cells): get in the way of {CELLS}\.": (
        lambda r, cells: bool(r.lines(r.they, cells))
    ),
    rf"They want one cell most, on a line of {CELLS}: take it first\.": lambda r, cells: bool(
        r.lines(r.they, cells)
    ),
    rf"They want one cell most; more open lines run through it than through {CELLS}: take it first\.": (
        HintReading.few_and_most
    ),
    rf"They are building a line with {CELLS}: get in its way\.": lambda r, cells: bool(
        r.lines(r.they, cells)
    ),
    rf"Build on {CELLS}(?:, where the line is still open)?\.": HintReading.goes_on,
    rf"Build on {CELLS}: make a winning cell that they cannot play under\.": HintReading.makes,
    rf"Stop {CELLS}\.": lambda r, cells: r.lack_one(r.they, cells),
    rf"Get in the way of {CELLS}\.": lambda r, cells: bool(r.lines(r.they, cells)),
    rf"A disc on {CELLS} is worse\.": HintReading.is_worse,
    rf"You do not want to play right below {CELLS}\.": lambda r, cells: r.below(r.you, cells),
    rf"Do not play right below {CELLS}\.": lambda r, cells: r.below(r.they, cells),
    rf"Leave {CELLS} to them\.": HintReading.opens_a_win,
    rf"You have two winning cells, {CELLS}: they can stop only one\.": lambda r, cells: r.below(r.you, cells),
    rf"Not {CELLS}: right above, they win\.": lambda r, cells: True,  # check_warning
}
PLAIN = rf"({C}(?:–{C})?(?: and {C}(?:–{C})?)?)"
LASTS: dict[str, Callable[..., bool]] = {
    rf"They win only if they find {CELLS}\.": lambda r, cells: set(spots(cells)) == r.answers(),
    rf"It blocks their lines? {PLAIN}\.": HintReading.blocks,
    rf"It builds your lines? {PLAIN}\.": HintReading.builds,
    rf"(\d+) lines? that can still be yours runs? through ({C})\.": lambda r, count, cell: (
        spot(cell) == r.spot and claims.lines_open_to(r.before, r.spot, r.they) == int(count)
    ),
    rf"Then a disc on {CELLS} would win for you\.": lambda r, cells: (
        set(spots(cells)) <= set(claims.all_wins(r.after, r.you))
    ),
    rf"It makes two winning cells, ({C}) and, right above it, ({C})\.": lambda r, lower, upper: (
        {spot(lower), spot(upper)} <= set(claims.all_wins(r.after, r.you))
        and claims.up(spot(lower)) == spot(upper)
    ),
    r"With best play they win\.": lambda r: max(claims_scores(r.position, r.solver).values()) < 0,
    rf"After most other columns they take ({C}) and win (?:in the long run|by force)\.": (
        HintReading.taken_wins
    ),
    rf"It takes ({C}), the one cell that would beat most other columns\.": HintReading.only_answer,
    rf"After most other columns they play ({C}) and threaten {CELLS} at once\.": (
        HintReading.played_threatens
    ),
    rf"After most other columns they play ({C}) and have two winning cells, {CELLS}\.": (
        HintReading.played_threatens
    ),
    rf"Every answer is forced, until (?:you threaten to win on {CELLS} at once|"
    rf"you threaten ({C}) and, right above it, ({C})|they have no safe column left)\.": HintReading.forces,
    WARNED: lambda r, cells: True,  # check_warning
}
