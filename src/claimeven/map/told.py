"""A place on the map in words: what is played, by which plan, and why that wins."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.argued.argument import Argument, argued
from claimeven.map.argued.exceptions import Exceptional, exceptional
from claimeven.map.argued.quick import delayed, quick
from claimeven.map.argued.rivals import FATES, Fate, fates
from claimeven.map.argued.sentences import (
    Arguing,
    Axis,
    Four,
    Three,
    called,
    line_of,
    listed,
    named,
    raised,
    words_of,
)
from claimeven.map.argued.shown import answer, is_by_threats, seen
from claimeven.map.course import course, denied, resistance
from claimeven.map.plan import Cells, Plan, urgent
from claimeven.map.reason import Games, Reason, Why, reason
from claimeven.map.stones import Stones
from claimeven.map.walk import Goal, Map, Place
from claimeven.notation import parse_cell
from claimeven.position import Position

Kind = Literal[
    "first",
    "over",
    "off",
    "win",
    "stop",
    "column",
    "urgent",
    "exception",
    "top",
    "spare",
    "force",
    "node",
    "plan",
]
MOST = 3  # fours that are drawn where threats win
Pair = tuple[str, str]  # names of cells: after this one, that one
SOON = 6  # cells of a line that is told as poison, the reply among them: more than a person sees at once


@dataclass(frozen=True)
class Rules:
    """A plan, cells by name."""

    urgent: tuple[str, ...]
    exceptions: tuple[Exceptional, ...]
    spare: tuple[str, ...]


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
    elsewhere: tuple[Pair, ...] = ()  # of the plan: the replies now that it does not answer on top
    last: tuple[str, ...] = ()  # the cells that fill the columns
    now_cells: tuple[str, ...] = ()  # on which the holder's next disc completes a four, the opponent to move
    above: str = ""  # the cell right above the only one of these, if it completes a four, too
    # The replies that lose at once or by threats alone, each with what follows it, to the holder's four.
    quick: tuple[tuple[str, ...], ...] = ()
    delays: tuple[Pair, ...] = ()  # those that the holder blocks, after which every reply loses again
    is_quick: bool = False  # there is no other reply
    lost: tuple[str, ...] = ()  # every reply that loses, at once or by force
    only: str = ""  # the only reply that does not lose so, if there is one alone and no four to block
    threes: tuple[Three, ...] = ()  # what the holder has of fours, all but one cell each, which is not open
    rivals: tuple[tuple[Fate, Three], ...] = ()  # the same of the opponent, and what comes of it
    blocks: bool = False  # in some game the holder stops a four elsewhere than on top
    # Why the plan wins, the opponent to move (reason.py).
    why: Why | None = None
    longest: int = 0  # replies with which the opponent can put a forced win off at most
    forced: tuple[Three, ...] = ()  # where every reply loses by force: the fours that are completed then
    is_more: bool = False  # than these
    gives: tuple[Pair, ...] = ()  # of `elsewhere`: the answer lets the opponent block a three of the holder
    empty: int = 0  # cells
    ends: int = 0
    fours: tuple[Four, ...] = ()
    argument: Argument | None = None
    game: tuple[Disc, ...] = ()
    safe: int = 0  # so many discs of it until every column that is left loses
    left: tuple[
        tuple[str, ...], ...
    ] = ()  # where every column loses in it: cell, what follows it, to the four
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
            "shut": list(self.shut),
            "text": self.text(),
        }

    def text(self, language: str = "en") -> str:
        said = [*self.move(language), *self.steps(language)]
        if self.game and not self.is_quick:
            said += [self._say(language, "game", moves=self._moves(language)), self.end(language)]
        said += [*self.plan(language), *self.numbers(language), *self.rest(language)]
        return " ".join(filter(None, said))

    def _say(self, language: str, code: str, **values: object) -> str:
        """A sentence with the names of both sides."""
        words = words_of(language)
        names = [words["side.1"], words["side.2"]]
        return words[code].format(me=names[self.side], you=names[1 - self.side], **values)

    def _said(self, language: str, code: str, **cells: str) -> str:
        """A sentence about single cells."""
        words = words_of(language)
        return self._say(language, code, **{key: called(words, cell) for key, cell in cells.items()})

    def move(self, language: str = "en") -> list[str]:
        """What is played now, or after each reply; nothing where a plan says it."""
        words = words_of(language)
        if self.kind == "node":
            answers = ", ".join(
                words["pair"].format(x=called(words, x), y=called(words, y)) for x, y in self.answers
            )
            return [words["node"].format(answers=answers)]
        return [] if self.kind == "plan" else [self._said(language, self.kind, cell=self.cell, x=self.x)]

    def steps(self, language: str = "en") -> list[str]:
        """Why the plan wins: the idea, and a sentence for each step. Nothing where none is followed."""
        acts = (self.now(language), self.filled(language), self.ending(language))
        return list(filter(None, [self.idea(language), *(said for act in acts for said in act)]))

    def idea(self, language: str = "en") -> str:
        """What it all comes to, in one sentence."""
        if self.why is None:
            return ""
        if self._is_decided:
            return self._at_once(language)
        if self.is_quick:
            return self._say(language, "idea.quick")
        if self.why == "forced":
            return self._say(language, "idea.soon" if self.longest > 1 else "idea.soon.one", n=self.longest)
        if self.why == "full":
            return self._say(language, "idea.full")
        if self.is_open:
            return self._arguing(language).open(self.argument, self.why, self.fours, self.ends)
        return self._arguing(language).idea(self.argument, self.why)

    def now(self, language: str = "en") -> list[str]:
        """What stands: what must be played, what loses already, the fours and threes."""
        if self.why is None:
            return []
        arguing = self._arguing(language)
        if self._is_decided:
            return arguing.fours(self.forced, is_more=self.is_more)
        told = [self._at_once(language)] if self.now_cells else []
        losing = self._losing
        if self.is_quick:
            told += arguing.lost(losing, "quick", self.delays)
            return told + arguing.fours(self.forced, is_more=self.is_more)
        code = "only" if self.only else "poison"
        told += arguing.lost(losing, code, cell=self.only, more=self._slow)
        poison = {x for x, *line in losing if len(line) == 1}
        if self.argument is not None:
            told += arguing.stands(self.argument, self.why, self.fours, self.ends, poison)
        told += arguing.threes(self.dotted)
        return told + [
            said
            for fate in FATES
            for said in arguing.rivals(fate, [three for each, three in self.rivals if each == fate])
        ]

    @property
    def _losing(self) -> list[tuple[str, ...]]:
        """The replies that are told to lose soon; where one cell must be played, all others lose alike."""
        lines = [line for line in self.quick if not self.now_cells or line[0] in self.now_cells]
        is_all = self.is_quick or self.only
        return sorted((line for line in lines if is_all or len(line) <= SOON), key=len)

    @property
    def _slow(self) -> tuple[str, ...]:
        """The other replies that lose by force; where one cell must be played, that says it of all others."""
        told = {x for x, *_ in self._losing}
        found = (x for x in self.lost if not self.now_cells or x in self.now_cells)
        return tuple(x for x in found if x not in told)

    @property
    def poison(self) -> tuple[str, ...]:
        """The cells where the opponent loses if it plays there now."""
        return () if self.is_quick else self.lost  # else everything is

    def filled(self, language: str = "en") -> list[str]:
        """How the rest of the board is filled, and the count; where a draw is held, what is denied."""
        if self.why in (None, "forced"):
            return []
        words, told = words_of(language), [self._on_top(language), *self._given(language)]
        if self.denied is not None:
            fours, lost, needed = self.denied
            kind = "denied" if lost < fours else "denied.all"
            told.append(self._say(language, kind, fours=fours, lost=lost, cells=listed(words, needed, "or")))
        if self.why == "full" and self.empty % 2 == 0:
            told.append(self._say(language, "fills", n=self.empty))
        return told + (
            self._arguing(language).filled(self.argument, self.why) if self.argument is not None else []
        )

    def _on_top(self, language: str) -> str:
        """The rule, and what is played otherwise now, replies with the same answer together."""
        words, alike = words_of(language), dict[str, list[str]]()
        for x, y in self.elsewhere:
            alike.setdefault(y, []).append(x)
        pairs = "; ".join(
            words["pair"].format(x=listed(words, replies, "or"), y=called(words, y))
            for y, replies in alike.items()
        )
        code = ".".join(["on.top", *(["now"] if pairs else []), *(["but"] if self._has_more else [])])
        block = words["block"] if self.blocks else ""
        return self._say(language, code, pairs=pairs, block=block)

    def _given(self, language: str) -> list[str]:
        """Answers with which the holder gives up a three of its own."""
        words = words_of(language)
        return [
            self._say(
                language,
                "gives.full" if x in self.last else "gives",
                x=called(words, x),
                y=called(words, y),
                above=called(words, raised(y, 1)),
            )
            for x, y in self.gives
        ]

    @property
    def _has_more(self) -> bool:
        """Whether the plan has rules besides that of answering on top and what it answers elsewhere now."""
        if self.rules is None:
            return False
        pairs = {(each.x, y) for each in self.rules.exceptions for y in each.answers}
        return bool(self.rules.urgent or self.rules.spare or pairs - set(self.elsewhere))

    def ending(self, language: str = "en") -> list[str]:
        """What is left in the end."""
        if self.why in (None, "full") or self._is_decided:
            return []
        arguing, told = self._arguing(language), list[str]()
        if self.is_quick:
            return [self._say(language, "example", moves=self._moves(language))]
        if self.argument is not None:
            told += arguing.ending(self.argument)
        if self.left and (self.argument is None or self.argument.needs_example or self.is_open):
            is_shown = self.why == "forced" or self.is_open
            code = "end.game" if is_shown else "end.defence"
            told += [*self._longest(language), arguing.ended(self.left, code)]
        return told + arguing.fours(self.forced, is_more=self.is_more)

    @property
    def is_open(self) -> bool:
        """Whether no short argument is known: then an example has to do."""
        if self.why is None or self.why in ("forced", "full"):
            return False
        return self.argument is None or not self.argument.is_short or self.why == "many"

    def _longest(self, language: str) -> list[str]:
        """The longest defence, if it is short, or all that can be shown, up to where everything loses."""
        if self.why != "forced" and not self.is_open:
            return []
        code = "longest" if self.why == "forced" else "way"
        return [self._say(language, code, moves=self._moves(language, self.safe))]

    def _moves(self, language: str, count: int | None = None) -> str:
        """The game that is shown, by turns."""
        words = words_of(language)
        cells = [called(words, disc.cell) for disc in self.game[:count]]
        codes = ["line.you", "line.me"]
        return ", ".join(
            " ".join(
                self._say(language, code, cell=cell)
                for code, cell in zip(codes, cells[at : at + 2], strict=False)
            )
            for at in range(0, len(cells), 2)
        )

    def _arguing(self, language: str) -> Arguing:
        return Arguing(words_of(language), partial(self._say, language))

    def plan(self, language: str = "en") -> list[str]:
        """What is played: the rule, and what matters before the columns are full, each with its reason."""
        words, rules = words_of(language), self.rules
        if rules is None or self.why == "forced":  # threats alone win: no rule is needed
            return []
        told = [self._say(language, f"rule.{self.goal}"), self._say(language, "rule.force")]
        if rules.urgent:
            told.append(self._say(language, "take", cells=_in_turn(words, rules.urgent)))
        early = [each for each in rules.exceptions if self._is_early(each)]
        reasoned = sorted((each for each in early if each.what != "free"), key=lambda each: each.is_later)
        told += [self._except(language, each) for each in reasoned]
        if any(each.what != "theirs" for each in reasoned):
            told.append(self._say(language, "top.too"))
        if free := [each for each in early if each.what == "free"]:
            told.append(self._say(language, "except.free", pairs=_pairs(words, free)))
        return told

    def _is_early(self, each: Exceptional) -> bool:
        return each.is_early and each.x not in self.last

    def _except(self, language: str, each: Exceptional) -> str:
        words = words_of(language)
        four = "" if each.axis is None else line_of(words, each.axis, each.cells)
        lost = "" if each.lost_axis is None else line_of(words, each.lost_axis, each.lost)
        values = {
            "x": called(words, each.x),
            "y": _in_turn(words, each.answers),
            "four": four,
            "above": called(words, raised(each.x, 2)),
            "loss": self._say(language, f"loss.{each.loss}", four=lost),
        }
        code = "except.forces" if each.what == "force" and not each.cells else f"except.{each.what}"
        said = self._say(language, code, cells=listed(words, each.cells, "and"), **values)
        return words["later"].format(said=said[0].lower() + said[1:]) if each.is_later else said

    def _at_once(self, language: str) -> str:
        """The fours that the holder's next disc completes, whatever is replied or if it is not stopped."""
        words = words_of(language)
        if not self.now_cells:
            return self._say(language, "stuck", below=listed(words, [x for x, *_ in self.left], "or"))
        kind = "nows" if len(self.now_cells) > 1 else "twice" if self.above else "now"
        cells, above = listed(words, self.now_cells, "and"), called(words, self.above)
        return self._say(language, kind, cells=cells, above=above)

    def numbers(self, language: str = "en") -> list[str]:
        """What the holder has of the fours that decide, and how often each end has one."""
        if self.argument is None or self.is_quick:
            return []
        had = [self._had(language, four) for four in self.fours if four.have or four.is_safe]
        return [*had, self._ended(language)]

    def _had(self, language: str, four: Four) -> str:
        words = words_of(language)
        have, lack = (listed(words, cells, "and") for cells in (four.have, four.lack))
        either = listed(words, four.lack, "or")
        kind = "has" if not four.is_safe else "has.safe" if four.have else "has.none"
        return self._say(language, kind, four=named(words, four), have=have, lack=lack, either=either)

    def _ended(self, language: str) -> str:
        words, told = words_of(language), sum(four.ends for four in self.fours)
        lasts = dict.fromkeys(cell for four in self.fours for cell in four.last)
        kind = "ends.single" if self.ends == 1 else "ends.all" if told == self.ends else "ends.most"
        which = words["this"] if len(self.fours) == 1 else words["these"]
        values = {"n": self.ends, "told": told, "which": which, "last": listed(words, [*lasts], "or")}
        said = self._say(language, "ends.long" if self.why == "long" else "ends")
        return f"{said} {self._say(language, kind, **values)}"

    def end(self, language: str = "en") -> str:
        """How the game that is shown ends; nothing where there is none."""
        if not self.game:
            return ""
        return self._left(language, "left") if self.left else self._say(language, "close.full")

    def _left(self, language: str, code: str) -> str:
        words = words_of(language)
        columns = [
            self._say(
                language,
                "left.force" if more else "left.four",
                x=called(words, x),
                y=self._arguing(language).follows([y, *more]),
            )
            for x, y, *more in self.left
        ]
        cells = listed(words, [x for x, *_ in self.left], "and")
        return self._say(language, code, columns="; ".join(columns), cells=cells)

    def shown(self, language: str = "en") -> list[str]:
        """The game, a text for every disc."""
        words, told = words_of(language), list[str]()
        for disc in self.game:
            said = [self._left(language, "left.now")] if disc.is_lost else []
            said.append(self._said(language, disc.kind, cell=disc.cell, x=disc.x))
            if disc.four is not None and disc.kind != "win":
                said.append(
                    self._say(language, "of", cell=called(words, disc.cell), four=named(words, disc.four))
                )
            if disc.threats:
                said.append(self._say(language, "threat", cells=listed(words, disc.threats, "and")))
            told.append(" ".join(said))
        return told

    def rest(self, language: str = "en") -> list[str]:
        """The exceptions when some column is full, and what is played after a disc that fills its column."""
        words, rules = words_of(language), self.rules
        if rules is None or self.why == "forced":
            return []
        told = []
        late = [each for each in rules.exceptions if not self._is_early(each)]
        if pairs := [each for each in late if each.x not in self.last]:
            told.append(self._say(language, "except.late", pairs=_pairs(words, pairs)))
        if pairs := [each for each in late if each.x in self.last]:
            told.append(self._say(language, "filled", pairs=_pairs(words, pairs)))
        if rules.spare:
            told.append(self._say(language, "full", cells=_in_turn(words, rules.spare)))
        return told

    @property
    def deciding(self) -> tuple[str, ...]:
        """The cells that decide, if they are told: on them it is won, or without them nothing is."""
        if self.is_quick:
            return tuple(dict.fromkeys(line[-1] for line in self.quick if len(line) == 2))
        if self.why == "full":
            return () if self.denied is None else self.denied[2]
        return tuple(dict.fromkeys(cell for four in self._main for cell in four.last))

    @property
    def _main(self) -> tuple[Four, ...]:
        """The fours that decide, whatever the opponent plays; of a long defence alone they are only told."""
        return () if self.why == "long" else self.fours

    @property
    def drawn(self) -> tuple[tuple[str, ...], ...]:
        """The fours that decide and are told: those that threats complete, or those of the ends."""
        if self.is_quick or self.argument is None:
            return tuple(four.cells for four in self.forced)
        tells_second = self.argument.tells_second and self.why != "long"
        second = [cells for cells, _ in self.argument.second] if tells_second else []
        return tuple(dict.fromkeys([*(four.cells for four in self._main), *second]))

    @property
    def dotted(self) -> tuple[Three, ...]:
        """The other threes that stand and are told."""
        if self.is_quick:
            return ()
        known = {four.last[0] for four in self._main if len(four.lack) == 1}
        return tuple(three for three in self.threes if three.last not in known)

    @property
    def shut(self) -> tuple[str, ...]:
        """The cells from which up nobody plays until the end, in all games with resistance, if told."""
        if self.argument is None or self.is_quick or self.why == "long" or not self.argument.is_whole:
            return ()
        return tuple(each.cell for each in self.argument.shut)

    @property
    def _is_decided(self) -> bool:
        """Whether the holder completes a four next, whatever is replied: nothing else matters then."""
        return self.is_quick and not self.delays and all(len(line) == 2 for line in self.quick)


def _pairs(words: dict[str, str], pairs: list[Exceptional]) -> str:
    return "; ".join(
        words["pair"].format(x=called(words, each.x), y=_in_turn(words, each.answers)) for each in pairs
    )


def _in_turn(words: dict[str, str], cells: tuple[str, ...]) -> str:
    """The first one, or the next where that cannot be played; of one column only one can be at a time."""
    groups: list[list[str]] = []
    for cell in cells:
        if groups and groups[-1][0][0] == cell[0]:
            groups[-1].append(cell)
        else:
            groups.append([cell])
    told = [listed(words, sorted(group, key=_height), "or") for group in groups]
    return words["else"].join(told) if len(told) < 3 else words["first.of"].format(cells=", ".join(told))


def _height(cell: str) -> tuple[int, str]:
    return len(cell), cell


def told(found: Map, position: Position) -> Told:
    """What the map says of this position, with either side to move."""
    if position.is_over:
        return Told("over", found.goal, found.side)
    place = seen(found, position)
    if place is None:
        return Told("off", found.goal, found.side)
    about = Told("node", found.goal, found.side)
    if place.plan is not None and place.leaf is not None:
        about = planned(found, place.stones, place.plan)
    if position.side != found.side:
        if place.plan is None and found.node(place.stones) is None:  # threats led off the map
            return _won(
                found.board, place.stones, replace(_at_once(found.board, place.stones, about), kind="plan")
            )
        if place.plan is None:
            return replace(about, answers=_answers(found, place))
        return _reasoned(found, place, place.plan, _at_once(found.board, place.stones, about))
    return answered(found, place, position.mask & ~place.stones.mask, about)


def planned(found: Map, stones: Stones, plan: Plan) -> Told:
    """What is to be known of a plan in a position: only the rules that games with resistance ask for."""
    board, name = found.board, _namer(found.board)
    return Told(
        "plan",
        "win" if found.goal == "win" or reason(board, stones, plan).why != "full" else "draw",
        found.side,
        rules=rules_of(board, stones, plan),
        last=tuple(name(1 << column * (board.rows + 1) + board.rows - 1) for column in range(board.columns)),
    )


def _at_once(board: Board, stones: Stones, about: Told) -> Told:
    """The same, and what is at hand: fours that the next disc completes, replies that lose soon, threes."""
    ours, name = stones.theirs ^ stones.mask, _namer(board)
    fours, free = board.winning_cells(ours, stones.mask), board.landings(stones.mask)
    now, soon, every = fours & free, quick(board, stones), delayed(board, stones)
    held = [x for x in bits(free) if x not in soon]
    above = now << 1 & fours
    is_twice = now.bit_count() == 1 and above
    vain = board.winning_cells(stones.theirs, stones.mask) & ~fours  # what is right above is never reached
    return replace(
        about,
        now_cells=tuple(map(name, bits(now))),
        above=name(above) if is_twice else "",
        quick=tuple((name(x), *map(name, line)) for x, line in soon.items()),
        lost=tuple(map(name, soon)),
        delays=tuple((name(x), name(y[0])) for x, y in (every or {}).items() if x not in soon),
        is_quick=every is not None,
        only=name(held[0]) if len(held) == 1 and every is None and not now else "",
        threes=tuple(_threes(board, ours, fours & ~free & ~(vain << 1))),
    )


def _threes(board: Board, ours: int, cells: int) -> Iterator[Three]:
    """A four for each of these cells, which complete one, from below."""
    name = _namer(board)
    for cell in sorted(bits(cells), key=lambda cell: (board.cell_of(cell).row, cell)):
        four = next(four for four in board.fours_by_cell[cell] if not four & ~ours & ~cell)
        yield Three(_axis(board, four), tuple(map(name, bits(four))), name(cell))


def _rivals(board: Board, stones: Stones, plan: Plan) -> Iterator[tuple[Fate, Three]]:
    found = fates(board, stones, plan)
    for y, fate in found.items():
        [three] = _threes(board, stones.theirs, y)
        yield fate, three


def _won(board: Board, stones: Stones, about: Told) -> Told:
    """The same where every reply loses by threats alone: what is told is shown."""
    now = about.now_cells  # what does not stop the fours there loses to them
    lines = [line for line in about.quick if not now or line[0] in now or line[1] in now]
    shown = _completed(board, stones, lines)
    return replace(
        about,
        why="forced",
        game=_forced_game(about),
        safe=0,
        forced=shown[:MOST],
        is_more=len(shown) > MOST,
        is_quick=True,
    )


def _completed(board: Board, stones: Stones, lines: Iterable[tuple[str, ...]]) -> tuple[Three, ...]:
    """Few fours of which each of these wins by threats completes one, the shortest first."""
    found = dict[int, Three]()
    for line in sorted(lines, key=len):
        ours = (stones.theirs ^ stones.mask) | sum(_bit(board, cell) for cell in line[1::2])
        fours = [four for four in board.fours_by_cell[_bit(board, line[-1])] if not four & ~ours]
        if not found.keys() & set(fours):
            cells = tuple(map(_namer(board), bits(fours[0])))
            found[fours[0]] = Three(_axis(board, fours[0]), cells, line[-1])
    return tuple(found.values())


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
    game = _game(found, place, seen, fours)
    left = tuple(tuple(map(name, line)) for line in seen.left)
    won = () if seen.why != "forced" else _completed(board, _after(board, stones, game[: seen.safe]), left)
    if about.is_quick or (seen.why == "forced" and not seen.longest):  # by the plan, if not sooner
        soon = {
            **{line[0]: line for line in left if not seen.safe},
            **{line[0]: line for line in about.quick},
        }
        return _won(board, stones, replace(about, quick=tuple(soon.values())))
    games = Games(board, plan)
    elsewhere = [
        (x, y)
        for x in stones.replies(board)
        if (y := found.answer(place, x)) != x << 1 and not games.loses(stones, x)
    ]
    stops = {x for x, _ in elsewhere if urgent(board, stones.theirs | x, stones.mask | x)}
    wins = board.winning_cells(stones.theirs ^ stones.mask, stones.mask)
    lost = None if about.goal == "win" else denied(board, stones, course(board, stones, plan).theirs)
    return replace(
        about,
        why=seen.why,
        empty=(board.full & ~stones.mask).bit_count(),
        ends=seen.ends,
        fours=fours,
        argument=argued(board, stones, plan, seen),
        longest=seen.longest,
        forced=won[:MOST],
        is_more=len(won) > MOST,
        lost=tuple(name(x) for x in stones.replies(board) if games.loses(stones, x)),
        elsewhere=tuple((name(x), name(y)) for x, y in elsewhere if x not in stops),
        rivals=tuple(_rivals(board, stones, plan)),
        blocks=resistance(board, stones, plan).blocks,
        gives=tuple((name(x), name(y)) for x, y in elsewhere if y << 1 & wins),
        game=game,
        safe=seen.safe,
        left=left,
        denied=None if lost is None else (lost[0], lost[1], tuple(map(name, lost[2]))),
    )


def _after(board: Board, stones: Stones, discs: tuple[Disc, ...]) -> Stones:
    """The position after these, the opponent's first."""
    theirs, ours = (sum(_bit(board, disc.cell) for disc in discs[at::2]) for at in (0, 1))
    return Stones(stones.theirs | theirs, stones.mask | theirs | ours)


def _axis(board: Board, four: int) -> Axis:
    cells = board.cells_of(four)
    if len({cell.row for cell in cells}) == 1:
        return "row"
    return "upright" if len({cell.column for cell in cells}) == 1 else "diagonal"


def _game(found: Map, place: Place, seen: Reason, fours: tuple[Four, ...]) -> tuple[Disc, ...]:
    """The game that is shown."""
    board, name, now = found.board, _namer(found.board), place.stones
    wins = board.winning_cells(now.theirs ^ now.mask, now.mask) & board.landings(now.mask)
    discs, before = (
        list[Disc](),
        tuple(map(name, bits(wins))),
    )  # where the holder threatens to complete a four
    for at, x in enumerate(seen.game):
        if at % 2:
            continue
        kind: Literal["plays", "blocks"] = "blocks" if name(x) in before else "plays"
        discs.append(Disc(name(x), kind, is_lost=0 < at == seen.safe and bool(seen.left)))
        if at + 1 == len(seen.game):
            break
        y = seen.game[at + 1]
        after = Stones(now.theirs | x, now.mask | x | y)
        wins = board.winning_cells(after.theirs ^ after.mask, after.mask) & board.landings(after.mask)
        before = tuple(map(name, bits(wins)))
        what = _kind(found, Place(now, place.plan, place.leaf, y), x)
        what = "column" if what == "force" else what  # the threat itself is told
        four = next((four for four in fours if name(y) in four.cells), None)
        is_won = board.has_four(after.theirs ^ after.mask)
        discs.append(Disc(name(y), what, name(x), four, () if is_won else before))
        now = after
    return tuple(discs)


def _forced_game(about: Told) -> tuple[Disc, ...]:
    """The longest of the wins at hand: each disc of the holder threatens, until one completes a four."""
    cells, discs = max(about.quick, key=len), list[Disc]()
    for at, cell in enumerate(cells):
        if at % 2 == 0:
            discs.append(Disc(cell, "blocks" if at or cell in about.now_cells else "plays"))
        elif at + 1 == len(cells):
            discs.append(Disc(cell, "win"))
        else:
            discs.append(Disc(cell, "column", threats=(cells[at + 1],)))
    return tuple(discs)


def answered(found: Map, place: Place, x: int, about: Told | None = None) -> Told:
    """What is played after x, or first of all where x is 0; `place.cell` is the answer."""
    name = _namer(found.board)
    return replace(
        about or Told("node", found.goal, found.side),
        kind=_kind(found, place, x),
        x=name(x) if x else "",
        cell=name(place.cell),
    )


def rules_of(board: Board, stones: Stones, plan: Plan) -> Rules:
    """The rules that a game with resistance asks for from here on."""
    name, seen = _namer(board), resistance(board, stones, plan)
    why = reason(board, stones, plan)
    fours = () if why.why == "full" else tuple(four.cells for four in why.fours)  # nothing decides a draw

    def names(cells: Cells) -> tuple[str, ...]:
        return tuple(name(1 << cell) for cell in cells)

    exceptions = exceptional(
        board, plan, seen, stones, fours, partial(_axis, board), draw_is_enough=why.why == "full"
    )
    return Rules(names(seen.plan.urgent), exceptions, names(seen.plan.spare))


def _kind(found: Map, place: Place, x: int) -> Kind:
    if not x:
        return "first"
    board, theirs, mask = found.board, place.stones.theirs | x, place.stones.mask | x
    if urgent(board, theirs, mask) == place.cell:
        return "win" if board.has_four(theirs ^ mask | place.cell) else "stop"
    if is_by_threats(board, place, x):
        return "force"
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
    return tuple((name(x), name(answer(found, place, x))) for x in replies)


def _bit(board: Board, name: str) -> int:
    return board.bit(*parse_cell(name))


def _namer(board: Board) -> Callable[[int], str]:
    return lambda bit: board.cell_name(board.cell_of(bit))
