"""arena and report: tournaments between agents."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimeven.commands.asked.options import BoardOption, JsonOption, print_json, workers_of
from claimeven.commands.asked.usage import agent_names
from claimeven.errors import InputError

if TYPE_CHECKING:
    from claimeven.arena.play.played import Played
    from claimeven.arena.play.schedule import Plan
    from claimeven.arena.play.tournament import Standing
    from claimeven.arena.result import TournamentResult
    from claimeven.runner import Execute

SpecsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="SPEC",
        help="Two or more agents, like mcts or minimax:depth=6.",
        show_default=False,
        autocompletion=agent_names,
    ),
]
GamesOption = Annotated[
    int | None,
    typer.Option(
        "--games", metavar="N", help="Games per pairing, an even number; 100, or 20000 with --sprt."
    ),
]
FormatOption = Annotated[
    str,
    typer.Option("--format", metavar="F", help="round-robin (all meet), or gauntlet (the first meets all)."),
]
OpeningsOption = Annotated[
    str,
    typer.Option("--openings", metavar="O", help="short, N-ply, balanced, balanced-N, or a file."),
]
LimitOption = Annotated[
    str, typer.Option("--limit", metavar="L", help="Per move: 100ms, 5000n (nodes, simulations), 8d (depth).")
]
ClockOption = Annotated[
    str | None,
    typer.Option("--clock", metavar="T+I", help="For a whole game, like 60s or 60s+1s (more per move)."),
]
RayOption = Annotated[
    str | None,
    typer.Option("--ray", metavar="A", help="On a Ray cluster: its address; auto is that of this machine."),
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="S", help="The same seed, the same games.")]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", metavar="W", help="Processes; as many as cores unless given.")
]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Keep games, result and a report here.")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with the tournament in DIR.")]
SprtOption = Annotated[
    str | None,
    typer.Option("--sprt", metavar="E0,E1", help="Stop when one of two Elo differences is ruled out."),
]
PieOption = Annotated[
    bool, typer.Option("--pie", help="The second player may take the first disc and swap sides.")
]
JudgeOption = Annotated[
    int | None,
    typer.Option("--judge", metavar="N", help="Moves of each agent judged by the solver; 0 is none.", min=0),
]
FolderArgument = Annotated[
    Path, typer.Argument(metavar="DIR", help="What --out of arena wrote.", show_default=False)
]


def arena(
    specs: SpecsArgument,
    games: GamesOption = None,
    format: FormatOption = "round-robin",
    openings: OpeningsOption = "short",
    limit: LimitOption = "",
    clock: ClockOption = None,
    board: BoardOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    ray: RayOption = None,
    out: OutOption = None,
    resume: ResumeOption = False,
    sprt: SprtOption = None,
    pie: PieOption = False,
    judge: JudgeOption = None,
    json: JsonOption = False,
) -> None:
    """Let agents play each other, and say what may be concluded.

    Every opening is played twice with the colours swapped. Whatever an agent does wrong, it
    loses that game and the tournament goes on.
    """
    from claimeven.arena import store
    from claimeven.arena.play.clock import Control
    from claimeven.arena.play.schedule import Plan
    from claimeven.arena.sprt import CAP, Sprt
    from claimeven.limit import Limit
    from claimeven.position import Board
    from claimeven.runner import on_ray

    if resume and out is None:
        raise InputError("option.resume_out")
    test = None if sprt is None else Sprt.parse(sprt)
    plan = Plan(
        entrants=tuple(specs),
        games=games if games is not None else 100 if test is None else CAP,
        format=format,  # type: ignore[arg-type]  # the plan refuses others
        openings=openings,
        limit=Limit.parse(limit),
        clock=None if clock is None else Control.parse(clock),
        seed=seed,
        board=Board() if board is None else Board.parse(board),
        sprt=test,
        pie=pie,
    )
    count = workers_of(workers)
    execute = None if ray is None else on_ray(ray, workers)
    if out is not None and store.prepare(out, plan, resume=resume):
        result = store.read_result(out)
    else:
        played = _play(plan, count, out, execute)
        result = _judged(plan, played, count, judge)
        if out is not None:
            from claimeven.arena.page.report import page

            store.write(out, played, result, page(result, played))
    _show(result, json)


def report(folder: FolderArgument, json: JsonOption = False) -> None:
    """Write the report of a tournament anew, from its games, and show the table."""
    from claimeven.arena import store
    from claimeven.arena.page.report import page
    from claimeven.runner import write_whole

    result = store.read_result(folder)
    write_whole(folder / store.REPORT, page(result, store.read_games(folder, result)).encode())
    _show(result, json)


def _play(plan: "Plan", workers: int, out: Path | None, execute: "Execute | None") -> "list[Played]":
    from claimeven.arena import store
    from claimeven.arena.play import tournament
    from claimeven.commands.shown.scoreboard import progress_line
    from claimeven.runner import Bar

    def watch(standing: "Standing") -> None:
        bar.tell(lambda seconds: progress_line(standing, seconds))

    folder = None if out is None else out / store.RUN
    try:
        with Bar() as bar:
            return tournament.play(plan, workers=workers, folder=folder, watch=watch, execute=execute)
    except KeyboardInterrupt:
        if out is not None and store.is_begun(out):
            print("claimeven: stopped; the same command with --resume goes on where it was", file=sys.stderr)
        raise


def _judged(plan: "Plan", played: "list[Played]", workers: int, moves: int | None) -> "TournamentResult":
    from claimeven.arena import quality, standings
    from claimeven.runner import Bar

    if moves == 0:
        return standings.result(plan, played)
    with Bar(only_watched=True) as bar:
        judged = quality.judge(
            played,
            len(plan.specs),
            moves=quality.MOVES if moves is None else moves,
            seed=plan.seed,
            workers=workers,
            progress=bar.of("judging positions"),
        )
    return standings.result(plan, played, judged)


def _show(result: "TournamentResult", as_json: bool) -> None:
    from claimeven.commands.shown.scoreboard import table

    print_json(asdict(result)) if as_json else print(table(result))
