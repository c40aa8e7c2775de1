"""The argument of a leaf in a few sentences: the fours, the count, and what is left in the end."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from claimeven.map.argued.argument import Argument
from claimeven.map.argued.rivals import Fate
from claimeven.map.reason import Why
from claimeven.notation import marked

Axis = Literal["row", "upright", "diagonal"]
Say = Callable[..., str]  # a code and its values: a sentence with the names of both sides
MANY = 4  # cells that are listed
MARK = "mark"  # whether names are marked, among the words of a language
FORMS = "forms"  # a language in which every sentence is its own code: to count what is told


@dataclass(frozen=True)
class Four:
    """A four that decides: see reason.py."""

    axis: Axis
    cells: tuple[str, ...]  # from the left, or from below
    have: tuple[str, ...]
    is_safe: bool
    ends: int
    last: tuple[str, ...]

    @property
    def lack(self) -> tuple[str, ...]:
        return tuple(cell for cell in self.cells if cell not in self.have)


@dataclass(frozen=True)
class Three:
    """Of a four the holder has all but one cell, which is empty."""

    axis: Axis
    cells: tuple[str, ...]
    last: str


@dataclass(frozen=True)
class Arguing:
    """The words of one language, with which an argument is told."""

    words: dict[str, str]
    say: Say

    def idea(self, argument: Argument | None, why: Why) -> str:
        """What it all comes to, in one sentence."""
        return self._with_pattern(self._what(argument, why), argument)

    def _with_pattern(self, said: str, argument: Argument | None) -> str:
        """With what players know by name, if it is that."""
        if argument is None or argument.pattern is None:
            return said
        kind, cells = argument.pattern
        return f"{said} {self.say(f'idea.is.{kind}', cells=self.both(cells))}"

    def _what(self, argument: Argument | None, why: Why) -> str:
        if argument is not None and argument.is_open_to_both and argument.is_whole and why != "long":
            return self.say("idea.either", column=self.called(column_of(argument.shut[0].cell)))
        where = "" if argument is None or why == "many" else self._where(argument)
        below = "" if argument is None or not where or argument.shut else ".below"
        code = "idea" if not where else f"idea.long{below}" if why == "long" else f"idea.where{below}"
        return self.say(code, where=where)

    def open(self, argument: Argument | None, why: Why, fours: tuple[Four, ...], ends: int) -> str:
        """The same where no short argument is known: the fours, if they are few."""
        if why in ("long", "many"):
            return self.say("idea.open")
        is_all = sum(four.ends for four in fours) == ends
        what = joined(self.words, [named(self.words, four) for four in fours], "or")
        said = self.say("idea.open.few" if is_all else "idea.open.nearly", fours=what)
        return self._with_pattern(said, argument)

    def _where(self, argument: Argument) -> str:
        """Where the poison is that is left in the end."""
        if argument.shut:
            names = [self.called(column_of(cell)) for cell in argument.main]
            found = joined(self.words, [self.words["in"].format(column=name) for name in names], "and")
            is_all = argument.is_main_left
            more = {"always": "too", "sometimes": "sometimes", "never": ""}[argument.more]
        elif argument.below:
            found, more, is_all = self.either(argument.below), "", argument.is_below_left
        else:
            return ""
        return ("" if is_all else self.words["mostly"]) + found + (more and self.words[more])

    def stands(
        self, argument: Argument, why: Why, fours: tuple[Four, ...], ends: int, poison: set[str]
    ) -> list[str]:
        """The fours that decide, and what is poison for their sake, unless that was told already."""
        said = [self._aim(why, fours, ends)]
        if argument.below and not poison.issuperset(argument.below):
            said.append(self.say("below", cells=self.either(argument.below)))
        return said

    def threes(self, threes: Sequence[Three]) -> list[str]:
        """What stands already, besides the fours that decide."""
        parts = [self._but(line_of(self.words, each.axis, each.cells), [each.last]) for each in threes]
        return [self.say("threes", what=joined(self.words, parts, "and"))] if parts else []

    def rivals(self, fate: Fate, threes: Sequence[Three]) -> list[str]:
        """What the opponent has of fours, and what comes of it."""
        parts = [self._but(line_of(self.words, each.axis, each.cells), [each.last]) for each in threes]
        cells = [each.last if fate == "takes" else raised(each.last, -1) for each in threes]
        what = joined(self.words, parts, "and")
        return [self.say(f"theirs.{fate}", what=what, cells=self.both(cells))] if parts else []

    def fours(self, fours: Sequence[Three], *, is_more: bool) -> list[str]:
        """Those that wins by force complete; whether there are more than these."""
        named = [line_of(self.words, each.axis, each.cells) for each in fours]
        code = "some" if is_more else "one" if len(named) == 1 else "all"
        return [self.say(f"fours.{code}", fours=joined(self.words, named, "and"))] if named else []

    def lost(
        self,
        lines: Sequence[Sequence[str]],
        code: str,
        delays: Sequence[Sequence[str]] = (),
        cell: str = "",
        more: Sequence[str] = (),
    ) -> list[str]:
        """The replies that lose now, and how; of those that need more discs only that."""
        kinds = [("left.four" if len(line) == 2 else "left.force", line) for line in lines]
        kinds += [("left.delay", line) for line in delays]
        alike: dict[tuple[str, ...], list[str]] = {}
        for kind, (x, *line) in kinds:
            alike.setdefault((kind, *line), []).append(x)
        parts = [self.say(kind, x=self.either(x), y=self.follows(line)) for (kind, *line), x in alike.items()]
        parts += [self.say("left.more", x=self.either(more))] if more else []
        return [self.say(code, columns="; ".join(parts), cell=self.called(cell))] if parts else []

    def filled(self, argument: Argument, why: Why) -> list[str]:
        """How the rest is filled: who plays where, and how many cells there are."""
        return self._count(argument, why) if argument.shut else self._parity(argument)

    def either(self, cells: Sequence[str]) -> str:
        return listed(self.words, cells, "or")

    def called(self, name: str) -> str:
        return called(self.words, name)

    def both(self, cells: Sequence[str]) -> str:
        return listed(self.words, cells, "and")

    def follows(self, line: Sequence[str]) -> str:
        """What follows a reply: the cell, if there is one alone, or who plays what."""
        return self.by_turns(line) if len(line) > 1 else self.called(line[0])

    def by_turns(self, line: Sequence[str]) -> str:
        """A win by threats, the holder first: who plays what."""
        codes = ["line.win" if at + 1 == len(line) else f"line.{at % 2}" for at in range(len(line))]
        parts = [self.say(code, cell=self.called(cell)) for code, cell in zip(codes, line, strict=True)]
        pairs = [" ".join(parts[at : at + 2]) for at in range(0, len(parts), 2)]
        return ", ".join(pairs)

    def _few(self, cells: Sequence[str]) -> str:
        return f" ({self.either(cells)})" if 0 < len(cells) <= MANY else ""

    def _aim(self, why: Why, fours: tuple[Four, ...], ends: int) -> str:
        is_there = len(fours) == 1 and len(fours[0].lack) == 1 and why not in ("long", "many")
        already = ["" if is_there or len(four.lack) > 1 else self.words["already"] for four in fours]
        parts = [self._but(named(self.words, four), four.last) for four in fours]
        what = self.words["parts"].join(map("".join, zip(parts, already, strict=True)))
        code = f"aim.{why}" if why in ("long", "many") else "aim.three" if is_there else "aim"
        told = sum(four.ends for four in fours)
        return self.say(code if told == ends else f"{code}.nearly", what=what)

    def _but(self, four: str, last: Sequence[str]) -> str:
        """All of a four but one of these."""
        return self.words["part" if len(last) == 1 else "part.one"].format(four=four, last=self.either(last))

    def _seconds(self, argument: Argument) -> str:
        parts = [
            self._but(line_of(self.words, axis_of(cells), cells), [cell]) for cells, cell in argument.second
        ]
        return self.words["parts"].join(parts)

    def _up(self, cell: str, *, is_top: bool = False) -> str:
        """A cell and all above it."""
        up = self.words["up"].format(column=self.called(column_of(cell)), cell=self.called(cell))
        return self.called(cell) if is_top else up

    def _left_out(self, cells: Sequence[str]) -> str:
        """The same left out, of several one at a time."""
        code = "leave" if len(cells) == 1 else "leave.one"
        return self.words[code].format(columns=joined(self.words, [self._up(cell) for cell in cells], "or"))

    def _count(self, argument: Argument, why: Why) -> list[str]:
        """Where nobody plays, in which games, and how many cells there are elsewhere."""
        when = self.say("when.long" if why == "long" else "when")
        parts = [self._up(each.cell, is_top=each.is_top) for each in argument.shut]
        number = "even" if argument.elsewhere % 2 == 0 else "odd" if argument.tells_odd else "left"
        code = f"count{'' if argument.is_whole else '.nearly'}.{number}"
        said = [self.say(code, when=when, columns=joined(self.words, parts, "and"), n=argument.elsewhere)]
        return said + ([self.say("count.but", cells=self.either(argument.enters))] if argument.enters else [])

    def ending(self, argument: Argument) -> list[str]:
        """What is left to the opponent in the end, and why that loses."""
        if not argument.shut:
            return []
        cells = self.both([shut.cell for shut in argument.shut])
        answers = self._answered([(each.cell, each.answers, each.is_same) for each in argument.shut])
        also = self._few(argument.also)
        if argument.is_open_to_both:
            [shut] = argument.shut
            y, above = (self.called(raised(shut.cell, by)) for by in (1, 2))
            return [self.say("stack", x=self.called(shut.cell), y=y, above=above)]
        code = "end.odd" if argument.tells_second else f"end.{argument.filled}"
        said = [self.say(code, cells=cells, answers=answers, also=also)]
        return said + ([self.say("second", second=self._seconds(argument))] if argument.tells_second else [])

    def _answered(self, lost: Sequence[tuple[str, Sequence[str], bool]]) -> str:
        """The cells that lose, and how: by a four at once, by force like this, always or mostly."""
        alike: dict[tuple[str, str], list[str]] = {}
        for x, answers, is_same in lost:
            how = "loses.mostly" if answers else "loses"
            code = ("pair" if len(answers) == 1 else "loses.so") if is_same else how
            alike.setdefault((code, " ".join(answers)), []).append(x)
        told = (
            self.words[code].format(
                x=self.either(x), y=self.called(y) if code == "pair" else self.by_turns(y.split())
            )
            for (code, y), x in alike.items()
        )
        return "; ".join(told)

    def ended(self, left: Sequence[Sequence[str]], code: str) -> str:
        """How the game ends that is shown: each cell that is left, and what follows it."""
        answers = self._answered([(x, line, True) for x, *line in left])
        return self.say(code, cells=self.both([x for x, *_ in left]), answers=answers)

    def _parity(self, argument: Argument) -> list[str]:
        """No column is left in every end: what the rows of the last cells say."""
        said = list[str]()
        if not argument.below:
            return said  # some of these cells can be played at once in the end
        even, odd = (
            self._left_out([raised(cell, -1) for cell in each]) for each in (argument.even, argument.odd)
        )
        if argument.even:
            said.append(self.say("rows.even", leave=even))
        if argument.entered:
            said.append(self.say("rows.entered", cells=self.either(argument.entered)))
        if argument.odd:
            code = "rows.odd" if argument.even else "rows.only"
            code += "" if argument.tells_second else ".left"
            said.append(self.say(code, leave=odd, second=self._seconds(argument)))
        return said


def axis_of(cells: Sequence[str]) -> Axis:
    if len({column_of(cell) for cell in cells}) == 1:
        return "upright"
    return "row" if len({cell[len(column_of(cell)) :] for cell in cells}) == 1 else "diagonal"


def column_of(cell: str) -> str:
    return cell.rstrip("0123456789")


def raised(cell: str, by: int) -> str:
    """The cell so many rows above."""
    column = column_of(cell)
    return f"{column}{int(cell[len(column) :]) + by}"


def named(words: dict[str, str], four: Four) -> str:
    return line_of(words, four.axis, four.cells)


def line_of(words: dict[str, str], axis: Axis, cells: Sequence[str]) -> str:
    return words[axis].format(line=called(words, f"{cells[0]}–{cells[-1]}"))


def listed(words: dict[str, str], cells: Sequence[str], word: str) -> str:
    """As people write a list: a comma between two, the word before the last."""
    return joined(words, [called(words, cell) for cell in cells], word)


def joined(words: dict[str, str], parts: Sequence[str], word: str) -> str:
    return words[word].join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def in_turn(words: dict[str, str], cells: Sequence[str]) -> str:
    """Cells that are played one after the other."""
    return " ".join(called(words, cell) for cell in cells)


def called(words: dict[str, str], name: str) -> str:
    """The name of a cell, a column or a four in a sentence: marked, if that is for the page."""
    return marked(name) if words[MARK] and name else name


@cache
def words_of(language: str) -> dict[str, str]:
    if language == FORMS:
        return {code: code for code in words_of("en")} | {"later": "{said}", MARK: ""}
    tongue = language.partition("-")[0]  # without the mark that says how things are named
    text = (files("claimeven.map") / "words" / f"{tongue}.json").read_text(encoding="utf-8")
    words: dict[str, str] = json.loads(text)
    return {**words, MARK: "page" if language.endswith("-x-page") else ""}
