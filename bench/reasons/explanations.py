"""How much is explained, and how quickly: python bench/reasons/explanations.py [POSITIONS] [SET FILE]

For positions of a middle game set: how the best line of the best move ends, how many plies ahead, and how
long a whole explanation takes; also how long the review of a game takes. A line is *clear* when it ends in a
certificate, or when every answer in it was the only one that does not lose at once. Seconds are those of one
core at work, so that a busy machine does not count.
"""

import statistics
import sys
import time
from pathlib import Path

from claimeven.agents import make_agent
from claimeven.game import Game
from claimeven.position import Position
from claimeven.reasons import explain, review
from claimeven.solver import Solver

GAMES = 20
PREVENTS = {"takes_only", "takes_one", "stops_line", "stops_fork", "stops_stacked", "blocks"}
SET = Path(__file__).parents[2] / "src" / "claimeven" / "data" / "pons" / "Test_L2_R2"


def main(count: int, source: Path) -> None:
    solver = Solver()
    seconds: list[float] = []
    ends: dict[str, dict[str, int]] = {"decided": {}, "drawn": {}}
    plies: list[int] = []
    held: dict[str, int] = {}
    for text in source.read_text().splitlines()[:count]:
        position = Position.parse(text.split()[0])
        column = solver.analyse(position).best[0]
        start = time.process_time()
        explanation = explain(position, column, solver)
        seconds.append(time.process_time() - start)
        kinds = {fact.kind for fact in explanation.facts}
        line = explanation.line
        if line is None:
            end = "at once"
        elif any(kind.startswith("forced_") for kind in kinds):
            end = "forced"
        else:
            end = line.end
            if line.plan is not None:
                plies.append(len(line.columns))
        if explanation.goal == "avoid_losing":
            why = "plan" if explanation.plan is not None else "prevention" if kinds & PREVENTS else "neither"
            held[why] = held.get(why, 0) + 1
        group = ends["drawn" if int(explanation.score or 0) == 0 else "decided"]
        group[end] = group.get(end, 0) + 1
    for name, group in ends.items():
        total = sum(group.values())
        clear = sum(group.get(end, 0) for end in ("at once", "forced", "plan"))
        share = f"{100 * clear / total:.1f} %" if total else "-"
        print(f"{name}: {clear} of {total} clear ({share}): {dict(sorted(group.items()))}")
    print(f"draws where other columns lose, held by: {dict(sorted(held.items()))}")
    print(f"plies to a certificate: median {statistics.median(plies):g}, most {max(plies)}")
    seconds.sort()
    median, late = statistics.median(seconds), seconds[int(len(seconds) * 0.99)]
    print(
        f"seconds for an explanation: median {median:.3f}, 99th percentile {late:.3f}, most {seconds[-1]:.3f}"
    )
    spent = []
    for seed in range(GAMES):
        agents = make_agent("level:3,ladder=first", seed), make_agent("level:5,ladder=first", seed)
        game = Game()
        while game.result is None:
            game.play(agents[game.position.side].choose(game.position).column)
        start = time.process_time()
        review(game, solver)
        spent.append(time.process_time() - start)
    print(
        f"seconds for a review: median {statistics.median(spent):.2f}, most {max(spent):.2f} of {GAMES} games"
    )


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(int(arguments[0]) if arguments else 200, Path(arguments[1]) if arguments[1:] else SET)
