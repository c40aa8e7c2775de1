"""The command line: the list of commands, and the one place where errors become words."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Annotated, NoReturn

import typer
from typer.main import get_command

from claimeven.commands.asked.usage import Command, Group
from claimeven.errors import InputError

# By heading, in the order of the help: where in claimeven.commands each is. Only what is called is loaded.
COMMANDS = {
    "Play": {
        "play": "play:play",
        "games": "play:games",
        "serve": "serve:serve",
        "work": "serve:work",
        "join": "join:join",
    },
    "Look": {"show": "look:show", "convert": "look:convert", "formats": "look:formats"},
    "Understand": {
        "solve": "solve:solve",
        "explain": "explain:explain",
        "review": "explain:review",
        "hint": "explain:hint",
        "people": "people:people",
        "map": "map:app",
    },
    "Practise": {"learn": "practise.learn:learn", "puzzle": "practise.puzzle:puzzle", "me": "practise.me:me"},
    "Compare": {
        "agents": "agents:agents",
        "measure": "agents:measure",
        "arena": "arena:arena",
        "report": "arena:report",
    },
    "Learn": {
        "train": "learning.train:app",
        "label": "learning.label:label",
        "certify": "learning.certify:certify",
    },
    "Count": {"perft": "counting:perft", "bench": "bench:bench"},
    "Book": {"book": "book:app"},
    "Export": {"export": "export:app"},
}
PLACES = {name: place for commands in COMMANDS.values() for name, place in commands.items()}

# What the server stands on and the library and the command line do without (pyproject.toml).
APP = {"alembic", "fastapi", "h11", "msgspec", "sqlalchemy", "starlette", "uvicorn", "websockets"}

LONGEST = 500  # characters of a complaint
# What a library says of numbers, and what a person would say.
PLAIN_WORDS = {
    r"Input should be a valid integer.*": "a whole number is needed",
    r"Input should be a valid number.*": "a number is needed",
    r"Input should be a finite number.*": "a number is needed",
    r"Input should be greater than or equal to (\S+)": r"at least \1 is needed",
    r"Input should be less than or equal to (\S+)": r"at most \1 is possible",
}

VersionOption = Annotated[bool, typer.Option("--version", help="Show the version.", is_eager=True)]


class Headings(Group):
    """Lists the commands under their headings."""

    def headings(self) -> dict[str, list[str]]:
        return {heading: [*commands] for heading, commands in COMMANDS.items()}


def command_of(name: str) -> Callable[..., None] | typer.Typer:
    module, _, function = PLACES[name].partition(":")
    found: Callable[..., None] | typer.Typer = getattr(
        import_module(f"claimeven.commands.{module}"), function
    )
    return found


def app_of(names: Iterable[str]) -> typer.Typer:
    """The command line with these commands."""
    app = typer.Typer(
        name="claimeven",
        cls=Headings,
        rich_markup_mode=None,  # plain help: no boxes
        context_settings={"help_option_names": ["-h", "--help"]},
        subcommand_metavar="COMMAND ...",
        epilog="Without a command: claimeven play. Every command has its own --help.",
    )
    for name in names:
        command = command_of(name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name, cls=Command)(command)
    app.callback(invoke_without_command=True)(start)
    return app


def start(context: typer.Context, version: VersionOption = False) -> None:
    """The Connect Four laboratory: play it, solve it, understand it, beat it."""
    if version:
        from claimeven import __version__

        print(f"claimeven {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        from claimeven.commands.play import play

        play()


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the exit code. Unexpected errors pass through: they are bugs."""
    try:
        # All are needed only where they are listed: in the help, by Tab, for a word that is none of them.
        app = app_of(arguments[:1] if arguments and arguments[0] in PLACES else PLACES)
        code = get_command(app).main(args=list(arguments), prog_name="claimeven", standalone_mode=False)
        print(end="", flush=True)  # so that a failure to write is met here
    except typer.TyperException as error:
        return complain(usage(error))
    except InputError as error:
        return complain(str(error))
    except BrokenPipeError:  # whoever read the output has gone
        forget_output()
        return 1
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in APP:
            raise
        return complain("this needs the server: pip install 'claimeven[app]' (play --terminal does without)")
    except OSError as error:
        forget_output()
        about = f"{error.filename}: " if error.filename else ""
        return complain(f"{about}{(error.strerror or str(error)).lower()}")
    return code if isinstance(code, int) else 0


def forget_output() -> None:
    """If the output cannot be written, let Python's last flush go nowhere: it would complain once more."""
    try:
        print(end="", flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message: str) -> int:
    if len(message) > LONGEST:  # someone has pasted a book: its beginning is enough
        message = f"{message[:LONGEST]}…"
    print(f"claimeven: {message}", file=sys.stderr)
    return 2


def usage(error: typer.TyperException) -> str:
    """What was wrong with the command line, in one sentence, and where to read more."""
    message = " ".join(error.format_message().split()).rstrip(".")
    for theirs, ours in PLAIN_WORDS.items():
        message = re.sub(theirs, ours, message)
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "claimeven"
    return f"{message[:1].lower()}{message[1:]} (see {path} --help)"
