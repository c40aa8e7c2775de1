"""A plan in words: why they run out of moves first, and what to do until then; and how a game ends.

Only what a person can follow is told, and from its words alone it keeps what it promises.
"""

from claimeven.board import bits
from claimeven.position import Cell, Position
from claimeven.reasons.planned.certificates import Certificate
from claimeven.reasons.planned.column_plan import ColumnPlan
from claimeven.reasons.planned.plan import Plan, decisive
from claimeven.reasons.planned.stack import StackPlan
from claimeven.reasons.seen.fact import Fact
from claimeven.reasons.seen.geometry import is_own_row
from claimeven.reasons.told.line import Final
from claimeven.reasons.told.reason import Reason
from claimeven.reasons.told.tell import Teller

MAX_PAIRS = 2  # of cells or columns, to remember


def can_tell(plan: Plan) -> bool:
    """Whether a person can follow its words, and remember them."""
    if isinstance(plan, ColumnPlan):
        return len(plan.links) <= MAX_PAIRS and not plan.is_watchful
    return isinstance(plan, StackPlan) or (isinstance(plan, Certificate) and len(plan.swaps) <= MAX_PAIRS)


def rows(teller: Teller, cell: Cell, side: int, mover: int) -> Reason:
    """Whose rows a winning cell of a side lies in: they are its own."""
    assert is_own_row(teller.board, side, cell.row + 1), "a cell in the wrong rows is no gain"
    parity, whose = "even" if cell.row % 2 else "odd", "yours" if side == mover else "theirs"
    return Reason("rows", teller.words.say(f"rows.{parity}.{whose}"))


def own_rows(teller: Teller, side: int) -> Reason:
    """Which rows are a side's own on this board."""
    parity = "odd" if is_own_row(teller.board, side, 1) else "even"
    return Reason("rows", teller.words.say(f"rows.here.{parity}"))


def lost(teller: Teller, position: Position) -> list[Reason]:
    """Where every column loses at once it is not one of them that is to blame."""
    board = position.board
    open_cells = board.landings(position.mask)
    wins = board.winning_cells(position.theirs, position.mask)
    if (wins & open_cells).bit_count() > 1:
        return [teller.lost("fork", board.cells_of(wins & open_cells))]
    if wins & open_cells and (wins & open_cells) << 1 & wins:
        return [teller.lost("stacked", board.cells_of(wins & open_cells | (wins & open_cells) << 1))]
    above = sum(bit << 1 for bit in bits(open_cells))
    is_zugzwang = above & ~wins == 0 and not wins & open_cells
    return [teller.lost("zugzwang", board.cells_of(above))] if is_zugzwang else []


def best_line(teller: Teller, found: Final, whose: str, disc: Cell) -> Reason:
    """How a best line ends: with a line that this disc belongs to, in a row of the winner, or elsewhere."""
    cell = found.cell
    if whose == "you" and disc in found.four:
        text = teller.words.say("aim.you.part", four=teller.ends(found.four))
        return Reason("aim", text, (cell,), (found.four,), found.columns)
    if not found.is_own_row(teller.board):
        text = teller.words.say(f"aim.{whose}.win", four=teller.ends(found.four))
        return Reason("aim", text, (cell,), (found.four,), found.columns)
    parity, name = "even" if cell.row % 2 else "odd", teller.cell(cell)
    text = teller.words.say(f"aim.{whose}.{parity}", cells=name)
    return Reason("aim", text, (cell,), (), found.columns)


def uncovers(teller: Teller, fact: Fact) -> Reason:
    """Of the best move, what `wastes_threat` says of a worse one: they have to fill the cell above."""
    return Reason.of(fact, teller.words.say("uncovers", cells=teller.cells(fact.cells)))


def turn(teller: Teller, after: Position, key: Cell, winner: int) -> Reason:
    """Who must play below a winning cell when the rest is full, counted right after the move."""
    below = Cell(key.column, key.row - 1)
    quiet = after.board.cells - after.ply - (after.board.rows - below.row)
    whose = "you" if winner != after.side else "they"
    assert quiet % 2 == (whose == "they"), "a winning cell in its own rows"
    name = teller.cell(below)
    return Reason("count", teller.words.say(f"count.{whose}", count=quiet, below=name), (below,))


def count(teller: Teller, plan: Plan, is_later: bool = False) -> list[Reason]:
    """Who must give way: the cells that are free besides the one below the cell that decides.

    `is_later`: the plan begins after a line, not on the board.
    """
    keys = () if isinstance(plan, StackPlan) else decisive(plan)
    if not keys:
        return []
    say, rows = teller.words.say, teller.board.rows
    below = tuple(Cell(key.column, key.row - 1) for key in keys)
    under, left_out = teller.cells(below, "or"), teller.cells(below)
    end = say("count.end", n=len(keys), below=under, cells=teller.cells(keys, "or"))
    free = [rows - plan.position.height(column) for column in range(teller.board.columns)]
    if any(cells % 2 for cells in free):
        quiet = sum(free) - sum(rows - cell.row for cell in below)
        first = Reason("count", say("count.safe", n=len(below), count=quiet, below=left_out), below)
    else:
        first = Reason("count", say("count.even.then" if is_later else "count.even"))
    return [first, Reason("count_end", end, (*below, *keys))]


def beginning(teller: Teller, line: tuple[int, ...]) -> Reason:
    """Where a plan begins."""
    if len(line) == 1:
        return Reason("plan_now", teller.words.say("plan.now"))
    return Reason("plan_now", teller.words.say("plan.after", line=teller.line(line)), moves=line)


def instructions(teller: Teller, plan: Plan) -> list[Reason]:
    """What to do, for its holder; the last sentence says what comes of it, if the count does not."""
    assert can_tell(plan)
    if isinstance(plan, StackPlan):
        return _stack(teller, plan)
    say, found = teller.words.say, _swaps(teller, plan)
    if isinstance(plan, ColumnPlan):
        found += _links(teller, plan)
    found.append(Reason("plan_follow", say("plan.follow_else" if found else "plan.follow")))
    if decisive(plan):
        return found
    if plan.four:
        four = teller.ends(plan.four)
        return [*found, Reason("plan_last", say("plan.four", four=four), fours=(plan.four,))]
    if plan.bound < 0:
        return [*found, Reason("plan_last", say("plan.last"))]
    return [*found, Reason("plan_hold", say("plan.hold"))]


def _stack(teller: Teller, plan: StackPlan) -> list[Reason]:
    lower, upper, below = map(teller.cell, (*plan.keys, plan.below))
    say = teller.words.say
    found = [
        Reason("plan_key", say("plan.stack", lower=lower, upper=upper), plan.keys),
        Reason(
            "plan_drop", say("plan.drop", below=below, lower=lower, upper=upper), (plan.below, *plan.keys)
        ),
    ]
    if plan.is_watchful:
        found.append(Reason("plan_watch", say("plan.watch", below=below), (plan.below,)))
    return found


def _swaps(teller: Teller, plan: Plan) -> list[Reason]:
    """The pairs; where one half lets you win at once, only the other needs an answer."""
    say, name = teller.words.say, teller.cell
    halves = [half for swap in plan.swaps for half in (swap, swap[::-1]) if not _wins_anyway(plan, *half)]
    both = [swap for swap in plan.swaps if swap in halves and swap[::-1] in halves]
    single = [half for half in halves if half not in both and half[::-1] not in both]
    found = [
        Reason("plan_swap", say("plan.half", one=name(one), two=name(two)), (one, two)) for one, two in single
    ]
    if len(both) == 1:
        one, two = map(name, both[0])
        found.append(Reason("plan_swap", say("plan.swap", one=one, two=two), both[0]))
    elif both:
        pairs = teller.words.listed([say("plan.pair", one=name(one), two=name(two)) for one, two in both])
        cells = tuple(cell for swap in both for cell in swap)
        found.append(Reason("plan_swap", say("plan.swaps", pairs=pairs), cells))
    return found


def _wins_anyway(plan: Plan, one: Cell, two: Cell) -> bool:
    """When they take the one, the holder wins: right above it, or on the other."""
    board, position = plan.position.board, plan.position
    wins = board.winning_cells(position.theirs, position.mask)
    above = 0 if one.row + 1 == board.rows else board.bit(one.column, one.row + 1)
    return bool(wins & (above | board.bit(*two)))


def _links(teller: Teller, plan: ColumnPlan) -> list[Reason]:
    digit = teller.column
    return [
        Reason("plan_link", teller.words.say(f"plan.{kind}", one=digit(one), two=digit(two)))
        for one, two, kind in plan.links
        if kind != "swap"
    ]
