"""bench: how fast the solver is."""

import json as json_text
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from claimeven.commands.asked.options import JsonOption, print_json
from claimeven.errors import InputError

if TYPE_CHECKING:
    from claimeven.bench.contest import Engine, Result

AgainstOption = Annotated[
    str | None,
    typer.Option("--against", metavar="PEER", help="Measure a peer on the same positions: bitbully."),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option("--threads", metavar="N", help="Compare N threads with one, by the clock.", min=2, max=1024),
]
SetsOption = Annotated[
    str | None,
    typer.Option(
        "--sets", metavar="SETS", help="Only these, like L1_R2,begin-hard,empty.", show_default=False
    ),
]
QuickOption = Annotated[bool, typer.Option("--quick", help="A tenth of the positions, no empty board.")]
EmptyOption = Annotated[
    bool, typer.Option("--empty", help="Let the peer solve the empty board too: minutes.")
]
SignatureOption = Annotated[
    bool, typer.Option("--signature", help="Only count the nodes of fixed positions, as JSON.")
]
CallsOption = Annotated[bool, typer.Option("--calls", help="Measure what single calls from Python cost.")]
BoardsOption = Annotated[
    bool, typer.Option("--boards", help="Compare the search on boards of other sizes with 7x6.")
]
RoundsOption = Annotated[
    int, typer.Option("--rounds", metavar="N", help="With --boards: N positions of each board.", min=1)
]
GamesOption = Annotated[
    int, typer.Option("--games", metavar="N", help="With --calls: analyse N games, every position.", min=1)
]


def bench(
    against: AgainstOption = None,
    sets: SetsOption = None,
    quick: QuickOption = False,
    empty: EmptyOption = False,
    threads: ThreadsOption = None,
    calls: CallsOption = False,
    games: GamesOption = 100,
    boards: BoardsOption = False,
    rounds: RoundsOption = 10,
    signature: SignatureOption = False,
    json: JsonOption = False,
) -> None:
    """Measure how fast the solver is, alone or against a peer.

    The positions are those of Pons' six sets, and the empty board. One thread, no book, a fresh table for
    every position, processor time.
    """
    if sum((against is not None, threads is not None, calls, boards, signature)) > 1:
        raise InputError("option.measurements")
    if signature:
        from claimeven.bench.signature import signature as count_nodes

        print(json_text.dumps(count_nodes(), indent=2))
    elif calls:
        _calls(games, json)
    elif boards:
        _boards(rounds, json)
    else:
        everyone_on_empty = empty or threads is not None
        _contest(_engines(against, threads), _sets(sets, quick), quick, everyone_on_empty, json)


def _engines(against: str | None, threads: int | None) -> "list[Engine]":
    from claimeven.bench.contest import Ours, make_peer

    if threads is not None:
        return [
            Ours(f"{threads} threads", threads, by_wall_clock=True),
            Ours("1 thread", by_wall_clock=True),
        ]
    return [Ours()] if against is None else [Ours(), make_peer(against)]


def _sets(text: str | None, is_quick: bool) -> list[str]:
    from claimeven import pons
    from claimeven.bench.contest import EMPTY

    if text is None:
        return [*pons.NAMES] if is_quick else [*pons.NAMES, EMPTY]
    return pons.parse_sets(text, others=(EMPTY,))


def _contest(
    engines: "list[Engine]", sets: list[str], is_quick: bool, everyone_on_empty: bool, json: bool
) -> None:
    from claimeven.bench.contest import compete
    from claimeven.runner.progress import Bar

    names = [engine.name for engine in engines]
    results: list[Result] = []
    if not json:
        print(heading(names))
    with Bar(only_watched=True) as bar:
        for result in compete(
            engines, sets, is_quick=is_quick, everyone_on_empty=everyone_on_empty, progress=bar.of
        ):
            results.append(result)
            if not json:
                print(row(result, names), flush=True)
    if json:
        print_json({"engines": names, "sets": [described(result, names) for result in results]})
    if wrong := wrongs(results):
        shown = ", ".join(wrong[:5]) + (" …" if len(wrong) > 5 else "")
        print(f"claimeven: {len(wrong)} answers differ from the published scores: {shown}", file=sys.stderr)
        raise typer.Exit(1)


def heading(names: list[str]) -> str:
    engines = "".join(f"{name:>16}{'nodes':>11}" for name in names)  # two of them fit a terminal of 100
    return f"{'set':<14}{'positions':>10}{engines}" + ("  faster  fewer nodes" if len(names) > 1 else "")


def row(result: "Result", names: list[str]) -> str:
    from claimeven import pons

    positions = max(total.positions for total in result.totals.values())
    text = f"{pons.NAMES.get(result.set, 'empty board'):<14}{positions:>10}"
    for name in names:
        if total := result.totals.get(name):
            text += f"{duration(total.seconds / positions):>16}{total.nodes / positions:>11,.0f}"
        else:
            text += f"{'takes minutes: --empty':>27}"
    if len(names) > 1 and (faster := result.faster(*names)) is not None:
        text += f"{faster:>8.2f}{result.fewer_nodes(*names) or 0:>13.2f}"
    return text.rstrip()


def duration(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.{3 if seconds < 0.1 else 0}f} ms"


def described(result: "Result", names: list[str]) -> dict[str, object]:
    data: dict[str, object] = {
        "set": result.set,
        "engines": {
            name: {
                "positions": total.positions,
                "milliseconds": round(1000 * total.seconds / total.positions, 6),
                "nodes": round(total.nodes / total.positions, 1),
                "wrong": total.wrong,
            }
            for name, total in result.totals.items()
        },
    }
    if len(names) > 1:
        faster, fewer = result.faster(*names), result.fewer_nodes(*names)
        data["faster"] = None if faster is None else round(faster, 3)
        data["fewer_nodes"] = None if fewer is None else round(fewer, 3)
    return data


def wrongs(results: "list[Result]") -> list[str]:
    """Who was wrong on what."""
    return [
        f"{name} on {moves}"
        for result in results
        for name, total in result.totals.items()
        for moves in total.wrong
    ]


def _calls(games: int, json: bool) -> None:
    import os
    from dataclasses import asdict

    from claimeven.bench.calls import measure_calls
    from claimeven.runner.progress import Bar

    with Bar(only_watched=True) as bar:
        calls = measure_calls(games, os.cpu_count() or 1, progress=bar.of("games"))
    if json:
        print_json(asdict(calls))
        return
    times = ", ".join(f"{name} {value:.2f} ms" for name, value in calls.analyse_milliseconds.items())
    print(f"score, win at hand     {calls.score_microseconds:.2f} µs")
    print(f"scores, few empties    {calls.batch_per_second:,.0f} per second on {calls.batch_threads} threads")
    print(f"analyse, {calls.analyse_positions:,} positions  {times}")
    print(f"stop                   {calls.stop_milliseconds:.0f} ms at most")


def _boards(rounds: int, json: bool) -> None:
    from dataclasses import asdict

    from claimeven.bench.boards import PUBLISHED, extremes, measure_boards, solve_empty
    from claimeven.runner.progress import Bar
    from claimeven.solver import core_build

    with Bar(only_watched=True) as bar:
        rates = measure_boards(rounds, progress=bar.of("positions"))
        empty = solve_empty()
    rows = [{**asdict(rate), **rate.beside(rates[0])} for rate in rates]
    most = extremes(rates)
    if json:
        answer = {"core": core_build(), "boards": rows, **most}
        print_json({**answer, "empty": asdict(empty), "published": PUBLISHED})
        return
    first = rates[0].board
    print(f"core {core_build()}, time a node by that of {first}\n")
    print(
        f"{'board':<8}{'bits':>5}{'nodes':>12}{'million a second':>18}{'of ' + first:>9}{'time a node':>13}"
    )
    for rate, row in zip(rates, rows, strict=True):
        speed = f"{rate.millions:>18.2f}{row['ratio']:>9.2f}{row['cost']:>13.2f}"
        print(f"{rate.board:<8}{rate.bits:>5}{rate.nodes:>12,}{speed}")
    print(f"\nup to 64 bits at least {most['narrow_ratio']:.2f} of the nodes of {first}")
    print(
        f"beyond, a node takes at most {most['wide_cost']:.2f} times as long, "
        f"{most['wide_cost_by_narrow']:.2f} times by the slowest board of up to 64 bits"
    )
    others = ", ".join(f"{board} {time}" for board, time in PUBLISHED.items())
    print(f"\nempty {empty.board}, one thread: {empty.nodes:,} nodes, {empty.seconds:.2f} s of the processor")
    print(f"by the clock, as C. Steininger tells of his solver and machine: {others}")
