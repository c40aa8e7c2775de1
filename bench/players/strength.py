"""How strong a player is for what a move costs it: a line of docs/data/strength.jsonl for every spec.

    python bench/players/strength.py neural neural:depth=2 neural:simulations=200 >> docs/data/strength.jsonl

On the first positions of each of Pons' sets; milliseconds are those of the processor, on one core.
"""

import argparse
import json
import time

from claimeven import make_agent
from claimeven.arena.measure import measure, pons_questions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("--count", type=int, default=100, help="of each of the six sets")
    options = parser.parse_args()
    questions = pons_questions(options.count)
    for spec in options.specs:
        agent = make_agent(spec, 0)
        agent.choose(questions[0].position)  # what is read and built once is no part of a move
        began = time.process_time()
        found = measure(agent, questions)
        cost = 1000 * (time.process_time() - began) / len(questions)
        keeps, optimal = found.keeping(), found.optimal()
        low, high = (round(100 * bound, 1) for bound in keeps.interval)
        row = {"agent": spec, "positions": len(questions), "keeps": round(100 * keeps.value, 2)}
        row |= {"low": low, "high": high, "optimal": round(100 * optimal.value, 2)}
        print(json.dumps(row | {"milliseconds": round(cost, 2)}), flush=True)


if __name__ == "__main__":
    main()
