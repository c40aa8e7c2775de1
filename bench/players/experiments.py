"""The experiments of docs/experiments: one command each, whose result is kept beside the page.

    python bench/players/experiments.py                  list the commands
    python bench/players/experiments.py run NAME …       run some (all: no name) and keep their results
    python bench/players/experiments.py tables           write the tables of the page anew from the results

Agents limited by simulations, nodes or depth give the same result on every machine.
"""

import contextlib
import io
import json
import re
import shlex
import sys
import time
from pathlib import Path
from typing import Any

from claimeven import cli
from claimeven.commands.asked.options import workers_of

FOLDER = Path(__file__).parents[2] / "docs" / "experiments"
PAGE = FOLDER / "README.md"

VARIANTS = (
    "mcts mcts:tt mcts:lgr=1 mcts:lgr=2 mcts:lgr=1,forget mcts:lgr=2,forget mcts:hybrid mcts:hybrid,forget"
)
SIZES = " ".join(
    f"mcts:tt,table={n}" for n in (10000, 25000, 50000, 100000, 250000, 500000, 1000000, 8000000)
)
LEVELS = " ".join(f"level:{n}" for n in range(1, 11))
FIRST_LEVELS = " ".join(f"level:{n},ladder=first" for n in range(1, 11))
SYSTEMS = (
    "minimax:preset=a,depth=5 minimax:preset=b,depth=5 minimax:preset=d,depth_by_width,ties=random"
    " minimax:preset=e,depth=5 minimax:depth=5 rules"
    " level:3,ladder=first level:5,ladder=first level:7,ladder=first"
)
SIMULATIONS = " ".join(f"mcts:simulations={n}" for n in (100, 300, 1000, 3000, 10000, 30000, 100000, 300000))
PAIRS = "--format gauntlet --openings balanced --seed 1 --judge 0 --json"

COMMANDS = {
    "replies-10000": f"arena {VARIANTS} --limit 10000n --games 3000 {PAIRS}",
    "replies-100000": f"arena {VARIANTS} --limit 100000n --games 400 {PAIRS}",
    "replies-10ms": f"arena {VARIANTS} --limit 10ms --games 2000 {PAIRS}",
    "replies-quality": f"measure {VARIANTS} --limit 10000n --json",
    "table-size": f"measure mcts {SIZES} --limit 100000n --count 500 --json",
    "systems": f"arena {SYSTEMS} --games 400 --openings balanced --seed 1 --json",
    "ladder": f"arena {LEVELS} --games 200 --openings balanced --seed 1 --json",
    "first-ladder": f"arena {FIRST_LEVELS} --games 300 --openings balanced --seed 1 --json",
    "simulations": f"measure {SIMULATIONS} --json",
}


def run(names: list[str], workers: int) -> None:
    for name in names:
        began, output = time.perf_counter(), io.StringIO()
        with contextlib.redirect_stdout(output):
            code = cli.run([*shlex.split(COMMANDS[name]), "--workers", str(workers)])
        if code:
            sys.exit(code)
        FOLDER.mkdir(parents=True, exist_ok=True)
        result = json.dumps(json.loads(output.getvalue()), ensure_ascii=False, separators=(",", ":"))
        (FOLDER / f"{name}.json").write_text(result + "\n")
        print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)


def kept(name: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / f"{name}.json").read_text()))


# Tables -----------------------------------------------------------------------------------------------


def rows(head: list[str], body: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *body])


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def interval(low: float, high: float) -> str:
    return f"[{100 * low:.1f}, {100 * high:.1f}]"


def p_text(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.01 else f"{p:.2f}"


def gauntlet(name: str) -> str:
    """Every variant against the first agent, from the variant's view."""
    result = kept(name)
    body = []
    for pairing in result["pairings"]:
        low, high = pairing["interval"]
        elo = pairing["elo"]
        body.append(
            [
                f"`{result['agents'][pairing['agents'][1]]['name']}`",
                f"{pairing['losses']} – {pairing['draws']} – {pairing['wins']}",
                percent(1 - pairing["score"]),
                interval(1 - high, 1 - low),
                "–" if elo is None else f"{-elo['value']:+.0f} ± {elo['error']:.0f}",
                p_text(pairing["p_holm"]),
            ]
        )
    return rows(["against `mcts`", "won – drawn – lost", "score", "95 % interval", "Elo", "p (Holm)"], body)


def qualities(name: str) -> str:
    result = kept(name)
    tests = {(each["measure"], *each["agents"]): each["p_holm"] for each in result["comparisons"]}
    body = []
    for number, agent in enumerate(result["agents"]):
        kept_all, decisive = agent["all"], agent["decisive"]
        body.append(
            [
                f"`{agent['agent']}`",
                percent(kept_all["keeping"]),
                interval(*kept_all["keeping_interval"]),
                percent(decisive["keeping"]),
                percent(kept_all["optimal"]),
                "–" if number == 0 else p_text(tests["keeping", 0, number]),
            ]
        )
    tested = f"p against `{result['agents'][0]['agent']}` (Holm)"
    head = [
        "agent",
        "keeps the outcome",
        "95 % interval",
        "decisive only",
        "optimal",
        tested,
    ]
    return rows(head, body)


def standings(name: str) -> str:
    result = kept(name)
    body = []
    for agent in sorted(result["agents"], key=lambda agent: -agent["rating"]["value"]):
        low, high = agent["rating"]["interval"]
        quality = agent["quality"]
        body.append(
            [
                f"`{agent['name']}`",
                f"{agent['rating']['value']:+.0f}",
                f"[{low:+.0f}, {high:+.0f}]",
                percent(agent["score"]),
                seat(agent["as_first"]),
                seat(agent["as_second"]),
                percent(quality["keeping"]["share"]) if quality and quality["decisive"] else "–",
            ]
        )
    head = ["agent", "rating", "95 % interval", "score", "moving first", "moving second", "good moves"]
    return rows(head, body)


def seat(ends: dict[str, int]) -> str:
    return f"{ends['wins']} – {ends['draws']} – {ends['losses']}"


TABLES = {
    "replies-10000": gauntlet,
    "replies-100000": gauntlet,
    "replies-10ms": gauntlet,
    "replies-quality": qualities,
    "table-size": qualities,
    "systems": standings,
    "ladder": standings,
    "first-ladder": standings,
    "simulations": qualities,
}


def command_text(name: str) -> str:
    """As it stands above the table."""
    return f"claimeven {COMMANDS[name]}"


def with_tables(page: str) -> str:
    """The page with every command and table as they are now; `<!-- name -->` … `<!-- end -->` holds one."""

    def block(match: re.Match[str]) -> str:
        name = match[1]
        return f"<!-- {name} -->\n\n    {command_text(name)}\n\n{TABLES[name](name)}\n\n<!-- end -->"

    return re.sub(r"<!-- ([a-z0-9-]+) -->\n.*?<!-- end -->", block, page, flags=re.DOTALL)


if __name__ == "__main__":
    what, *names = sys.argv[1:] or ["list"]
    if what == "run":
        run(names or list(COMMANDS), workers_of(None))
    elif what == "tables":
        PAGE.write_text(with_tables(PAGE.read_text()))
    else:
        print("\n".join(f"{name}: {command_text(name)}" for name in COMMANDS))
