"""Every game of a plan once more, as naively as can be, to hold the words of a leaf against.

It knows the rules of docs/map.md and nothing of the code that tells: cells are names, boards sets of them.
"""

import re
from collections.abc import Container
from functools import cached_property
from typing import NamedTuple

COLUMNS, ROWS = "abcdefg", range(1, 7)
UPWARDS = [[f"{column}{row}" for row in ROWS] for column in COLUMNS]
CELL = r"[a-g][1-6]"


def _fours() -> list[frozenset[str]]:
    found = []
    for c in range(7):
        for r in ROWS:
            for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(c + across * i, r + up * i) for i in range(4)]
                if all(column < 7 and row in ROWS for column, row in cells):
                    found.append(frozenset(f"{COLUMNS[column]}{row}" for column, row in cells))
    return found


FOURS = _fours()
THROUGH = {f"{c}{r}": [four for four in FOURS if f"{c}{r}" in four] for c in COLUMNS for r in ROWS}
OTHERS = {cell: [four - {cell} for four in fours] for cell, fours in THROUGH.items()}  # of each, the rest


class Seen(NamedTuple):
    """The opponent is to move."""

    theirs: frozenset[str]
    ours: frozenset[str]


class Rules(NamedTuple):
    urgent: list[str]
    answers: dict[str, list[str]]
    spare: list[str]


class Witness:
    def __init__(self, start: Seen, rules: Rules) -> None:
        self.start, self.rules = start, rules
        self.forced: dict[Seen, bool] = {}
        self.by_threats: dict[Seen, bool] = {}

    def open_cells(self, taken: Container[str]) -> list[str]:
        found = []
        for column in UPWARDS:
            for cell in column:
                if cell not in taken:
                    found.append(cell)
                    break
        return found

    def completes(self, stones: frozenset[str], cell: str) -> bool:
        return any(map(stones.issuperset, OTHERS[cell]))

    def answer(self, theirs: frozenset[str], ours: frozenset[str], x: str) -> tuple[str, str]:
        """By which rule, and the cell."""
        free = self.open_cells(theirs | ours)
        for stones in (ours, theirs):
            for cell in free:
                if self.completes(stones, cell):
                    return "four", cell
        for kind, cells in (("urgent", self.rules.urgent), ("exception", self.rules.answers.get(x, []))):
            for cell in cells:
                if cell in free:
                    return kind, cell
        top = f"{x[0]}{int(x[1]) + 1}"
        if top in free:
            return "top", top
        return "spare", next((cell for cell in self.rules.spare if cell in free), "")

    def after(self, now: Seen, x: str) -> Seen:
        theirs = now.theirs | {x}
        return Seen(theirs, now.ours | {self.answer(theirs, now.ours, x)[1]})

    def wins(self, now: Seen, x: str) -> list[str]:
        free = self.open_cells(now.theirs | now.ours | {x})
        return [cell for cell in free if self.completes(now.ours, cell)]

    def loses(self, now: Seen, x: str) -> bool:
        """At once, or by force: by the plan, or by threats of a few discs, whatever it says."""
        if self.loses_by_plan(now, x):
            return True
        after = Seen(now.theirs | {x}, now.ours)
        if after not in self.by_threats:
            self.by_threats[after] = self.forces(*after)
        return self.by_threats[after]

    def loses_by_plan(self, now: Seen, x: str) -> bool:
        if self.wins(now, x):
            return True
        after = self.after(now, x)
        if "" in after.ours:
            return False
        if after not in self.forced:
            threats = [c for c in self.open_cells(after.theirs | after.ours) if self.completes(after.ours, c)]
            is_forced = bool(threats) and all(self.loses_by_plan(after, threat) for threat in threats)
            self.forced[after] = len(threats) > 1 or is_forced
        return self.forced[after]

    def forces(self, theirs: frozenset[str], ours: frozenset[str], discs: int = 4) -> bool:
        """Whether the holder, to move, wins by so many threats, whatever the plan says."""
        free = self.open_cells(theirs | ours)
        if any(self.completes(ours, cell) for cell in free):
            return True
        blocks = [cell for cell in free if self.completes(theirs, cell)]
        if discs == 1 or len(blocks) > 1:
            return False
        for y in blocks or free:
            after = self.open_cells(theirs | ours | {y})
            threats = [cell for cell in after if self.completes(ours | {y}, cell)]
            is_forced = bool(threats) and not any(self.completes(theirs, cell) for cell in after)
            if is_forced and all(self.forces(theirs | {t}, ours | {y}, discs - 1) for t in threats):
                return True
        return False

    @cached_property
    def games(self) -> dict[Seen, list[Seen]]:
        """Where an opponent who avoids forced losses can come to, and what follows there."""
        found: dict[Seen, list[Seen]] = {}
        waiting = [self.start]
        while waiting:
            now = waiting.pop()
            if now in found:
                continue
            free = self.open_cells(now.theirs | now.ours)
            found[now] = [self.after(now, x) for x in free if not self.loses(now, x)]
            waiting.extend(found[now])
        return found

    @cached_property
    def ends(self) -> list[Seen]:
        return [now for now, after in self.games.items() if not after]

    @cached_property
    def longest(self) -> list[Seen]:
        """The ends that come after the longest resistance."""
        lengths: dict[Seen, int] = {}
        for now in sorted(self.games, key=lambda each: -len(each.theirs)):
            lengths[now] = max((1 + lengths[after] for after in self.games[now]), default=0)
        found, seen, waiting = [], set(), [self.start]
        while waiting:
            now = waiting.pop()
            if now not in seen:
                seen.add(now)
                after = [child for child in self.games[now] if lengths[child] == lengths[now] - 1]
                waiting.extend(after)
                if not after:
                    found.append(now)
        return found

    def lacks(self, end: Seen, four: frozenset[str]) -> str:
        """The one cell of it that the holder lacks there, open or right above an open one; nothing else."""
        lack = four - end.ours
        if len(lack) != 1 or lack & end.theirs:
            return ""
        [cell] = lack
        free = self.open_cells(end.theirs | end.ours)
        return cell if cell in free or f"{cell[0]}{int(cell[1]) - 1}" in free else ""

    # What is said --------------------------------------------------------------------------------

    def refuses(self, sentences: list[str], fours: list[frozenset[str]], is_long: bool) -> list[str]:
        """The numbers of a leaf, in English, that are not true here; given the fours that decide."""
        ends, wrong = self.longest if is_long else self.ends, list[str]()
        for said in sentences:
            if "That happens in" in said:
                wrong += self._ended(said, ends, fours)
            else:
                wrong += self._had(said)
        return wrong

    def _had(self, said: str) -> list[str]:
        [(first, last)] = re.findall(rf"({CELL})–({CELL})", said)
        four = line_between(first, last)
        claim, _, safe = said.partition("cannot get ")
        have = (
            set(re.findall(CELL, claim.partition("has ")[2].partition(", and")[0]))
            if "has " in claim
            else set()
        )
        is_right = have == four & self.start.ours
        if safe:
            denied = set(four) if safe.startswith("any") else set(re.findall(CELL, safe))
            is_right = is_right and denied == four - self.start.ours
            is_right = is_right and not any(denied & now.theirs for now in self.games)
        return [] if is_right else [said]

    def _ended(self, said: str, ends: list[Seen], fours: list[frozenset[str]]) -> list[str]:
        told = re.search(r"in (a single|\d+)(?: different)? positions?: (?:there|in (all|\d+) of them)", said)
        assert told, said
        count = 1 if told[1] == "a single" else int(told[1])
        had = [{self.lacks(end, four) for four in fours} - {""} for end in ends]
        decided = len(ends) if told[2] in (None, "all") else int(told[2])
        # What is counted is said, where it is not in all of them.
        if ("open or right above an open cell" in said) != (decided < len(ends)):
            return [said]
        last = set(re.findall(CELL, said.rpartition(", on ")[2]))
        # Of an end with several of the fours the first one is counted.
        is_right = count == len(ends) and decided == sum(map(bool, had))
        is_right = is_right and all(not cells or cells & last for cells in had) and last <= set().union(*had)
        return [] if is_right else [said]


def line_between(first: str, last: str) -> frozenset[str]:
    [four] = [four for four in FOURS if {first, last} <= four]
    return four
