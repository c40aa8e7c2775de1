"""play: a game at this keyboard, of people and agents."""

import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from claimeven.commands.asked.options import BoardOption, JsonOption, print_json, read_input
from claimeven.commands.asked.usage import agent_names
from claimeven.errors import InputError
from claimeven.notation import plural, quote
from claimeven.terminal import shows_discs, sign

if TYPE_CHECKING:
    from claimeven.agents import Agent
    from claimeven.game import Game
    from claimeven.position import Board
    from claimeven.terminal.shelf import Saved

BROWSER_AGENT = "level:3"  # who plays in the browser when nobody is named

TerminalOption = Annotated[
    bool, typer.Option("--terminal", help="Play in the terminal instead of the browser.")
]
LanOption = Annotated[
    bool, typer.Option("--lan", help="Let friends in your network join by link or QR code.")
]
AgentOption = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        metavar="SPEC",
        help="Play against an agent, like level:4 (claimeven agents lists them); given twice, watch two.",
        autocompletion=agent_names,
    ),
]
FirstOption = Annotated[
    str | None, typer.Option("--first", metavar="WHO", help="Who begins: me, agent or random.")
]
LimitOption = Annotated[
    str, typer.Option("--limit", metavar="L", help="What the agent may use per move: 2s, 5000n, 8d.")
]
ExplainOption = Annotated[bool, typer.Option("--explain", help="Say why the agent moves as it does.")]
DebugOption = Annotated[bool, typer.Option("--debug", help="Show what the agent thinks of every column.")]
LoadOption = Annotated[
    str | None,
    typer.Option("--load", metavar="FILE", help="Go on with a game of any format: a file, or its text."),
]
SaveOption = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Where the game is saved after every move."),
]
CountOption = Annotated[int, typer.Option("--count", metavar="N", help="So many at most.", min=1)]
ResumeOption = Annotated[
    bool,
    typer.Option("--resume", help="Go on with saved game N in the terminal; without N, with the last one."),
]
GameArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="N", help="With --resume: which game; claimeven games lists them.", show_default=False
    ),
]
PieOption = Annotated[
    bool, typer.Option("--pie", help="The second player may take the first disc and swap sides.")
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", metavar="S", help="The same seed, the same moves of the agent.")
]


def play(
    number: GameArgument = None,
    terminal: TerminalOption = False,
    lan: LanOption = False,
    agent: AgentOption = None,
    first: FirstOption = None,
    limit: LimitOption = "",
    board: BoardOption = None,
    pie: PieOption = False,
    explain: ExplainOption = False,
    debug: DebugOption = False,
    load: LoadOption = None,
    save: SaveOption = None,
    resume: ResumeOption = False,
    seed: SeedOption = None,
) -> None:
    """Play in the browser, or with --terminal right here."""
    if number is not None and not resume:
        raise InputError("option.saved_game", number=number)
    if not terminal and not resume:
        _only_terminal(limit=limit, explain=explain, debug=debug, save=save, seed=seed)
        _in_browser(agent or [], first, board, load, lan, pie)
        return
    from rich.console import Console

    from claimeven.agents import close
    from claimeven.game import Game
    from claimeven.limit import Limit
    from claimeven.position import Board
    from claimeven.terminal.shelf import Shelf
    from claimeven.terminal.table import Seats, Table

    shelf = Shelf()
    if resume:
        if load is not None or save is not None:
            raise InputError("option.resume_load")
        if agent or first is not None:
            raise InputError("option.resume_players")
        save = shelf.find(_number(number))
        load = str(save)
    on = Board.parse(board) if board is not None else None
    game = Game(on, pie=pie) if load is None else _loaded(load, on, pie)
    named: list[str | None] = list(agent) if agent else _saved_agents(game)
    seated = _seating(named, "me" if first is None else first)
    if save is not None:
        _check_save(save)
    within = Limit.parse(limit)
    agents = _agents(seated, seed)
    seats = Seats(agents, within, explain, debug, first or "me")
    if load is None or agent:
        game.players = seats.players()
    try:
        own = shelf if resume or save is None else None  # a place that was named is kept
        Table(game, Console(highlight=False), seats=seats, save=save, shelf=own).sit()
    finally:
        for each in agents:
            if each is not None:
                close(each)


def _in_browser(
    agent: list[str], first: str | None, board: str | None, load: str | None, lan: bool, pie: bool
) -> None:
    """Open the page; where the command line says how to play, at a game of that kind."""
    from claimeven.agents import make_agent
    from claimeven.commands.serve import open_app
    from claimeven.game import Game
    from claimeven.position import Board

    if not agent and first is board is load is None and not pie:
        open_app(for_network=lan)
        return
    on = Board.parse(board) if board is not None else None
    game = Game(on, pie=pie) if load is None else _loaded(load, on, pie)
    position = game.position
    specs = [make_agent(spec).name for spec in agent]
    named: list[str | None] = [*specs] or [BROWSER_AGENT]
    seats = [
        {"kind": "friend"} if spec is None else {"kind": "agent", "agent": spec}
        for spec in _seating(named, "me" if first is None else first)
    ]
    wish = {"seats": seats, "board": str(position.board), "moves": position.text, "pie": game.is_pie_open}
    open_app(wish, specs, lan)


def _only_terminal(**options: object) -> None:
    """The page asks for these itself."""
    for name, value in options.items():
        if value:
            raise InputError("option.terminal", name=name)


def _loaded(source: str, board: "Board | None", pie: bool) -> "Game":
    """With the pie rule only where it can still be used."""
    from claimeven import formats
    from claimeven.game.check import check_pie

    game = formats.read(read_input(source), board=board)
    if pie and game.pie == "no":
        check_pie("yes", game.position, game.ply)
        game.pie = "yes"
    return game


def _seating(specs: list[str | None], first: str) -> tuple[str | None, str | None]:
    """The agents of both sides; None is a person."""
    if first not in ("me", "agent", "random"):
        raise InputError("option.first", first=quote(first))
    if len(specs) > 2:
        raise InputError("option.two_players")
    if len(specs) == 2:
        return specs[0], specs[1]
    if not specs:
        if first == "agent":
            raise InputError("option.first_agent")
        return None, None
    swaps = first == "agent" or (first == "random" and random.random() < 0.5)
    return (specs[0], None) if swaps else (None, specs[0])


def _saved_agents(game: "Game") -> list[str | None]:
    """The agents of a saved game sit down again, except those that would run programs of its choice."""
    from claimeven.agents.registry import builtin_kinds

    safe = {name for name, kind in builtin_kinds().items() if not any(o.takes_rest for o in kind.options)}
    specs = [
        player.spec if player.kind == "agent" and player.spec.partition(":")[0] in safe else None
        for player in game.players
    ]
    return specs if any(specs) else []


def _agents(specs: tuple[str | None, str | None], seed: int | None) -> "tuple[Agent | None, Agent | None]":
    from claimeven.agents import make_agent

    first, second = (None if spec is None else make_agent(spec, seed) for spec in specs)
    return first, second


def _check_save(path: Path) -> None:
    """What cannot be saved is told before the game, not after the first move."""
    try:
        if path.exists() and not path.is_file():
            raise InputError("save.no_file", path=path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError("save.failed", path=path, reason=why) from None


def _number(text: str | None) -> int | None:
    if text is not None and not (text.isascii() and text.isdigit()):
        raise InputError("option.saved_number", text=quote(text))
    return None if text is None else int(text)


def games(count: CountOption = 20, json: JsonOption = False) -> None:
    """List the games saved in the terminal, the newest first.

    claimeven play --resume N goes on with one of them.
    """
    from itertools import islice

    from claimeven.terminal.shelf import Shelf

    found = list(islice(Shelf().newest(), count))
    if json:
        print_json({"games": [_data(saved) for saved in found]})
    elif not found:
        print("no game is saved yet: claimeven play --terminal begins one")
    for saved in () if json else found:
        game, names = saved.game, [player.name or "a person" for player in saved.game.players]
        stands = (
            f"{sign(game.position.side, shows_discs())} to move" if game.result is None else game.result.score
        )
        moves = f"{len(game.columns)} {plural('move', len(game.columns))}"
        begun = f"{saved.number:>4}  {saved.when:%Y-%m-%d %H:%M}  {game.board}"
        print(f"{begun}  {' – '.join(names)}, {moves}, {stands}")


class SavedJson(TypedDict):
    number: int
    path: str
    when: str
    board: str
    players: list[str]
    moves: str
    result: str | None


def _data(saved: "Saved") -> SavedJson:
    game = saved.game
    return {
        "number": saved.number,
        "path": str(saved.path),
        "when": saved.when.isoformat(timespec="seconds"),
        "board": str(game.board),
        "players": [player.name for player in game.players],
        "moves": game.moves,
        "result": None if game.result is None else game.result.score,
    }
