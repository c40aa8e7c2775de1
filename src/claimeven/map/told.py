"""A place on the map in words: what is played, by which plan, and why that wins."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.course import Purpose, course, denied
from claimeven.map.plan import Cells, Plan, urgent
from claimeven.map.reason import Reason, Why, reason
from claimeven.map.stones import Stones
from claimeven.map.walk import Goal, Map, Place
from claimeven.position import Position

Kind = Literal[
    "first", "over", "off", "win", "stop", "column", "urgent", "exception", "top", "spare", "node", "plan"
]
Axis = Literal["row", "upright", "diagonal"]
Pair = tuple[str, str]  # names of cells: after this one, that one


@dataclass(frozen=True)
class Rules:
    """A plan, cells by name; of one x the answers in the order in which they are tried, and what for."""

    urgent: tuple[str, ...]
    exceptions: tuple[tuple[str, tuple[str, ...]], ...]
    spare: tuple[str, ...]
    purposes: tuple[Purpose, ...]  # of the exceptions


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
class Disc:
    """Of a game in which the plan is followed."""

    cell: str
    kind: Literal["plays", "blocks"] | Kind
    x: str = ""  # what it answers, if it is the holder's
    four: Four | None = None  # to which it belongs
    threats: tuple[str, ...] = ()  # where the holder completes a four next, if nobody stops it
    is_lost: bool = False  # every column that is left loses by force: those are told here


@dataclass(frozen=True)
class Told:
    """What the map says of a position; cells by name."""

    kind: Kind
    goal: Goal  # what is held from here on, which may be more than what the map holds
    side: int = 0  # the holder's
    x: str = ""  # the opponent's last cell
    cell: str = ""  # what is played now
    answers: tuple[Pair, ...] = ()  # of a node: what is played after each reply
    rules: Rules | None = None  # of the plan that is followed, if there is one
    last: tuple[str, ...] = ()  # the cells that fill the columns
    now: tuple[str, ...] = ()  # cells on which the holder's next disc completes a four, the opponent to move
    above: str = ""  # the cell right above the only one of these, if it completes a four, too
    # Why the plan wins, the opponent to move (reason.py).
    why: Why | None = None
    ends: int = 0
    fours: tuple[Four, ...] = ()
    game: tuple[Disc, ...] = ()
    left: tuple[tuple[str, str, bool], ...] = ()  # where every column loses in it: cell, answer, is it a four
    # Where a draw is held: the fours that the opponent could make, how many need cells it never gets, these.
    denied: tuple[int, int, tuple[str, ...]] | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "cell": self.cell or None,
            "answers": dict(self.answers),
            "rules": None if self.rules is None else asdict(self.rules),
            "why": self.why,
            "ends": self.ends,
            "fours": [asdict(four) for four in self.fours],
            "game": [disc.cell for disc in self.game],
            "text": self.text(),
        }

    def text(self, language: str = "en") -> str:
        said = [*self.move(language), *self.steps(language)]
        if self.game and not self._is_decided:
            moves = " ".join(disc.cell for disc in self.game)
            said += [self._say(language, "game", moves=moves), self.end(language)]
        return " ".join(filter(None, (*said, *self.rest(language))))

    def _say(self, language: str, code: str, **values: object) -> str:
        """A sentence with the names of both sides."""
        words = _words(language)
        names = [words["side.1"], words["side.2"]]
        return words[code].format(me=names[self.side], you=names[1 - self.side], **values)

    def move(self, language: str = "en") -> list[str]:
        """What is played now, or after each reply; nothing where a plan says it."""
        words = _words(language)
        if self.kind == "node":
            answers = ", ".join(words["pair"].format(x=x, y=y) for x, y in self.answers)
            return [words["node"].format(answers=answers)]
        return [] if self.kind == "plan" else [self._say(language, self.kind, cell=self.cell, x=self.x)]

    def steps(self, language: str = "en") -> list[str]:
        """Why the plan wins, then what it plays: a sentence for each. Nothing where none is followed."""
        words, rules = _words(language), self.rules
        if rules is None:
            return []
        told = self._at_once(language)
        if not self._is_decided:
            told += self._reasons(language)
        told.append(self._say(language, f"rule.{self.goal}"))
        if rules.urgent:
            told.append(self._say(language, "take", cells=_in_turn(words, rules.urgent)))
        if self._early:
            told.append(self._say(language, "some"))
        return told

    def _at_once(self, language: str) -> list[str]:
        """The fours that the holder's next disc completes, whatever is replied or if it is not stopped."""
        words, told = _words(language), list[str]()
        if self.now:
            kind = "nows" if len(self.now) > 1 else "twice" if self.above else "now"
            told.append(self._say(language, kind, cells=_listed(self.now, words["and"]), above=self.above))
        elif self._is_decided:
            told.append(
                self._say(language, "stuck", below=_listed([x for x, _, _ in self.left], words["or"]))
            )
        return told

    def _reasons(self, language: str) -> list[str]:
        """The fours that decide, what the holder has of them, and how often each end has one."""
        words, told = _words(language), list[str]()
        if self.denied is not None:
            fours, lost, needed = self.denied
            kind = "denied" if lost < fours else "denied.all"
            told.append(self._say(language, kind, fours=fours, lost=lost, cells=_listed(needed, words["or"])))
        if self.why == "forced":
            told.append(self._say(language, "why.forced"))
        elif self.fours and self.why not in (None, "full"):
            names = [_named(words, four) for four in self.fours]
            mostly = "" if sum(four.ends for four in self.fours) == self.ends else words["mostly"]
            which = _listed(names, words["or"])
            told.append(self._say(language, f"why.{self.why}", fours=which, mostly=mostly))
            told += [self._had(language, four) for four in self.fours if four.have or four.is_safe]
            told.append(self._ended(language))
        return told

    def _had(self, language: str, four: Four) -> str:
        words = _words(language)
        have, lack = (_listed(cells, words["and"]) for cells in (four.have, four.lack))
        either = _listed(four.lack, words["or"])
        kind = "has" if not four.is_safe else "has.safe" if four.have else "has.none"
        return self._say(language, kind, four=_named(words, four), have=have, lack=lack, either=either)

    def _ended(self, language: str) -> str:
        words, told = _words(language), sum(four.ends for four in self.fours)
        lasts = dict.fromkeys(cell for four in self.fours for cell in four.last)
        kind = "ends.single" if self.ends == 1 else "ends.all" if told == self.ends else "ends.most"
        which = words["this"] if len(self.fours) == 1 else words["these"]
        values = {"n": self.ends, "told": told, "which": which, "last": _listed([*lasts], words["or"])}
        said = self._say(language, "ends.long" if self.why == "long" else "ends")
        return f"{said} {self._say(language, kind, **values)}"

    def end(self, language: str = "en") -> str:
        """How the game that is shown ends; nothing where there is none."""
        if not self.game or self.why == "forced":
            return ""
        return self._left(language, "left") if self.left else self._say(language, "close.full")

    def _left(self, language: str, code: str) -> str:
        columns = [
            self._say(language, "left.four" if is_four else "left.force", x=x, y=y)
            for x, y, is_four in self.left
        ]
        return self._say(language, code, columns="; ".join(columns))

    def shown(self, language: str = "en") -> list[str]:
        """The game, a text for every disc."""
        words, told = _words(language), list[str]()
        for disc in self.game:
            said = [self._left(language, "left.now")] if disc.is_lost else []
            said.append(self._say(language, disc.kind, cell=disc.cell, x=disc.x))
            if disc.four is not None and disc.kind != "win":
                said.append(self._say(language, "of", cell=disc.cell, four=_named(words, disc.four)))
            if disc.threats:
                said.append(self._say(language, "threat", cells=_listed(disc.threats, words["and"])))
            told.append(" ".join(said))
        return told

    def rest(self, language: str = "en") -> list[str]:
        """The exceptions by what they are for, and what is played after a disc that fills its column."""
        words, rules = _words(language), self.rules
        if rules is None:
            return []
        told = []
        for purpose in PURPOSES:
            pairs = [pair for pair, what in self._early if what == purpose]
            if pairs:
                told.append(self._say(language, f"except.{purpose}", pairs=_pairs(words, pairs)))
        if pairs := [pair for pair in rules.exceptions if pair[0] in self.last]:
            told.append(self._say(language, "filled", pairs=_pairs(words, pairs)))
        if rules.spare:
            told.append(self._say(language, "full", cells=_in_turn(words, rules.spare)))
        return told

    @property
    def deciding(self) -> tuple[str, ...]:
        """The cells that decide, if they are told: on them it is won, or without them nothing is."""
        if self._is_decided:
            return tuple(dict.fromkeys(y for _, y, _ in self.left))
        if self.denied is not None:
            return self.denied[2]
        return tuple(dict.fromkeys(cell for four in self.fours for cell in four.last))

    @property
    def _is_decided(self) -> bool:
        """Whether the holder completes a four next, whatever is replied: nothing else matters then."""
        return self.why == "forced" and all(is_four for _, _, is_four in self.left)

    @property
    def _early(self) -> list[tuple[tuple[str, tuple[str, ...]], Purpose]]:
        """The exceptions after a disc that does not fill its column, and what they are for."""
        rules = self.rules
        if rules is None:
            return []
        told = zip(rules.exceptions, rules.purposes, strict=True)
        return [(pair, purpose) for pair, purpose in told if pair[0] not in self.last]


PURPOSES: tuple[Purpose, ...] = ("force", "theirs", "ours", "other")


def _named(words: dict[str, str], four: Four) -> str:
    return words[four.axis].format(line=f"{four.cells[0]}–{four.cells[-1]}")


def _pairs(words: dict[str, str], pairs: list[tuple[str, tuple[str, ...]]]) -> str:
    return "; ".join(words["pair"].format(x=x, y=_in_turn(words, y)) for x, y in pairs)


def _listed(cells: Sequence[str], word: str) -> str:
    """As people write a list: a comma between two, the word before the last."""
    return word.join([", ".join(cells[:-1]), cells[-1]] if len(cells) > 1 else cells)


def _in_turn(words: dict[str, str], cells: tuple[str, ...]) -> str:
    """The first one, or the next where that cannot be played; of one column only one can be at a time."""
    groups: list[list[str]] = []
    for cell in cells:
        if groups and groups[-1][0][0] == cell[0]:
            groups[-1].append(cell)
        else:
            groups.append([cell])
    return words["else"].join(_listed(sorted(group, key=_height), words["or"]) for group in groups)


def _height(cell: str) -> tuple[int, str]:
    return len(cell), cell


def told(found: Map, position: Position) -> Told:
    """What the map says of this position, with either side to move."""
    if position.is_over:
        return Told("over", found.goal, found.side)
    place = found.find(position)
    if place is None:
        return Told("off", found.goal, found.side)
    about = Told("node", found.goal, found.side)
    if place.plan is not None and place.leaf is not None:
        about = planned(found, place.stones, place.plan)
    if position.side != found.side:
        if place.plan is None:
            return replace(about, answers=_answers(found, place))
        return _reasoned(found, place, place.plan, _at_once(found.board, place.stones, about))
    return answered(found, place, position.mask & ~place.stones.mask, about)


def planned(found: Map, stones: Stones, plan: Plan) -> Told:
    """What is to be known of a plan in a position: only the rules that its games ask for from here on."""
    board, name = found.board, _namer(found.board)
    seen = course(board, stones, plan)
    return Told(
        "plan",
        "win" if found.goal == "win" or reason(board, stones, plan).why != "full" else "draw",
        found.side,
        rules=rules_of(board, seen.plan, seen.purposes),
        last=tuple(name(1 << column * (board.rows + 1) + board.rows - 1) for column in range(board.columns)),
    )


def _at_once(board: Board, stones: Stones, about: Told) -> Told:
    """The same, and the fours that the holder completes with its next disc."""
    fours, name = board.winning_cells(stones.theirs ^ stones.mask, stones.mask), _namer(board)
    now = fours & board.landings(stones.mask)
    above = now << 1 & fours
    is_twice = now.bit_count() == 1 and above
    return replace(about, now=tuple(map(name, bits(now))), above=name(above) if is_twice else "")


def _reasoned(found: Map, place: Place, plan: Plan, about: Told) -> Told:
    """The same, and why the plan wins."""
    board, stones, name = found.board, place.stones, _namer(found.board)
    seen = reason(board, stones, plan)
    fours = tuple(
        Four(
            _axis(board, four.cells),
            tuple(map(name, bits(four.cells))),
            tuple(map(name, bits(four.have))),
            four.is_safe,
            four.ends,
            tuple(map(name, four.last)),
        )
        for four in seen.fours
    )
    game, end = _game(found, place, seen, fours)
    lost = None if about.goal == "win" else denied(board, stones, course(board, stones, plan).theirs)
    return replace(
        about,
        why=seen.why,
        ends=seen.ends,
        fours=fours,
        game=game,
        left=tuple((name(x), name(y), board.has_four(end.theirs ^ end.mask | y)) for x, y in seen.left),
        denied=None if lost is None else (lost[0], lost[1], tuple(map(name, lost[2]))),
    )


def _axis(board: Board, four: int) -> Axis:
    cells = board.cells_of(four)
    if len({cell.row for cell in cells}) == 1:
        return "row"
    return "upright" if len({cell.column for cell in cells}) == 1 else "diagonal"


def _game(found: Map, place: Place, seen: Reason, fours: tuple[Four, ...]) -> tuple[tuple[Disc, ...], Stones]:
    """The game that is shown, and the position in it where every column that is left loses by force."""
    board, name, now, end = found.board, _namer(found.board), place.stones, place.stones
    wins = board.winning_cells(now.theirs ^ now.mask, now.mask) & board.landings(now.mask)
    discs, before = (
        list[Disc](),
        tuple(map(name, bits(wins))),
    )  # where the holder threatens to complete a four
    for at, x in enumerate(seen.game):
        if at % 2:
            continue
        if at == seen.safe:
            end = now
        kind: Literal["plays", "blocks"] = "blocks" if name(x) in before else "plays"
        discs.append(Disc(name(x), kind, is_lost=0 < at == seen.safe and bool(seen.left)))
        if at + 1 == len(seen.game):
            break
        y = seen.game[at + 1]
        after = Stones(now.theirs | x, now.mask | x | y)
        wins = board.winning_cells(after.theirs ^ after.mask, after.mask) & board.landings(after.mask)
        before = tuple(map(name, bits(wins)))
        what = _kind(found, Place(now, place.plan, place.leaf, y), x)
        four = next((four for four in fours if name(y) in four.cells), None)
        is_won = board.has_four(after.theirs ^ after.mask)
        discs.append(Disc(name(y), what, name(x), four, () if is_won else before))
        now = after
    return tuple(discs), end


def answered(found: Map, place: Place, x: int, about: Told | None = None) -> Told:
    """What is played after x, or first of all where x is 0; `place.cell` is the answer."""
    name = _namer(found.board)
    return replace(
        about or Told("node", found.goal, found.side),
        kind=_kind(found, place, x),
        x=name(x) if x else "",
        cell=name(place.cell),
    )


def rules_of(board: Board, plan: Plan, purposes: dict[int, Purpose]) -> Rules:
    name = _namer(board)

    def names(cells: Cells) -> tuple[str, ...]:
        return tuple(name(1 << cell) for cell in cells)

    exceptions = tuple((name(1 << x), names(answers)) for x, answers in plan.answers.items())
    what = tuple(purposes[x] for x in plan.answers)
    return Rules(names(plan.urgent), exceptions, names(plan.spare), what)


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


def _namer(board: Board) -> Callable[[int], str]:
    return lambda bit: board.cell_name(board.cell_of(bit))


@cache
def _words(language: str) -> dict[str, str]:
    tongue = language.partition("-")[0]  # without a mark for the names of columns: here only cells are named
    text = (files("claimeven.map") / "words" / f"{tongue}.json").read_text(encoding="utf-8")
    words: dict[str, str] = json.loads(text)
    return words
