"""How far our Swiss rounds are those of FIDE's Dutch system: beside py4swiss, which follows it to the letter.

    pip install py4swiss
    python bench/server/swiss.py --tournaments 200

Each round both pair the same tournament, which then goes on with the pairs of the Dutch system, so that a
difference does not lead to the next one. The stronger wins more often; colours are those of the Dutch system.
"""

import argparse
import importlib
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from claimeven.event import Entrant, Meeting, Pairing, swiss
from claimeven.event.values import points_of

SIZES = (8, 9, 12, 15, 16, 20, 30)


def line_of(one: Entrant, meetings: list[Meeting]) -> str:
    """A player as FIDE's report file (TRF16) has it."""
    own = [meeting for meeting in meetings if meeting.has(one.number)]
    cells = []
    for meeting in own:
        other = meeting.opponent(one.number)
        if other is None:
            cells.append("  0000 - U")
            continue
        is_first = meeting.first == one.number
        points = meeting.of(one.number)
        result = {1: "1", 0: "0", 0.5: "="}[points]
        cells.append(f"  {other:4} {'w' if is_first else 'b'} {result}")
    total = points_of(own, one.number)
    name = f"Player {one.number}"
    head = (
        f"001 {one.number:4} m    {name:33} {one.rating:4} FRA {0:11} 2000/01/01 {total:4.1f} {one.number:4}"
    )
    return head + "".join(cells)


def dutch(entrants: list[Entrant], meetings: list[Meeting], rounds: int) -> list[Pairing]:
    trf = importlib.import_module("py4swiss.trf")
    engine: Any = importlib.import_module("py4swiss.engines.dutch.engine").Engine
    text = "\n".join([*(line_of(one, meetings) for one in entrants), f"XXR {rounds}", "XXC white1", ""])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tournament.trf"
        file.write_text(text)
        pairs = engine.generate_pairings(trf.TrfParser.parse(file))
    return [Pairing(pair.white, pair.black or None) for pair in pairs]


def result(rng: random.Random, first: Entrant, second: Entrant) -> tuple[float, float]:
    expected = 1 / (1 + 10 ** ((second.rating - first.rating) / 400))
    if rng.random() < 0.1:
        return 0.5, 0.5
    return (1.0, 0.0) if rng.random() < expected else (0.0, 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    counts: Counter[str] = Counter()
    for _ in range(options.tournaments):
        count = rng.choice(SIZES)
        ratings = sorted((rng.randrange(600, 1900) for _ in range(count)), reverse=True)
        entrants = [Entrant(number, rating) for number, rating in enumerate(ratings, 1)]
        meetings: list[Meeting] = []
        rounds = swiss.rounds_for(count)
        for number in range(1, rounds + 1):
            theirs, ours = (
                dutch(entrants, meetings, rounds),
                swiss.pairings(entrants, meetings, number == rounds),
            )
            met = [{frozenset(pair) for pair in pairs} for pairs in (theirs, ours)]
            counts["rounds"] += 1
            counts["rounds alike"] += met[0] == met[1]
            counts["rounds alike with colours"] += set(theirs) == set(ours)
            counts["tables"] += len(theirs)
            counts["tables alike"] += len(met[0] & met[1])
            counts["first rounds alike with colours"] += number == 1 and set(theirs) == set(ours)
            scores = {one.number: points_of(meetings, one.number) for one in entrants}
            for name, pairs in (("theirs", theirs), ("ours", ours)):
                tables = [(first, second) for first, second in pairs if second is not None]
                counts[f"tables of unequal scores, {name}"] += sum(scores[a] != scores[b] for a, b in tables)
            for pair in theirs:
                if pair.second is None:
                    meetings.append(Meeting(number, pair.first, None, (1.0, 0.0), False))
                else:
                    score = result(rng, entrants[pair.first - 1], entrants[pair.second - 1])
                    meetings.append(Meeting(number, pair.first, pair.second, score))
    for name, value in counts.items():
        print(f"{value:9,}  {name}")


if __name__ == "__main__":
    main()
