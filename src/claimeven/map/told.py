"""A place on the map in words: what is played, by which plan, and where that wins."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.course import Close, course, defence, denied
from claimeven.map.plan import Cells, Plan, urgent
from claimeven.map.stones import Stones
from claimeven.map.theme import Theme, theme_of, threats_of
from claimeven.map.walk import Goal, Map, Place
from claimeven.position import Position

Kind = Literal[
    "first", "over", "off", "win", "stop", "column", "urgent", "exception", "top", "spare", "node", "plan"
]
FEW = 4  # cells on which games end that are all named; of more, the most frequent
MOST_KEYS = 3  # cells that decide; with more there is no telling where it happens
MOST_PAIRS = 3  # exceptions that are told with the plan; of more it is said that there are some
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
    goal: Goal  # what is held from here on, which may be more than what the map holds
    side: int = 0  # the holder's
    x: str = ""  # the opponent's last cell
    cell: str = ""  # what is played now
    answers: tuple[Pair, ...] = ()  # of a node: what is played after each reply
    rules: Rules | None = None  # of the plan that is followed, if there is one
    ends: tuple[str, ...] = ()  # where its games end, most of them first
    last: tuple[str, ...] = ()  # the cells that fill the columns
    theme: Theme | None = None  # of the leaf where it was reached
    threats: tuple[tuple[str, tuple[str, ...]], ...] = ()  # that stand there, each with its discs
    under: tuple[str, ...] = ()  # the cells right below them that the opponent must not play
    below: tuple[str, ...] = ()  # those of these that only the opponent ever plays
    now: tuple[str, ...] = ()  # cells on which the holder's next disc completes a four, the opponent to move
    above: str = ""  # the cell right above the only one of these, if it completes a four, too
    # Of the games in which the opponent resists as long as it can (course.py), the opponent to move.
    keys: tuple[str, ...] = ()
    line: tuple[Pair, ...] = ()
    close: Close | None = None
    last_cells: tuple[str, ...] = ()  # where the holder then completes its four
    last_below: tuple[str, ...] = ()  # what the opponent can then play, where it is stuck
    # Where a draw is held: the fours that the opponent could make, how many need cells it never gets, these.
    denied: tuple[int, int, tuple[str, ...]] | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "cell": self.cell or None,
            "answers": dict(self.answers),
            "rules": None if self.rules is None else asdict(self.rules),
            "theme": self.theme,
            "ends": list(self.ends),
            "keys": list(self.keys),
            "line": [cell for pair in self.line for cell in pair],
            "text": self.text(),
        }

    def text(self, language: str = "en") -> str:
        said = [*self.move(language), *self.steps(language)]
        if self.line:
            moves = ", ".join(f"{x} {y}" for x, y in self.line)
            said += [self._say(language, "line", moves=moves), self.end(language)]
        return " ".join((*said, *self.rest(language)))

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
        told = self._why(language)
        told.append(self._say(language, f"rule.{self.goal}"))
        if rules.urgent:
            told.append(self._say(language, "take", cells=_in_turn(words, rules.urgent)))
        if self._early:
            is_short = len(self._early) <= MOST_PAIRS
            told.append(
                self._say(language, "except" if is_short else "some", pairs=_pairs(words, self._early))
            )
        if self.ends and self.goal == "win" and not self._are_keys_told:
            few = len(self.ends) <= FEW
            cells = ", ".join(self.ends[:FEW])
            told.append(self._say(language, "ends" if few else "mostly", cells=cells))
        return told

    def _why(self, language: str) -> list[str]:
        """What stands on the board already, and what every defence comes to."""
        words, told = _words(language), list[str]()
        if self.now:
            kind = "nows" if len(self.now) > 1 else "twice" if self.above else "now"
            told.append(self._say(language, kind, cells=_listed(self.now, words["and"]), above=self.above))
        if self.close == "stuck" and not self.line:
            told.append(self._say(language, "stuck", below=_listed(self.last_below, words["or"])))
        if self._is_decided:
            return told
        if self.threats:
            with_discs = [words["with"].format(cell=cell, discs=" ".join(d)) for cell, d in self.threats]
            cells, under = _listed(with_discs, words["and"]), _listed(self.under, words["or"])
            kind = "threats" if under else "threats.alone"
            told.append(self._say(language, kind, cells=cells, under=under))
        if self.below:
            told.append(self._say(language, "below", cells=", ".join(self.below)))
        if self._are_keys_told:
            told.append(self._say(language, "keys", cells=_listed(self.keys, words["or"])))
        if self.denied is not None:
            fours, lost, needed = self.denied
            kind = "denied" if lost < fours else "denied.all"
            told.append(self._say(language, kind, fours=fours, lost=lost, cells=_listed(needed, words["or"])))
        return told

    def end(self, language: str = "en") -> str:
        """How the longest defence ends; nothing where there is none."""
        if not self.line or self.close is None:
            return ""
        words, cells = _words(language), self.last_cells
        return self._say(
            language,
            f"close.{self.close}",
            cells=_listed(cells, words["and"]),
            low=cells[0] if cells else "",
            high=cells[-1] if cells else "",
            below=_listed(self.last_below, words["or"]),
        )

    def rest(self, language: str = "en") -> list[str]:
        """The exceptions, if they are many, and what is played after a disc that fills its column."""
        words, rules = _words(language), self.rules
        if rules is None:
            return []
        told = []
        if len(self._early) > MOST_PAIRS:
            told.append(self._say(language, "except", pairs=_pairs(words, self._early)))
        if pairs := [pair for pair in rules.exceptions if pair[0] in self.last]:
            told.append(self._say(language, "filled", pairs=_pairs(words, pairs)))
        if rules.spare:
            told.append(self._say(language, "full", cells=_in_turn(words, rules.spare)))
        return told

    @property
    def deciding(self) -> tuple[str, ...]:
        """The cells that decide, if they are told: on them it is won, or without them nothing is."""
        if self.denied is not None:
            return self.denied[2]
        if self._is_decided:
            return self.last_cells
        return self.keys if self._are_keys_told else ()

    @property
    def _is_decided(self) -> bool:
        """Whether the holder completes a four next, whatever is replied: nothing else matters then."""
        return bool(self.last_cells) and not self.line

    @property
    def _are_keys_told(self) -> bool:
        return 0 < len(self.keys) <= MOST_KEYS

    @property
    def _early(self) -> list[tuple[str, tuple[str, ...]]]:
        """The exceptions after a disc that does not fill its column."""
        rules = self.rules
        return [] if rules is None else [pair for pair in rules.exceptions if pair[0] not in self.last]


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
        return _resisted(found.board, place.stones, place.plan, _at_once(found.board, place.stones, about))
    return answered(found, place, position.mask & ~place.stones.mask, about)


def planned(found: Map, stones: Stones, plan: Plan) -> Told:
    """What is to be known of a plan in a position: only the rules that its games ask for from here on."""
    board, name = found.board, _namer(found.board)
    seen, threats = course(board, stones, plan), threats_of(board, stones)
    # Not where the opponent completes a four of its own: there it may play, and is stopped in time.
    under = threats >> 1 & ~threats & ~board.winning_cells(stones.theirs, stones.mask)
    is_won = found.goal == "win" or bool(defence(board, stones, plan).keys)
    return Told(
        "plan",
        "win" if is_won else "draw",
        found.side,
        rules=rules_of(board, seen.plan),
        ends=tuple(map(name, seen.ends)),
        theme=theme_of(board, stones, plan),
        threats=tuple(_waiting(board, stones.theirs ^ stones.mask, cell) for cell in bits(threats)),
        under=tuple(map(name, bits(under))),
        below=tuple(map(name, bits(under & ~seen.ours))),
        last=tuple(name(1 << column * (board.rows + 1) + board.rows - 1) for column in range(board.columns)),
    )


def _at_once(board: Board, stones: Stones, about: Told) -> Told:
    """The same, and the fours that the holder completes with its next disc."""
    fours, name = board.winning_cells(stones.theirs ^ stones.mask, stones.mask), _namer(board)
    now = fours & board.landings(stones.mask)
    above = now << 1 & fours
    is_twice = now.bit_count() == 1 and above
    return replace(about, now=tuple(map(name, bits(now))), above=name(above) if is_twice else "")


def _resisted(board: Board, stones: Stones, plan: Plan, about: Told) -> Told:
    """The same, and what every defence comes to."""
    seen, name = defence(board, stones, plan), _namer(board)
    last, is_stuck = list(bits(seen.end.cells)), seen.end.close == "stuck"
    fours = None if about.goal == "win" else denied(board, stones, course(board, stones, plan).theirs)
    return replace(
        about,
        keys=tuple(map(name, seen.keys)),
        line=tuple((name(x), name(y)) for x, y in seen.line),
        close=seen.end.close,
        last_cells=tuple(map(name, last)),
        last_below=tuple(name(cell >> 1) for cell in last) if is_stuck else (),
        denied=None if fours is None else (fours[0], fours[1], tuple(map(name, fours[2]))),
    )


def answered(found: Map, place: Place, x: int, about: Told | None = None) -> Told:
    """What is played after x, or first of all where x is 0; `place.cell` is the answer."""
    name = _namer(found.board)
    return replace(
        about or Told("node", found.goal, found.side),
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


def _waiting(board: Board, ours: int, cell: int) -> tuple[str, tuple[str, ...]]:
    """A cell, and the discs of the four that it completes."""
    name = _namer(board)
    return name(cell), tuple(map(name, bits(board.four_cells(ours | cell) & ~cell)))


def _namer(board: Board) -> Callable[[int], str]:
    return lambda bit: board.cell_name(board.cell_of(bit))


@cache
def _words(language: str) -> dict[str, str]:
    text = (files("claimeven.map") / "words" / f"{language}.json").read_text(encoding="utf-8")
    words: dict[str, str] = json.loads(text)
    return words
