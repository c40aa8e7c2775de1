"""What an agent says of its move: read back, and every claim held against the board."""

import random
import re
from collections import Counter
from collections.abc import Callable

import pytest

from claimeven.agents import make_agent
from claimeven.position import Position
from claimeven.reasons.reviewed.thought import ToldMove, told_move
from claimeven.reasons.words import LANGUAGES
from kit.coach.claims import referee_of, wins_on
from kit.coach.words import CELLS, FOUR, C, run_between, spot, spots
from kit.referee import Referee

SPECS = (*(f"level:{level}" for level in range(1, 10)), "rules", "random", "human")
Claim = Callable[["Moved", re.Match[str]], bool]


class Moved:
    """Before and after the move, as naively as can be."""

    def __init__(self, position: Position, column: int) -> None:
        self.before, self.after = referee_of(position), referee_of(position)
        self.me, self.you = "xo"[self.before.ply % 2], "ox"[self.before.ply % 2]
        self.spot = (column, len(self.before.stacks[column]))
        self.after.play(column)

    def is_open(self, cell: tuple[int, int]) -> bool:
        return len(self.after.stacks[cell[0]]) == cell[1] < self.after.rows

    def threatens(self, cells: list[tuple[int, int]]) -> bool:
        return all(self.is_open(cell) and wins_on(self.after, self.me, cell) for cell in cells)

    def with_mine(self, column: int) -> Referee:
        """Another disc of the one who moved, out of turn."""
        again = Referee(self.after.columns, self.after.rows, self.after.connect)
        again.stacks = [list(stack) for stack in self.after.stacks]
        again.stacks[column].append(self.me)
        return again

    def on(self, four: str, whose: str) -> int:
        return sum(self.after.at(*cell) == whose for cell in run_between(four))


def _denied(moved: Moved, found: re.Match[str]) -> bool:
    theirs = Referee(moved.before.columns, moved.before.rows, moved.before.connect)
    theirs.stacks = [list(stack) for stack in moved.before.stacks]
    theirs.stacks[moved.spot[0]].append(moved.you)
    return len(spots(found[1])) > 1 and all(wins_on(theirs, moved.you, cell) for cell in spots(found[1]))


def _prepares(moved: Moved, found: re.Match[str]) -> bool:
    column, row = spot(found[1])
    after = moved.with_mine(column)
    wins = [
        (c, r)
        for c in range(after.columns)
        for r in range(after.rows)
        if after.at(c, r) is None and wins_on(after, moved.me, (c, r))
    ]
    return moved.is_open((column, row)) and len(wins) > 1


def _trapped(moved: Moved, _: re.Match[str]) -> bool:
    heights = [(c, len(stack)) for c, stack in enumerate(moved.after.stacks) if len(stack) < moved.after.rows]
    return all(wins_on(moved.after, moved.me, (c, height + 1)) for c, height in heights)


CLAIMS: dict[str, Claim] = {
    rf"That makes my line: {FOUR}!": lambda m, f: m.on(f[1], m.me) == len(run_between(f[1])),
    rf"That takes ({C}), where you would have won\.": lambda m, f: (
        spot(f[1]) == m.spot and wins_on(m.before, m.you, m.spot)
    ),
    rf"Now I threaten to win on {CELLS}\. You can stop only one\.": lambda m, f: (
        len(spots(f[1])) > 1 and m.threatens(spots(f[1]))
    ),
    rf"Now I threaten ({C}) and, right above it, ({C})\.": lambda m, f: (
        m.threatens([spot(f[1])])
        and spot(f[2]) == (spot(f[1])[0], spot(f[1])[1] + 1)
        and wins_on(m.after, m.me, spot(f[2]))
    ),
    r"Wherever you play now, I win right above\.": _trapped,
    rf"Now I threaten to win on ({C})\.": lambda m, f: m.threatens([spot(f[1])]),
    rf"You could have played there yourself and threatened {CELLS} at once\.": _denied,
    rf"A disc on ({C}) next would make two threats for me\.": _prepares,
    rf"Now {CELLS} would win for me, once I get there\.": lambda m, f: all(
        wins_on(m.after, m.me, cell) for cell in spots(f[1])
    ),
    rf"I am building on {FOUR}\.": lambda m, f: m.on(f[1], m.me) >= 2 and not m.on(f[1], m.you),
    rf"That gets in the way of your {FOUR}\.": lambda m, f: (
        m.spot in run_between(f[1]) and m.on(f[1], m.you) >= 2 and m.on(f[1], m.me) == 1
    ),
    r"Every four across needs the middle column\.": lambda m, _: m.spot[0] == 3,
    r"Of the cells open now, none lies on more lines for me\.": lambda m, _: True,
    r"I liked that column best\.": lambda m, _: True,
    r"I did not think about it\. Any column would do\.": lambda m, _: True,
}
LAPSE = "This time I looked only at my own next disc."
EXPECTS = r"(I think I win .*|I am afraid that you win .*)"


def check(told: ToldMove, position: Position, column: int) -> str:
    """The pattern of the sentence about the disc; AssertionError if none reads it, or it is false."""
    said = told.says.removeprefix(LAPSE).strip()
    moved = Moved(position, column)
    for pattern, holds in CLAIMS.items():
        found = re.fullmatch(rf"{pattern}(?: {EXPECTS})?", said)
        if found is not None:
            assert holds(moved, found), (str(position), column, said)
            return pattern
    raise AssertionError(f"nobody can read {said!r}")


def test_every_claim_about_the_disc_is_true() -> None:
    seen, chance = Counter[str](), random.Random(5)
    for number in range(60):
        position = Position.parse("")
        agents = [make_agent(spec, seed=number) for spec in chance.sample(SPECS, 2)]
        while not position.is_over:
            choice = agents[position.side].choose(position)
            seen[check(told_move(choice, position, "Nia", "en"), position, choice.column)] += 1
            position = position.play(choice.column)
    assert len(seen) >= len(CLAIMS) - 1, seen


@pytest.mark.parametrize(("level", "because"), [(3, "diagonal"), (5, "diagonal"), (2, "discs? ahead")])
def test_who_overlooks_a_win_says_why(level: int, because: str) -> None:
    """By its level: it looks less far, or a line slips by; and what it was is told about it, by its name."""
    reasons = set[str]()
    position = Position.parse("64425136566")  # a diagonal is about to be completed
    for seed in range(400):
        choice = make_agent(f"level:{level}", seed=seed).choose(position)
        told = told_move(choice, position, "Nia", "en")
        if told.overlooked:
            reasons.add(told.because)
            assert "Nia" in told.overlooked or "olumn" in told.overlooked
        else:
            assert not told.because
    assert any(re.search(because, reason) for reason in reasons), reasons


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_number_of_a_search_and_no_english(language: str) -> None:
    for spec in ("level:3", "level:7", "perfect", "mcts:simulations=200", "neural", "minimax:depth=4"):
        for moves in ("", "44", "4131", "41414"):
            position = Position.parse(moves)
            told = told_move(make_agent(spec, seed=1).choose(position), position, "Nia", language)
            assert told.says
            plain = re.sub(rf"{C}", "", told.says)
            assert not re.search(r"\d{2}|\d\.\d|%", plain), told.says
            if language != "en":
                assert not re.search(r"\b(you|the|that|my|win)\b", plain, re.IGNORECASE), told.says


def test_a_false_claim_is_found() -> None:
    position = Position.parse("41414")
    with pytest.raises(AssertionError):
        check(ToldMove("That takes e1, where you would have won."), position, 4)
