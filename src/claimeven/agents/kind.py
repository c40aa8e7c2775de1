"""A kind of agent: its options, and how one is made from a spec like "mcts:simulations=20000,lgr=2".

name[:option[=value],…]      an option without value is true; file= or command= comes last
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from claimeven.agents.agent import Agent
from claimeven.agents.option import Option, Value
from claimeven.errors import SpecError
from claimeven.notation import quote

Values = Mapping[str, Any]  # by name of the option


@dataclass(frozen=True)
class Kind:
    """A kind of agent: its options, and how one is made from them."""

    name: str
    summary: str
    make: Callable[[str, int | None, Values], Agent]  # name of the agent, seed, every option
    options: tuple[Option, ...] = ()
    shorthands: Mapping[str, Values] = field(default_factory=dict)  # one word for several options
    bare: str | None = None  # the option whose value may stand alone: level:7
    variants: tuple[str, ...] = ()  # options that make an agent worth choosing by name, as in a spec

    def parse(self, text: str) -> dict[str, Value]:
        """The options of a spec (what follows the colon), completed with the defaults."""
        given: dict[str, Value] = {}
        while text:
            item, text = self._next(text)
            name, _, value = item.partition("=")
            if name in self.shorthands and "=" not in item:
                found = dict(self.shorthands[name])
            else:
                option, value = self._option(name, value, has_value="=" in item)
                found = {option.name: option.parse(value)}
            for key in found.keys() & given.keys():
                raise SpecError("agent.twice", name=self.name, key=key)
            given |= found
        for option in self.options:
            if option.takes_rest and option.default is None and option.name not in given:
                raise SpecError("agent.needs", agent=self.name, option=option.name)
        return {option.name: option.default for option in self.options} | given

    def spec(self, values: Values) -> str:
        """The shortest spec that gives these values."""
        parts = [
            o.text(values[o.name])
            for o in self.options
            if values[o.name] != o.default and o.name != self.bare
        ]
        if self.bare is not None:
            parts.insert(0, str(values[self.bare]))
        return ":".join(filter(None, [self.name, ",".join(parts)]))

    def _next(self, text: str) -> tuple[str, str]:
        """Cut off the first item; an option that takes the rest takes it."""
        takes_rest = any(o.takes_rest and text.startswith(o.name + "=") for o in self.options)
        if takes_rest:
            return text, ""
        item, comma, rest = text.partition(",")
        if not item or (comma and not rest):
            raise SpecError("agent.comma", name=self.name)
        return item, rest

    def _option(self, name: str, value: str, has_value: bool) -> tuple[Option, str]:
        for option in self.options:
            if option.name == name:
                return option, value
        for option in self.options:
            if option.name == self.bare and not has_value:
                return option, name
        known = ", ".join([o.name for o in self.options] + list(self.shorthands))
        if not known:
            raise SpecError("agent.no_options", agent=self.name, name=quote(name))
        raise SpecError("agent.no_option", agent=self.name, name=quote(name), known=known)
