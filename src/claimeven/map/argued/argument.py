"""Who runs out of moves: the count behind the ends of a plan's games (reason.py).

In every end the opponent is to move and loses whatever it plays. Where the same column is left in all of
them, nobody has entered it: the empty cells elsewhere are an even number or an odd one, and that decides who
would have to open it. Where no column is always left, the rows of the last cells say as much.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Literal

from claimeven.board import Board, bits
from claimeven.map.plan import Plan
from claimeven.map.reason import Four, Games, Reason, lacking, resisted
from claimeven.map.stones import Stones

Names = tuple[str, ...]
Often = Literal["always", "sometimes", "never"]
# The kinds of arguments. A column is left in every end: the opponent runs out of moves elsewhere, or is stuck
# before; with an odd number elsewhere either side may have to open it, or other columns must lose, too. Else
# the rows of the last cells count: all of them for the holder, some, or none.
How = Literal["count", "stuck", "either", "odd", "rows", "mixed", "others"]
# Of one four the holder gets either of two cells, and lacks the other in the end; of two fours the opponent
# can spoil either, and the other one is left; or two cells, one above the other, complete a four.
Pattern = Literal["pair", "fours", "stack"]
FEW = 2  # fours that are named as the second of an end
ENOUGH = 0.9  # of the ends: so many must an argument hold for that is told as holding nearly always


@dataclass(frozen=True)
class Shut:
    """A cell that the opponent can play in every end, its column empty from there up."""

    cell: str
    answers: tuple[str, ...]  # what comes after it in most ends, by turns, the holder first, to the four
    is_same: bool  # in all of them
    is_top: bool  # of its column


@dataclass(frozen=True)
class Argument:
    """Cells by name."""

    is_whole: bool  # about all ends; else about nearly all of them
    shut: tuple[Shut, ...]  # from the left
    elsewhere: int  # cells that are empty now outside those columns from there up
    filled: Often  # whether all these are, in the end
    also: tuple[str, ...]  # other cells that can be played in some end
    # The holder completes a four on either of the two cells above the shut one, in every end.
    is_stacked: bool
    below: tuple[str, ...]  # right below the last cells, if these are what is open in the end
    is_below_left: bool  # of one of these in every end
    main: tuple[str, ...]  # of the shut cells those after which a four comes at once, if there are any
    is_main_left: bool  # their columns in every end
    more: Often  # whether other columns are left, too, in the ends with these
    even: tuple[str, ...]  # the last cells with an even number left elsewhere, the opponent to move
    odd: tuple[str, ...]  # those with an odd one
    entered: tuple[str, ...]  # right below the even ones, what the holder plays itself in some game
    # Where an odd number is left elsewhere: few other fours that lack one disc, right above an open cell, of
    # which each of those ends has one, each with that cell; none if there are no such few.
    second: tuple[tuple[Names, str], ...]
    pattern: tuple[Pattern, Names] | None  # in every end, with its two cells
    enters: Names  # of the shut cells those that the opponent can play now without losing by force

    @property
    def is_open_to_both(self) -> bool:
        """Whoever has to play the shut cell, the holder wins."""
        return bool(self.elsewhere % 2) and self.is_stacked

    @property
    def tells_second(self) -> bool:
        """Whether the second fours are needed to say why the opponent loses."""
        is_odd = self.elsewhere % 2 and not self.is_stacked if self.shut else self.below
        return bool(self.second and is_odd)

    @property
    def tells_odd(self) -> bool:
        """Whether an odd number beside the shut columns says something: what then decides can be named."""
        return self.tells_second or self.is_open_to_both

    @property
    def is_short(self) -> bool:
        """Whether it says why the opponent runs out of moves: by a count, a parity or a second four."""
        return bool(self.shut or (self.below and (self.even or self.tells_second)))

    @property
    def how(self) -> How:
        if self.shut:
            if self.elsewhere % 2:
                return "either" if self.is_stacked else "odd"
            return "stuck" if self.filled == "never" else "count"
        return "rows" if self.even and not self.odd else "mixed" if self.even else "others"

    @property
    def needs_example(self) -> bool:
        """What is left in the end differs: a game shows it once."""
        return not self.shut or (self.filled == "never" and not self.is_open_to_both)


def argued(board: Board, stones: Stones, plan: Plan, seen: Reason) -> Argument | None:
    """The argument of a leaf whose games have ends with few fours; None for any other."""
    if seen.why in ("forced", "full") or not seen.fours:
        return None
    ends = part = seen.last
    below = _below(board, ends, seen.fours)
    shut = _common(board, ends)
    if not shut:  # nearly all of them may have a column in common: those with the first four and its cell
        first = seen.fours[0]
        some = tuple(end for end in ends if lacking(board, end).get(first.cells) == first.last[0])
        if len(some) >= ENOUGH * len(ends):
            shut = _common(board, some)
            part = tuple(end for end in ends if not shut & ~board.landings(end.mask))
    if not any(x & shut for x in below):  # only what decides is worth a count
        part, shut = ends, 0
    kept = reduce(or_, (_from(board, x) for x in bits(shut)), 0)
    games, filled = Games(board, plan), [end.mask | kept == board.full for end in part]
    other = reduce(or_, (board.landings(end.mask) for end in part)) & ~shut
    # The opponent to move, what is left is always as even or odd as now.
    empty = board.full & ~stones.mask
    lasts = [y for y in dict.fromkeys(y for four in seen.fours for y in four.last) if not y & board.bottom]
    is_odd = {y: (empty.bit_count() - _from(board, y >> 1).bit_count()) % 2 for y in lasts}

    def names(cells: Iterable[int]) -> Names:
        return tuple(board.cell_name(board.cell_of(cell)) for cell in cells)

    closed = tuple(_shut(games, part, x, names) for x in bits(shut))
    fatal = [each.is_same and len(each.answers) == 1 for each in closed]
    main = [x for x, is_fatal in zip(bits(shut), fatal, strict=True) if is_fatal or not any(fatal)]
    columns = {board.column_of(x) for x in main}
    left = [{board.column_of(x) for x in bits(board.landings(end.mask))} for end in ends]
    had = [each for each in left if each >= columns]
    odd_ends = {end: y >> 1 for end in ends if is_odd.get(y := _deciding(board, end, seen.fours))}
    if shut:
        odd_ends = dict.fromkeys(part, shut) if (empty & ~kept).bit_count() % 2 else {}
    second = _second(board, odd_ends)
    return Argument(
        is_whole=len(part) == len(ends),
        shut=closed,
        elsewhere=(empty & ~kept).bit_count(),
        filled=_often(filled),
        also=names(bits(other)),
        is_stacked=shut.bit_count() == 1 and all(_is_stacked(board, end, shut) for end in part),
        below=names(below),
        main=names(main),
        is_main_left=len(had) == len(ends),
        more=_often([each > columns for each in had]),
        is_below_left=all(_deciding(board, end, seen.fours) for end in ends),
        even=names(y for y in lasts if not is_odd[y]),
        odd=names(y for y in lasts if is_odd[y]),
        entered=names(_entered(board, stones, plan, [y >> 1 for y in lasts if not is_odd[y]])),
        second=tuple((names(bits(four)), names([cell])[0]) for four, cell in second),
        pattern=_pattern(board, seen, part, shut, names),
        enters=names(x for x in bits(shut & board.landings(stones.mask)) if not games.loses(stones, x)),
    )


def _pattern(
    board: Board, seen: Reason, part: Sequence[Stones], shut: int, names: Callable[[Iterable[int]], Names]
) -> tuple[Pattern, Names] | None:
    """What players know by name, where it holds in every end."""
    fours, ends = seen.fours, seen.last
    if seen.why in ("long", "many"):
        return None
    for x in bits(shut if len(part) == len(ends) else 0):
        if all(_is_stacked(board, end, x) for end in ends):
            return "stack", names([x << 1, x << 2])
    if seen.told < len(ends):
        return None
    lasts = [four.last for four in fours]
    if len(fours) == 1 and len(lasts[0]) == 2 and fours[0].cells & ~fours[0].have == sum(lasts[0]):
        return "pair", names(sorted(lasts[0]))
    is_two = len(fours) == 2 and all(len(last) == 1 for last in lasts) and lasts[0] != lasts[1]
    if is_two and all(any(four.cells & end.theirs for end in ends) for four in fours):
        return "fours", names(sorted(last for [last] in lasts))
    return None


def _entered(board: Board, stones: Stones, plan: Plan, cells: Sequence[int]) -> list[int]:
    """Those of these cells that the holder plays in some game with resistance."""
    steps = resisted(board, stones, plan)[1]
    played = {child.mask & ~now.mask & ~x for now, after in steps.items() for x, child in after}
    return [cell for cell in cells if cell in played]


def _often(seen: Sequence[bool]) -> Often:
    return "always" if all(seen) else "sometimes" if any(seen) else "never"


def _common(board: Board, ends: Iterable[Stones]) -> int:
    """What can be played in every one of these."""
    return reduce(and_, (board.landings(end.mask) for end in ends))


def _from(board: Board, cell: int) -> int:
    """A cell and all above it."""
    return board.column_bits(board.column_of(cell)) & -cell


def _shut(games: Games, ends: Sequence[Stones], x: int, names: Callable[[Iterable[int]], Names]) -> Shut:
    [cell] = names([x])
    is_top = bool(x & games.board.top)
    if all(games.wins(end, x) & x << 1 for end in ends):
        return Shut(cell, names([x << 1]), is_same=True, is_top=is_top)
    [(line, often)] = Counter(tuple(games.finish(end, x)[1:]) for end in ends).most_common(1)
    return Shut(cell, names(line) if 2 * often > len(ends) else (), often == len(ends), is_top)


def _is_stacked(board: Board, end: Stones, x: int) -> bool:
    ours = board.winning_cells(end.theirs ^ end.mask, end.mask)
    return bool(ours & x << 1 and ours & x << 2 and not board.winning_cells(end.theirs, end.mask) & x << 1)


def _deciding(board: Board, end: Stones, fours: tuple[Four, ...]) -> int:
    """The last cell of the first of these fours that an end has; 0 without any."""
    lack = lacking(board, end)
    return next((lack[four.cells] for four in fours if four.cells in lack), 0)


def _second(board: Board, ends: Mapping[Stones, int]) -> tuple[tuple[int, int], ...]:
    """Few fours, each with the cell it lacks, of which every one of these ends has one elsewhere than above
    the cells that it comes with."""
    left = {
        end: {
            pair for pair in lacking(board, end).items() if pair[1] >> 1 & board.landings(end.mask) & ~cells
        }
        for end, cells in ends.items()
    }
    found = list[tuple[int, int]]()
    while left:
        often = Counter(pair for pairs in left.values() for pair in pairs)
        if len(found) == FEW or not often:
            return ()
        found.append(min(often, key=lambda pair: (-often[pair], pair)))
        left = {end: pairs for end, pairs in left.items() if found[-1] not in pairs}
    return tuple(found)


def _below(board: Board, ends: Iterable[Stones], fours: tuple[Four, ...]) -> tuple[int, ...]:
    found = dict[int, None]()
    for end in ends:
        y = _deciding(board, end, fours)
        if y and not y >> 1 & board.landings(end.mask):
            return ()
        if y:
            found[y >> 1] = None
    return tuple(sorted(found))
