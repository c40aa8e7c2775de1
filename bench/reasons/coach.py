"""How the coach speaks: python bench/reasons/coach.py explain [POSITIONS]

On positions of games between levels 3, 5 and 7, a quarter each from four parts of a game, the best move is
explained. Printed are the median number of words, the plans that begin beyond the moves that are shown, the
praise of winning cells in the wrong rows, the share of texts with a reason of each kind, and the seconds of
one core. A text may have reasons of several kinds.
"""

import random
import re
import statistics
import sys
import time
from collections.abc import Iterator

from claimeven.agents import make_agent
from claimeven.position import Position
from claimeven.reasons import Explanation, explain
from claimeven.solver import Solver

PARTS = ((0, 8), (9, 16), (17, 26), (27, 38))  # plies
LEVELS = (3, 5, 7)
KINDS = {
    "cause": {
        *("wins_now", "misses_win", "blocks", "blocks_one", "leaves_win", "gives_win", "wastes_threat"),
        *(
            "open_three",
            "fork",
            "stacked",
            "zugzwang",
            "threatens",
            "safe_replies",
            "gains_odd",
            "gains_even",
        ),
        *("stacked_pair", "seven_trap", "undercuts", "undercut_by", "denies_fork", "fault", "standing"),
        *("prepares_fork", "prepares_stacked", "gains_wrong_odd", "gains_wrong_even"),
        *("forced_fork", "forced_stacked", "forced_zugzwang"),
    },
    "count": {"count"},
    "prevention": {
        "takes_only",
        "takes_one",
        "stops_line",
        "stops_fork",
        "stops_stacked",
        "stops_force",
        "worse",
    },
    "plan": {"plan_now", "plan_drop", "plan_follow", "line", "aim"},
    "shape": {"most_lines", "joins", "kills", "middle"},
}
ASKED = ("cause", "count", "prevention", "plan")


def positions(count: int, chance: random.Random) -> Iterator[Position]:
    """As many from each part of a game, each of a game of its own."""
    for number in range(count):
        low, high = PARTS[number % len(PARTS)]
        while True:
            agents = [
                make_agent(f"level:{chance.choice(LEVELS)},ladder=first", chance.getrandbits(32))
                for _ in range(2)
            ]
            position, ply = Position(), chance.randint(low, high)
            while position.ply < ply and not position.is_over:
                position = position.play(agents[position.side].choose(position).column)
            if not position.is_over:
                yield position
                break


def begins_unseen(told: Explanation) -> bool:
    """Whether a plan is told from a position that the reader cannot see."""
    if not told.steps or told.line is None or len(told.line.columns) == 1:
        return False
    return told.steps[0].moves != told.line.columns


def wrong_rows(told: Explanation) -> int:
    """Winning cells that are called yours or a gain in rows that are not yours: read from the text."""
    cells = re.findall(
        r"gives you a winning cell in an (?:odd|even) row, [a-g](\d)|[:.] [Ll]ook for .*? such as [a-g](\d)"
        r"|[Yy]ou have [a-g](\d)(?=\.|, which| and [a-g]\d\.)",
        told.text,
    )
    return sum(int("".join(row)) % 2 != (told.position.side == 0) for row in cells)


def main(count: int) -> None:
    solver, chance = Solver(), random.Random(15)
    words: dict[tuple[int, int], list[int]] = {part: [] for part in PARTS}
    kinds = dict.fromkeys((*KINDS, "one of the first four"), 0)
    unseen = wrong = praised = 0
    seconds = []
    for number, position in enumerate(positions(count, chance)):
        column = position.board.central(solver.analyse(position).best)
        start = time.process_time()
        told = explain(position, column, solver)
        seconds.append(time.process_time() - start)
        words[PARTS[number % len(PARTS)]].append(len(told.text.split()))
        unseen += begins_unseen(told)
        praised += "winning cell in an" in told.text or "ou have" in told.text
        wrong += wrong_rows(told)
        found = {reason.kind for reason in (*told.reasons, *told.steps)}
        for name, members in KINDS.items():
            kinds[name] += bool(found & members)
        kinds["one of the first four"] += any(found & KINDS[name] for name in ASKED)
    for (low, high), counts in words.items():
        print(f"plies {low} to {high}: median {statistics.median(counts):g} words of {len(counts)} texts")
    everything = [n for counts in words.values() for n in counts]
    print(f"all: median {statistics.median(everything):g} words, most {max(everything)}")
    print(f"plans that begin beyond the moves shown: {unseen}")
    print(f"winning cells praised in the wrong rows: {wrong} ({praised} texts praise one)")
    for name, n in kinds.items():
        print(f"texts with a reason of kind {name}: {n} of {count} ({100 * n / count:.1f} %)")
    seconds.sort()
    late = seconds[int(len(seconds) * 0.99)]
    print(f"seconds for an explanation: median {statistics.median(seconds):.3f}, 99th percentile {late:.3f}")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] != ["explain"]:
        sys.exit(__doc__)
    main(int(arguments[1]) if arguments[1:] else 240)
