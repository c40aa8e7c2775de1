"""train: agents that learn."""

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimeven.commands.asked.options import BoardOption, JsonOption, check_agents, print_json
from claimeven.commands.asked.usage import Command, group
from claimeven.commands.learning.network import join, network
from claimeven.commands.learning.ntuple import ntuple
from claimeven.commands.learning.zero import zero
from claimeven.commands.shown.trained import counted, looked_at, point_line
from claimeven.errors import InputError

if TYPE_CHECKING:
    from claimeven.agents.kinds.qcurve import Point
    from claimeven.agents.kinds.qtable import Table

POINTS = 20  # of the curve, unless told otherwise
MOST_GAMES = 10**12  # a month on a small board

GamesOption = Annotated[int, typer.Option("--games", metavar="N", help="Games in all.", min=1)]
OutOption = Annotated[
    Path,
    typer.Option("--out", metavar="FILE", help="The table; the curve lies beside it.", show_default=False),
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Go on with FILE, as it was begun, to N games in all.")
]
OpponentOption = Annotated[
    str | None, typer.Option("--opponent", metavar="SPEC", help="Train against an agent, not against itself.")
]
PresetOption = Annotated[
    str | None,
    typer.Option("--preset", metavar="P", help="claimeven (negamax), or a: the rule of system A."),
]
AlphaOption = Annotated[
    float | None, typer.Option("--alpha", metavar="X", help="How much is learned at once, 0 to 1.")
]
GammaOption = Annotated[
    float | None, typer.Option("--gamma", metavar="X", help="What the same is worth a move later, 0 to 1.")
]
EpsilonOption = Annotated[
    float | None, typer.Option("--epsilon", metavar="X", help="Share of random moves in the first game.")
]
EndOption = Annotated[
    float | None, typer.Option("--epsilon-end", metavar="X", help="And never less than this.")
]
HalfLifeOption = Annotated[
    float | None, typer.Option("--half-life", metavar="N", help="Games after which epsilon is half as large.")
]
OpeningsOption = Annotated[
    int | None, typer.Option("--openings", metavar="N", help="Random moves at the start of a game, at most.")
]
SeedOption = Annotated[int | None, typer.Option("--seed", metavar="S", help="The same seed, the same table.")]
CheckpointOption = Annotated[
    int | None,
    typer.Option("--checkpoint", metavar="N", help="Games between two points of the curve; N / 20.", min=1),
]
AgainstOption = Annotated[
    list[str] | None,
    typer.Option("--against", metavar="SPEC", help="An opponent of the curve; may be given several times."),
]
MegabytesOption = Annotated[
    int | None, typer.Option("--megabytes", metavar="M", help="The table grows no further.", min=1)
]
MatchOption = Annotated[
    str | None, typer.Option("--match", metavar="SPEC", help="Then play a match of 100 games against it.")
]

app = group("Let an agent learn.")
app.command("network", cls=Command)(network)
app.command("join", cls=Command)(join)
app.command("ntuple", cls=Command)(ntuple)
app.command("zero", cls=Command)(zero)


@app.callback()
def _group() -> None:
    """Let an agent learn."""


@app.command("q-learning", cls=Command)
def q_learning(
    out: OutOption,
    games: GamesOption = 1_000_000,
    board: BoardOption = None,
    resume: ResumeOption = False,
    opponent: OpponentOption = None,
    preset: PresetOption = None,
    alpha: AlphaOption = None,
    gamma: GammaOption = None,
    epsilon: EpsilonOption = None,
    epsilon_end: EndOption = None,
    half_life: HalfLifeOption = None,
    openings: OpeningsOption = None,
    seed: SeedOption = None,
    checkpoint: CheckpointOption = None,
    against: AgainstOption = None,
    megabytes: MegabytesOption = None,
    match: MatchOption = None,
    json: JsonOption = False,
) -> None:
    """Learn a value for every column of every position met, by playing.

    The table plays as qlearning:file=FILE. A small board (4x4x4, the default) is learned perfectly;
    docs/learning.md says why 7x6x4 cannot be.
    """
    from claimeven.agents.kinds.qtable import SELF

    if games > MOST_GAMES:
        raise InputError("training.games", most=MOST_GAMES, games=games)
    given = Given(
        alpha=alpha,
        gamma=gamma,
        epsilon=epsilon,
        epsilon_end=epsilon_end,
        half_life=half_life,
        openings=openings,
        board=board,
        opponent=opponent,
        seed=seed,
        checkpoint=checkpoint,
        against=against or None,
        megabytes=megabytes,
    )
    table = _resumed(out, given, preset) if resume else _new(out, games, given, preset)
    others = [table.opponent, *table.against, match]
    check_agents(spec for spec in others if spec is not None and spec != SELF)
    _train(table, games, out, quiet=json)
    found = looked_at(table, match)
    if json:
        print_json(found.data())
    else:
        print("\n".join(found.lines(out)))


@dataclass(frozen=True)
class Given:
    """The options of a training; those that were not given are None."""

    alpha: float | None
    gamma: float | None
    epsilon: float | None
    epsilon_end: float | None
    half_life: float | None
    openings: int | None
    board: str | None
    opponent: str | None
    seed: int | None
    checkpoint: int | None
    against: list[str] | None
    megabytes: int | None

    def named(self, *names: str) -> dict[str, Any]:
        """Those of these names that were given; without names, all of them."""
        return {
            name: value
            for name, value in vars(self).items()
            if value is not None and (not names or name in names)
        }


def _new(out: Path, games: int, given: Given, preset: str | None) -> "Table":
    from dataclasses import fields, replace

    from claimeven.agents.kinds.qtable import SELF, Rule, Table
    from claimeven.agents.kinds.qtable import preset as rule_of
    from claimeven.learn.curve import AGAINST
    from claimeven.position import Board

    if out.is_dir():
        raise InputError("file.folder", name=out)
    if out.exists():
        raise InputError("training.there", out=out)
    board = Board.parse("4x4x4" if given.board is None else given.board)
    rule = rule_of("claimeven" if preset is None else preset, board)
    rule = replace(rule, **given.named(*(f.name for f in fields(Rule))))
    for name, value, most in (("seed", given.seed, 2**64 - 1), ("megabytes", given.megabytes, 1 << 20)):
        if value is not None and not 0 <= value <= most:
            raise InputError("option.bounds", name=name, most=most, given=value)
    return Table(
        board,
        rule,
        opponent=SELF if given.opponent is None else given.opponent,
        checkpoint=max(1, games // POINTS) if given.checkpoint is None else given.checkpoint,
        against=tuple(given.against or AGAINST),
        **given.named("seed", "megabytes"),
    )


def _resumed(out: Path, given: Given, preset: str | None) -> "Table":
    from claimeven.agents.kinds.qtable import Table
    from claimeven.agents.kinds.qtable import preset as rule_of
    from claimeven.position import Board

    if not out.exists():
        raise InputError("training.not_there", out=out)
    table = Table.read(out)
    wanted = asdict(rule_of(preset, table.board)) if preset is not None else {}
    wanted |= given.named()
    if "board" in wanted:
        wanted["board"] = str(Board.parse(wanted["board"]))
    for name, was in table.settings().items():
        if name in wanted and wanted[name] != was:
            raise InputError(
                "training.other", out=out, name=name.replace("_", "-"), was=was, wanted=wanted[name]
            )
    return table


def _train(table: "Table", games: int, out: Path, *, quiet: bool) -> None:
    from claimeven.learn import Curve, train
    from claimeven.runner import Bar

    out.parent.mkdir(parents=True, exist_ok=True)

    def watch(point: "Point") -> None:
        _write_curve(table, out)
        if not quiet:
            print(point_line(point), file=sys.stderr, flush=True)

    try:
        with Bar() as bar:
            curve = Curve(table.board, table.against, progress=bar.of("positions for the curve"))
            train(table, games, out=out, curve=curve, progress=bar.of("games"), watch=watch)
    except KeyboardInterrupt:
        kept = f"{counted(table.games, 'game')}, kept in {out}; the same command with --resume goes on"
        words = f"after {kept}" if table.games else "before the first game: nothing is kept"
        print(f"claimeven: stopped {words}", file=sys.stderr)
        raise
    table.write(out)


def _write_curve(table: "Table", out: Path) -> None:
    import json

    from claimeven.learn.plot import plot
    from claimeven.runner import write_whole

    against = "itself" if table.opponent == "self" else table.opponent
    title = f"Q-learning on {table.board} against {against}"
    value = {**table.settings(), "curve": [asdict(point) for point in table.curve]}
    write_whole(out.with_name(f"{out.name}.curve.json"), f"{json.dumps(value, indent=1)}\n".encode())
    write_whole(out.with_name(f"{out.name}.curve.svg"), plot(title, table.curve).encode())
