"""Reads the argument of a leaf, in English, and holds every sentence against all games of the plan."""

import re
from collections.abc import Callable

from kit.coach.witness import CELL, FOURS, Seen, Witness, line_between

CELLS = rf"{CELL}(?:(?:, | and | or ){CELL})*"
PART = rf"all of the (?:row|column|diagonal) ({CELL})–({CELL}) but ({CELLS})"


def cells_in(text: str) -> list[str]:
    return re.findall(CELL, text)


def above(cell: str, up: int = 1) -> str:
    return f"{cell[0]}{int(cell[1]) + up}"


def from_up(cell: str) -> set[str]:
    return {f"{cell[0]}{row}" for row in range(int(cell[1]), 7)}


class Argued:
    """What was said before is what a sentence is about: the fours, and the ends in which a column is left."""

    def __init__(self, witness: Witness) -> None:
        self.witness = witness
        self.ends = witness.ends
        self.parts: list[tuple[frozenset[str], set[str]]] = []  # fours, each with its last cells
        self.shut: set[str] = set()
        self.part: list[Seen] = []
        self.lasts: set[str] = set()  # of which the parity was told

    def refuses(self, sentences: list[str]) -> list[str]:
        """The sentences that are not true, or that nobody can read."""
        wrong = [said for said in sentences if not self._is_true(said)]
        told = {cell for _, last in self.parts for cell in last}
        if self.lasts and self.lasts != {cell for cell in told if cell[1] != "1"}:
            wrong.append(f"of {told} only {self.lasts}")
        return wrong

    def _is_true(self, said: str) -> bool:
        kinds: list[tuple[str, Callable[[str], bool]]] = [
            ("gets all of", self._aim),
            ("Then ", self._below),
            ("nobody plays in", self._count),
            ("If the board fills up", self._fills),
            ("it does not matter who", self._stack),
            ("who runs out of moves", self._end),
            (" is stuck before", self._end),
            ("the last cell is", self._rows),
            ("The last cell is", self._rows),
            ("If it is", self._rows),
            ("In a long game", self._game),
            ("Whatever", self._forced),
        ]
        for sign, check in kinds:
            if sign in said:
                return check(said)
        return "threatens to complete a four" in said or "All other columns are full" in said

    def _forced(self, said: str) -> bool:
        moves = cells_in(said.rpartition(":")[2])
        return not self.witness.games[self.witness.start] and self._wins_so(self.witness.start, moves)

    def _open(self, end: Seen) -> set[str]:
        return set(self.witness.open_cells(end.theirs | end.ours))

    def _lacks(self, end: Seen) -> set[str]:
        return {self.witness.lacks(end, four) for four, _ in self.parts} - {""}

    # The fours ---------------------------------------------------------------------------------------

    def _aim(self, said: str) -> bool:
        told = re.findall(PART, said)
        self.parts = [(line_between(first, last), set(cells_in(cells))) for first, last, cells in told]
        if "as long as it can" in said:
            self.ends = self.witness.longest
        had = [end for end in self.ends if self._lacks(end)]
        is_right = "most often" in said or len(had) >= 0.9 * len(self.ends)
        if "most often" not in said:
            is_right = is_right and ("nearly always" in said) == (len(had) < len(self.ends))
        for four, last in self.parts:
            is_right = is_right and last <= {self.witness.lacks(end, four) for end in self.ends}
        for end in had:
            is_right = is_right and any(self.witness.lacks(end, four) in last for four, last in self.parts)
        split = re.search(rf"if (Red|Yellow) gets ({CELL})", said)
        return is_right and (split is None or self._is_split(split[1], split[2], had))

    def _is_split(self, side: str, cell: str, had: list[Seen]) -> bool:
        """One four if that side has the cell, the other if not."""
        is_first = (
            len(self.witness.start.theirs | self.witness.start.ours) % 2 == 1
        )  # the holder's disc was last
        holder = "Red" if is_first else "Yellow"
        (other, _), (then, _) = self.parts
        for end in had:
            has = cell in (end.ours if side == holder else end.theirs)
            if not self.witness.lacks(end, then if has else other):
                return False
        return True

    def _below(self, said: str) -> bool:
        told = set(cells_in(said))
        found = set[str]()
        for end in self.ends:
            below = {above(cell, -1) for cell in self._lacks(end)} & self._open(end)
            if self._lacks(end) and not below & told:
                return False
            found |= below
        return told <= found

    # The count ---------------------------------------------------------------------------------------

    def _count(self, said: str) -> bool:
        columns, _, rest = said.partition(". Elsewhere ")
        self.shut = set(cells_in(columns))
        self.part = [end for end in self.ends if self.shut <= self._open(end)]
        if said.startswith("Nearly"):
            is_right = 0.9 * len(self.ends) <= len(self.part) < len(self.ends)
        else:
            is_right = self.part == self.ends
        common = set.intersection(*(self._open(end) for end in self.part)) if self.part else set[str]()
        kept = set().union(*map(from_up, self.shut))
        start = self.witness.start
        empty = 42 - len(start.theirs | start.ours | kept)
        number = re.match(r"(\d+) cells are empty, an (even|odd) number", rest)
        assert number, said
        is_right = is_right and common == self.shut and int(number[1]) == empty
        return is_right and number[2] == ("odd" if empty % 2 else "even")

    def _fills(self, said: str) -> bool:
        """Where the board can fill up: somebody who resists fills it, and the holder has the last disc."""
        start = self.witness.start
        empty = 42 - len(start.theirs | start.ours)
        told = re.match(r"(\d+) cells are empty, an even number", said)
        full = any(len(end.theirs | end.ours) == 42 for end in self.ends)
        return told is not None and int(told[1]) == empty and empty % 2 == 0 and full

    def _stack(self, said: str) -> bool:
        told = re.match(rf"But ({CELL}), right above ({CELL}), .* who has to play ({CELL})", said)
        assert told, said
        high, middle, low = told.groups()
        is_right = {low} == self.shut and (middle, high) == (above(low), above(low, 2))
        witness = self.witness
        for end in self.part:
            is_right = is_right and witness.completes(end.ours, middle) and witness.completes(end.ours, high)
            is_right = is_right and not witness.completes(end.theirs, middle)
        after = re.findall(CELL, said.partition("does not matter")[2])
        return is_right and after == [low, low, middle, low, middle, high]

    def _end(self, said: str) -> bool:
        first, _, sooner = said.partition(" It can be stuck sooner")
        only = re.search(rf"has only ({CELLS}) left", first)
        full = [self._open(end) == self.shut for end in self.part]
        is_right = bool(self.part)
        if only:
            is_right = set(cells_in(only[1])) == self.shut and any(full) and all(full) != bool(sooner)
        else:
            is_right = is_right and not any(full)
        also = re.search(rf"\(({CELLS})\)\.$", said)
        if also:
            told = set(cells_in(also[1]))
            is_right = is_right and told == set().union(*map(self._open, self.part)) - self.shut
        answers = first.partition(": ")[2].partition(", and what is left")[0]
        return is_right and self._are_answered(answers, self.shut, self.part)

    def _are_answered(self, said: str, wanted: set[str], ends: list[Seen]) -> bool:
        """Each of the cells loses as it is told to."""
        seen, witness = set[str](), self.witness
        for each in said.rstrip(".").split("; "):
            if at_once := re.fullmatch(rf"after ({CELL}) comes ({CELL})", each):
                seen.add(at_once[1])
                if not all(at_once[2] in witness.wins(end, at_once[1]) for end in ends):
                    return False
                continue
            told = re.fullmatch(rf"({CELLS}) loses by force(?: \((mostly )?({CELL}(?: {CELL})*)\))?", each)
            assert told, said
            for x in cells_in(told[1]):
                seen.add(x)
                if not all(witness.loses(end, x) for end in ends):
                    return False
                so = [end for end in ends if told[3] is None or self._wins_so(end, [x, *cells_in(told[3])])]
                if len(so) < len(ends) and not (told[2] and 2 * len(so) > len(ends)):
                    return False
        return seen == wanted

    def _wins_so(self, now: Seen, moves: list[str]) -> bool:
        """By turns, the opponent first: the plan answers, blocks are forced, the last disc makes the four."""
        witness = self.witness
        for at in range(0, len(moves) - 1, 2):
            x, y = moves[at], moves[at + 1]
            free = witness.open_cells(now.theirs | now.ours)
            threats = [cell for cell in free if witness.completes(now.ours, cell)]
            if x not in free or (at and x not in threats):
                return False
            wins = witness.wins(now, x)
            if wins:
                return at + 2 == len(moves) and y in wins
            if witness.after(now, x).ours != now.ours | {y}:
                return False
            now = witness.after(now, x)
        return False

    # No column that is always left -----------------------------------------------------------------

    def _rows(self, said: str) -> bool:
        named = re.search(rf"(?:last cell is|it is) ({CELLS})", said)
        assert named, said
        is_even = "an even number of cells" in said
        others, is_right = set[str](), True
        for cell in cells_in(named[1]):
            self.lasts.add(cell)
            ends = [end for end in self.ends if cell in self._lacks(end)]
            is_right = is_right and bool(ends)
            for end in ends:
                free, below = self._open(end), above(cell, -1)
                if below not in free:
                    continue  # of this end another of the fours is told
                left = set().union(*map(from_up, free)) - from_up(below)
                is_right = is_right and (len(left) % 2 == 0) == is_even
                others |= {x for x in free if len(from_up(x)) % 2} - {below}
                is_right = is_right and (is_even or len(free) > 1)
        told = re.search(rf"\(({CELLS})\)\.$", said)
        return is_right and (told is None or set(cells_in(told[1])) <= others)

    def _game(self, said: str) -> bool:
        only = re.search(rf"has only ({CELLS}) left", said)
        assert only, said
        left = set(cells_in(only[1]))
        ends = [end for end in self.witness.ends if self._open(end) == left]
        return any(self._are_answered(said.partition(": ")[2], left, [end]) for end in ends)


class Excepted:
    """Reads the exceptions of a plan, each with its reason."""

    def __init__(self, witness: Witness, deciding: list[frozenset[str]]) -> None:
        self.witness, self.deciding = witness, deciding
        self.asked: dict[str, list[tuple[Seen, str]]] = {}  # by x: before it, and the answer
        seen, waiting = {witness.start}, [witness.start]
        while waiting:
            now = waiting.pop()
            for x in witness.open_cells(now.theirs | now.ours):
                rule, y = witness.answer(now.theirs | {x}, now.ours, x)
                if rule == "exception":
                    self.asked.setdefault(x, []).append((now, y))
                after = witness.after(now, x)
                if y and not witness.completes(now.ours, y) and after not in seen:
                    seen.add(after)
                    waiting.append(after)

    def refuses(self, sentences: list[str]) -> list[str]:
        return [said for said in sentences if said.startswith("After ") and not self._is_true(said)]

    def _is_true(self, said: str) -> bool:
        told = re.match(rf"After ({CELL}) comes ({CELLS}(?:, or else {CELLS})*)", said)
        assert told, said
        x, answers, why = told[1], set(cells_in(told[2])), said[told.end() :]
        asked = self.asked.get(x, [])
        is_right = bool(asked) and {y for _, y in asked} == answers
        four = next((line_between(*ends) for ends in re.findall(rf"({CELL})–({CELL})", why)), None)
        return is_right and self._holds(x, asked, why, four)

    def _holds(self, x: str, asked: list[tuple[Seen, str]], why: str, four: frozenset[str] | None) -> bool:
        witness, high = self.witness, f"{x[0]}{int(x[1]) + 2}"
        cells = [cell for cell in cells_in(why) if four is None or cell not in four or "take" in why]
        if "threatens a four" in why:
            return all(self._threatens(now, x, cells) for now, _ in asked)
        if "could then complete" in why:
            return cells == [high] and all(witness.completes(now.theirs | {x}, high) for now, _ in asked)
        if "could then block" in why:
            return cells == [high] and all(witness.completes(now.ours, high) for now, _ in asked)
        assert four is not None or "full board" in why, why
        if "could take" in why:
            return four in self.deciding and high in four and high == cells[0]
        if "which belongs" in why:
            return four in self.deciding and all(y in four for _, y in asked)
        if "which stops" in why:
            assert four is not None
            return all({x, y} <= four and not four & now.ours for now, y in asked)
        return any(self._escapes(now, x, four) for now, _ in asked)

    def _threatens(self, now: Seen, x: str, cells: list[str]) -> bool:
        after = self.witness.after(now, x)
        free = self.witness.open_cells(after.theirs | after.ours)
        found = [cell for cell in free if self.witness.completes(after.ours, cell)]
        return bool(found) and (not cells or set(found) == set(cells))

    def _escapes(self, now: Seen, x: str, four: frozenset[str] | None) -> bool:
        """Whether the opponent gets this four, or a full board, once x was answered on top."""
        witness = self.witness
        first = Seen(now.theirs | {x}, now.ours | {above(x)})
        seen, waiting = {first}, [first]
        while waiting:
            now = waiting.pop()
            for reply in witness.open_cells(now.theirs | now.ours):
                theirs = now.theirs | {reply}
                if any(each <= theirs for each in FOURS):
                    if four is not None and four <= theirs:
                        return True
                    continue
                y = witness.answer(theirs, now.ours, reply)[1]
                if not y and four is None:
                    return True
                after = Seen(theirs, now.ours | {y})
                if y and not witness.completes(now.ours, y) and after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return False
