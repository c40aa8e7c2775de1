"""agents and measure: who can play, and how well."""

import os
import sys
import textwrap
from typing import TYPE_CHECKING, Annotated, NotRequired, TypedDict

import typer

from claimeven.commands.asked.options import (
    BoardOption,
    JsonOption,
    check_agents,
    print_json,
    read_input,
    workers_of,
)
from claimeven.commands.asked.usage import agent_names
from claimeven.errors import InputError
from claimeven.notation import plural
from claimeven.terminal.paint import has_colours, paint

if TYPE_CHECKING:
    from claimeven.agents import Kind
    from claimeven.agents.option import Option
    from claimeven.arena.measure import Comparison, Measurement, Question, Share
    from claimeven.limit import Limit

NameArgument = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="Only this agent.", show_default=False, autocompletion=agent_names),
]
SpecArgument = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="An agent, like mcts:simulations=1000.",
        show_default=False,
        autocompletion=agent_names,
    ),
]
OthersArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="OTHER",
        help="Others, to be compared on the same positions.",
        show_default=False,
        autocompletion=agent_names,
    ),
]
WorkersOption = Annotated[int, typer.Option("--workers", metavar="W", help="Processes.")]
SetOption = Annotated[
    str,
    typer.Option(
        "--set", metavar="S", help="pons, some of its sets (begin-hard,L2_R2), or a file of positions."
    ),
]
CountOption = Annotated[
    int | None, typer.Option("--count", metavar="N", help="Only the first N positions of each set.", min=1)
]
LimitOption = Annotated[
    str, typer.Option("--limit", metavar="L", help="Per move: 100ms, 5000n (nodes, simulations), 8d (depth).")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="The same seed, the same answers.")]

WIDTH = 78


# agents -------------------------------------------------------------------------------------------


def agents(name: NameArgument = None, json: JsonOption = False) -> None:
    """List every agent, its options and their defaults.

    A spec is name:option=value,option=value; an option without a value is yes.
    """
    from claimeven.agents import agent_names as every_agent
    from claimeven.agents import find_kind

    kinds = []
    for each in every_agent() if name is None else [name]:
        try:
            kinds.append(find_kind(each))
        except InputError as error:  # of another package, which cannot be loaded: the rest still is there
            if name is not None:
                raise
            print(f"claimeven: {error}", file=sys.stderr)
    if json:
        print_json({"agents": [_data(kind) for kind in kinds]})
    else:
        width = max(len(kind.name) for kind in kinds)
        print("\n\n".join("\n".join(_lines(kind, width)) for kind in kinds))


def _data(kind: "Kind") -> dict[str, object]:
    options = [
        {"name": option.name, "default": option.default, "form": option.form, "help": option.help}
        for option in kind.options
    ]
    return {
        "name": kind.name,
        "summary": kind.summary,
        "options": options,
        "shorthands": {word: dict(values) for word, values in kind.shorthands.items()},
    }


def _lines(kind: "Kind", width: int) -> list[str]:
    first, *more = textwrap.wrap(kind.summary, WIDTH - width - 2)
    lines = [f"{paint(kind.name.ljust(width), 'bold cyan', has_colours())}  {first}"]
    lines += [" " * (width + 2) + line for line in more]
    for option in kind.options:
        label = f"  {_default(option)}"
        text = option.help if option.words is None else f"{option.help}: {', '.join(option.words)}"
        before, indent = (f"{label:<26}", " " * 26) if len(label) < 26 else (f"{label}  ", " " * 26)
        lines += textwrap.wrap(text, WIDTH, initial_indent=before, subsequent_indent=indent)
    for word, values in kind.shorthands.items():
        meaning = ",".join(
            option.text(values[option.name]) for option in kind.options if option.name in values
        )
        lines.append(f"  {word:<24}short for {meaning}")
    return lines


def _default(option: "Option") -> str:
    from claimeven.agents.option import value_text

    return f"{option.name}={'…' if option.default is None else value_text(option.default)}"


# measure ------------------------------------------------------------------------------------------


def measure(
    spec: SpecArgument,
    others: OthersArgument = None,
    set: SetOption = "pons",
    count: CountOption = None,
    limit: LimitOption = "",
    board: BoardOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    json: JsonOption = False,
) -> None:
    """Judge an agent's moves by exact scores.

    A move keeps the outcome when a won position stays won and a drawn one drawn; it is optimal when no
    other wins sooner or loses later. Only decisive positions let an outcome slip. Intervals are 95 %;
    agents are compared by McNemar's exact test, corrected for the number of tests (Holm).
    """
    from claimeven.arena.measure import compare_all
    from claimeven.limit import Limit

    within, processes = Limit.parse(limit), workers_of(workers)
    specs = [spec, *(others or ())]
    check_agents(specs)
    questions = _questions(set, count, board)
    found = _measured(specs, questions, within, seed, processes)
    compared = compare_all(found)
    if json:
        print_json(_result(found, compared, within))
    else:
        print("\n\n".join(_table(each) for each in found))
        if compared:
            print("\n" + "\n".join(_verdict(found, each) for each in compared))


def _questions(name: str, count: int | None, board: str | None) -> "list[Question]":
    from claimeven import pons
    from claimeven.arena.measure import pons_questions, questions_from
    from claimeven.position import Board
    from claimeven.solver import Solver

    if name != "pons" and os.path.exists(name):
        on = None if board is None else Board.parse(board)
        found = questions_from(read_input(name).splitlines(), Solver(), on)[:count]
        if not found:
            raise InputError("file.no_positions", name=name)
        return found
    if board is not None and not Board.parse(board).is_standard:
        raise InputError("option.sets")
    wanted = list(pons.NAMES) if name == "pons" else pons.parse_sets(name)
    names = {pons.NAMES[each] for each in wanted}
    return [question for question in pons_questions(count) if question.set in names]


def _measured(
    specs: "list[str]", questions: "list[Question]", limit: "Limit", seed: int, workers: int
) -> "list[Measurement]":
    from claimeven.arena.measure import measure_all
    from claimeven.runner import Bar

    with Bar(only_watched=True) as bar:
        return measure_all(specs, questions, limit, seed, workers=workers, progress=bar.of("positions"))


def _table(found: "Measurement") -> str:
    count = len(found.answers)
    lines = [f"{found.name}: {count} {plural('position', count)}", f"{'':16}{'keeps the outcome':26}optimal"]
    rows: dict[str, tuple[str | None, bool]] = {"all": (None, False), "decisive": (None, True)}
    rows |= {name: (name, False) for name in found.sets} if len(found.sets) > 1 else {}
    for label, (name, decisive) in rows.items():
        keeping, optimal = found.keeping(name, decisive=decisive), found.optimal(name, decisive=decisive)
        line = f"{_share(keeping):26}{_share(optimal)}" if keeping.trials else "there are none"
        lines.append(f"  {label:<14}{line}")
    if found.errors:
        count = len(found.errors)
        lines.append(f"  {count} {plural('failure', count)}, the first: {found.errors[0]}")
    return "\n".join(lines)


def _share(share: "Share") -> str:
    low, high = share.interval
    return f"{100 * share.value:6.2f} % ({100 * low:.1f}-{100 * high:.1f})"


def _verdict(found: "list[Measurement]", comparison: "Comparison") -> str:
    first, second = (found[number].name for number in comparison.agents)
    right = "keeps the outcome" if comparison.measure == "keeping" else "is optimal"
    return (
        f"only {first} {right}: {comparison.only_first}, only {second}: {comparison.only_second}"
        f" (McNemar, exact: p = {comparison.p_value:.2g}, with Holm's correction {comparison.p_holm:.2g})"
    )


class SharesJson(TypedDict):
    """Of the positions of a set."""

    positions: int
    keeping: float | None
    keeping_interval: list[float]
    optimal: float | None
    optimal_interval: list[float]


class MeasuredJson(TypedDict):
    agent: str
    all: SharesJson
    decisive: SharesJson
    sets: dict[str, SharesJson]
    errors: list[str]


class ComparedJson(TypedDict):
    measure: str
    agents: list[int]  # by their places
    only_first: int
    only_second: int
    p: float
    p_holm: float


class ResultJson(TypedDict):
    limit: str
    agents: list[MeasuredJson]
    comparisons: NotRequired[list[ComparedJson]]


def _result(found: "list[Measurement]", compared: "list[Comparison]", limit: "Limit") -> ResultJson:
    result: ResultJson = {"limit": str(limit), "agents": [_numbers(each) for each in found]}
    if compared:
        result["comparisons"] = [
            {
                "measure": each.measure,
                "agents": list(each.agents),
                "only_first": each.only_first,
                "only_second": each.only_second,
                "p": each.p_value,
                "p_holm": each.p_holm,
            }
            for each in compared
        ]
    return result


def _numbers(found: "Measurement") -> MeasuredJson:
    def row(name: str | None = None, decisive: bool = False) -> SharesJson:
        keeping, optimal = found.keeping(name, decisive=decisive), found.optimal(name, decisive=decisive)
        return {
            "positions": keeping.trials,
            "keeping": keeping.value if keeping.trials else None,
            "keeping_interval": list(keeping.interval),
            "optimal": optimal.value if optimal.trials else None,
            "optimal_interval": list(optimal.interval),
        }

    return {
        "agent": found.name,
        "all": row(),
        "decisive": row(decisive=True),
        "sets": {name: row(name) for name in found.sets},
        "errors": list(found.errors),
    }
