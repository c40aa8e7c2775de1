"""A place on the map in words: what is played, by which plan, and where that wins."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.plan import Plan, urgent
from claimeven.map.stones import Stones
from claimeven.map.walk import Map, Place
from claimeven.position import Position

Kind = Literal["first", "over", "off", "win", "stop", "column", "exception", "top", "node", "plan"]
Pair = tuple[str, str]  # names of cells: after this one, that one


@dataclass(frozen=True)
class Told:
    """What the map says of a position; cells by name."""

    kind: Kind
    goal: str
    x: str = ""  # the opponent's last cell
    cell: str = ""  # what is played now
    answers: tuple[Pair, ...] = ()  # of a node: what is played after each reply
    exceptions: tuple[Pair, ...] | None = None  # of the plan that is followed, if there is one
    ends: tuple[str, ...] = ()  # where its games end, those before the first

    def to_json(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "cell": self.cell or None,
            "answers": dict(self.answers),
            "exceptions": None if self.exceptions is None else dict(self.exceptions),
            "ends": list(self.ends),
            "text": self.text(),
        }

    def text(self, language: str = "en") -> str:
        words = _words(language)

        def pairs(of: tuple[Pair, ...]) -> str:
            return ", ".join(words["pair"].format(x=x, y=y) for x, y in of)

        told = []
        if self.kind == "node":
            told.append(words["node"].format(answers=pairs(self.answers)))
        elif self.kind != "plan":
            told.append(words[self.kind].format(cell=self.cell, x=self.x))
        if self.exceptions is not None:
            told.append(words[f"rule.{self.goal}"])
            if self.exceptions:
                told.append(words["except"].format(pairs=pairs(self.exceptions)))
            if self.ends and self.goal == "win":
                told.append(words["ends"].format(cells=", ".join(self.ends)))
        return " ".join(told)


def told(found: Map, position: Position) -> Told:
    """What the map says of this position, with either side to move."""
    if position.is_over:
        return Told("over", found.goal)
    place = found.find(position)
    if place is None:
        return Told("off", found.goal)
    board = found.board
    name = _namer(board)
    exceptions: tuple[Pair, ...] | None = None
    ends: tuple[str, ...] = ()
    if place.plan is not None:
        exceptions = tuple((name(1 << x), name(1 << y)) for x, y in place.plan.exceptions)
        ends = tuple(map(name, bits(endings(board, place.stones, place.plan))))
    if position.side != found.side:
        answers = () if place.plan is not None else _answers(found, place)
        return Told(
            "plan" if place.plan is not None else "node", found.goal, "", "", answers, exceptions, ends
        )
    x = position.mask & ~place.stones.mask
    return Told(
        _kind(found, place, x), found.goal, name(x) if x else "", name(place.cell), (), exceptions, ends
    )


def _kind(found: Map, place: Place, x: int) -> Kind:
    if not x:
        return "first"
    board, theirs, mask = found.board, place.stones.theirs | x, place.stones.mask | x
    if urgent(board, theirs, mask) == place.cell:
        return "win" if board.has_four(theirs ^ mask | place.cell) else "stop"
    if place.plan is None:
        return "column"
    return "exception" if place.plan.answers.get(x) == place.cell else "top"


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
