"""Which facts about a move are told, and in which order."""

from claimeven.position import Position
from claimeven.reasons.seen.fact import Fact, FactKind, SeenKind

# Facts that decide; of the others the text tells one or two.
LADDER: tuple[SeenKind, ...] = (
    "wins_now",
    "misses_win",
    "blocks",
    "blocks_one",
    "leaves_win",
    "gives_win",
    "open_three",
    "fork",
    "stacked",
    "zugzwang",
)
QUIET: tuple[SeenKind, ...] = (
    "seven_trap",
    "stacked_pair",
    "denies_fork",
    "gains_odd",
    "gains_even",
    "prepares_fork",
    "prepares_stacked",
    "threatens",
    "safe_replies",
    "undercut_by",
)
WRONG: tuple[FactKind, ...] = ("gains_wrong_odd", "gains_wrong_even")
GAINS: tuple[FactKind, ...] = ("gains_odd", "gains_even")
# After these nothing is left to explain.
FINAL: tuple[SeenKind, ...] = (
    "wins_now",
    "misses_win",
    "leaves_win",
    "gives_win",
    "open_three",
    "fork",
    "stacked",
    "zugzwang",
)
LOSING: tuple[SeenKind, ...] = ("misses_win", "leaves_win", "gives_win")  # of these one says enough
MANY = 2  # columns; to name more that are safe says little
FOURS: tuple[SeenKind, ...] = ("joins", "kills")
LOW = 4  # rows in which the fours through a cell are a reason
OPENING = 8  # plies: nobody sees the end from there, so the idea is told


def told_facts(position: Position, seen: tuple[Fact, ...]) -> list[Fact]:
    """What is said of the facts on the board: what decides, or else the two that matter most."""
    by_kind: dict[FactKind, Fact] = {}
    for fact in seen:
        by_kind.setdefault(fact.kind, fact)
    if position.board.connect != 4:  # it is three stones that have a name
        by_kind.pop("open_three", None)
    found = [by_kind[kind] for kind in LADDER if kind in by_kind]
    if "open_three" in by_kind:
        found = [fact for fact in found if fact.kind != "fork"]
    if any(fact.kind in FINAL for fact in found):
        lost = [fact for fact in found if fact.kind in LOSING]
        return [fact for fact in found if fact not in lost[1:]]
    if "safe_replies" in by_kind and (by_kind["safe_replies"].count or 0) > MANY:
        by_kind.pop("safe_replies")
    quiet = [by_kind[kind] for kind in QUIET if kind in by_kind][: 2 - min(len(found), 1)]
    if quiet[:1] == [by_kind.get("seven_trap")] and "stacked_pair" in by_kind:
        quiet = [quiet[0], by_kind["stacked_pair"]]
    if not found and not quiet:  # a cell in their rows is worth a word only where there is no other
        quiet = [by_kind[kind] for kind in WRONG if kind in by_kind][:1]
    gains = {fact.cells for fact in quiet if fact.kind in GAINS}
    undercuts = [f for f in seen if f.kind == "undercuts" and f.cells[:1] in gains]
    return found + quiet + undercuts[:1]


def shape(position: Position, seen: tuple[Fact, ...], is_pressed: bool = False) -> list[Fact]:
    """What a quiet move does for fours: told when there is nothing else.

    `is_pressed`: other columns lose soon, so what it stops comes before what it builds.
    """
    most = position.board.reach - 1  # discs: such a four has a winning cell, which is told as one
    fours = [fact for fact in seen if fact.kind in FOURS and 1 < (fact.stones or 0) < most]
    by_kind = {fact.kind: fact for fact in reversed(fours)}  # of each kind the one with most discs
    fours = [by_kind[kind] for kind in (reversed(FOURS) if is_pressed else FOURS) if kind in by_kind]
    if position.ply > OPENING:
        return fours
    middle = [fact for fact in seen if fact.kind == "middle"]
    through = [fact for fact in seen if fact.kind == "most_lines" and (fact.count or 0) > MANY]
    low = [fact for fact in through if fact.cells[0].row < LOW]
    return ([*fours, *middle, *low] if is_pressed else [*middle, *fours, *low])[:2]
