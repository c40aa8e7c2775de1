"""Every agent by name: specs (kind.py) become agents here.

Other packages add agents through the entry-point group "claimeven.agents": each entry is a Kind.
"""

from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points

from claimeven.agents.agent import Agent
from claimeven.agents.kind import Kind
from claimeven.errors import SpecError
from claimeven.notation import quote

GROUP = "claimeven.agents"


def make_agent(spec: str, seed: int | None = None) -> Agent:
    """Make the agent that a spec describes; without a seed it is different every time."""
    if not isinstance(spec, str):
        raise SpecError("not_spec", spec=f"{spec!r:.60}")
    name, colon, options = spec.partition(":")
    kind = find_kind(name)
    if colon and not options:
        raise SpecError("agent.colon", spec=quote(spec))
    values = kind.parse(options)
    return kind.make(kind.spec(values), seed, values)


def find_kind(name: str) -> Kind:
    builtin = builtin_kinds()
    if name in builtin:
        return builtin[name]
    for entry in _entries():
        if entry.name == name:
            return _load(entry)
    known = ", ".join(agent_names())
    raise SpecError("agent.unknown", name=quote(name), known=known)


def agent_names() -> list[str]:
    return [*builtin_kinds(), *(entry.name for entry in _entries())]


@lru_cache(maxsize=1)
def builtin_kinds() -> dict[str, Kind]:
    # Loaded when an agent is first made: some know other formats or large tables.
    from claimeven.agents import mapped
    from claimeven.agents.apart import kaggle, process
    from claimeven.agents.checked import checked_kind
    from claimeven.agents.kinds import (
        human,
        level,
        mcts,
        minimax,
        neural,
        ntuple,
        perfect,
        qlearning,
        rules,
        simple,
    )

    kinds = [
        simple.RANDOM,
        simple.FIRST,
        rules.KIND,
        minimax.KIND,
        mcts.KIND,
        perfect.KIND,
        mapped.KIND,
        level.KIND,
        human.KIND,
        qlearning.KIND,
        neural.KIND,
        ntuple.KIND,
        checked_kind(make_agent),
        process.KIND,
        kaggle.KIND,
    ]
    return {kind.name: kind for kind in kinds}


def _entries() -> list[EntryPoint]:
    builtin = builtin_kinds()
    return [entry for entry in entry_points(group=GROUP) if entry.name not in builtin]


def _load(entry: EntryPoint) -> Kind:
    # Someone else's module: whatever goes wrong in it is told as one sentence.
    try:
        kind = entry.load()
    except Exception as error:
        raise SpecError("agent.not_loaded", name=entry.name, value=entry.value, reason=repr(error)) from error
    if not isinstance(kind, Kind):
        raise SpecError("agent.no_kind", name=entry.name, value=entry.value)
    return kind
