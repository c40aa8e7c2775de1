"""How the help looks: words of the command line only, nothing cut short, colour where somebody looks.

Also what a shell offers when somebody presses Tab; `claimeven --install-completion` tells it to ask.
"""

import re
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from claimeven.terminal.paint import has_colours, paint

WHOLE = 1000  # characters of a summary: all of them

Rows = list[tuple[str, str]]

if TYPE_CHECKING:
    Formatted = TyperCommand
else:
    Formatted = object  # mixed into commands and groups


class _Plain(Formatted):
    """Usage and options without Python's types and braces: `SPEC...`, not `{SPEC}... <list[str]>`."""

    def get_params(self, ctx: Any) -> list[Any]:
        params: list[Any] = super().get_params(ctx)
        for param in params:
            if hasattr(param, "type_descriptor"):
                param._runtime_param = _Light()
        return params

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, Rows] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            if (record := param.get_help_record(ctx)) is not None:
                name, about = record
                heading = "Arguments" if param.param_type_name == "argument" else "Options"
                sections[heading].append((re.sub(r" <.*>$", "", name), _ranges(about)))
        for heading, rows in sections.items():
            write_section(formatter, heading, rows)


class Command(_Plain, TyperCommand):
    pass


class _Light:
    """What needs no judgement is read here: Typer would load pydantic, half the time that `show` takes."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        wanted, about = param.type_descriptor.annotation, param.type_descriptor.parameter_info
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if wanted in (str, bool) or type(value) is wanted:
            return value
        if wanted == list[str] and not isinstance(value, str):
            return list(value)
        if wanted is int and re.fullmatch("[0-9]{1,15}", value):
            number = int(value)
            if (about.min is None or number >= about.min) and (about.max is None or number <= about.max):
                return number
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param, ctx)


class Group(_Plain, TyperGroup):
    def headings(self) -> dict[str, list[str]]:
        return {"Commands": [*self.commands]}

    def format_options(self, ctx: Any, formatter: Any) -> None:
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Every command with its whole summary, under its heading."""
        width = max(map(len, self.commands))
        for heading, names in self.headings().items():
            summaries = [(name, self.commands[name].get_short_help_str(WHOLE)) for name in names]
            write_section(formatter, heading, [(name.ljust(width), about) for name, about in summaries])


def group(summary: str) -> typer.Typer:
    """A command that has commands of its own."""
    return typer.Typer(
        cls=Group,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=summary,
    )


def write_section(formatter: Any, heading: str, rows: Rows) -> None:
    if not rows:
        return
    colours = has_colours()
    with formatter.section(paint(heading, "bold", colours)):
        formatter.write_dl([(paint(name, "cyan", colours), about) for name, about in rows])


def _ranges(about: str) -> str:
    """
    >>> _ranges("Games.  [default: 7; x>=1]"), _ranges("[0<=x<=65535]")
    ('Games.  [default: 7; at least 1]', '[0 to 65535]')
    """
    return re.sub(r"x>=(\d+)", r"at least \1", re.sub(r"(\d+)<=x<=(\d+)", r"\1 to \2", about))


# What Tab offers --------------------------------------------------------------------------------------


def agent_names(incomplete: str) -> list[tuple[str, str]]:
    from claimeven.agents.registry import builtin_kinds

    offered = {name: kind.summary for name, kind in builtin_kinds().items()}
    typed = incomplete.partition(":")[0]
    for option in builtin_kinds()[typed].options if typed in offered else ():  # what may follow its name
        if option.name == typed:  # level:3 is short for level:level=3
            numbers = range(int(option.low or 0), int(option.high or 0) + 1)
            offered |= {f"{typed}:{number}": "" for number in numbers}
        else:
            values = option.words or ("",)
            offered |= {f"{typed}:{option.name}={value}": option.help for value in values}
    return [(name, about) for name, about in offered.items() if name.startswith(incomplete)]


def format_names(incomplete: str) -> list[tuple[str, str]]:
    from claimeven.formats import FORMATS

    return [(name, entry.about) for name, entry in FORMATS.items() if name.startswith(incomplete)]


def languages(incomplete: str) -> list[str]:
    from claimeven.reasons.words import LANGUAGES

    return [name for name in LANGUAGES if name.startswith(incomplete)]
