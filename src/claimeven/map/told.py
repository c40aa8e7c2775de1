"""A place on the map in words: what is played, by which plan, and where that wins."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.course import course
from claimeven.map.plan import Cells, Plan, urgent
from claimeven.map.stones import Stones
from claimeven.map.theme import Theme, theme_of, threats_of
from claimeven.map.walk import Map, Place
from claimeven.position import Position

Kind = Literal[
    "first", "over", "off", "win", "stop", "column", "urgent", "exception", "top", "spare", "node", "plan"
]
FEW = 4  # cells on which games end that are all named; of more, the most frequent
Pair = tuple[str, str]  # names of cells: after this one, that one


@dataclass(frozen=True)
class Rules:
    """A plan, cells by name; of one x the answers in the order in which they are tried."""

    urgent: tuple[str, ...]
    exceptions: tuple[tuple[str, tuple[str, ...]], ...]
    spare: tuple[str, ...]


@dataclass(frozen=True)
class Told:
    """What the map says of a position; cells by name."""

    kind: Kind
    goal: str
    x: str = ""  # the opponent's last cell
    cell: str = ""  # what is played now
    answers: tuple[Pair, ...] = ()  # of a node: what is played after each reply
    rules: Rules | None = None  # of the plan that is followed, if there is one
    ends: tuple[str, ...] = ()  # where its games end, most of them first
    below: tuple[str, ...] = ()  # cells under its threats that only the opponent ever plays
    last: tuple[str, ...] = ()  # the cells that fill the columns
    theme: Theme | None = None  # of the leaf where it was reached
    threats: tuple[str, ...] = ()  # that stand there, each with its discs
    now: tuple[str, ...] = ()  # cells on which the holder's next disc completes a four, the opponent to move
    above: str = ""  # the cell right above the only one of these, if it completes a four, too

    def to_json(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "cell": self.cell or None,
            "answers": dict(self.answers),
            "rules": None if self.rules is None else asdict(self.rules),
            "theme": self.theme,
            "ends": list(self.ends),
            "text": self.text(),
        }

    def text(self, language: str = "en") -> str:
        return " ".join((*self.move(language), *self.steps(language), *self.rest(language)))

    def move(self, language: str = "en") -> list[str]:
        """What is played now, or after each reply; nothing where a plan says it."""
        words = _words(language)
        if self.kind == "node":
            answers = ", ".join(words["pair"].format(x=x, y=y) for x, y in self.answers)
            return [words["node"].format(answers=answers)]
        return [] if self.kind == "plan" else [words[self.kind].format(cell=self.cell, x=self.x)]

    def steps(self, language: str = "en") -> list[str]:
        """The plan, the idea first, then the cells: a sentence for each. Nothing where none is followed."""
        words, rules = _words(language), self.rules
        if rules is None:
            return []
        told = []
        if self.now:
            kind = "nows" if len(self.now) > 1 else "twice" if self.above else "now"
            told.append(words[kind].format(cells=", ".join(self.now), above=self.above))
        if self.threats:
            told.append(words[f"theme.{self.theme}"].format(cells=", ".join(self.threats)))
        if self.below:
            told.append(words["below"].format(cells=", ".join(self.below)))
        told.append(words[f"rule.{self.goal}"])
        if rules.urgent:
            told.append(words["take"].format(cells=_in_turn(words, rules.urgent)))
        if pairs := [pair for pair in rules.exceptions if pair[0] not in self.last]:
            told.append(words["except"].format(pairs=_pairs(words, pairs)))
        if self.ends and self.goal == "win":
            few = len(self.ends) <= FEW
            told.append(words["ends" if few else "mostly"].format(cells=", ".join(self.ends[:FEW])))
        return told

    def rest(self, language: str = "en") -> list[str]:
        """What is played after a disc that fills its column: any waiting move, and yet one must be named."""
        words, rules = _words(language), self.rules
        if rules is None:
            return []
        told = []
        if pairs := [pair for pair in rules.exceptions if pair[0] in self.last]:
            told.append(words["filled"].format(pairs=_pairs(words, pairs)))
        if rules.spare:
            told.append(words["full"].format(cells=_in_turn(words, rules.spare)))
        return told


def _pairs(words: dict[str, str], pairs: list[tuple[str, tuple[str, ...]]]) -> str:
    return ", ".join(words["pair"].format(x=x, y=_in_turn(words, y)) for x, y in pairs)


def _in_turn(words: dict[str, str], cells: tuple[str, ...]) -> str:
    """The first one, or the next where that cannot be played."""
    return words["or"].join(cells)


def told(found: Map, position: Position) -> Told:
    """What the map says of this position, with either side to move."""
    if position.is_over:
        return Told("over", found.goal)
    place = found.find(position)
    if place is None:
        return Told("off", found.goal)
    about = Told("node", found.goal)
    if place.plan is not None and place.leaf is not None:
        about = planned(found, place.stones, place.plan)
    if position.side != found.side:
        if place.plan is None:
            return replace(about, answers=_answers(found, place))
        return _at_once(found.board, place.stones, about)
    return answered(found, place, position.mask & ~place.stones.mask, about)


def planned(found: Map, stones: Stones, plan: Plan) -> Told:
    """What is to be known of a plan in a position: only the rules that its games ask for from here on."""
    board, name = found.board, _namer(found.board)
    seen, threats = course(board, stones, plan), threats_of(board, stones)
    below = threats >> 1 & ~threats & ~seen.ours
    return Told(
        "plan",
        found.goal,
        rules=rules_of(board, seen.plan),
        ends=tuple(map(name, seen.ends)),
        theme=theme_of(board, stones, plan),
        threats=tuple(_waiting(board, stones.theirs ^ stones.mask, cell) for cell in bits(threats)),
        below=tuple(map(name, bits(below))),
        last=tuple(name(1 << column * (board.rows + 1) + board.rows - 1) for column in range(board.columns)),
    )


def _at_once(board: Board, stones: Stones, about: Told) -> Told:
    """The same, and the fours that the holder completes with its next disc."""
    fours, name = board.winning_cells(stones.theirs ^ stones.mask, stones.mask), _namer(board)
    now = fours & board.landings(stones.mask)
    above = now << 1 & fours
    is_twice = now.bit_count() == 1 and above
    return replace(about, now=tuple(map(name, bits(now))), above=name(above) if is_twice else "")


def answered(found: Map, place: Place, x: int, about: Told | None = None) -> Told:
    """What is played after x, or first of all where x is 0; `place.cell` is the answer."""
    name = _namer(found.board)
    return replace(
        about or Told("node", found.goal),
        kind=_kind(found, place, x),
        x=name(x) if x else "",
        cell=name(place.cell),
    )


def rules_of(board: Board, plan: Plan) -> Rules:
    name = _namer(board)

    def names(cells: Cells) -> tuple[str, ...]:
        return tuple(name(1 << cell) for cell in cells)

    exceptions = tuple((name(1 << x), names(answers)) for x, answers in plan.answers.items())
    return Rules(names(plan.urgent), exceptions, names(plan.spare))


def _kind(found: Map, place: Place, x: int) -> Kind:
    if not x:
        return "first"
    board, theirs, mask = found.board, place.stones.theirs | x, place.stones.mask | x
    if urgent(board, theirs, mask) == place.cell:
        return "win" if board.has_four(theirs ^ mask | place.cell) else "stop"
    if place.plan is None:
        return "column"
    cell = place.cell.bit_length() - 1
    if cell in place.plan.urgent:
        return "urgent"
    if cell in place.plan.answers.get(x.bit_length() - 1, ()):
        return "exception"
    return "top" if place.cell == x << 1 else "spare"


def _answers(found: Map, place: Place) -> tuple[Pair, ...]:
    name = _namer(found.board)
    replies = place.stones.replies(found.board)
    return tuple((name(x), name(found.answer(place, x))) for x in replies)


def _waiting(board: Board, ours: int, cell: int) -> str:
    """A cell, and the discs of the four that it completes."""
    name = _namer(board)
    discs = board.four_cells(ours | cell) & ~cell
    return f"{name(cell)} ({' '.join(map(name, bits(discs)))})"


def _namer(board: Board) -> Callable[[int], str]:
    return lambda bit: board.cell_name(board.cell_of(bit))


@cache
def _words(language: str) -> dict[str, str]:
    text = (files("claimeven.map") / "words" / f"{language}.json").read_text(encoding="utf-8")
    words: dict[str, str] = json.loads(text)
    return words
