"""train: agents that learn."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimeven.commands.options import BoardOption, JsonOption, print_json
from claimeven.errors import InputError
from claimeven.notation import plural

if TYPE_CHECKING:
    from claimeven.agents.qtable import Table

POINTS = 20  # of the curve, unless told otherwise
CHECKED_CELLS = 20  # boards up to this size are checked against every reply

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

app = typer.Typer(
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Let an agent learn.",
)


@app.callback()
def _group() -> None:
    """Let an agent learn."""


@app.command("q-learning")
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
    given: dict[str, Any] = {
        "alpha": alpha,
        "gamma": gamma,
        "epsilon": epsilon,
        "epsilon_end": epsilon_end,
        "half_life": half_life,
        "openings": openings,
        "board": board,
        "opponent": opponent,
        "seed": seed,
        "checkpoint": checkpoint,
        "against": against or None,
        "megabytes": megabytes,
    }
    given = {name: value for name, value in given.items() if value is not None}
    table = _resumed(out, given, preset) if resume and out.exists() else _new(out, games, given, preset)
    _check_specs(table, match)
    _train(table, games, out, quiet=json)
    result = _result(table, match)
    if json:
        print_json(result)
    else:
        print("\n".join(_lines(result, out)))


def _new(out: Path, games: int, given: dict[str, Any], preset: str | None) -> "Table":
    from dataclasses import fields, replace

    from claimeven.agents.qtable import SELF, Rule, Table
    from claimeven.agents.qtable import preset as rule_of
    from claimeven.learn.curve import AGAINST
    from claimeven.position import Board

    if out.exists():
        raise InputError(f"{out} is there already: --resume goes on with it")
    board = Board.parse(given.get("board", "4x4x4"))
    names = {f.name for f in fields(Rule)}
    rule = replace(
        rule_of(preset or "claimeven", board), **{name: v for name, v in given.items() if name in names}
    )
    others = {name: given[name] for name in ("seed", "megabytes") if name in given}
    return Table(
        board,
        rule,
        opponent=given.get("opponent", SELF),
        checkpoint=given.get("checkpoint", max(1, games // POINTS)),
        against=tuple(given.get("against", AGAINST)),
        **others,
    )


def _resumed(out: Path, given: dict[str, Any], preset: str | None) -> "Table":
    from dataclasses import asdict

    from claimeven.agents.qtable import Table
    from claimeven.agents.qtable import preset as rule_of
    from claimeven.position import Board

    table = Table.read(out)
    wanted = asdict(rule_of(preset, table.board)) if preset is not None else {}
    wanted |= given
    if "board" in wanted:
        wanted["board"] = str(Board.parse(wanted["board"]))
    for name, was in table.settings().items():
        if name in wanted and wanted[name] != was:
            raise InputError(f"{out} was begun with {name.replace('_', '-')} {was}, not {wanted[name]}")
    return table


def _check_specs(table: "Table", match: str | None) -> None:
    """A misspelt agent is found out before an hour of training, not after it."""
    from claimeven.agents import close, make_agent
    from claimeven.agents.qtable import SELF

    for spec in (table.opponent, *table.against, match):
        if spec is not None and spec != SELF:
            close(make_agent(spec, 0))


def _train(table: "Table", games: int, out: Path, *, quiet: bool) -> None:
    from claimeven.learn import Curve, train
    from claimeven.runner import Bar

    out.parent.mkdir(parents=True, exist_ok=True)

    def watch(point: dict[str, Any]) -> None:
        _write_curve(table, out)
        if not quiet and not sys.stderr.isatty():
            print(_point_line(point), file=sys.stderr, flush=True)

    try:
        with Bar() as bar:
            show = bar.of("games") if sys.stderr.isatty() else None
            curve = Curve(table.board, table.against)
            train(table, games, out=out, curve=curve, progress=show, watch=watch)
    except KeyboardInterrupt:
        print("claimeven: stopped; the same command with --resume goes on where it was", file=sys.stderr)
        raise
    table.write(out)


def _write_curve(table: "Table", out: Path) -> None:
    import json

    from claimeven.learn.plot import plot
    from claimeven.runner import write_whole

    against = "itself" if table.opponent == "self" else table.opponent
    title = f"Q-learning on {table.board} against {against}"
    value = {**table.settings(), "curve": table.curve}
    write_whole(out.with_name(f"{out.name}.curve.json"), f"{json.dumps(value, indent=1)}\n".encode())
    write_whole(out.with_name(f"{out.name}.curve.svg"), plot(title, table.curve).encode())


def _point_line(point: dict[str, Any]) -> str:
    scores = [f"{name} {score['value']:.0%}" for name, score in point["scores"].items()]
    # A board may have no position in which a move could spoil anything: then there is nothing to tell.
    kept = [f"good moves {point['kept']['value']:.1%}"] if point["kept"]["positions"] else []
    return " · ".join([_counted(point, "games"), _counted(point, "states"), *kept, *scores])


def _counted(numbers: dict[str, Any], name: str) -> str:
    noun = {"games": "game", "states": "position"}[name]
    return f"{numbers[name]:,} {plural(noun, numbers[name])}"


def _result(table: "Table", match: str | None) -> dict[str, Any]:
    from dataclasses import asdict

    from claimeven.agents.qlearning import QLearningAgent
    from claimeven.arena.elo import score_interval
    from claimeven.arena.match import play_match
    from claimeven.learn import check

    result: dict[str, Any] = {
        **table.settings(),
        "games": table.games,
        "states": table.states,
        "is_full": table.is_full,
        "point": table.curve[-1] if table.curve else None,
        "checks": None,
        "match": None,
    }
    if table.board.cells <= CHECKED_CELLS:
        result["checks"] = [
            asdict(found) | {"share": found.share} for found in check(table.best, table.board)
        ]
    if match is not None:
        played = play_match(
            QLearningAgent("qlearning", table), match, 100, board=table.board, seed=table.seed
        )
        low, high = score_interval(played.pairs)
        result["match"] = {
            "opponent": match,
            "wins": played.wins,
            "draws": played.draws,
            "losses": played.losses,
            "score": played.score,
            "interval": [low, high],
        }
    return result


def _lines(result: dict[str, Any], out: Path) -> list[str]:
    lines = [f"{_counted(result, 'games')} on {result['board']}; {_counted(result, 'states')} in {out}"]
    if result["is_full"]:
        lines.append(f"Note: the table is full; more fits with --megabytes above {result['megabytes']}.")
    for name, score in (result["point"] or {"scores": {}})["scores"].items():
        low, high = score["interval"]
        lines.append(f"score against {name}: {score['value']:.1%} [{low:.1%}, {high:.1%}]")
    for found in result["checks"] or ():
        seat = ("first", "second")[found["side"]]
        lines.append(f"as {seat} player against every reply: {_kept(found)}; {_losses(found)}")
    if (played := result["match"]) is not None:
        low, high = played["interval"]
        lines.append(
            f"match against {played['opponent']}: {played['wins']} won, {played['draws']} drawn,"
            f" {played['losses']} lost; {played['score']:.1%} [{low:.1%}, {high:.1%}]"
        )
    return lines


def _kept(found: dict[str, Any]) -> str:
    count = found["decisive"]
    if not count:
        return "no decisive position was met"
    noun = plural("position", count)
    return f"outcome kept in {found['kept']} of {count} decisive {noun} ({found['share']:.2%})"


def _losses(found: dict[str, Any]) -> str:
    start = {"win": "a won", "draw": "a drawn", "loss": "a lost"}[found["value"]]
    ways = f"lost {found['lost']} {plural('way', found['lost'])}" if found["lost"] else "never lost"
    return f"{ways} from {start} start"
