"""P. Pons' six sets of 7x6x4 positions with their exact scores: the common yardstick of solvers."""

from importlib.resources import files
from typing import NamedTuple

from claimeven.errors import InputError
from claimeven.notation import quote

# From the easiest to the hardest: stones on the board (L1 few, L3 many), moves to go (R1 few, R3 many).
NAMES = {
    "L3_R1": "end-easy",
    "L2_R1": "middle-easy",
    "L1_R1": "begin-easy",
    "L2_R2": "middle-medium",
    "L1_R2": "begin-medium",
    "L1_R3": "begin-hard",
}


class Scored(NamedTuple):
    moves: str
    score: int  # for the side to move


def read_set(name: str) -> list[Scored]:
    """The 1,000 positions of a set.

    >>> read_set("L1_R3")[0]
    Scored(moves='13712', score=3)
    """
    text = (files("claimeven") / "data" / "pons" / f"Test_{name}").read_text("ascii")
    return [Scored(moves, int(score)) for moves, score in map(str.split, text.splitlines())]


def read_columns(name: str) -> list[dict[int, int]]:
    """For every position of a set the exact score of each legal column, for the side to move.

    >>> read_columns("L1_R3")[0]
    {0: 1, 1: 1, 2: 3, 3: 0, 4: -2, 5: 2, 6: 0}
    """
    text = (files("claimeven") / "data" / "pons" / f"Columns_{name}").read_text("ascii")
    return [
        {column: int(score) for column, score in enumerate(line.split()) if score != "."}
        for line in text.splitlines()
    ]


def parse_sets(text: str, others: tuple[str, ...] = ()) -> list[str]:
    """Read "L2_R2,begin-hard": sets by either name. `others` are names that mean something else there.

    >>> parse_sets("begin-hard,L2_R2")
    ['L1_R3', 'L2_R2']
    """
    by_name = {name: name for name in (*NAMES, *others)} | {long: name for name, long in NAMES.items()}
    for part in text.split(","):
        if part not in by_name:
            known = ", ".join([*(f"{name} ({long})" for name, long in NAMES.items()), *others])
            raise InputError("no_set", part=quote(part), known=known)
    return [by_name[part] for part in text.split(",")]
