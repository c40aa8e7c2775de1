"""The kit that checks claims about a position: naive, and it shares no code with what made the claim.

Stones are letters in lists (kit/referee.py); lines are walked; lines of play are played; scores come from
the solver. sentences.py reads texts back, explained.py and reviewed.py go through all that is told.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from claimeven.position import Cell, Position
from claimeven.reasons.planned.allis import Rule
from claimeven.reasons.planned.cover import Cover
from claimeven.reasons.planned.plan import Plan
from claimeven.reasons.seen.fact import Fact, FactKind
from claimeven.reasons.told.line import Line
from claimeven.solver import Solver
from kit.referee import STEPS, Referee

Spot = tuple[int, int]


def cells_of(spots: Iterable[Spot]) -> tuple[Cell, ...]:
    """Spots, as a fact has them."""
    return tuple(Cell(*spot) for spot in spots)


def referee_of(position: Position) -> Referee:
    board = position.board
    referee = Referee(board.columns, board.rows, board.connect)
    for column in range(board.columns):
        for row in range(board.rows):
            stone = position.stone(column, row)
            if stone is not None:
                referee.stacks[column].append(stone)
    referee.found = None
    return referee


class Scene:
    """Before and after the move that a fact is about."""

    def __init__(self, position: Position, fact: Fact) -> None:
        self.fact, self.position = fact, position
        self.before, self.after = referee_of(position), referee_of(position)
        self.me = "xo"[self.before.ply % 2]
        self.you = "ox"[self.before.ply % 2]
        self.spot = (fact.column, len(self.before.stacks[fact.column]))
        self.after.play(fact.column)
        self.cells: list[Spot] = list(fact.cells)


def windows(referee: Referee) -> Iterator[list[Spot]]:
    """Every run of `connect` cells on the board."""
    for column in range(referee.columns):
        for row in range(referee.rows):
            for right, up in STEPS if referee.connect > 1 else STEPS[:1]:
                run = [(column + i * right, row + i * up) for i in range(referee.connect)]
                if all(0 <= c < referee.columns and 0 <= r < referee.rows for c, r in run):
                    yield run


def wins_on(referee: Referee, stone: str, spot: Spot) -> bool:
    """Whether this empty cell would complete a line of these stones, reachable or not."""
    if referee.at(*spot) is not None or not (0 <= spot[0] < referee.columns and 0 <= spot[1] < referee.rows):
        return False
    for right, up in STEPS:
        length = 1
        for sign in (1, -1):
            column, row = spot[0] + sign * right, spot[1] + sign * up
            while referee.at(column, row) == stone:
                length += 1
                column, row = column + sign * right, row + sign * up
        if length >= referee.connect:
            return True
    return False


def all_wins(referee: Referee, stone: str) -> list[Spot]:
    spots = [(c, r) for c in range(referee.columns) for r in range(referee.rows)]
    return [spot for spot in spots if wins_on(referee, stone, spot)]


def is_open(referee: Referee, spot: Spot) -> bool:
    return 0 <= spot[0] < referee.columns and len(referee.stacks[spot[0]]) == spot[1] < referee.rows


def open_wins(referee: Referee, stone: str) -> list[Spot]:
    return [spot for spot in all_wins(referee, stone) if is_open(referee, spot)]


def up(spot: Spot) -> Spot:
    return spot[0], spot[1] + 1


def is_lowest(referee: Referee, spot: Spot) -> bool:
    """No empty cell below it, in its column, wins for anybody."""
    below = [(spot[0], row) for row in range(len(referee.stacks[spot[0]]), spot[1])]
    return not any(wins_on(referee, stone, cell) for stone in "xo" for cell in below)


def stones_in(referee: Referee, run: list[Spot], stone: str) -> int:
    return sum(referee.at(*spot) == stone for spot in run)


def count_runs(scene: Scene, stone: str, other: str) -> int:
    count = 0
    for run in windows(scene.after):
        if stones_in(scene.after, run, stone) != scene.fact.stones or stones_in(scene.after, run, other):
            continue
        if run[0][0] == run[-1][0]:  # upright: the stones must be the top of the column, with room above
            own = [spot for spot in run if scene.after.at(*spot) == stone]
            if not is_open(scene.after, up(max(own))) or up(max(own)) not in run:
                continue
        count += 1
    return count


def quiet(scene: Scene) -> int:
    critical = set(all_wins(scene.after, "x")) | set(all_wins(scene.after, "o"))
    count = 0
    for column in range(scene.after.columns):
        row = len(scene.after.stacks[column])
        while row < scene.after.rows and (column, row + 1) not in critical:
            count, row = count + 1, row + 1
    return count


def wins_next(scene: Scene) -> bool:
    """Whatever they answer, you win with the disc after it: tried out."""
    game = scene.after
    if open_wins(game, scene.you) or game.is_over:
        return False
    for reply in list(game.legal):
        game.play(reply)
        won = bool(open_wins(game, scene.me))
        game.undo(reply)
        if not won:
            return False
    return True


def is_seven(scene: Scene) -> bool:
    row, diagonal = ([tuple(cell) for cell in four] for four in scene.fact.fours)
    is_row = len({spot[1] for spot in row}) == 1
    is_diagonal = len({s[0] for s in diagonal}) == len({s[1] for s in diagonal}) == scene.after.connect
    shared = {spot for spot in row if spot in diagonal and scene.after.at(*spot) == scene.me}
    ends = [[spot for spot in four if scene.after.at(*spot) is None] for four in (row, diagonal)]
    mine = all(scene.after.at(*s) in (scene.me, None) for s in (*row, *diagonal))
    fits = sorted(ends[0] + ends[1]) == sorted(scene.cells)
    return is_row and is_diagonal and bool(shared) and mine and fits


def forces(game: Referee, column: int, depth: int = 4) -> bool:
    """Whoever is to move wins with this column by threats alone: each has a single answer."""
    me, you = "xo"[game.ply % 2], "ox"[game.ply % 2]
    if depth == 0 or column not in game.legal:
        return False
    game.play(column)
    try:
        if game.is_over or open_wins(game, you):
            return game.winner == "xo".index(me)
        threats = open_wins(game, me)
        if len(threats) > 1 or all(_wins_after(game, me, reply) for reply in game.legal):
            return True
        if not threats:
            return False
        answer = threats[0][0]
        game.play(answer)
        found = any(forces(game, following, depth - 1) for following in list(game.legal))
        game.undo(answer)
        return found
    finally:
        game.undo(column)


def _wins_after(game: Referee, stone: str, reply: int) -> bool:
    game.play(reply)
    is_won = bool(open_wins(game, stone))
    game.undo(reply)
    return is_won


def safe_replies(scene: Scene) -> list[Spot]:
    found = []
    for reply in scene.after.legal:
        spot = (reply, len(scene.after.stacks[reply]))
        scene.after.play(reply)
        if not open_wins(scene.after, scene.me):
            found.append(spot)
        scene.after.undo(reply)
    return found


def denied(scene: Scene) -> bool:
    """They would get it by that disc alone, and cannot win at once as it is."""
    game = referee_of(scene.position)
    if open_wins(game, scene.you):
        return False
    game.stacks[scene.fact.column].append(scene.you)
    game.found = None
    return not game.four and open_wins(game, scene.you) == scene.cells and len(scene.cells) >= 2


def owner(referee: Referee, row: int) -> int:
    """Whose a row is: the side that fills it in the column that is filled last."""
    return (referee.columns * referee.rows - referee.rows + row) % 2


def is_gain(scene: Scene, parity: int, *, is_own: bool) -> bool:
    """A new winning cell that is not open, above none of theirs, in the rows of the mover or not."""
    column, row = scene.cells[0]
    lower = any(wins_on(scene.after, scene.you, (column, below)) for below in range(row))
    mine = owner(scene.after, row) == "xo".index(scene.me)
    return (
        new_win(scene, scene.cells[0])
        and row % 2 == parity
        and mine == is_own
        and not lower
        and not is_open(scene.after, scene.cells[0])
    )


def caused(scene: Scene) -> bool:
    """Take the disc away, and there is no threat."""
    scene.after.undo(scene.fact.column)
    is_gone = not open_wins(scene.after, scene.me)
    scene.after.play(scene.fact.column)
    return is_gone


def lines_open_to(referee: Referee, spot: Spot, other: str) -> int:
    return sum(spot in run and not stones_in(referee, run, other) for run in windows(referee))


def most_lines(scene: Scene) -> bool:
    before, other = scene.before, scene.you
    counts = [lines_open_to(before, (c, len(before.stacks[c])), other) for c in before.legal]
    return scene.cells == [scene.spot] and scene.fact.count == max(counts) == lines_open_to(
        before, scene.spot, other
    )


def is_pair(scene: Scene) -> bool:
    """Two winning cells above each other, one of them new, and the other side wins on none below."""
    lower, upper = scene.cells
    blocked = any(wins_on(scene.after, scene.you, (lower[0], row)) for row in range(lower[1] + 1))
    return (
        all(wins_on(scene.after, scene.me, x) for x in scene.cells)
        and upper == up(lower)
        and not is_open(scene.after, lower)
        and any(new_win(scene, x) for x in scene.cells)
        and not blocked
    )


def new_win(scene: Scene, spot: Spot) -> bool:
    return wins_on(scene.after, scene.me, spot) and not wins_on(scene.before, scene.me, spot)


def prepares(scene: Scene, kind: str) -> bool:
    """One more disc of yours there, and you would have these threats; without the disc of the move not."""
    there, *cells = scene.cells

    def has_them(game: Referee) -> bool:
        if not is_open(game, there) or open_wins(game, scene.you) or wins_on(game, scene.me, there):
            return False
        game.stacks[there[0]].append(scene.me)
        game.found = None
        wins, lost = open_wins(game, scene.me), open_wins(game, scene.you)
        game.stacks[there[0]].pop()
        game.found = None
        if kind == "fork":
            return wins == cells and len(cells) > 1 and not lost
        is_pair = len(cells) == 2 and cells[1] == up(cells[0])
        game.stacks[there[0]].append(scene.me)
        upper = wins_on(game, scene.me, cells[1])
        game.stacks[there[0]].pop()
        return wins == cells[:1] and is_pair and upper and not lost

    return has_them(scene.after) and not has_them(scene.before)


def is_middle(scene: Scene) -> bool:
    """No row of four without a cell in this column; and one through the cell has no disc of theirs."""
    rows = [run for run in windows(scene.before) if run[0][1] == run[-1][1] and run[0][0] != run[-1][0]]
    through = [run for run in rows if scene.spot in run and not stones_in(scene.before, run, scene.you)]
    return bool(through) and all(any(cell[0] == scene.fact.column for cell in run) for run in rows)


def names_lines(scene: Scene, game: Referee, stone: str, other: str) -> bool:
    """The lines that are named run through the cell, with so many discs of one side, none of the other."""
    named: list[list[Spot]] = [[(cell.column, cell.row) for cell in four] for four in scene.fact.fours]
    return all(
        scene.spot in run
        and stones_in(game, run, stone) == scene.fact.stones
        and not stones_in(game, run, other)
        for run in named
    )


CHECKS: dict[str, Callable[[Scene], bool]] = {
    "wins_now": lambda s: (
        s.cells == [s.spot]
        and "xo".index(s.me) == s.after.winner
        and all(s.after.at(*c) == s.me and s.spot in four for four in s.fact.fours for c in four)
        and bool(s.fact.fours)
    ),
    "misses_win": lambda s: bool(s.cells) and s.cells == open_wins(s.before, s.me) and s.spot not in s.cells,
    "blocks": lambda s: s.cells == [s.spot] == open_wins(s.before, s.you) and s.after.winner is None,
    "blocks_one": lambda s: (
        s.cells == [s.spot]
        and len(open_wins(s.before, s.you)) > 1
        and bool(set(open_wins(s.before, s.you)) & {s.spot})
    ),
    "leaves_win": lambda s: (
        bool(s.cells)
        and s.after.winner is None
        and sorted(s.cells) == [x for x in open_wins(s.before, s.you) if x != s.spot]
        and all(x in open_wins(s.after, s.you) for x in s.cells)
    ),
    "gives_win": lambda s: s.cells == [up(s.spot)] and s.cells[0] in open_wins(s.after, s.you),
    "wastes_threat": lambda s: (
        s.cells == [up(s.spot)] and wins_on(s.before, s.me, up(s.spot)) and is_open(s.after, up(s.spot))
    ),
    "fork": lambda s: (
        open_wins(s.after, s.me) == s.cells and len(s.cells) >= 2 and wins_next(s) and caused(s)
    ),
    "open_three": lambda s: (
        len(s.cells) == 2
        and set(s.cells) <= set(open_wins(s.after, s.me))
        and s.cells[0][1] == s.cells[1][1]
        and s.cells[1][0] - s.cells[0][0] == s.after.connect
        and all(s.after.at(c, s.cells[0][1]) == s.me for c in range(s.cells[0][0] + 1, s.cells[1][0]))
        and s.cells[0][0] < s.spot[0] < s.cells[1][0]
        and s.spot[1] == s.cells[0][1]
        and wins_next(s)
        and caused(s)
    ),
    "stacked": lambda s: (
        open_wins(s.after, s.me) == s.cells[:1]
        and s.cells[1] == up(s.cells[0])
        and wins_on(s.after, s.me, s.cells[1])
        and wins_next(s)
        and caused(s)
    ),
    "threatens": lambda s: (
        open_wins(s.after, s.me) == s.cells
        and not open_wins(s.after, s.you)
        and caused(s)
        and all(new_win(s, x) for x in s.cells)
    ),
    "zugzwang": lambda s: (
        not open_wins(s.after, s.me)
        and wins_next(s)
        and s.cells == [(c, len(s.after.stacks[c]) + 1) for c in s.after.legal]
    ),
    "safe_replies": lambda s: (
        safe_replies(s) == s.cells
        and len(s.cells) == s.fact.count
        and not open_wins(s.after, s.me)
        and not open_wins(s.after, s.you)
    ),
    "gains_odd": lambda s: is_gain(s, 0, is_own=True),
    "gains_even": lambda s: is_gain(s, 1, is_own=True),
    "gains_wrong_odd": lambda s: is_gain(s, 0, is_own=False),
    "gains_wrong_even": lambda s: is_gain(s, 1, is_own=False),
    "most_lines": most_lines,
    "stacked_pair": is_pair,
    "seven_trap": is_seven,
    "undercuts": lambda s: (
        new_win(s, s.cells[0])
        and wins_on(s.after, s.you, s.cells[1])
        and s.cells[0][0] == s.cells[1][0]
        and s.cells[0][1] < s.cells[1][1]
        and not is_open(s.after, s.cells[0])
    ),
    "undercut_by": lambda s: (
        new_win(s, s.cells[1])
        and wins_on(s.after, s.you, s.cells[0])
        and s.cells[0][0] == s.cells[1][0]
        and s.cells[0][1] < s.cells[1][1]
        and not is_open(s.after, s.cells[1])
    ),
    "denies_fork": denied,
    "prepares_fork": lambda s: prepares(s, "fork"),
    "prepares_stacked": lambda s: prepares(s, "stacked"),
    "middle": is_middle,
    "joins": lambda s: (
        names_lines(s, s.after, s.me, s.you)
        and s.fact.count
        == sum(
            s.spot in run
            and run[0][0] != run[-1][0]
            and stones_in(s.after, run, s.me) == s.fact.stones
            and not stones_in(s.after, run, s.you)
            for run in windows(s.after)
        )
    ),
    "kills": lambda s: (
        names_lines(s, s.before, s.you, s.me)
        and s.fact.count
        == sum(
            s.spot in run
            and run[0][0] != run[-1][0]
            and stones_in(s.before, run, s.you) == s.fact.stones
            and not stones_in(s.before, run, s.me)
            for run in windows(s.after)
        )
    ),
    "runs": lambda s: count_runs(s, s.me, s.you) == s.fact.count,
    "their_runs": lambda s: count_runs(s, s.you, s.me) == s.fact.count,
    "tempo": lambda s: quiet(s) == s.fact.count,
}


def check(position: Position, fact: Fact) -> bool:
    """Whether a claim is true."""
    return CHECKS[fact.kind](Scene(position, fact))


# Scores, lines, plans -----------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def column_scores(position: Position, solver: Solver) -> Mapping[int, int]:
    """The value of every column for the side to move, each from its own position."""
    return {column: -int(solver.score(position.play(column))) for column in position.legal}


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def rank_is_true(fact: Fact, scores: Mapping[int, int]) -> bool:
    own = scores[fact.column]
    others = [value for column, value in scores.items() if column != fact.column]
    best = max(others, default=0)
    better = fact.other is not None and scores[fact.other] == best > own
    if better and sign(best) != sign(own):
        keeping = tuple(column for column, value in scores.items() if sign(value) == sign(best))
        better = fact.columns == keeping
    return {
        "only_legal": not others,
        "only_win": own > 0 and best <= 0,
        "win_sooner": own > best > 0,
        "as_soon": own == best > 0,
        "slow_win": better and own > 0,
        "only_draw": own == 0 and best < 0,
        "avoids_losing": own == 0 == best and min(others, default=0) < 0,
        "all_draw": own == 0 and set(others) == {0},
        "throws_win": better and own == 0 < best,
        "lose_later": best <= own < 0,
        "all_lose": own < 0 and set(others) == {own},
        "lose_sooner": better and best < 0,
        "walks_into_loss": better and own < 0 == best,
        "blunders": better and own < 0 < best,
    }[fact.kind]


FORCED_ENDS: Mapping[FactKind, FactKind] = {
    "forced_fork": "fork",
    "forced_stacked": "stacked",
    "forced_zugzwang": "zugzwang",
}


def forced_is_true(position: Position, fact: Fact) -> bool:
    """At every turn of theirs but the last, a single answer does not lose at once: the one of the line."""
    *line, last = fact.line
    for place in range(0, len(line), 2):
        scene = Scene(position, Fact("safe_replies", line[place]))
        if [spot[0] for spot in safe_replies(scene)] != [line[place + 1]] or scene.after.is_over:
            return False
        if open_wins(scene.after, scene.you):
            return False
        position = position.play(line[place]).play(line[place + 1])
    end = Fact(FORCED_ENDS[fact.kind], last, fact.cells)
    return check(position, end)


def line_is_true(position: Position, line: Line, solver: Solver) -> bool:
    """Every move but the first is a best one, and at the end there is what the line says."""
    before, side = position, position.side
    for place, column in enumerate(line.columns):
        before, position = position, position.play(column)
        if place and max(column_scores(before, solver).values()) != -int(solver.score(position)):
            return False
    if line.end == "draw":
        return position.is_over and position.winner is None
    if line.winner != before.side:
        return False
    if line.end == "plan":
        return line.plan is not None and line.plan.position == position and plan_is_true(line.plan, solver)
    return line.seen is not None and check(before, line.seen) and side in (0, 1)


def plan_is_true(plan: Plan, solver: Solver, games: int = 20) -> bool:
    """The solver agrees with the bound, and the plan keeps it in games against random and greedy play."""
    if int(solver.score(plan.position)) > plan.bound:
        return False
    chance = random.Random(plan.position.key)
    for _ in range(games):
        position = plan.position
        while not position.is_over:
            column = chance.choice(position.legal)
            after = position.play(column)
            if after.winner is not None:
                return False
            position = after if after.is_over else after.play(plan.reply(position, column))
        if isinstance(plan, Cover) and not all(rule_is_kept(plan, rule, position) for rule in plan.rules):
            return False
        if position.winner is None:
            if plan.bound < 0:
                return False
        elif -int(solver.score(position)) < -plan.bound:
            return False
    return True


def keeps(plan: Plan, run: list[Spot], games: int = 20) -> bool:
    """In games by the plan against random play the other side never gets one of these cells."""
    chance, other = random.Random(plan.position.key), "xo"[1 - plan.holder]
    for _ in range(games):
        position = plan.position
        while not position.is_over:
            column = chance.choice(position.legal)
            after = position.play(column)
            position = after if after.is_over else after.play(plan.reply(position, column))
        if any(position.stone(*cell) == other for cell in run):
            return False
    return True


def rule_is_kept(cover: Cover, rule: Rule, end: Position) -> bool:
    """What the sentence about a rule says of a game that was played by it."""
    board, other = end.board, "xo"[1 - cover.holder]

    def theirs(cells: int) -> int:
        return sum(end.stone(*cell) == other for cell in board.cells_of(cells))

    return {
        "claimeven": lambda: not theirs(rule.claims[0][1]),
        "baseinverse": lambda: theirs(rule.cells) <= 1,
        "vertical": lambda: theirs(rule.cells) <= 1,
        "lowinverse": lambda: theirs(rule.ups[0][1] | rule.ups[1][1]) <= 1,
        "aftereven": lambda: not theirs(rule.four),
        "before": lambda: all(theirs(sum(part)) <= 1 for part in (*rule.claims, *rule.ups)),
    }[rule.name]()
