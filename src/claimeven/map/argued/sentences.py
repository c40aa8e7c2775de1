"""The argument of a leaf in a few sentences: the fours, the count, and what is left in the end."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from claimeven.map.argued.argument import Argument
from claimeven.map.reason import Why
from claimeven.notation import marked

Axis = Literal["row", "upright", "diagonal"]
Say = Callable[..., str]  # a code and its values: a sentence with the names of both sides
MANY = 4  # cells that are listed
MARK = "mark"  # whether names are marked, among the words of a language


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
class Arguing:
    """The words of one language, with which an argument is told."""

    words: dict[str, str]
    say: Say

    def told(self, argument: Argument, why: Why, fours: tuple[Four, ...], is_all: bool) -> list[str]:
        """The idea, the count and the end."""
        said = [self._aim(argument, why, fours, is_all)]
        if argument.below:
            said.append(self.say("below", cells=self.either(argument.below)))
        return said + (self._region(argument) if argument.shut else self._parity(argument))

    def either(self, cells: Sequence[str]) -> str:
        return listed(self.words, cells, "or")

    def called(self, name: str) -> str:
        return called(self.words, name)

    def both(self, cells: Sequence[str]) -> str:
        return listed(self.words, cells, "and")

    def _few(self, cells: Sequence[str]) -> str:
        return f" ({self.either(cells)})" if 0 < len(cells) <= MANY else ""

    def _aim(self, argument: Argument, why: Why, fours: tuple[Four, ...], is_all: bool) -> str:
        parts = [
            self.words["part"].format(four=named(self.words, four), last=self.either(four.last))
            for four in fours
        ]
        split = argument.split
        if split is not None:
            code = "split.theirs" if split.is_theirs else "split.ours"
            then, other = parts[split.four], parts[1 - split.four]
            what = self.say(code, other=other, cell=self.called(split.cell), then=then)
        else:
            what = self.words["parts"].join(parts)
        code = f"aim.{why}" if why in ("long", "many") else "aim"
        return self.say(code, what=what, mostly="" if is_all else self.words["mostly"])

    def _region(self, argument: Argument) -> list[str]:
        """Where nobody plays, and how many cells there are elsewhere."""
        up = self.words["up"]
        columns = joined(
            self.words,
            [
                self.called(each.cell)
                if each.is_top
                else up.format(column=self.called(column_of(each.cell)), cell=self.called(each.cell))
                for each in argument.shut
            ],
            "and",
        )
        is_odd = argument.elsewhere % 2
        nearly = "" if argument.is_whole else ".nearly"
        values = {"columns": columns, "n": argument.elsewhere}
        said = [self.say(f"count{nearly}.{'odd' if is_odd else 'even'}", **values)]
        cells = self.both([shut.cell for shut in argument.shut])
        answers = self._answered([(each.cell, each.answers, each.is_same) for each in argument.shut])
        also = self._few(argument.also)
        if argument.is_open_to_both:
            [shut] = argument.shut
            y, above = (self.called(raised(shut.cell, by)) for by in (1, 2))
            return [*said, self.say("stack", x=self.called(shut.cell), y=y, above=above)]
        said.append(
            self.say(
                "end.odd" if is_odd else f"end.{argument.filled}", cells=cells, answers=answers, also=also
            )
        )
        return said

    def _answered(self, lost: Sequence[tuple[str, Sequence[str], bool]]) -> str:
        """The cells that lose, and how: by a four at once, by force like this, always or mostly."""
        alike: dict[tuple[str, str], list[str]] = {}
        for x, answers, is_same in lost:
            how = "loses.mostly" if answers else "loses"
            code = ("pair" if len(answers) == 1 else "loses.so") if is_same else how
            alike.setdefault((code, " ".join(answers)), []).append(x)
        told = (
            self.words[code].format(x=self.either(x), y=in_turn(self.words, y.split()))
            for (code, y), x in alike.items()
        )
        return "; ".join(told)

    def ended(self, left: Sequence[Sequence[str]]) -> str:
        """How the game ends that is shown: each cell that is left, and what follows it."""
        answers = self._answered([(x, line, True) for x, *line in left])
        return self.say("end.game", cells=self.both([x for x, *_ in left]), answers=answers)

    def _parity(self, argument: Argument) -> list[str]:
        """No column is left in every end: what the rows of the last cells say."""
        said = list[str]()
        if not argument.below:
            return said  # some of these cells can be played at once in the end
        if argument.even:
            said.append(self.say("rows.even", cells=self.either(argument.even)))
        if argument.odd:
            code = "rows.odd" if argument.even else "rows.only"
            said.append(self.say(code, cells=self.either(argument.odd), other=self._few(argument.other)))
        return said


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
    tongue = language.partition("-")[0]  # without the mark that says how things are named
    text = (files("claimeven.map") / "words" / f"{tongue}.json").read_text(encoding="utf-8")
    words: dict[str, str] = json.loads(text)
    return {**words, MARK: "page" if language.endswith("-x-page") else ""}
