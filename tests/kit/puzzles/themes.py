"""What each theme promises, looked up on a naive board; and that its move is needed."""

from collections.abc import Callable

from claimeven.position import Position
from claimeven.solver import Solver
from kit.coach.claims import Spot, all_wins, open_wins, owner, sign, windows
from kit.puzzles.scene import Asked, by_thumb, fork_after, is_quiet, landing, new_wins, opens, put
from kit.referee import Referee


def decision(asked: Asked) -> tuple[str, int] | None:
    """The first own move after which the next own disc wins against everything, and what it is."""
    for place in range(0, len(asked.columns), 2):
        game = asked.game(place + 1)
        if game.is_over:
            return None
        if open_wins(game, asked.you):
            continue
        threats = open_wins(game, asked.me)
        if all(answered(game, reply, asked.me) for reply in game.legal):
            kind = "fork" if len(threats) > 1 else "stacked" if threats else "zugzwang"
            return kind, place
    return None


def answered(game: Referee, reply: int, me: str) -> bool:
    game.play(reply)
    found = not game.is_over and bool(open_wins(game, me))
    game.undo(reply)
    return found


def decides(kind: str) -> Callable[[Asked], int | None]:
    def found(asked: Asked) -> int | None:
        seen = decision(asked)
        if seen is None or seen[0] != kind:
            return None
        if kind == "zugzwang":
            wins = all_wins(asked.game(seen[1] + 1), asked.me)
            return None if any((c, r + 1) in wins for c, r in wins) else 0
        return 0 if seen[1] <= 4 and is_quiet(asked.game(seen[1])) else None

    return found


def forcing(asked: Asked) -> int | None:
    """Every own disc before the one that decides leaves a single answer: to stop it."""
    seen = decision(asked)
    if seen is None or seen[0] == "zugzwang" or seen[1] < 2:
        return None
    places = range(1, seen[1], 2)
    return 0 if all(len(open_wins(asked.game(place), asked.me)) == 1 for place in places) else None


def last_spot(asked: Asked) -> Spot:
    return landing(asked.game(len(asked.columns) - 1), asked.columns[-1])


def seven(asked: Asked) -> int | None:
    last = last_spot(asked)
    for place in range(0, len(asked.columns) - 1, 2):
        game = asked.game(place + 1)
        if game.is_over:
            break
        for lower in new_pairs(asked, place):
            upper = (lower[0], lower[1] + 1)
            if last in (lower, upper) and is_seven(game, lower, upper, asked.me):
                return place
    return None


def new_pairs(asked: Asked, place: int) -> list[Spot]:
    """The lower cells of two own winning cells above each other, new, out of reach of the other side."""
    before, game = asked.game(place), asked.game(place + 1)
    old, wins, theirs = all_wins(before, asked.me), all_wins(game, asked.me), all_wins(game, asked.you)

    def is_new(spot: Spot) -> bool:
        above = (spot[0], spot[1] + 1)
        is_pair = above in wins and not (spot in old and above in old)
        is_free = not any((spot[0], row) in theirs for row in range(spot[1] + 1))
        return is_pair and is_free and len(game.stacks[spot[0]]) < spot[1]

    return [spot for spot in wins if is_new(spot)]


def is_seven(game: Referee, lower: Spot, upper: Spot, me: str) -> bool:
    def complete(spot: Spot) -> list[list[Spot]]:
        return [
            run for run in windows(game) if spot in run and all(game.at(*c) == me for c in run if c != spot)
        ]

    for one, two in ((lower, upper), (upper, lower)):
        rows = [run for run in complete(one) if len({r for _, r in run}) == 1]
        slopes = [run for run in complete(two) if len({r for _, r in run}) == len({c for c, _ in run}) == 4]
        if any(set(row) & set(slope) for row in rows for slope in slopes):
            return True
    return False


def keep(asked: Asked) -> int | None:
    """The last disc falls on a cell that was won from the start, and one could have played right below it."""
    game, last = asked.game(), last_spot(asked)
    below = (last[0], last[1] - 1)
    is_there = last in all_wins(game, asked.me) and landing(game, last[0]) == below
    return 0 if is_there and asked.columns[0] != last[0] else None


def gained(asked: Asked) -> list[int]:
    """Where the cell of the last disc becomes a winning one, without a threat."""
    last, found = last_spot(asked), []
    for place in range(0, len(asked.columns) - 1, 2):
        game = asked.game(place + 1)
        if last in new_wins(asked.game(place), game, asked.me) and not open_wins(game, asked.me):
            found.append(place)
    return found


def rows(asked: Asked) -> int | None:
    column, row = last_spot(asked)
    for place in gained(asked):
        theirs = all_wins(asked.game(place + 1), asked.you)
        if "xo"[owner(asked.game(), row)] == asked.me and column not in {c for c, _ in theirs}:
            return place
    return None


def undercut(asked: Asked) -> int | None:
    column, row = last_spot(asked)
    for place in gained(asked):
        if any(c == column and r > row for c, r in all_wins(asked.game(place + 1), asked.you)):
            return place
    return None


def tempo(asked: Asked) -> int | None:
    """An odd column, after it even ones, and the policy in words wins against everything."""
    game = asked.game(1)
    free = {column: 6 - len(game.stacks[column]) for column in range(7)}
    odd = [column for column in free if free[column] % 2]
    wins = {column for column, _ in all_wins(game, asked.me)}
    fits = free[asked.columns[0]] % 2 == 0 and len(odd) <= 1 and set(odd) <= wins and sum(free.values()) >= 6
    return 0 if fits and follows(game, asked.me, asked.you, {}) else None


def name_of(game: Referee) -> str:
    return "/".join("".join(stack) for stack in game.stacks)


def follows(game: Referee, me: str, you: str, known: dict[str, bool]) -> bool:
    """Whatever the other side plays: win, block, else the same column."""
    name = name_of(game)
    if name not in known:
        replies = () if game.is_over else game.legal
        known[name] = bool(replies) and all(follows_on(game, reply, me, you, known) for reply in replies)
    return known[name]


def follows_on(game: Referee, reply: int, me: str, you: str, known: dict[str, bool]) -> bool:
    game.play(reply)
    found = not game.is_over and (bool(open_wins(game, me)) or answers(game, reply, me, you, known))
    game.undo(reply)
    return found


def answers(game: Referee, reply: int, me: str, you: str, known: dict[str, bool]) -> bool:
    danger = open_wins(game, you)
    column = danger[0][0] if danger else reply
    if len(danger) > 1 or column not in game.legal:
        return False
    game.play(column)
    found = follows(game, me, you, known)
    game.undo(column)
    return found


def wrong(asked: Asked, is_bad: Callable[[Referee, int], bool]) -> int | None:
    """Bad are all columns that like the centre, and half of all others; the answer is none of them."""
    game = asked.game()
    others = [column for column in game.legal if column != asked.columns[0]]
    bad = [column for column in others if is_bad(game, column)]
    thumbs = by_thumb(game, asked.you, looks_above=False)
    return 0 if set(thumbs) <= set(bad) and 2 * len(bad) >= len(others) else None


def door(asked: Asked) -> int | None:
    return wrong(asked, lambda game, column: opens(game, column, asked.you))


def deny_fork(asked: Asked) -> int | None:
    def is_forked(game: Referee, column: int) -> bool:
        if opens(game, column, asked.you):
            return False
        game.play(column)
        found = not game.is_over and any(fork_after(game, reply, asked.you) for reply in game.legal)
        game.undo(column)
        return found

    return wrong(asked, is_forked)


def worthless_cells(asked: Asked) -> tuple[list[Spot], list[Spot]]:
    """The winner's cells, and those without which he wins all the same: by playing everything through."""
    side = asked.answer[0]
    game = asked.game()
    cells = all_wins(game, side)
    return cells, [cell for cell in cells if wins_without(game, side, cell, {})]


def wins_without(game: Referee, side: str, cell: Spot, known: dict[str, bool]) -> bool:
    name = name_of(game)
    if name not in known:
        known[name] = _wins_without(game, side, cell, known)
    return known[name]


def _wins_without(game: Referee, side: str, cell: Spot, known: dict[str, bool]) -> bool:
    mover = "xo"[game.ply % 2]
    spots = [landing(game, column) for column in range(7) if len(game.stacks[column]) < 6]
    ends = [spot for spot in spots if completes(game, spot, mover, cell if mover == side else None)]
    if ends or not spots:
        return bool(ends) and mover == side
    results = []
    for spot in spots:
        put(game, spot, mover)
        results.append(wins_without(game, side, cell, known))
        game.undo(spot[0])
        if results[-1] == (mover == side):
            return results[-1]
    return mover != side


LINES = {
    spot: [run for run in windows(Referee()) if spot in run]
    for spot in [(c, r) for c in range(7) for r in range(6)]
}


def completes(game: Referee, spot: Spot, stone: str, barred: Spot | None) -> bool:
    for run in LINES[spot]:
        if barred not in run and all(game.at(*other) == stone for other in run if other != spot):
            return True
    return False


def refute(asked: Asked, solver: Solver) -> bool:
    """The other side was not lost before its last disc."""
    return sign(int(solver.score(Position.parse(asked.moves[:-1])))) >= 0


PLACES: dict[str, Callable[[Asked], int | None]] = {
    "fork": decides("fork"),
    "stacked": decides("stacked"),
    "zugzwang": decides("zugzwang"),
    "win": forcing,
    "seven": seven,
    "keep": keep,
    "rows": rows,
    "undercut": undercut,
    "tempo": tempo,
    "door": door,
    "deny_fork": deny_fork,
}
