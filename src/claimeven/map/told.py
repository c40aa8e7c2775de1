"""A place on the map in words: what is played, by which plan, and where that wins."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.plan import Cells, Plan, urgent
from claimeven.map.stones import Stones
from claimeven.map.theme import Theme, theme_of, threats_of
from claimeven.map.walk import Map, Place
from claimeven.position import Position

Kind = Literal[
    "first", "over", "off", "win", "stop", "column", "urgent", "exception", "top", "spare", "node", "plan"
]
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
    ends: tuple[str, ...] = ()  # where its games end
    theme: Theme | None = None  # of the leaf where it was reached
    threats: tuple[str, ...] = ()  # that stood there

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
        return " ".join((*self.move(language), *self.steps(language)))

    def move(self, language: str = "en") -> list[str]:
        """What is played now, or after each reply; nothing where a plan says it."""
        words = _words(language)
        if self.kind == "node":
            answers = ", ".join(words["pair"].format(x=x, y=y) for x, y in self.answers)
            return [words["node"].format(answers=answers)]
        return [] if self.kind == "plan" else [words[self.kind].format(cell=self.cell, x=self.x)]

    def steps(self, language: str = "en") -> list[str]:
        """The plan, one sentence for each thing to know; nothing where none is followed."""
        words, rules = _words(language), self.rules
        if rules is None:
            return []
        told = []
        if self.theme in ("odd", "even"):
            told.append(words[f"theme.{self.theme}"].format(cells=", ".join(self.threats)))
        told.append(words[f"rule.{self.goal}"])
        if rules.urgent:
            told.append(words["take"].format(cells=_in_turn(words, rules.urgent)))
        if rules.exceptions:
            pairs = (words["pair"].format(x=x, y=_in_turn(words, y)) for x, y in rules.exceptions)
            told.append(words["except"].format(pairs=", ".join(pairs)))
        if rules.spare:
            told.append(words["full"].format(cells=_in_turn(words, rules.spare)))
        if self.ends and self.goal == "win":
            told.append(words["ends"].format(cells=", ".join(self.ends)))
        return told


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
    board = found.board
    name = _namer(board)
    about = Told("node", found.goal)
    if place.plan is not None and place.leaf is not None:
        about = Told(
            "plan",
            found.goal,
            rules=rules_of(board, place.plan),
            ends=tuple(map(name, bits(endings(board, place.stones, place.plan)))),
            theme=theme_of(board, place.leaf, place.plan),
            threats=tuple(map(name, bits(threats_of(board, place.leaf)))),
        )
    if position.side != found.side:
        return about if place.plan is not None else replace(about, answers=_answers(found, place))
    return answered(found, place, position.mask & ~place.stones.mask, about)


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


def endings(board: Board, stones: Stones, plan: Plan) -> int:
    """The cells on which the holder completes its four in some game from here, if it keeps to the plan."""
    found, waiting, seen = 0, [stones], {stones}
    while waiting:
        theirs, mask = waiting.pop()
        for x in bits(board.landings(mask)):
            y = plan.answer(board, theirs | x, mask | x, x)
            after = Stones(theirs | x, mask | x | y)
            if y and board.has_four(after.theirs ^ after.mask):
                found |= y
            elif y and after not in seen:
                seen.add(after)
                waiting.append(after)
    return found


def _namer(board: Board) -> Callable[[int], str]:
    return lambda bit: board.cell_name(board.cell_of(bit))


@cache
def _words(language: str) -> dict[str, str]:
    text = (files("claimeven.map") / "words" / f"{language}.json").read_text(encoding="utf-8")
    words: dict[str, str] = json.loads(text)
    return words
