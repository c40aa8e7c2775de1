"""Why a plan wins from some position on: the few fours that decide however the opponent resists.

A reply *loses by force* when the holder completes a four next, or when from there on each of its discs
threatens one, until there are two to complete: by the plan, or in few discs whatever the plan would play
(argued/quick.py). An opponent who *resists* plays no such reply if there is another. Its games come to
*ends*, where every column that is left loses by force. There the holder is one disc short of some fours, on a
cell that is open or right above an open one. Few fours of which every end has one are what it comes to.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.argued.quick import delayed, threats
from claimeven.map.plan import Plan
from claimeven.map.stones import Stones

# Whether every reply loses by force, now or after few of them; how many fours decide; whether few do where
# the opponent, at least, holds out as long as it can; whether many do; or the board may fill up.
Why = Literal["forced", "one", "two", "three", "long", "many", "full"]
WHYS: tuple[Why, ...] = ("forced", "one", "two", "three", "long", "many", "full")
MOST = 3  # fours that are told
SOON = 4  # replies with which it can put off a forced win that is still told as one
ENOUGH = 0.9  # of the ends: so many must the fours decide that are called the reason


@dataclass(frozen=True)
class Four:
    cells: int
    have: int  # of these the holder has already
    is_safe: bool  # in no game with resistance does the opponent get any of its cells
    ends: int  # that have it, and none of the fours before it
    last: tuple[int, ...]  # the cells that are lacking there, the most frequent first


@dataclass(frozen=True)
class Reason:
    why: Why
    last: tuple[Stones, ...]  # the ends; of a long one only those that come after the longest resistance
    fours: tuple[Four, ...]  # that decide, the most frequent first, few
    game: tuple[int, ...]  # a long game with resistance, cells by turns, to the holder's four
    safe: int  # so many discs of it until every column that is left loses by force
    longest: int  # so many replies can put that off at most
    left: tuple[tuple[int, ...], ...]  # what can then be played, and what follows it, to the holder's four

    @property
    def ends(self) -> int:
        return len(self.last)

    @property
    def told(self) -> int:
        """The ends that the fours decide."""
        return sum(four.ends for four in self.fours)


class Games:
    """The games in which a plan is followed, and what is forced in them."""

    def __init__(self, board: Board, plan: Plan) -> None:
        self.board, self.plan = board, plan
        self._forced: dict[Stones, bool] = {}
        self._lines: dict[tuple[Stones, int], tuple[int, ...]] = {}

    def wins(self, stones: Stones, x: int) -> int:
        """The cells on which the holder completes a four after x, as bits."""
        mask = stones.mask | x
        return self.board.winning_cells(stones.theirs ^ stones.mask, mask) & self.board.landings(mask)

    def after(self, stones: Stones, x: int) -> Stones | None:
        """The position after x and the plan's answer; None where the board is full."""
        theirs, mask = stones.theirs | x, stones.mask | x
        y = self.plan.answer(self.board, theirs, mask, x)
        return Stones(theirs, mask | y) if y else None

    def loses(self, stones: Stones, x: int) -> bool:
        """Whether x loses by force."""
        return self._is_planned(stones, x) or bool(self.line(stones, x))

    def held(self, stones: Stones) -> list[tuple[int, Stones | None]]:
        """The replies that do not lose by force, and what follows each; None where the board is full."""
        found = list[tuple[int, Stones | None]]()
        for x, rule, y in self.plan.replies(self.board, *stones):
            after = Stones(stones.theirs | x, stones.mask | x | y) if y else None
            is_planned = rule == "win" or (after is not None and self._is_forced(after))
            if not is_planned and not self.line(stones, x):
                found.append((x, after))
        return found

    def line(self, stones: Stones, x: int) -> tuple[int, ...]:
        """The threats by which the holder wins after x in a few discs, whatever the plan would play."""
        if (stones, x) not in self._lines:
            ours = stones.theirs ^ stones.mask
            self._lines[stones, x] = threats(self.board, ours, stones.theirs | x)
        return self._lines[stones, x]

    def _is_planned(self, stones: Stones, x: int) -> bool:
        """Whether the plan itself wins by threats alone after x, or at once."""
        if self.wins(stones, x):
            return True
        after = self.after(stones, x)
        return after is not None and self._is_forced(after)

    def _is_forced(self, stones: Stones) -> bool:
        if stones not in self._forced:
            now = self._threats(stones)
            self._forced[stones] = now.bit_count() > 1 or bool(now and self._is_planned(stones, now))
        return self._forced[stones]

    def _threats(self, stones: Stones) -> int:
        board, mask = self.board, stones.mask
        return board.winning_cells(stones.theirs ^ mask, mask) & board.landings(mask)

    def finish(self, stones: Stones, x: int) -> list[int]:
        """What follows x, which loses by force: cells by turns, x first, to the holder's four, the quickest
        way if it takes a few discs only, else by the plan."""
        if line := self.line(stones, x):
            return [x, *line]
        found = [x]
        while not (wins := self.wins(stones, x)):
            after = self.after(stones, x)
            assert after is not None
            found.append(after.mask & ~stones.mask & ~x)
            stones = after
            x = self._threats(stones)
            x &= -x  # of two, whichever
            found.append(x)
        return [*found, wins & -wins]


@lru_cache(maxsize=256)
def reason(board: Board, stones: Stones, plan: Plan) -> Reason:
    games, steps, is_full = resisted(board, stones, plan)
    lengths = _lengths(steps, {now for now in steps if not is_full or _fills(games, now)})
    put_off = lengths[stones]
    why: Why = "full"
    taken = reduce(or_, (now.theirs for now in steps))
    found = _Deciding(board, stones, steps, taken)
    if not is_full:
        is_soon = put_off <= SOON or delayed(board, stones) is not None
        why = "forced" if is_soon else found.why
        if why == "many":
            longest = _Deciding(board, stones, _longest(stones, steps, lengths), taken)
            if longest.why != "many":
                why, found = "long", longest
        if found.fours and not is_soon:
            lengths = _lengths(steps, found.first)
    line, last = _long_line(stones, steps, lengths)
    left = [games.finish(last, x) for x in bits(board.landings(last.mask)) if games.loses(last, x)]
    main = found.fours[0].cells if found.fours and why != "forced" else 0
    # Of the columns that are left the one that lets the first four be completed; else what holds out longest.
    rest = max(left, key=lambda cells: (len(cells) == 2 and bool(cells[1] & main), len(cells)), default=[])
    rest = rest or list(bits(board.landings(last.mask)))
    lines = tuple(map(tuple, left))
    return Reason(why, tuple(found.ends), tuple(found.fours), (*line, *rest), len(line), put_off, lines)


Steps = dict[Stones, list[tuple[int, Stones]]]  # the replies that do not lose by force, and what follows each


@lru_cache(maxsize=4)
def resisted(board: Board, stones: Stones, plan: Plan) -> tuple[Games, Steps, bool]:
    """The games in which the opponent resists; whether the board can fill up."""
    games = Games(board, plan)
    return games, *_resisting(games, stones)


def _resisting(games: Games, stones: Stones) -> tuple[Steps, bool]:
    """Every position that an opponent who resists can come to; whether the board can fill up."""
    steps, waiting, is_full = Steps(), [stones], False
    while waiting:
        now = waiting.pop()
        if now in steps:
            continue
        kept = games.held(now)
        steps[now] = [(x, child) for x, child in kept if child is not None]
        is_full = is_full or len(steps[now]) < len(kept) or now.mask == games.board.full
        waiting.extend(child for _, child in steps[now])
    return steps, is_full


def _lengths(steps: Steps, wanted: set[Stones]) -> dict[Stones, int]:
    """By position how many replies follow at most, in games that come to a wanted end."""
    lengths: dict[Stones, int] = {}
    for now in sorted(steps, key=lambda each: -each.mask.bit_count()):
        after = [1 + lengths[child] for _, child in steps[now] if child in lengths]
        if after or (not steps[now] and now in wanted):
            lengths[now] = max(after, default=0)
    return lengths


def _longest(stones: Stones, steps: Steps, lengths: dict[Stones, int]) -> Steps:
    """Only the replies after which the opponent holds out longest."""
    found, waiting = Steps(), [stones]
    while waiting:
        now = waiting.pop()
        if now not in found:
            found[now] = [step for step in steps[now] if lengths[step[1]] == lengths[now] - 1]
            waiting.extend(child for _, child in found[now])
    return found


class _Deciding:
    """Few fours of which nearly every end has one.

    Of equals one with a last cell by which the opponent runs out of moves: an even number of cells is left
    outside its column, from right below it up. Then one whose cells the opponent never gets."""

    def __init__(self, board: Board, stones: Stones, steps: Steps, taken: int) -> None:
        self.ends = sorted(now for now in steps if not steps[now])
        self.fours: list[Four] = []
        self.first: set[Stones] = set()  # the ends that the first of them decides
        left = {end: lacking(board, end) for end in self.ends}
        empty = (board.full & ~stones.mask).bit_count()
        tempo = Counter(
            four
            for fours in left.values()
            for four, cell in fours.items()
            if (empty - board.rows + board.row_of(cell) - 1) % 2 == 0
        )
        while len(self.fours) < MOST and not self._are_enough:
            often = Counter(four for fours in left.values() for four in fours)
            if not often:
                break
            best = min(often, key=lambda four: (-often[four], -tempo[four], bool(four & taken), four))
            decided = {end for end, fours in left.items() if best in fours}
            self.first = self.first or decided
            last = Counter(left.pop(end)[best] for end in decided)
            have = best & (stones.theirs ^ stones.mask)
            cells = tuple(sorted(last, key=lambda cell: (-last[cell], cell)))
            self.fours.append(Four(best, have, not best & taken, len(decided), cells))

    @property
    def _are_enough(self) -> bool:
        return sum(four.ends for four in self.fours) >= ENOUGH * len(self.ends)

    @property
    def why(self) -> Why:
        return WHYS[len(self.fours)] if self.fours and self._are_enough else "many"


def lacking(board: Board, stones: Stones) -> dict[int, int]:
    """The fours of which the holder is one disc short, by the cell: open, or right above an open one."""
    open_cells, found = board.landings(stones.mask), dict[int, int]()
    near = open_cells | open_cells << 1
    for cell in bits(board.winning_cells(stones.theirs ^ stones.mask, stones.mask) & near):
        for four in board.fours_by_cell[cell]:
            if not four & (stones.theirs | ~stones.mask & ~cell):
                found[four] = cell
    return found


def _long_line(stones: Stones, steps: Steps, lengths: dict[Stones, int]) -> tuple[list[int], Stones]:
    """A long game that is counted, up to its end: the opponent holds out longest; the first replies from the
    left among equals."""
    game, now = list[int](), stones
    while steps[now]:
        counted = [step for step in steps[now] if step[1] in lengths]
        x, after = max(counted, key=lambda step: lengths[step[1]])
        game += [x, after.mask & ~now.mask & ~x]
        now = after
    return game, now


def _fills(games: Games, stones: Stones) -> bool:
    """Whether the board is full but for a last disc of the opponent, which loses nothing."""
    open_cells = list(bits(games.board.landings(stones.mask)))
    return all(not games.loses(stones, x) and games.after(stones, x) is None for x in open_cells)
