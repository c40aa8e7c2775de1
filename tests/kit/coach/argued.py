"""Reads the argument of a leaf, in English, and holds every sentence against all games of the plan."""

import re
from collections.abc import Callable

from kit.coach.witness import CELL, THROUGH, Seen, Witness, line_between

CELLS = rf"{CELL}(?:(?:, | and | or ){CELL})*"
PART = rf"all of the (?:row|column|diagonal) ({CELL})–({CELL}) but (?:one cell, )?({CELLS})"
LINE = rf"(?:row|column|diagonal) ({CELL})–({CELL})"
FORCED = rf"(?:Red|Yellow) {CELL}[^;.]* wins"  # a win by threats, by turns


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
        self.below: tuple[set[str], bool, bool] | None = None  # the cells of the idea, nearly always, at last
        self.entered: set[str] = set()  # cells that were left out, and the holder plays there in some game
        self.entering = set[str]()  # covered cells that the opponent can play now without losing
        self.last = witness.start  # of the longest defence
        self.won: list[tuple[Seen, str, list[str]]] = []  # wins by force that were told, for the fours

    def refuses(self, sentences: list[str]) -> list[str]:
        """The sentences that are not true, or that nobody can read."""
        sentences = [said for each in sentences for said in re.split(r"(?<=\.) (?=A pair, |A stack, )", each)]
        wrong = [said for said in sentences if not self._is_true(said)]
        told = {cell for _, last in self.parts for cell in last}
        if not self.lasts <= {cell for cell in told if cell[1] != "1"}:
            wrong.append(f"of {told} only {self.lasts}")
        wrong += [] if self._is_right_below() else ["the idea"]
        wrong += [] if self._is_openly_long(sentences) else ["no short reason"]
        wrong += [f"in some games the holder plays {self.entered}"] if self.entered else []
        wrong += [f"now the opponent can play {self.entering}"] if self.entering else []
        wrong += [] if self._are_all_told(sentences) else ["replies that lose"]
        wrong += [] if self._are_rivals_told(sentences) else ["fours of the opponent"]
        return wrong

    def _are_all_told(self, sentences: list[str]) -> bool:
        """Of a whole leaf: every reply that loses now is named, or a four is to be stopped elsewhere."""
        start, idea = self.witness.start, sentences[0] if sentences else ""
        if not re.search("runs out of|can put it off|has to open|can make no", idea):
            return True
        if any(" must play " in said for said in sentences):
            return True  # _soon has these
        free = self._open(start)
        threats = {cell for cell in free if self.witness.completes(start.ours, cell)}
        lost = {x for x in free if self.witness.loses(start, x)} & (threats or free)
        told = {x for said in sentences if said.startswith("Poison now") for x in self._named_lost(said)}
        return told == lost

    def _are_rivals_told(self, sentences: list[str]) -> bool:
        """Of a whole leaf: what the opponent has of fours, each by the cell it lacks, once."""
        idea = sentences[0] if sentences else ""
        if not re.search("runs out of|can put it off|has to open|can make no", idea):
            return True
        start, taken = self.witness.start, self.witness.start.theirs | self.witness.start.ours
        wanted = [
            cell for cell in THROUGH if cell not in taken and self.witness.completes(start.theirs, cell)
        ]
        told = [last for said in sentences for _, _, last in self._rivals_in(said)]
        return sorted(told) == sorted(wanted)

    def _rivals_in(self, said: str) -> list[tuple[str, str, str]]:
        what = re.match(r"(?:Red|Yellow) has (all of .*) now: ", said)
        return re.findall(rf"{LINE} but ({CELL})", what[1]) if what else []

    def _rivals(self, said: str) -> bool:
        """Fours of the opponent that lack one disc, and what comes of all of them."""
        witness, start = self.witness, self.witness.start
        told, fate = self._rivals_in(said), said.partition(" now: ")[2]
        for first, last, y in told:
            if not line_between(first, last) - {y} <= start.theirs or y in start.theirs | start.ours:
                return False
        lasts = [y for _, _, y in told]
        lows = [above(y, -1) for y in lasts]
        named = cells_in(fate)
        if "completes a four" in fate:
            return named == lows and all(witness.completes(start.ours, x) for x in lows)
        if "nobody plays" in fate:
            return named == lows and not any({*lows} & (now.theirs | now.ours) for now in witness.games)
        if " takes " in fate:
            return named == lasts and all({*lasts} <= end.ours for end in witness.ends)
        steps = [(now, after) for now, found in witness.games.items() for after in found]
        is_right = not any({*lows} & (after.ours - now.ours) for now, after in steps)
        for now in witness.games:
            for x in self._open(now) & {*lows}:  # also where that loses
                stops = witness.answer(now.theirs | {x}, now.ours, x)[1] == above(x)
                is_right = is_right and (stops or bool(witness.wins(now, x)))
        return is_right and "before it wins, and if " in fate and named == lows

    def _pattern(self, said: str) -> bool:
        """What players know by name, in every end."""
        told, ends = sorted(cells_in(said)), self.witness.ends
        if len(told) != 2 or not ends:
            return False
        low, high = told
        if said.startswith("A stack"):
            is_right = high == above(low)
            return is_right and all(
                above(low, -1) in self._open(end) and self._is_stacked(end, above(low, -1)) for end in ends
            )
        if "gets one of them" in said:
            pair = {low, high}
            return any(
                {self.witness.lacks(end, four) for end in ends} == pair and len(pair & end.ours) == 1
                for four in THROUGH[low]
                if pair <= four and not four & self.witness.start.theirs
                for end in ends
            ) and all(len(pair & end.ours) == 1 and not pair & end.theirs for end in ends)
        return "can spoil either of two fours" in said and any(
            all(self.witness.lacks(end, one) == low or self.witness.lacks(end, two) == high for end in ends)
            and any(one & end.theirs for end in ends)
            and any(two & end.theirs for end in ends)
            for one in THROUGH[low]
            for two in THROUGH[high]
        )

    def _named_lost(self, said: str) -> set[str]:
        parts = said.partition(": ")[2].split("; ")
        heads = [
            re.match(rf"(?:after )?({CELLS})(?:, {CELL} completes| loses by force)", each) for each in parts
        ]
        return {cell for head in heads if head for cell in cells_in(head[1])}

    def _is_right_below(self) -> bool:
        """Where the idea names cells right below a last one: in every end, or nearly, there is one."""
        if not self.below:
            return True
        cells, is_nearly, is_long = self.below
        ends = self.witness.longest if is_long else self.witness.ends
        had = [
            {above(cell, -1) for cell in self._lacks(end) if cell[1] != "1"} & self._open(end) for end in ends
        ]
        often = sum(bool(each & cells) for each in had)
        is_right = 0.9 * len(ends) <= often and is_nearly == (often < len(ends))
        return is_right and cells <= set().union(*had)

    def _is_true(self, said: str) -> bool:
        kinds: list[tuple[str, Callable[[str], bool]]] = [
            ("A pair, ", self._pattern),
            ("A stack, ", self._pattern),
            ("No short reason", self._open_idea),
            ("runs out of safe moves", self._idea),
            ("who has to open", self._either),
            ("wins by force, whatever", self._by_force),
            ("can put it off", self._put_off),
            ("can make no four", self._never),
            ("Each disc of", self._soon),
            ("Poison now", self._soon),
            ("All else loses", self._soon),
            ("answers every disc right on top", self._on_top),
            (" now: ", self._rivals),
            (" now.", self._threes),
            ("stays so to the end", self._aim),
            ("that is still so", self._aim),
            ("In nearly every end ", self._aim),
            ("In some of the ends ", self._aim),
            ("In the end Red has", self._aim),
            ("In the end Yellow has", self._aim),
            (" has in the end ", self._aim),
            ("gives up its own four", self._gives),
            ("The longest defence: ", self._defence),
            ("One long game against this plan: ", self._shown),
            ("The four is ", self._fours),
            ("The fours are ", self._fours),
            ("Among the fours are ", self._fours),
            ("For example: ", self._way),
            ("Then everything loses", self._everything),
            ("Leave out ", self._rows),
            ("first all the same", self._are_entered),
            ("right below that, too", self._second),
            ("That will make ", self._below),
            ("nobody plays in", self._count),
            ("nobody has played in", self._count),
            ("comes to another end", self._enters),
            ("If the board fills up", self._fills),
            ("it does not matter who", self._stack),
            ("who runs out of moves", self._end),
            (" is stuck before", self._end),
            ("In one long game", self._game),
        ]
        for sign, check in kinds:
            if sign in said:
                return check(said)
        told = set(cells_in(said))
        self.won += self._at_once({*map(above, told)} if "right on top" in said else told)
        return "threatens to complete a four" in said or "All other columns are full" in said

    def _on_top(self, said: str) -> bool:
        """Of the replies now those, and only those, that are answered elsewhere are named, each as it is."""
        start, told = self.witness.start, dict[str, str]()
        for cells, y in re.findall(rf"after ({CELLS}) comes ({CELL})", said):
            told |= dict.fromkeys(cells_in(cells), y)
        held = [x for x in self._open(start) if not self.witness.loses(start, x)]
        found = {x: self.witness.answer(start.theirs | {x}, start.ours, x) for x in held}
        is_right = not self._are_lost(start)
        is_right = is_right and told == {
            x: y for x, (rule, y) in found.items() if y != above(x) and rule != "four"
        }
        is_right = is_right and said.startswith("Unless it must stop a four") == self._stops_elsewhere()
        return is_right and ("exceptions" in said) == self._has_exceptions(told)

    def _stops_elsewhere(self) -> bool:
        """Whether in some resisting game a four is stopped elsewhere than on top."""
        for now in self.witness.games:
            for x in self._open(now):
                rule, y = self.witness.answer(now.theirs | {x}, now.ours, x)
                if rule == "four" and x[0] != y[0] and not self.witness.loses(now, x):
                    return True
        return False

    def _has_exceptions(self, told: dict[str, str]) -> bool:
        """Whether some resisting game has an answer neither on top, nor about a four, nor told."""
        for now in self.witness.games:
            for x in self._open(now):
                if self.witness.loses(now, x):
                    continue
                rule, y = self.witness.answer(now.theirs | {x}, now.ours, x)
                if y and rule not in ("four", "top") and told.get(x) != y:
                    return True
        return False

    # The idea ----------------------------------------------------------------------------------------

    def _open_idea(self, said: str) -> bool:
        """In every end all that is left loses; of fours that are named one decides nearly every end."""
        if named := re.match(
            r"(?:In the end|In nearly every end) \w+ is one disc short of (.*?)\. No short", said
        ):
            fours = [line_between(first, last) for first, last in re.findall(LINE, named[1])]
            had = [{four for four in fours if self.witness.lacks(end, four)} for end in self.ends]
            often = sum(map(bool, had))
            if not fours or set().union(*had) != set(fours) or 10 * often < 9 * len(had):
                return False
            if said.startswith("In nearly") != (often < len(had)):
                return False
        return all(self.witness.loses(end, x) for end in self.ends for x in self._open(end))

    def _is_openly_long(self, sentences: list[str]) -> bool:
        """That there is no short reason is said where nothing says why the opponent runs out of moves, or
        many fours decide; then a game is shown."""
        idea, rest = sentences[0] if sentences else "", " ".join(sentences[1:])
        if "safe moves" not in idea and "No short reason" not in idea and "open column" not in idea:
            return True
        says = (
            bool(re.search("nobody (plays|has played) in", rest)),
            "an even number" in rest,
            "right below that, too" in rest,
        )
        is_short = any(says) and "Many different" not in rest
        is_few = "Many different" not in rest and "Which four decides" not in rest
        if "No short reason" in idea and is_few != ("one disc short of" in idea):
            return False  # few fours that decide are a part of the reason
        return is_short != ("No short reason" in idea) and (is_short or "One long game" in rest)

    def _idea(self, said: str) -> bool:
        """In every end all that is left loses; if it is told where, there it is."""
        if low := re.search(rf"(?:, |end )(nearly always )?({CELLS})(?: is)?, right below where", said):
            is_long = "as long as it can" in said
            self.below = (set(cells_in(low[2])), bool(low[1]), is_long)
            return all(self.witness.loses(end, x) for end in self.ends for x in self._open(end))
        where = re.search(r"only poison is left(?:; if .* as long as it can)?, (.*)\.$", said)
        ends = self.witness.longest if "as long as it can" in said else self.ends
        is_right = all(self.witness.loses(end, x) for end in self.ends for x in self._open(end))
        if where is None:
            return is_right
        told = where[1]
        columns, cells = set(re.findall(r"in column ([a-z])", told)), set(cells_in(told))
        had = [end for end in ends if self._is_left(end, columns, cells)]
        is_right = is_right and 0.9 * len(ends) <= len(had) and bool(columns) != bool(cells)
        is_right = is_right and cells <= set().union(*map(self._open, ends))
        more = [{cell[0] for cell in self._open(end)} > columns for end in had]
        if "sometimes elsewhere" in told:
            return is_right and ("nearly" in told) == (len(had) < len(ends)) and 0 < sum(more) < len(more)
        is_right = is_right and ("nearly" in told) == (len(had) < len(ends))
        return is_right and (all(more) if "elsewhere" in told else not any(more))

    def _is_left(self, end: Seen, columns: set[str], cells: set[str]) -> bool:
        free = self._open(end)
        return columns <= {cell[0] for cell in free} if columns else bool(cells & free)

    def _either(self, said: str) -> bool:
        column = re.search(r"open column ([a-z]):", said)
        assert column, said
        for end in self.ends:
            low = next((cell for cell in self._open(end) if cell[0] == column[1]), "")
            if not low or low[1] > "4" or not self._is_stacked(end, low):
                return False
        return True

    def _is_stacked(self, end: Seen, low: str) -> bool:
        ours = all(self.witness.completes(end.ours, above(low, up)) for up in (1, 2))
        return ours and not self.witness.completes(end.theirs, above(low))

    def _by_force(self, said: str) -> bool:
        return self._are_lost(self.witness.start)

    def _put_off(self, said: str) -> bool:
        """So many replies, and no more, come before everything loses."""
        number = re.search(r"for (\d+|one) disc", said)
        assert number, said
        return self._depth(self.witness.start) == (1 if number[1] == "one" else int(number[1]))

    def _depth(self, now: Seen) -> int:
        return max((1 + self._depth(after) for after in self.witness.games[now]), default=0)

    def _defence(self, said: str) -> bool:
        """To an end, and as many as there can be."""
        return self._shown(said) and len(cells_in(said)) == 2 * self._depth(self.witness.start)

    def _everything(self, said: str) -> bool:
        self.won = []
        return self._are_answered(said.partition(": ")[2], self._open(self.last), [self.last])

    def _way(self, said: str) -> bool:
        x, *line = cells_in(said)
        return self.is_forced_so(self.witness.start, x, line)

    def _gives(self, said: str) -> bool:
        """After x the plan plays y, right below where the holder would complete a four; on top it cannot."""
        full = re.match(rf"After ({CELL}) that column is full\. With ({CELL}) .* on ({CELL}):", said)
        told = full or re.match(rf"With ({CELL}) after ({CELL}) .* on ({CELL}):", said)
        assert told, said
        y, x = (told[2], told[1]) if full else (told[1], told[2])
        start = self.witness.start
        is_right = self.witness.answer(start.theirs | {x}, start.ours, x)[1] == y and told[3] == above(y)
        is_right = is_right and bool(full) == (x[1] == "6") and x in self._open(start)
        return is_right and self.witness.completes(start.ours, told[3]) and not self.witness.loses(start, x)

    def _are_lost(self, now: Seen, delays: int = 4) -> bool:
        """Every reply loses by threats alone, or is a threat that is blocked, and then every reply does."""
        return all(self.witness.loses(now, x) or self._is_delay(now, x, delays) for x in self._open(now))

    def _is_delay(self, now: Seen, x: str, delays: int) -> bool:
        theirs = now.theirs | {x}
        blocks = [y for y in self.witness.open_cells(theirs | now.ours) if self.witness.completes(theirs, y)]
        if len(blocks) != 1 or not delays:
            return False
        return self._are_lost(Seen(theirs, now.ours | {blocks[0]}), delays - 1)

    def _shown(self, said: str) -> bool:
        """By turns, by the plan, to an end, and no reply that loses by force."""
        now, cells = self.witness.start, cells_in(said)
        for x, y in zip(cells[::2], cells[1::2], strict=True):
            after = self.witness.after(now, x)
            if self.witness.loses(now, x) or after.ours != now.ours | {y} or x not in self._open(now):
                return False
            now = after
        self.last = now
        return not self.witness.games[now]

    def _fours(self, said: str) -> bool:
        """Each win by force that was told completes one of these, and each of these is completed by one."""
        told = [line_between(first, last) for first, last in re.findall(LINE, said)]
        won = self.won
        made = [
            [four for four in told if line[-1] in four and four <= now.ours | set(line[::2])]
            for now, _, line in won
        ]
        is_right = bool(told) and bool(won) and (said.startswith("The four is")) == (len(told) == 1)
        is_right = is_right and all(any(four in found for found in made) for four in told)
        return is_right and all(made) != said.startswith("Among")

    def _at_once(self, told: set[str]) -> list[tuple[Seen, str, list[str]]]:
        """The fours that the next disc completes on these cells, by reply; test_map_routes.py holds those."""
        start = self.witness.start
        wins = [(x, y) for x in self._open(start) for y in self.witness.wins(start, x)]
        return [(start, x, [y]) for x, y in wins if y in told]

    def _never(self, said: str) -> bool:
        """No position of a game has a four of the opponent, or lets it complete one."""
        return not any(
            self.witness.completes(now.theirs, x) for now in self.witness.games for x in self._open(now)
        )

    # What stands -------------------------------------------------------------------------------------

    def _soon(self, said: str) -> bool:
        """The replies that lose, each as it is told to; where all do, there is no other."""
        start, told_of = self.witness.start, set[str]()
        for each in said.partition(": ")[2].rstrip(".").split("; "):
            if at_once := re.fullmatch(rf"after ({CELLS}), ({CELL}) completes a four", each):
                found = cells_in(at_once[1])
                is_right = all(at_once[2] in self.witness.wins(start, x) for x in found)
                self.won += [(start, x, [at_once[2]]) for x in found]
            elif by_force := re.fullmatch(rf"({CELLS}) loses by force: ({FORCED})", each):
                found = cells_in(by_force[1])
                is_right = all(self.is_forced_so(start, x, cells_in(by_force[2])) for x in found)
                self.won += [(start, x, cells_in(by_force[2])) for x in found]
            elif slow := re.fullmatch(rf"({CELLS}) loses by force, too, with more discs", each):
                found = cells_in(slow[1])
                is_right = all(self._is_slow(x) for x in found)
            else:
                delay = re.fullmatch(rf"({CELLS}) only delays it: \w+ blocks on ({CELL}), and .*", each)
                assert delay, said
                found = cells_in(delay[1])
                is_right = all(self._is_delay(start, x, 4) for x in found)
                is_right = is_right and all(self._blocks(start, x) == [delay[2]] for x in found)
            if not is_right or not set(found) <= self._open(start):
                return False
            told_of |= set(found)
        others = self._open(start) - told_of
        if only := re.search(rf"must play ({CELL})\.", said):
            return others == {only[1]} and not self.witness.forces(start.theirs | others, start.ours)
        return said.startswith("Poison") or all(self.witness.wins(start, x) for x in others)

    def _is_slow(self, x: str) -> bool:
        """It loses by force, and not with three discs."""
        start = self.witness.start
        is_soon = self.witness.forces(start.theirs | {x}, start.ours, 3)
        return x in self._open(start) and self.witness.loses(start, x) and not is_soon

    def _blocks(self, now: Seen, x: str) -> list[str]:
        theirs = now.theirs | {x}
        return [y for y in self.witness.open_cells(theirs | now.ours) if self.witness.completes(theirs, y)]

    def is_forced_so(self, now: Seen, x: str, line: list[str]) -> bool:
        """Whatever the plan says: each disc of the holder threatens, blocks are forced, the last one wins."""
        witness, theirs, ours = self.witness, now.theirs | {x}, now.ours
        for at in range(0, len(line), 2):
            y, free = line[at], witness.open_cells(theirs | ours)
            if y not in free:
                return False
            if witness.completes(ours, y):
                return at + 1 == len(line)
            if any(witness.completes(theirs, cell) for cell in free if cell != y):
                return False
            ours |= {y}
            free = witness.open_cells(theirs | ours)
            threats = [cell for cell in free if witness.completes(ours, cell)]
            if any(witness.completes(theirs, cell) for cell in free) or line[at + 1 : at + 2] == []:
                return False
            if line[at + 1] not in threats:
                return False
            theirs |= {line[at + 1]}
        return False

    def _threes(self, said: str) -> bool:
        start = self.witness.start
        told = re.findall(rf"the (?:row|column|diagonal) ({CELL})–({CELL}) but ({CELL})", said)
        return bool(told) and all(
            line_between(first, last) - {cell} <= start.ours and cell not in start.theirs | start.ours
            for first, last, cell in told
        )

    def _open(self, end: Seen) -> set[str]:
        return set(self.witness.open_cells(end.theirs | end.ours))

    def _lacks(self, end: Seen) -> set[str]:
        return {self.witness.lacks(end, four) for four, _ in self.parts} - {""}

    def _has_three(self, end: Seen) -> bool:
        return any(len(four - end.ours) == 1 and not four & end.theirs for four, _ in self.parts)

    # The fours ---------------------------------------------------------------------------------------

    def _aim(self, said: str) -> bool:
        told = re.findall(PART, said)
        self.parts = [(line_between(first, last), set(cells_in(cells))) for first, last, cells in told]
        if "longest defence" in said:
            self.ends = self.witness.longest
        near = "open or right above an open one" in said  # else a three anywhere is one
        had = [end for end in self.ends if (self._lacks(end) if near else self._has_three(end))]
        often = re.search(r"(nearly every|some of the) end", said)
        is_right = "Many different" in said or len(had) >= 0.9 * len(self.ends)
        is_right = is_right and bool(often) == near == (not all(map(self._lacks, self.ends)))
        if often:
            is_right = is_right and (often[1] == "some of the") == (0 < len(had) < 0.9 * len(self.ends))
        already = [
            bool(said.partition(f"{first}–{last} but")[2].split(", or all")[0].count("(already now)"))
            for first, last, _ in told
        ]
        if "already has" not in said:
            is_there = [len(four - self.witness.start.ours) == 1 for four, _ in self.parts]
            is_right = is_right and already == is_there
        for four, last in self.parts:
            is_right = is_right and last <= {self.witness.lacks(end, four) for end in self.ends}
        for end in filter(self._lacks, self.ends):
            is_right = is_right and any(self.witness.lacks(end, four) in last for four, last in self.parts)
        if "stays so" in said or "still so" in said:
            [(four, last)] = self.parts
            is_right = is_right and four - last <= self.witness.start.ours
        return is_right

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
        when = re.match(r"If \w+ (plays nothing that loses by force|holds out as long as it can),", said)
        if when is None:
            return False  # whoever wants to lose can play there
        self.shut = set(cells_in(columns))
        self.ends = self.witness.longest if when[1].startswith("holds") else self.witness.ends
        self.part = [end for end in self.ends if self.shut <= self._open(end)]
        self.entering = self.shut & {x for x in self._open(self.witness.start) if not self._loses(x)}
        if "in nearly every end" in columns:
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
        if "another column is left" in rest:
            is_right = is_right and all(self._open(end) - self.shut for end in self.part)
        return is_right and number[2] == ("odd" if empty % 2 else "even")

    def _loses(self, x: str) -> bool:
        return self.witness.loses(self.witness.start, x)

    def _enters(self, said: str) -> bool:
        """Of the covered cells those that can be played now; in no end after that is the column empty."""
        told, self.entering = self.entering, set()
        return bool(told) and set(cells_in(said)) == told

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
            if at_once := re.fullmatch(rf"after ({CELLS}) comes ({CELL})", each):
                seen |= set(cells_in(at_once[1]))
                self.won += [(end, x, [at_once[2]]) for x in cells_in(at_once[1]) for end in ends]
                if not all(at_once[2] in witness.wins(end, x) for x in cells_in(at_once[1]) for end in ends):
                    return False
                continue
            told = re.fullmatch(rf"({CELLS}) loses by force(?:(, in most ends so)?: ({FORCED}))?", each)
            assert told, said
            for x in cells_in(told[1]):
                seen.add(x)
                self.won += [(end, x, cells_in(told[3])) for end in ends if told[3]]
                if not all(witness.loses(end, x) for end in ends):
                    return False
                so = [end for end in ends if told[3] is None or self._wins_so(end, x, cells_in(told[3]))]
                if len(so) < len(ends) and not (told[2] and 2 * len(so) > len(ends)):
                    return False
        return seen == wanted

    def _wins_so(self, now: Seen, x: str, line: list[str]) -> bool:
        return x in self._open(now) and self.is_forced_so(now, x, line)

    # No column that is always left -----------------------------------------------------------------

    def _rows(self, said: str) -> bool:
        named, _, rest = said.partition(": ")
        is_even = "an even number" in rest
        lasts, is_right = set(map(above, cells_in(named))), True
        for cell in lasts:
            self.lasts.add(cell)
            ends = [end for end in self.ends if cell in self._lacks(end)]
            is_right = is_right and bool(ends)
            for end in ends:
                free, below = self._open(end), above(cell, -1)
                if below not in free:
                    continue  # of this end another of the fours is told
                left = set().union(*map(from_up, free)) - from_up(below)
                is_right = is_right and (len(left) % 2 == 0) == is_even
        is_right = is_right and ("one alone" in named) == (len(cells_in(named)) > 1)
        is_right = is_right and ("as long as nobody plays there" in rest or "that number is odd" in rest)
        for below in cells_in(named):
            is_right = is_right and self._is_kept(below, is_even=is_even)
        if is_even:
            self.entered = self._entered(set(cells_in(named)))
        if is_even or not is_right:
            return is_right
        if "another column is left" in rest:
            return all(self._open(end) - {above(cell, -1)} for cell in lasts for end in self._that_end(cell))
        odd = [(end, self._last_of(end)) for end in self.ends]
        return self._have_second(rest, [(end, {above(last, -1)}) for end, last in odd if last in lasts])

    def _is_kept(self, below: str, *, is_even: bool) -> bool:
        """In every position of a game in which nobody has played there the other empty cells are so many."""
        kept = from_up(below)
        now = [each for each in self.witness.games if not kept & (each.theirs | each.ours)]
        return all((42 - len(each.theirs | each.ours | kept)) % 2 == (not is_even) for each in now)

    def _entered(self, cells: set[str]) -> set[str]:
        """Those of these cells that the holder plays in some game."""
        return {
            y for now, after in self.witness.games.items() for each in after for y in (each.ours - now.ours)
        } & cells

    def _are_entered(self, said: str) -> bool:
        """What the holder plays itself of the cells that were left out."""
        told, self.entered = self.entered, set()
        return bool(told) and set(cells_in(said)) == told

    def _that_end(self, cell: str) -> list[Seen]:
        """The ends in which the opponent can play right below this last cell of a four."""
        below = above(cell, -1)
        return [end for end in self.ends if cell in self._lacks(end) and below in self._open(end)]

    def _second(self, said: str) -> bool:
        """Of a column that is always left, with an odd number elsewhere."""
        return self._have_second(said, [(end, self.shut) for end in self.part])

    def _have_second(self, said: str, ends: list[tuple[Seen, set[str]]]) -> bool:
        """Each of these ends has one of the fours that are told, right above another cell than those."""
        told = [(line_between(first, last), cells_in(cells)) for first, last, cells in re.findall(PART, said)]
        is_right = bool(told) and bool(ends) and all(len(cells) == 1 for _, cells in told)
        for end, cells in ends:
            below = self._open(end) - cells
            is_right = is_right and any(
                four - {cell} <= end.ours and cell not in end.theirs and above(cell, -1) in below
                for four, [cell] in told
            )
        return is_right

    def _last_of(self, end: Seen) -> str:
        """The last cell by which an end is told: that of the first of the fours that it has."""
        return next(filter(None, (self.witness.lacks(end, four) for four, _ in self.parts)), "")

    def _game(self, said: str) -> bool:
        only = re.search(rf"has only ({CELLS}) left", said)
        assert only, said
        left = set(cells_in(only[1]))
        ends = [end for end in self.witness.ends if self._open(end) == left]
        return any(self._are_answered(said.partition(": ")[2], left, [end]) for end in ends)


class Excepted:
    """Reads the exceptions of a plan, each with its reason."""

    def __init__(
        self, witness: Witness, deciding: list[frozenset[str]], *, draw_is_enough: bool = False
    ) -> None:
        self.witness, self.deciding, self.draw_is_enough = witness, deciding, draw_is_enough
        self.others: dict[str, Witness] = {}  # by x: the same without its exceptions
        self.known: dict[tuple[str | Seen, ...], set[str | frozenset[str]]] = {}
        # By x: before it, and the answer, while the opponent resists.
        self.asked: dict[str, list[tuple[Seen, str]]] = {}
        for now in witness.games:
            for x in witness.open_cells(now.theirs | now.ours):
                rule, y = witness.answer(now.theirs | {x}, now.ours, x)
                if rule == "exception" and not witness.loses(now, x):
                    self.asked.setdefault(x, []).append((now, y))

    def refuses(self, sentences: list[str]) -> list[str]:
        return [said for said in sentences if not self._is_true(said)]

    def _is_true(self, said: str) -> bool:
        if "a choice of the map" in said:
            return self._are_free(said)
        told = re.match(rf"(?:A|Later, a)fter ({CELL}) comes ([^:;]*?)(?=:|;|, which)", said)
        if told is None:
            heads = ("From here on a plan", "As soon as it can", "What loses by force it", "Where this plan")
            return said.startswith(heads)
        x, answers, why = told[1], set(cells_in(told[2])), said[told.end() :]
        asked = self.asked.get(x, [])
        is_right = bool(asked) and {y for _, y in asked} == answers
        is_now = any(now == self.witness.start for now, _ in asked)
        is_right = is_right and is_now != said.startswith("Later")
        fours = [line_between(*ends) for ends in re.findall(rf"({CELL})–({CELL})", why)]
        lost = fours[-1] if " complete the " in why else None
        four = fours[0] if fours and (lost is None or len(fours) > 1) else None
        if "could then complete" not in why:  # that is a loss by itself
            is_right = is_right and self._without(x, [self.witness.start], why, lost)
        return is_right and self._holds(x, asked, why, four, lost)

    def _are_free(self, said: str) -> bool:
        """Without the exception the plan still holds."""
        told = re.findall(rf"after ({CELL}) comes", said)
        return bool(told) and all(x in self.asked and not self._losses(x, [self.witness.start]) for x in told)

    def _holds(
        self,
        x: str,
        asked: list[tuple[Seen, str]],
        why: str,
        four: frozenset[str] | None,
        lost: frozenset[str] | None,
    ) -> bool:
        witness, high = self.witness, above(x, 2)
        first = why.partition("; with an answer on top")[0].partition(", and ")[0]
        cells = cells_in(first)
        if "threatens a four" in why:
            return all(self._threatens(now, x, cells) for now, _ in asked)
        if "could then complete" in why:
            return cells == [high] and all(witness.completes(now.theirs | {x}, high) for now, _ in asked)
        if "could block" in why:
            is_right = cells == [high] and all(witness.completes(now.ours, high) for now, _ in asked)
            return is_right and self._follows(x, asked, why, lost)
        if "could take" in why:
            is_right = four in self.deciding and four is not None and high in four and cells[0] == high
            return is_right and self._follows(x, asked, why, lost)
        if "which belongs" in why:
            return four in self.deciding and four is not None and all(y in four for _, y in asked)
        if "which stops" in why:
            return four is not None and all({x, y} <= four and not four & now.ours for now, y in asked)
        return four is None

    def _threatens(self, now: Seen, x: str, cells: list[str]) -> bool:
        after = self.witness.after(now, x)
        free = self.witness.open_cells(after.theirs | after.ours)
        found = [cell for cell in free if self.witness.completes(after.ours, cell)]
        return bool(found) and (not cells or set(found) == set(cells))

    def _follows(self, x: str, asked: list[tuple[Seen, str]], why: str, lost: frozenset[str] | None) -> bool:
        """Where the opponent comes right above the top, there is that to be lost."""
        starts = []
        for now, _ in asked:
            theirs, ours = now.theirs | {x, above(x, 2)}, now.ours | {above(x)}
            if lost is not None and lost <= theirs:
                return True
            y = self._answer(x, theirs, ours, above(x, 2))
            if y:
                starts.append(Seen(theirs, ours | {y}))
        return self._without(x, starts, why, lost)

    def _without(self, x: str, starts: list[Seen], why: str, lost: frozenset[str] | None) -> bool:
        """Whether the plan, x answered on top, can come to the loss that is told."""
        wanted = "full" if "fill up" in why else "silent" if "cannot answer" in why else lost
        return wanted is not None and wanted in self._losses(x, starts)

    def _answer(self, x: str, theirs: frozenset[str], ours: frozenset[str], reply: str) -> str:
        """What the plan plays that has no exception for x."""
        if x not in self.others:
            rules = self.witness.rules
            others = {key: cells for key, cells in rules.answers.items() if key != x}
            self.others[x] = Witness(self.witness.start, rules._replace(answers=others))
        return self.others[x].answer(theirs, ours, reply)[1]

    def _losses(self, x: str, starts: list[Seen]) -> set[str | frozenset[str]]:
        """Everything that the opponent can get against the plan without its exception for x."""
        if (x, *starts) not in self.known:
            self.known[x, *starts] = self._played(x, starts)
        return self.known[x, *starts]

    def _played(self, x: str, starts: list[Seen]) -> set[str | frozenset[str]]:
        witness, found = self.witness, set[str | frozenset[str]]()
        seen, waiting = set(starts), list(starts)
        while waiting:
            now = waiting.pop()
            for reply in witness.open_cells(now.theirs | now.ours):
                theirs = now.theirs | {reply}
                if fours := [each for each in THROUGH[reply] if each <= theirs]:
                    found.update(fours)
                    continue
                y = self._answer(x, theirs, now.ours, reply)
                if y and witness.completes(now.ours, y):
                    continue
                ours = now.ours | {y} - {""}
                if len(theirs | ours) == 42:
                    found |= set() if self.draw_is_enough else {"full"}
                elif not y:
                    found.add("silent")
                elif (after := Seen(theirs, ours)) not in seen:
                    seen.add(after)
                    waiting.append(after)
        return found
